//! Templates: kinds of entities by name.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::MOST_TEMPLATES;
use super::template::Template;

/// Kinds of entities by name, in the order of the file.
#[derive(Clone, PartialEq, Default, Debug)]
pub(in crate::sim) struct Templates(pub(super) Vec<(Arc<str>, Template)>);

impl Templates {
    pub(in crate::sim) fn iter(&self) -> impl ExactSizeIterator<Item = &(Arc<str>, Template)> {
        self.0.iter()
    }

    /// The template in its place in the file.
    pub(in crate::sim) fn get(&self, place: usize) -> Option<&(Arc<str>, Template)> {
        self.0.get(place)
    }

    /// The place of a template in the file.
    pub(in crate::sim) fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(key, _)| &**key == name)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Template> {
        self.place(name).map(|place| &self[place].1)
    }

    pub(super) fn key(&self, name: &str) -> Option<Arc<str>> {
        self.place(name).map(|place| Arc::clone(&self.0[place].0))
    }
}

/// By place in the file.
impl std::ops::Index<usize> for Templates {
    type Output = (Arc<str>, Template);

    fn index(&self, place: usize) -> &Self::Output {
        &self.0[place]
    }
}

impl Serialize for Templates {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(name, template)| (&**name, template)))
    }
}

impl JsonSchema for Templates {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Templates".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let template = generator.subschema_for::<Template>();
        schemars::json_schema!({
            "type": "object",
            "additionalProperties": template,
            "propertyNames": { "minLength": 1, "maxLength": 64 },
            "maxProperties": MOST_TEMPLATES
        })
    }
}

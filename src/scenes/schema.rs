//! The JSON schema of scene files.

use schemars::JsonSchema;
use serde_json::Value;

use super::scene::Scene;
use crate::schema_text::rewrite_descriptions;

impl Scene {
    /// Returns the JSON schema of scene files.
    pub fn schema() -> Value {
        strict_schema::<Self>()
    }
}

/// Returns the JSON schema of a type, without `null`.
pub(super) fn strict_schema<T: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(T).to_value();
    forbid_null(&mut schema);
    rewrite_descriptions(&mut schema);
    schema
}

/// Removes `null`, which derived schemas accept for optional keys.
fn forbid_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(forbid_null),
        Value::Object(object) => {
            if let Some(Value::Array(variants)) = object.get_mut("anyOf") {
                variants.retain(|variant| variant["type"] != "null");
            }
            if let Some(Value::Array(types)) = object.get_mut("type") {
                types.retain(|name| name != "null");
            }
            object.values_mut().for_each(forbid_null);
        }
        _ => {}
    }
}

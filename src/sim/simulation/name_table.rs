//! The names of the entities of a scene file.

use std::collections::HashMap;

use crate::components::Name;
use crate::scenes::{Scene, Templates};

/// The names that [`Name`] components index: first those of the templates, in order.
pub(super) struct NameTable {
    names: Vec<Box<str>>,
    /// Indices of the names of listed entities.
    listed: HashMap<Box<str>, Name>,
}

impl NameTable {
    /// Returns the names of all entities of a scene.
    pub(super) fn of(scene: &Scene) -> Self {
        let mut table = Self::new(&scene.templates);
        for name in scene.entities.0.iter().filter_map(|entity| entity.name.as_ref()) {
            table.add(name.as_str());
        }
        table
    }

    /// Returns the names in the order of their indices.
    pub(super) fn into_names(self) -> Vec<Box<str>> {
        self.names
    }

    pub(super) fn new(templates: &Templates) -> Self {
        let names =
            templates.iter().map(|(key, template)| template.entity_name(key).as_str().into());
        Self { names: names.collect(), listed: HashMap::new() }
    }

    /// Returns the index of a name of a listed entity. Adds the name if it is new.
    pub(super) fn add(&mut self, name: &str) -> Name {
        *self.listed.entry(name.into()).or_insert_with(|| {
            self.names.push(name.into());
            Name(self.names.len() as u32 - 1)
        })
    }
}

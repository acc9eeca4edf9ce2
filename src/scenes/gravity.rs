//! Gravity of entities.

use schemars::JsonSchema;
use serde::de::{Error, MapAccess, SeqAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::forms::{Forms, any_form, read_list, read_number, read_object};

/// Gravity whose numbers are an `N`: constants for an entity, distributions for a template.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(description = "Gravity of an entity.")]
pub(crate) enum GravitySpec<N> {
    /// An acceleration downwards.
    Down(N),
    /// An acceleration along X, Y and Z.
    Vector([N; 3]),
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for GravitySpec<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any_form(deserializer)
    }
}

impl<'de, N: Deserialize<'de>> Forms<'de> for GravitySpec<N> {
    fn expected() -> String {
        "an acceleration downwards or [x, y, z] (m/s2)".to_owned()
    }

    fn from_number<E: Error>(value: f64) -> Option<Result<Self, E>> {
        Some(read_number(value).map(Self::Down))
    }

    fn from_list<A: SeqAccess<'de>>(items: A) -> Option<Result<Self, A::Error>> {
        Some(read_list(items).map(Self::Vector))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(read_object(map).map(Self::Down))
    }
}

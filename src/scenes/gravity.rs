//! Gravity of entities.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::untagged::number_or;

/// Gravity whose numbers are an `N`: constants for an entity, distributions for a template.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum GravitySpec<N> {
    /// An acceleration downwards.
    Down(N),
    /// An acceleration along X, Y and Z.
    Vector([N; 3]),
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for GravitySpec<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number_or(Self::Down)
            .expecting("an acceleration downwards or [x, y, z]")
            .seq(|items| items.deserialize().map(Self::Vector))
            .map(|map| map.deserialize().map(Self::Down))
            .deserialize(deserializer)
    }
}

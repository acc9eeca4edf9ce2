//! Components of entities from a scene file, used when they respawn.

use serde::{Deserialize, Serialize};

use crate::components::{Ranged, Velocity};

/// Template of an entity, as its index in the scene file. Absent in the classic scene.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct TemplateId(pub(super) u32);

impl Ranged for TemplateId {}

/// Velocity with which an entity without a template starts and respawns; zero if absent.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct InitialVelocity(pub(super) Velocity);

impl Ranged for InitialVelocity {
    fn is_valid(&self) -> bool {
        self.0.is_valid()
    }
}

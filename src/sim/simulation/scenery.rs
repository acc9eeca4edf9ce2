//! Scenery: what a simulation keeps of its scene beside entities: names, and the light.

#[cfg(feature = "scenes")]
use std::sync::Arc;

use super::Simulation;
use crate::components::{Light, Name};
use crate::ecs::Entity;
#[cfg(feature = "scenes")]
use crate::scenes::{Lighting, Scene};
use crate::sim::{SceneSettings, SceneSource};

/// A resource of worlds that come from a scene.
#[derive(Default)]
pub(super) struct Scenery {
    /// What [`Name`] counts in.
    pub(super) names: Vec<Box<str>>,
    pub(super) light: Light,
    /// Whether the ground cannot be seen.
    pub(super) bottomless: bool,
    /// What the entities were made of.
    #[cfg(feature = "scenes")]
    pub(super) scene: Option<Arc<Scene>>,
}

#[cfg(feature = "scenes")]
impl Scenery {
    pub(super) fn of(scene: &Arc<Scene>, names: Vec<Box<str>>) -> Self {
        Self {
            names,
            light: scene.lighting().map(Lighting::light).unwrap_or_default(),
            bottomless: !scene.has_ground(),
            scene: Some(Arc::clone(scene)),
        }
    }
}

impl Simulation {
    /// What an entity is called; `None` if it has no name, as the cubes of the classic scene, or does
    /// not exist (any more).
    #[must_use]
    pub fn name(&self, entity: Entity) -> Option<&str> {
        let Name(name) = *self.world.get(entity).ok()?;
        let scenery: &Scenery = self.world.resources().get().ok()?;
        scenery.names.get(name as usize).map(AsRef::as_ref)
    }

    /// What it began with, but for the number of cubes, which is that of now; what to begin again with.
    #[must_use]
    pub fn source(&self) -> SceneSource {
        #[cfg(feature = "scenes")]
        if let Ok(Scenery { scene: Some(scene), .. }) = self.world.resources().get() {
            return SceneSource::File(Arc::clone(scene));
        }
        SceneSource::Classic(SceneSettings {
            cubes: self.cubes().count() as u32,
            seed: self.seed(),
        })
    }

    /// Whether there is a ground to be seen; cubes fall through where it would be, too.
    #[must_use]
    pub fn has_ground(&self) -> bool {
        !self.world.resources().get::<Scenery>().is_ok_and(|scenery| scenery.bottomless)
    }

    /// What lights the scene.
    #[must_use]
    pub fn light(&self) -> Light {
        self.world
            .resources()
            .get::<Scenery>()
            .map_or_else(|_| Light::default(), |scenery| scenery.light)
    }
}

//! What a simulation keeps of its scene file besides entities.

use std::sync::Arc;

use super::Simulation;
use crate::components::{Light, Name};
use crate::ecs::Entity;
use crate::scenes::Scene;
use crate::sim::{SceneSettings, SceneSource};

/// Names, light and ground of a scene file: a resource of worlds spawned from one.
#[derive(Default)]
pub(super) struct SceneContext {
    /// The names that [`Name`] components index.
    pub(super) names: Vec<Box<str>>,
    light: Light,
    hides_ground: bool,
    emits: bool,
    pub(super) scene: Option<Arc<Scene>>,
}

impl SceneContext {
    pub(super) fn new(scene: &Arc<Scene>, names: Vec<Box<str>>) -> Self {
        Self {
            names,
            light: scene.light.light(),
            hides_ground: !scene.ground,
            emits: scene.emits(),
            scene: Some(Arc::clone(scene)),
        }
    }
}

impl Simulation {
    /// Returns the name of an entity. `None` if it has no name, as the cubes of the classic scene, or no
    /// longer exists.
    pub fn name(&self, entity: Entity) -> Option<&str> {
        let Name(index) = *self.world.get::<&Name>(entity).ok()?;
        let context: &SceneContext = self.world.resources().get()?;
        context.names.get(index as usize).map(AsRef::as_ref)
    }

    /// Returns the scene that a reset spawns. The classic scene has the current number of cubes.
    pub fn source(&self) -> SceneSource {
        if let Some(SceneContext { scene: Some(scene), .. }) = self.world.resources().get() {
            return SceneSource::File(Arc::clone(scene));
        }
        SceneSource::Classic(SceneSettings {
            cubes: self.cubes().count() as u32,
            seed: self.seed(),
        })
    }

    /// Returns `true` if the ground is drawn. Cubes fall through its height either way.
    pub fn has_ground(&self) -> bool {
        !self.world.resources().get::<SceneContext>().is_some_and(|context| context.hides_ground)
    }

    /// Returns `true` if any cube of the scene may emit light.
    pub fn emits(&self) -> bool {
        self.world.resources().get::<SceneContext>().is_some_and(|context| context.emits)
    }

    /// Returns the light of the scene.
    pub fn light(&self) -> Light {
        self.world.resources().get::<SceneContext>().map_or_else(
            || Light { extinction: self.generator().extinction(), ..Light::default() },
            |it| it.light,
        )
    }
}

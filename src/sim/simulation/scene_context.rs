//! What a simulation keeps of its scene file besides entities.

use std::sync::Arc;

use super::Simulation;
use super::name_table::NameTable;
use crate::components::{Light, Name};
use crate::ecs::Entity;
use crate::scenes::Scene;
use crate::sim::SceneSource;
use crate::sim::camera::has_ground;

/// A scene file: a resource of worlds spawned from one.
pub(super) struct SceneContext {
    /// The names that [`Name`] components index.
    names: Vec<Box<str>>,
    /// [`Scene::emits`], which reads all entities.
    emits: bool,
    pub(super) scene: Arc<Scene>,
}

impl SceneContext {
    pub(super) fn new(scene: &Arc<Scene>, names: NameTable) -> Self {
        Self { names: names.into_names(), emits: scene.emits(), scene: Arc::clone(scene) }
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

    /// Returns the scene that a reset spawns. The classic scene has the number of cubes that was set last, without those
    /// that were dropped or despawned one by one.
    pub fn source(&self) -> SceneSource {
        if let Some(SceneContext { scene, .. }) = self.world.resources().get() {
            return SceneSource::File(Arc::clone(scene));
        }
        SceneSource::Classic(self.generator().settings())
    }

    /// Returns `true` if the ground is drawn. Cubes fall through its height either way.
    pub fn has_ground(&self) -> bool {
        has_ground(&self.world)
    }

    /// Returns `true` if any cube of the scene may emit light.
    pub fn emits(&self) -> bool {
        self.world.resources().get::<SceneContext>().is_some_and(|context| context.emits)
    }

    /// Returns the light of the scene.
    pub fn light(&self) -> Light {
        self.world.resources().get::<SceneContext>().map_or_else(
            || Light { extinction: self.generator().extinction(), ..Light::default() },
            |it| it.scene.light.light(),
        )
    }
}

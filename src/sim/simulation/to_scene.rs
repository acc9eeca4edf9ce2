//! To a scene: the world as it is now, to be written to a file.

use std::collections::HashMap;
use std::sync::Arc;

use super::Simulation;
use super::scenery::Scenery;
use crate::components::{Acceleration, Color, Gravity, Lens, Position, Rotation, Scale, Velocity};
use crate::ecs::{Entity, Signature};
use crate::scenes::{
    Camera, Hex, Label, Placed, Pulled, Quaternion, Scene, SceneError, Template, axes,
};
use crate::sim::FallMode;
use crate::sim::bundles::Physics;
use crate::sim::template_id::TemplateId;

/// What a scene is called that comes from no file.
const UNNAMED: &str = "saved";

impl Simulation {
    /// The world as it is now: every entity with the values it has, and the camera, the mode, the
    /// light and the tuning. Entities keep their templates, which say how they begin again.
    ///
    /// Of a world in which nothing has fallen through the floor yet, the scene makes one with the same
    /// [state hash](Self::state_hash), unless its camera circles a place; later on handles count up, which files do not hold, and what
    /// begins again is drawn from the start of the random streams.
    ///
    /// Which cube the camera follows, counts and gaps in handles are not in a scene, and what is beyond
    /// the ranges of a file is written as the nearest value that it may hold. A camera that follows a
    /// cube circles the place where the cube is.
    ///
    /// # Errors
    /// There are too many entities for a file.
    pub fn to_scene(&self) -> Result<Scene, SceneError> {
        let scenery = self.world.resources().get::<Scenery>().ok();
        let file = scenery.and_then(|scenery| scenery.scene.as_deref());
        let mut scene = file.map_or_else(|| self.classic(), Scene::without_entities);
        let everyone =
            || self.world.entities(Signature::EMPTY).filter(|&entity| entity != self.camera);
        // Before there are lists of all of them.
        scene.check_room(everyone().count())?;
        let resting: HashMap<_, _> = self.fall.resting().collect();
        let mut entities: Vec<_> = everyone().collect();
        // As they were spawned, so that they come to lie in the same order.
        entities.sort_unstable_by_key(|entity| entity.index());
        for entity in entities {
            let placed = self.placed(entity, &scene, resting.get(&entity));
            scene.place(placed);
        }
        let (position, lens, controls) =
            (self.camera().view().position, self.get::<Lens>(self.camera), self.get(self.camera));
        let velocity = self.get(self.camera).unwrap_or_default();
        let (lens, controls) =
            (lens.expect("the camera has it"), controls.expect("the camera has it"));
        // One that falls looks wherever it is turned to.
        let orbit = self.world.get(self.camera).ok().filter(|_| self.mode() == FallMode::Cubes);
        scene.look(Camera::of(position, lens, &controls, velocity, orbit), self.mode());
        scene.tune(self.tuning());
        Ok(scene)
    }

    /// What a world that comes from no file is made of.
    fn classic(&self) -> Scene {
        Scene::classic(Label::of(UNNAMED), self.generator().settings())
    }

    fn get<T: Copy + Send + Sync + 'static>(&self, entity: Entity) -> Option<T> {
        self.world.get(entity).ok().copied()
    }

    fn placed(&self, entity: Entity, scene: &Scene, resting: Option<&Physics>) -> Placed {
        let color = self.get::<Color>(entity);
        let velocity = self.get(entity).or(resting.map(|physics| physics.body.velocity));
        let acceleration = self.get(entity).or(resting.map(|physics| physics.body.acceleration));
        let gravity = self.get(entity).or(resting.map(|physics| physics.gravity));
        let has_all_of = |template: &Template| {
            (color.is_some() || template.color.is_none())
                && (velocity.is_some() || !template.moves())
                && (gravity.is_some() || template.gravity.is_none())
        };
        // The cubes of the classic scene are all of one kind.
        let classic = self.world.resources().get::<Scenery>().is_err();
        let origin = if classic { Some(TemplateId(0)) } else { self.get(entity) };
        let origin = origin.and_then(|TemplateId(kind)| scene.templates().get(kind as usize));
        let origin = origin.filter(|(_, template)| has_all_of(template));
        let own = origin.map(|(key, template)| template.name_or(key));
        let name = self.name(entity).filter(|&name| Some(name) != own);
        Placed {
            template: origin.map(|(key, _)| Arc::clone(key)),
            name: name.map(Label::of),
            position: self.get(entity).map(|Position(position)| axes(position)),
            rotation: self.get(entity).map(|Rotation(rotation)| Quaternion::of(rotation)),
            scale: self.get(entity).map(|Scale(scale)| scale.into()),
            color: color.map(Hex),
            velocity: velocity.map(|Velocity(velocity)| axes(velocity)),
            acceleration: acceleration.map(|Acceleration(acceleration)| axes(acceleration)),
            gravity: gravity.map(|gravity: Gravity| Pulled::of(gravity)),
        }
    }
}

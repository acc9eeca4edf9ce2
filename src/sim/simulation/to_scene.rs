//! The current state of a world as a scene file.

use std::collections::HashMap;
use std::sync::Arc;

use super::Simulation;
use super::scene_context::SceneContext;
use crate::components::{
    Acceleration, Color, Gravity, Lens, Orbit, Position, Rotation, Scale, Velocity,
};
use crate::ecs::{Entity, Signature};
use crate::scenes::{
    CameraPath, Description, Distribution, EntitySpec, FixedRotation, GravitySpec, HexColor,
    Interval, List, Name, PeriodLength, Quantity, Quaternion, RandomNumber, Scene, SceneError,
    Template, Whole, bundled, from_vec3,
};
use crate::sim::FallMode;
use crate::sim::bundles::Physics;
use crate::sim::cube_generator::{EDGE, growth};
use crate::sim::evaluation;
use crate::sim::scene_camera::camera_spec;
use crate::sim::source::CLASSIC;
use crate::sim::template_id::TemplateId;

/// Name of a saved scene that was not spawned from a file.
const UNNAMED: &str = "saved";

impl Simulation {
    /// Returns the current state as a scene: every entity with its current values, the camera, the fall
    /// mode, the light and the tuning. Entities keep their templates, from which they respawn.
    ///
    /// Until the first cube respawns, or is added or removed, the scene spawns a world with the same
    /// [state hash](Self::state_hash), unless the motion is evaluated, or the camera orbits, is on a path, or changes from
    /// one fall mode to the other. Afterwards handles and random streams differ, since they start anew.
    ///
    /// A scene does not hold which cube the camera follows (the camera of the scene orbits the position of that cube), how
    /// far the camera is on its path, counters, and unused slots of entities. Values out of range become the nearest value
    /// in range.
    ///
    /// # Errors
    /// There are more entities than a file may list.
    pub fn to_scene(&self) -> Result<Scene, SceneError> {
        let context = self.world.resources().get::<SceneContext>();
        let file = context.map(|context| &*context.scene);
        let mut scene = file.map_or_else(|| self.classic(), Scene::without_entities);
        for template in scene.templates.values_mut() {
            template.count = Some(Whole(0));
        }
        let entities =
            || self.world.entities(Signature::EMPTY).filter(|&entity| entity != self.camera);
        // Checked before memory is allocated for all entities.
        Scene::check_listed(entities().count())?;
        let resting: HashMap<_, _> = self.fall.resting().collect();
        let mut entities: Vec<_> = entities().collect();
        // In the order of spawning, so that the saved world stores them in the same order.
        entities.sort_unstable_by_key(|entity| entity.index());
        let specs = entities.iter().map(|&it| self.entity_spec(it, &scene, resting.get(&it)));
        let specs = List(specs.collect());
        scene.entities = Arc::new(specs);

        let (position, lens, controls) =
            (self.camera().view().position, self.get::<Lens>(self.camera), self.get(self.camera));
        let velocity = self.get(self.camera).unwrap_or_default();
        let (lens, controls) = lens.zip(controls).expect("the camera has these components");
        // A camera that falls is no longer at the distance of its orbit, which therefore is not saved.
        let orbit =
            self.world.get::<&Orbit>(self.camera).ok().filter(|_| self.mode() == FallMode::Cubes);
        scene.camera_path = self.camera_path().map(|path| CameraPath::clone(path));
        // A path starts anew, with the camera of the file.
        if scene.camera_path.is_none() {
            scene.camera = Some(camera_spec(position, lens, &controls, velocity, orbit));
        } else if let Some(camera) = &mut scene.camera {
            (camera.orbit, camera.orbit_speed) = (None, None);
        }
        scene.timeline.warm_up = None;
        scene.period = Some(self.period().0.to_array().map(PeriodLength::clamped));
        scene.mode = self.mode();
        scene.motion = self.motion();
        scene.tuning = self.tuning().into();
        let coloring = self.coloring();
        scene.palette = coloring.map(|it| it.palette);
        // A scene without a palette may name the property for one that is chosen later.
        scene.color_by = coloring.map_or(scene.color_by, |it| it.by);
        Ok(scene)
    }

    /// Returns the bundled file of the classic scene, with the seed and the edges of this one.
    fn classic(&self) -> Scene {
        let settings = self.generator().settings();
        let bundled = bundled().iter().find(|file| file.name == CLASSIC);
        let scene = bundled.and_then(|file| file.scene().ok());
        let mut scene = scene.expect("the classic scene is bundled and valid");
        let [low, high] = EDGE.map(|edge| Quantity::clamped(edge * growth(settings.cubes)));
        scene.templates[0].scale =
            Some(Distribution::Random(RandomNumber::Uniform(Interval(low, high))));
        scene.light.extinction = Quantity::clamped(self.generator().extinction());
        Scene {
            name: Name::from_lossy(UNNAMED),
            description: Description::default(),
            seed: settings.seed,
            content_hash: 0,
            ..scene
        }
    }

    fn get<T: Copy + Send + Sync + 'static>(&self, entity: Entity) -> Option<T> {
        self.world.get::<&T>(entity).ok().copied()
    }

    fn entity_spec(&self, entity: Entity, scene: &Scene, resting: Option<&Physics>) -> EntitySpec {
        let color = self.get::<Color>(entity);
        let velocity = evaluation::velocity(&self.world, entity).ok();
        let velocity = velocity.or(resting.map(|physics| physics.body.velocity));
        let acceleration = self.get(entity).or(resting.map(|physics| physics.body.acceleration));
        let gravity = self.get(entity).or(resting.map(|physics| physics.gravity));
        // A template adds its components to the entity, so it must have no others.
        let has_all_of = |template: &Template| {
            (color.is_some() || template.color.is_none())
                && (velocity.is_some() || !template.moves())
                && (gravity.is_some() || template.gravity.is_none())
        };
        // All cubes of the classic scene are of one template.
        let is_classic = self.world.resources().get::<SceneContext>().is_none();
        let template = if is_classic { Some(TemplateId(0)) } else { self.get(entity) };
        let template = template
            .and_then(|TemplateId(index)| scene.templates.get_index(index as usize))
            .filter(|(_, template)| has_all_of(template));
        let inherited = template.map(|(key, template)| template.entity_name(key).as_str());
        let name = self.name(entity).filter(|&name| Some(name) != inherited);
        // Without a value of its own, a cube has the emission of its template.
        let glows = template.is_some_and(|(_, template)| template.emission.is_some());
        let position = evaluation::position(&self.world, entity);
        let rotation = evaluation::rotation(&self.world, entity);
        EntitySpec {
            template: template.map(|(key, _)| key.clone()),
            name: name.map(Name::from_lossy),
            position: position.ok().map(|Position(position)| from_vec3(position)),
            rotation: rotation.ok().map(|Rotation(rotation)| {
                FixedRotation::Quaternion(Quaternion::from_quat(rotation))
            }),
            scale: self.get(entity).map(|Scale(scale)| Quantity::clamped(scale)),
            color: color.map(HexColor),
            emission: color
                .map(Color::emission)
                .filter(|&it| it > 0.0 || glows)
                .map(Quantity::clamped),
            velocity: velocity.map(|Velocity(velocity)| from_vec3(velocity)),
            acceleration: acceleration.map(|Acceleration(acceleration)| from_vec3(acceleration)),
            gravity: gravity.map(|Gravity(gravity)| GravitySpec::Vector(from_vec3(gravity))),
        }
    }
}

//! From a scene: the world that a scene file describes.

use std::collections::HashMap;
use std::sync::Arc;

use super::scenery::Scenery;
use super::{CAMERA_PITCH, CAMERA_START, Simulation};
use crate::components::{Acceleration, Controls, Lens, Name, Position, Rotation, Scale, Velocity};
use crate::ecs::Error;
use crate::scenes::{Camera, Hex, Placed, Pulled, Quantity, Scene, Template, Templates, constant};
use crate::sim::cube_generator::CubeGenerator;
use crate::sim::kinds::{Falling, Kinds, Thing};
use crate::sim::template_id::InitialVelocity;
use crate::sim::{FallMode, SceneSettings};

impl Simulation {
    /// Makes a simulation from a scene file.
    ///
    /// # Errors
    /// There is not enough memory for so many entities.
    pub(super) fn from_scene(scene: &Arc<Scene>, mode: FallMode) -> Result<Self, Error> {
        let (mut world, groups) = Self::prepare()?;
        world.reserve::<Falling>(scene.len() + 1)?;

        let mut names = Names::new(scene.templates());
        let mut kinds = Kinds::new(scene);
        for kind in 0..scene.templates().iter().len() {
            kinds.populate(kind, &mut world)?;
        }
        for placed in scene.entities() {
            let thing = thing(placed, scene.templates(), &mut kinds, &mut names);
            let entity = thing.spawn(&mut world)?;
            // One that falls and has no template begins again with the velocity of its own.
            if let (None, Some(_), Some(velocity)) = (thing.origin, thing.gravity, thing.velocity) {
                world.insert(entity, InitialVelocity(velocity))?;
            }
        }
        world.resources_mut().insert(Scenery::of(scene, names.table));
        world.resources_mut().insert(kinds);

        let camera = scene.camera();
        let classic = Controls { pitch: CAMERA_PITCH, ..Controls::default() };
        let classic = (Position(CAMERA_START), Lens::default(), classic);
        let seen_from = camera.map_or(classic, Camera::components);
        let settings = SceneSettings { cubes: scene.len() as u32, seed: scene.seed() };
        let cubes = CubeGenerator::added(settings);
        let mut simulation = Self::assemble(world, groups, seen_from, cubes, true)?;
        simulation.set_mode(mode)?;
        if let (FallMode::Camera, Some(camera)) = (mode, camera) {
            *simulation.world.get_mut(simulation.camera)? = camera.velocity();
        }
        if let Some(place) = camera.and_then(Camera::orbit) {
            let away = simulation.camera().view().position.0.distance(place);
            simulation.camera_mut().orbit(place, away);
        }
        simulation.set_tuning(scene.tuning())?;
        Ok(simulation)
    }
}

/// The components of an entity that has values of its own, and for the rest those of its template.
fn thing(placed: &Placed, templates: &Templates, kinds: &mut Kinds, names: &mut Names) -> Thing {
    let kind = placed.template.as_ref().and_then(|template| templates.place(template));
    let mut thing = kind.map_or_else(Thing::default, |kind| kinds.draw(kind));
    if let Some(position) = placed.position {
        thing.transform.position = Position(constant(position));
    }
    if let Some(rotation) = placed.rotation {
        thing.transform.rotation = Rotation(rotation.get());
    }
    if let Some(scale) = placed.scale {
        thing.transform.scale = Scale(scale.get());
    }
    let velocity = placed.velocity.map(|velocity| Velocity(constant(velocity)));
    let acceleration = placed.acceleration.map(|it| Acceleration(constant(it)));
    thing.color = placed.color.map(|Hex(color)| color).or(thing.color);
    thing.velocity = velocity.or(thing.velocity);
    thing.acceleration = acceleration.or(thing.acceleration);
    thing.gravity = placed.gravity.map(Pulled::get).or(thing.gravity);
    thing.name = placed.name.as_ref().map(|name| names.number(name.as_str())).or(thing.name);
    thing
}

/// The table of names: first those of the templates, in order.
struct Names {
    table: Vec<Box<str>>,
    /// The others, and their places.
    others: HashMap<Box<str>, Name>,
}

impl Names {
    fn new(templates: &Templates) -> Self {
        let name = |(key, template): &(Arc<str>, Template)| Box::from(template.name_or(key));
        Self { table: templates.iter().map(name).collect(), others: HashMap::new() }
    }

    fn number(&mut self, name: &str) -> Name {
        if let Some(&known) = self.others.get(name) {
            return known;
        }
        let number = Name(self.table.len() as u32);
        self.table.push(name.into());
        self.others.insert(name.into(), number);
        number
    }
}

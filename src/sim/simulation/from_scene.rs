//! Spawning the world that a scene file describes.

use std::slice;
use std::sync::Arc;

use super::Simulation;
use super::name_table::NameTable;
use super::scene_context::SceneContext;
use crate::components::{
    Acceleration, AngularVelocity, Color, ColorBy, Gravity, Position, Rotation, Scale, Velocity,
};
use crate::ecs::Error;
use crate::scenes::{
    EntitySpec, GravitySpec, HexColor, Quantity, Scene, Templates, TimelineSpec, to_vec3,
};
use crate::sim::bundles::TemplateCube;
use crate::sim::camera::NoGround;
use crate::sim::cube_generator::{CubeGenerator, HALF_EXTENT};
use crate::sim::endless::Period;
use crate::sim::groups::Groups;
use crate::sim::landing::time_to_fall;
use crate::sim::random::RandomStream;
use crate::sim::sampling::fixed_rotation;
use crate::sim::scene_camera::{camera_components, radians};
use crate::sim::spin::turn;
use crate::sim::template_id::InitialVelocity;
use crate::sim::template_spawner::{ComponentValues, TemplateSpawner};
use crate::sim::timeline::Timeline;
use crate::sim::{FallMode, Motion, SceneSettings, SceneSource, Tuning};

/// Random stream of the warm-up. Templates have the first streams, added cubes the last.
const WARM_UP: u64 = u64::MAX - 2;

impl Simulation {
    /// Spawns the world that a scene file describes.
    ///
    /// # Errors
    /// There is not enough memory for so many entities.
    pub(super) fn from_scene(
        scene: &Arc<Scene>,
        mode: FallMode,
        tuning: Tuning,
    ) -> Result<Self, Error> {
        let mut world = Self::prepare(Motion::Integrated);
        world.reserve::<TemplateCube>(scene.len() + 1)?;
        world.reserve::<(AngularVelocity,)>(scene.len())?;

        let mut names = NameTable::new(&scene.templates);
        let mut spawner = TemplateSpawner::new(scene);
        for template in 0..scene.templates.len() {
            spawner.spawn_all(template, &mut world)?;
        }
        let coloring = SceneSource::from(scene).coloring();
        // Listed colors, which the palette does not replace.
        let mut own_colors = Vec::new();
        for spec in &scene.entities.0 {
            let values = component_values(spec, &scene.templates, &mut spawner, &mut names);
            let entity = values.spawn(&mut world)?;
            let falls = values.gravity.is_some() && mode == FallMode::Cubes;
            let keeps_color = coloring.is_some_and(|coloring| match coloring.by {
                ColorBy::Place | ColorBy::Random => true,
                ColorBy::Height => false,
                // They change the colors of falling cubes only.
                ColorBy::Speed | ColorBy::Age => !falls,
            });
            if keeps_color && spec.color.is_some() {
                own_colors.extend(values.color.map(|color| (entity, color)));
            }
            if let (None, Some(_), Some(velocity)) =
                (values.template, values.gravity, values.velocity)
            {
                world.insert(entity, InitialVelocity(velocity))?;
            }
        }
        world.resources_mut().insert(SceneContext::new(scene, names));
        if !scene.ground {
            world.resources_mut().insert(NoGround);
        }
        world.resources_mut().insert(spawner);

        let classic = || Self::default_camera(mode);
        let camera = scene.camera.as_ref().map_or_else(classic, camera_components);
        let settings = SceneSettings { cubes: scene.len() as u32, seed: scene.seed };
        let cubes = CubeGenerator::added(settings);
        let mut simulation = Self::assemble(world, camera, cubes, true);
        simulation.set_tuning(tuning)?;
        // Colors that vary are those after the warm-up.
        let varies = coloring.is_some_and(|coloring| coloring.by.varies());
        if varies {
            simulation.warm_up(scene)?;
        }
        simulation.set_coloring(coloring)?;
        for (entity, color) in own_colors {
            *simulation.world.get_mut(entity)? = color;
        }
        if !varies {
            simulation.warm_up(scene)?;
        }
        let period = match scene.period {
            Some(period) => Period(to_vec3(period)),
            None => Period::covering(&simulation.world),
        };
        simulation.world.resources_mut().insert(period);
        simulation.fall.set(mode, &mut simulation.world)?;
        simulation.start_camera(scene)?;
        if scene.timeline != TimelineSpec::default() {
            simulation.world.resources_mut().insert(Timeline::new(scene.timeline, 0.0));
        }
        Ok(simulation)
    }

    /// Starts the motion of the camera of a scene file.
    fn start_camera(&mut self, scene: &Scene) -> Result<(), Error> {
        if let Some(camera) = &scene.camera {
            if self.mode() == FallMode::Camera {
                let velocity = Velocity(camera.velocity.map(to_vec3).unwrap_or_default());
                *self.world.get_mut(self.camera)? = velocity;
            }
            if let Some(target) = camera.orbit.map(to_vec3) {
                let distance = self.camera().view().position.0.distance(target);
                let rate = camera.orbit_speed.map_or(0.0, |rate| radians(rate.get().into()));
                self.camera_mut().orbit(target, distance);
                self.camera_mut().turn_by_itself(rate);
            }
        }
        if let Some(path) = &scene.camera_path {
            self.camera_mut().take_path(&Arc::new(path.clone()));
        }
        Ok(())
    }

    /// Moves each falling cube along its path by a random time up to the warm-up of the scene, or until its center is at the
    /// ground if that is earlier. Turns those that spin as long.
    fn warm_up(&mut self, scene: &Scene) -> Result<(), Error> {
        let Some(longest) = scene.timeline.warm_up else { return Ok(()) };
        let Tuning { gravity: factor, spin, .. } = self.tuning();
        let mut ages = Vec::new();
        let mut random = RandomStream::numbered(scene.seed, WARM_UP);
        let cubes = self.world.group_mut(Groups::of(&self.world).falling)?;
        let (positions, velocities, accelerations, gravities) =
            cubes.slices_mut::<(&mut Position, &mut Velocity, &Acceleration, &Gravity)>();
        let moving = positions.iter_mut().zip(velocities).zip(accelerations.iter().zip(gravities));
        for ((position, velocity), (acceleration, gravity)) in moving {
            let acceleration = acceleration.with_gravity(*gravity, factor);
            // One that starts in the ground may rise from it.
            let height = (position.0.y + HALF_EXTENT).max(0.0);
            let flight = time_to_fall(height, velocity.0.y, acceleration.y);
            let longest = flight.map_or(longest.get(), |flight| longest.get().min(flight as f32));
            let age = random.between(0.0, longest);
            position.0 += velocity.0 * age + acceleration * (0.5 * age * age);
            velocity.0 += acceleration * age;
            ages.push(age);
        }
        // Those that spin are the first of those that fall.
        let spinning = self.world.group_mut(Groups::of(&self.world).spinning)?;
        let (rotations, velocities) = spinning.slices_mut::<(&mut Rotation, &AngularVelocity)>();
        for ((rotation, velocity), age) in rotations.iter_mut().zip(velocities).zip(ages) {
            turn(slice::from_mut(rotation), slice::from_ref(velocity), age * spin);
        }
        Ok(())
    }
}

/// Returns the component values of a listed entity: its own, and otherwise those of its template.
fn component_values(
    spec: &EntitySpec,
    templates: &Templates,
    spawner: &mut TemplateSpawner,
    names: &mut NameTable,
) -> ComponentValues {
    // A new key of scene files is read here, too.
    let EntitySpec {
        template,
        name,
        position,
        rotation,
        scale,
        color,
        emission: own_emission,
        velocity,
        acceleration,
        gravity,
    } = spec;
    let template = template.as_ref().and_then(|name| templates.get_index_of(name));
    let mut values = template.map_or_else(ComponentValues::default, |index| spawner.sample(index));
    if let Some(position) = position {
        values.transform.position = Position(to_vec3(*position));
    }
    if let Some(rotation) = rotation {
        values.transform.rotation = Rotation(fixed_rotation(rotation));
    }
    if let Some(scale) = scale {
        values.transform.scale = Scale(scale.get());
    }
    let velocity = velocity.map(|velocity| Velocity(to_vec3(velocity)));
    let acceleration = acceleration.map(|it| Acceleration(to_vec3(it)));
    let gravity = gravity.map(|gravity| match gravity {
        GravitySpec::Down(down) => Gravity(glam::Vec3::new(0.0, -down.get(), 0.0)),
        GravitySpec::Vector(vector) => Gravity(to_vec3(vector)),
    });
    let inherited = values.color;
    values.color = color.map(|HexColor(color)| color).or(inherited).map(|color| {
        let emission = inherited.map_or(0.0, Color::emission);
        color.with_emission(own_emission.map_or(emission, Quantity::get))
    });
    values.velocity = velocity.or(values.velocity);
    values.acceleration = acceleration.or(values.acceleration);
    values.gravity = gravity.or(values.gravity);
    values.name = name.as_ref().map(|name| names.add(name.as_str())).or(values.name);
    values
}

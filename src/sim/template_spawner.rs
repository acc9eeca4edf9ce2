//! Spawning the entities of templates, each template with its own random stream.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;

use super::bundles::{Cube, Physics, TemplateCube};
use super::camera::stop_following;
use super::coloring::paint;
use super::cube_generator::HALF_EXTENT;
use super::evaluation::Evaluation;
use super::landing::Landed;
use super::random::RandomStream;
use super::restate::restate;
use super::sampling;
use super::spin::own_spin;
use super::template_id::{InitialVelocity, TemplateId};
use crate::components::{
    Acceleration, Color, Epoch, Gravity, Name, Position, RigidBody, Rotation, Scale, Transform,
    Velocity,
};
use crate::ecs::{Entity, Error, World};
use crate::scenes::{Respawn, Scene, Template};

/// Component values of an entity to spawn; `None` is a component that it does not have.
#[derive(Clone, Copy, Default)]
pub(super) struct ComponentValues {
    pub(super) transform: Transform,
    pub(super) color: Option<Color>,
    pub(super) velocity: Option<Velocity>,
    pub(super) acceleration: Option<Acceleration>,
    pub(super) gravity: Option<Gravity>,
    pub(super) name: Option<Name>,
    pub(super) template: Option<TemplateId>,
}

impl ComponentValues {
    /// Returns velocity and acceleration if the entity moves.
    fn body(&self) -> Option<RigidBody> {
        let Self { velocity, acceleration, gravity, .. } = *self;
        let moves = velocity.is_some() || acceleration.is_some() || gravity.is_some();
        moves.then(|| RigidBody {
            velocity: velocity.unwrap_or_default(),
            acceleration: acceleration.unwrap_or_default(),
        })
    }

    /// Returns the components of a cube if the entity is drawn and falls.
    fn cube(&self) -> Option<Cube> {
        let physics = Physics { body: self.body()?, gravity: self.gravity? };
        Some(Cube { transform: self.transform, color: self.color?, physics })
    }

    /// Returns all components if the entity is drawn, falls and has a template.
    fn template_cube(&self) -> Option<TemplateCube> {
        Some(TemplateCube { cube: self.cube()?, name: self.name?, template: self.template? })
    }

    /// Spawns the entity.
    pub(super) fn spawn(&self, world: &mut World) -> Result<Entity, Error> {
        let entity = match (self.cube(), self.color) {
            (Some(cube), _) => world.spawn(cube),
            (None, Some(color)) => {
                let Transform { position, rotation, scale } = self.transform;
                world.spawn((position, rotation, scale, color))
            }
            (None, None) => world.spawn(self.transform),
        };
        // A scene file has no gravity without a color, so this entity does not fall.
        if let (None, Some(body)) = (self.gravity, self.body()) {
            world.insert_bundle(entity, body)?;
        }
        if let Some(name) = self.name {
            world.insert(entity, name)?;
        }
        if let Some(template) = self.template {
            world.insert(entity, template)?;
        }
        Ok(entity)
    }
}

/// Spawns the entities of the templates of a scene. A resource of worlds spawned from a scene file.
pub(super) struct TemplateSpawner {
    scene: Arc<Scene>,
    states: Vec<TemplateState>,
    /// Slot of the first listed entity.
    listed_from: u32,
    /// Number of each listed entity among those of its template.
    listed: Vec<u32>,
}

/// Random stream of a template, and the number of entities sampled from it so far.
struct TemplateState {
    random: RandomStream,
    sampled: u64,
    /// Slot of its first entity.
    first: u32,
}

impl TemplateSpawner {
    pub(super) fn new(scene: &Arc<Scene>) -> Self {
        // Templates spawn first, in order, then the listed entities.
        let mut first = 0;
        let states = (0..).zip(scene.templates.values()).map(|(stream, template)| {
            let random = RandomStream::numbered(scene.seed, stream);
            let state = TemplateState { random, sampled: 0, first };
            first += template.len();
            state
        });
        let states: Vec<_> = states.collect();
        let mut numbers: Vec<_> = scene.templates.values().map(Template::len).collect();
        let listed = scene.entities.0.iter().map(|spec| {
            let template =
                spec.template.as_ref().and_then(|name| scene.templates.get_index_of(name));
            template.map_or(0, |template| {
                numbers[template] += 1;
                numbers[template] - 1
            })
        });
        let listed = listed.collect();
        Self { scene: Arc::clone(scene), states, listed_from: first, listed }
    }

    /// Spawns all entities of a template.
    pub(super) fn spawn_all(&mut self, template: usize, world: &mut World) -> Result<(), Error> {
        let are_cubes = self.spawns_cubes(TemplateId(template as u32));
        let mut entities = (0..self.template(template).len()).map(|_| self.sample(template));
        if are_cubes {
            let cubes = entities.map(|values| values.template_cube().expect("a falling cube"));
            world.spawn_batch(cubes).map(drop)
        } else {
            entities.try_for_each(|values| values.spawn(world).map(drop))
        }
    }

    /// Samples the component values of the next entity of a template.
    pub(super) fn sample(&mut self, template: usize) -> ComponentValues {
        let TemplateState { random, sampled, .. } = &mut self.states[template];
        let index = *sampled;
        *sampled += 1;
        values(&self.scene, template, random, index)
    }

    /// Returns `true` if the entities of a template are drawn and fall.
    pub(super) fn spawns_cubes(&self, TemplateId(template): TemplateId) -> bool {
        let Template { color, gravity, .. } = self.template(template as usize);
        color.is_some() && gravity.is_some()
    }

    /// Samples the cube with a handle, of a [template of cubes](Self::spawns_cubes), that replaces one that has
    /// landed.
    pub(super) fn respawned_cube(
        &self,
        TemplateId(template): TemplateId,
        new: Entity,
    ) -> TemplateCube {
        self.sample_respawned(template as usize, new).template_cube().expect("a template of cubes")
    }

    /// Samples the component values of an entity that replaces one that has landed. They depend on seed and
    /// handle only, not on the order in which entities land: the points of a grid belong to slots.
    fn sample_respawned(&self, template: usize, entity: Entity) -> ComponentValues {
        let slot = entity.index();
        let listed = slot.checked_sub(self.listed_from).and_then(|it| self.listed.get(it as usize));
        let index =
            listed.copied().unwrap_or(slot.wrapping_sub(self.states[template].first)).into();
        let mut random = RandomStream::of_entity(self.scene.seed, entity);
        let mut values = values(&self.scene, template, &mut random, index);
        let position = &mut values.transform.position.0;
        if self.template(template).respawn == Respawn::Top || position.y < -HALF_EXTENT {
            position.y = HALF_EXTENT;
        }
        values
    }

    /// Returns the progress of each template: entities sampled, and position in the random stream.
    pub(super) fn progress(&self) -> Vec<(u64, u128)> {
        self.states.iter().map(|state| (state.sampled, state.random.word_pos())).collect()
    }

    /// Returns the same templates with another progress.
    pub(super) fn with_progress(mut self, progress: &[(u64, u128)]) -> Self {
        for (state, &(sampled, position)) in self.states.iter_mut().zip(progress) {
            state.random = state.random.clone().at(position);
            state.sampled = sampled;
        }
        self
    }

    fn template(&self, template: usize) -> &Template {
        &self.scene.templates[template]
    }
}

/// Returns the component values of the entity at an index of its template.
fn values(
    scene: &Scene,
    template: usize,
    random: &mut RandomStream<impl Rng>,
    index: u64,
) -> ComponentValues {
    let name = template as u32;
    // A new key of scene files is read here, too.
    let Template {
        count: _,
        name: _,
        position,
        rotation,
        scale,
        color,
        emission,
        velocity,
        acceleration,
        gravity,
        respawn: _,
    } = &scene.templates[template];
    // The order of the random numbers is that of the classic scene. Regions, such as large grids, can
    // reach beyond the range of a component.
    let position = Position(sampling::vector(position, random, index)).clamped();
    let scale = scale.as_ref().map(|scale| Scale(sampling::number(scale, random)));
    let rotation = rotation.as_ref().map(|rotation| Rotation(sampling::rotation(rotation, random)));
    let color = color.as_ref().map(|color| sampling::color(color, random));
    let emission = emission.as_ref().map(|it| sampling::number(it, random));
    let color = color.map(|color| color.with_emission(emission.unwrap_or_default()));
    let gravity = gravity.as_ref().map(|gravity| sampling::gravity(gravity, random));
    let velocity = velocity.as_ref();
    let velocity = velocity.map(|it| Velocity(sampling::vector(it, random, index)).clamped());
    let acceleration = acceleration.as_ref();
    let acceleration =
        acceleration.map(|it| Acceleration(sampling::vector(it, random, index)).clamped());
    let (scale, rotation) = (scale.unwrap_or_default(), rotation.unwrap_or_default());
    ComponentValues {
        transform: Transform { position, rotation, scale },
        color,
        velocity,
        acceleration,
        gravity,
        name: Some(Name(name)),
        template: Some(TemplateId(name)),
    }
}

/// Respawns an entity that has landed and whose template spawns no cubes: a new one of its template replaces
/// it. An entity without a template moves to the top of the box and gets its initial velocity, at the moment
/// when it had landed. If the old entity spun, the new one gets a spin by the seed. Returns the new entity.
pub(super) fn respawn_other(
    world: &mut World,
    spawner: &TemplateSpawner,
    landed: Landed,
    template: Option<TemplateId>,
    spin_seed: Option<u64>,
    now: Evaluation,
) -> Result<Entity, Error> {
    let cube = landed.cube;
    let Some(TemplateId(template)) = template else {
        respawn_in_place(world, landed, now)?;
        stop_following(world, cube)?;
        return Ok(cube);
    };
    // Only the replaced entity had gravity; its template has none.
    let values = spawner.sample_respawned(template as usize, cube);
    world.despawn(cube)?;
    let entity = values.spawn(world)?;
    if let Some(seed) = spin_seed.filter(|_| values.color.is_some()) {
        world.insert(entity, own_spin(seed, entity))?;
    }
    paint(world, &[entity])?;
    Ok(entity)
}

/// Moves an entity to the top of the box, from where it falls again with its initial velocity.
fn respawn_in_place(world: &mut World, landed: Landed, now: Evaluation) -> Result<(), Error> {
    let Landed { cube, ticks_ago } = landed;
    let then = Evaluation { now: now.now.wrapping_sub(ticks_ago), ..now };
    let initial = world.get::<&InitialVelocity>(cube).map(|&InitialVelocity(it)| it);
    let initial = initial.unwrap_or_default();
    restate(world, cube, then)?;
    let is_current = !world.has::<Epoch>(cube);
    let (position, velocity, acceleration, gravity) =
        world.query_one_mut::<(&mut Position, &mut Velocity, &Acceleration, &Gravity)>(cube)?;
    if is_current {
        then.advance(Epoch(now.now), (position, velocity), (acceleration, gravity));
    }
    position.0.y = HALF_EXTENT;
    *velocity = initial;
    if is_current {
        now.advance(Epoch(then.now), (position, velocity), (acceleration, gravity));
    }
    Ok(())
}

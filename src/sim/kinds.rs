//! Kinds: the templates of a scene at work, each with a random stream of its own.

use std::sync::Arc;

use super::bundles::{Cube, Physics};
use super::cube_generator::HALF_EXTENT;
use super::random::RandomStream;
use super::spin::own_spin;
use super::template_id::{InitialVelocity, TemplateId};
use crate::components::{
    Acceleration, AngularVelocity, Color, Gravity, Name, Position, RigidBody, Rotation, Scale,
    Transform, Velocity,
};
use crate::ecs::{Entity, Error, World};
use crate::scenes::{Again, Number, Scene, Template, Turn};

/// The components of one entity; what is none is absent.
#[derive(Clone, Copy, Default)]
pub(super) struct Thing {
    pub(super) transform: Transform,
    pub(super) color: Option<Color>,
    pub(super) velocity: Option<Velocity>,
    pub(super) acceleration: Option<Acceleration>,
    pub(super) gravity: Option<Gravity>,
    pub(super) name: Option<Name>,
    pub(super) origin: Option<TemplateId>,
}

impl Thing {
    /// How it moves, if anything says so.
    fn body(&self) -> Option<RigidBody> {
        let Self { velocity, acceleration, .. } = *self;
        (velocity.is_some() || acceleration.is_some() || self.gravity.is_some()).then(|| {
            RigidBody {
                velocity: velocity.unwrap_or_default(),
                acceleration: acceleration.unwrap_or_default(),
            }
        })
    }

    /// As a cube that falls.
    fn cube(&self) -> Option<Cube> {
        let physics = Physics { body: self.body()?, gravity: self.gravity? };
        Some(Cube { transform: self.transform, color: self.color?, physics })
    }

    /// Brings it to life with the components it has.
    pub(super) fn spawn(&self, world: &mut World) -> Result<Entity, Error> {
        let entity = match (self.cube(), self.color) {
            (Some(cube), _) => world.spawn(cube)?,
            (None, Some(color)) => {
                let Transform { position, rotation, scale } = self.transform;
                world.spawn((position, rotation, scale, color))?
            }
            (None, None) => world.spawn(self.transform)?,
        };
        if self.cube().is_none() {
            if let Some(body) = self.body() {
                world.insert_bundle(entity, body)?;
            }
            if let Some(gravity) = self.gravity {
                world.insert(entity, gravity)?;
            }
        }
        if let Some(name) = self.name {
            world.insert(entity, name)?;
        }
        if let Some(origin) = self.origin {
            world.insert(entity, origin)?;
        }
        Ok(entity)
    }

    /// A cube that falls, of a template: what nearly all entities are.
    fn falling(&self) -> Option<Falling> {
        let Cube { transform, color, physics } = self.cube()?;
        let Transform { position, rotation, scale } = transform;
        let Physics { body: RigidBody { velocity, acceleration }, gravity } = physics;
        let (name, origin) = (self.name?, self.origin?);
        Some((position, rotation, scale, color, velocity, acceleration, gravity, name, origin))
    }
}

/// The components of a cube that falls, of a template.
pub(super) type Falling =
    (Position, Rotation, Scale, Color, Velocity, Acceleration, Gravity, Name, TemplateId);

/// The templates of a scene at work.
pub(super) struct Kinds {
    scene: Arc<Scene>,
    streams: Vec<Stream>,
}

/// What a template has drawn so far.
struct Stream {
    random: RandomStream,
    drawn: u64,
}

impl Kinds {
    pub(super) fn new(scene: &Arc<Scene>) -> Self {
        let stream =
            |number| Stream { random: RandomStream::numbered(scene.seed(), number), drawn: 0 };
        let kinds = scene.templates().iter().len() as u64;
        Self { scene: Arc::clone(scene), streams: (0..kinds).map(stream).collect() }
    }

    /// Spawns as many entities of a template as the scene says.
    pub(super) fn populate(&mut self, kind: usize, world: &mut World) -> Result<(), Error> {
        let count = self.template(kind).len();
        let template = self.template(kind);
        if template.color.is_some() && template.gravity.is_some() {
            let falling =
                (0..count).map(|_| self.draw(kind).falling().expect("it has colour and gravity"));
            return world.spawn_batch(falling).map(drop);
        }
        (0..count).try_for_each(|_| self.draw(kind).spawn(world).map(drop))
    }

    /// The next entity of a template.
    pub(super) fn draw(&mut self, kind: usize) -> Thing {
        let Self { scene, streams } = self;
        let Stream { random, drawn } = &mut streams[kind];
        let template = &scene.templates()[kind].1;
        let nth = *drawn;
        *drawn += 1;
        // In this order, which is that of the classic scene.
        let position = Position(template.position.draw(random, nth));
        let scale = template.scale.as_ref().map(|scale| Scale(Number::draw(scale, random)));
        let rotation = template.rotation.as_ref().map(|turn| Rotation(Turn::draw(turn, random)));
        let color = template.color.as_ref().map(|tint| tint.draw(random));
        let gravity = template.gravity.as_ref().map(|pull| pull.draw(random));
        let velocity = template.velocity.as_ref().map(|it| Velocity(it.draw(random, nth)));
        let acceleration =
            template.acceleration.as_ref().map(|it| Acceleration(it.draw(random, nth)));
        let (scale, rotation) = (scale.unwrap_or_default(), rotation.unwrap_or_default());
        Thing {
            transform: Transform { position, rotation, scale },
            color,
            velocity,
            acceleration,
            gravity,
            name: Some(Name(kind as u32)),
            origin: Some(TemplateId(kind as u32)),
        }
    }

    /// The next entity of a template, where one begins that has fallen through the floor.
    fn draw_again(&mut self, kind: usize) -> Thing {
        let mut thing = self.draw(kind);
        let position = &mut thing.transform.position.0;
        if self.template(kind).again == Again::Top || position.y < -HALF_EXTENT {
            position.y = HALF_EXTENT;
        }
        thing
    }

    /// How far each template has been drawn from: entities, and numbers of its random stream.
    #[cfg(feature = "snapshot")]
    pub(super) fn positions(&self) -> Vec<(u64, u128)> {
        self.streams.iter().map(|stream| (stream.drawn, stream.random.position())).collect()
    }

    /// The same templates, drawn from so far.
    #[cfg(feature = "snapshot")]
    pub(super) fn at(mut self, positions: &[(u64, u128)]) -> Self {
        for (stream, &(drawn, position)) in self.streams.iter_mut().zip(positions) {
            *stream = Stream { random: stream.random.clone().at(position), drawn };
        }
        self
    }

    fn template(&self, kind: usize) -> &Template {
        &self.scene.templates()[kind].1
    }
}

/// Begins an entity again that has fallen through the floor: another one of its template takes its place,
/// and one without a template is lifted back to the top, as fast as it was at the start. False if the world is of no scene file.
pub(super) fn begin_again(world: &mut World, fallen: Entity) -> Result<bool, Error> {
    let origin = world.get::<TemplateId>(fallen).copied();
    let Ok(kinds) = world.resources_mut().get_mut::<Kinds>() else { return Ok(false) };
    let seed = kinds.scene.seed();
    let thing = origin.ok().map(|TemplateId(kind)| kinds.draw_again(kind as usize));
    let Some(thing) = thing else {
        world.get_mut::<Position>(fallen)?.0.y = HALF_EXTENT;
        let velocity =
            world.get::<InitialVelocity>(fallen).map_or_else(|_| Velocity::default(), |it| it.0);
        *world.get_mut(fallen)? = velocity;
        return Ok(true);
    };
    let spins = world.has::<AngularVelocity>(fallen);
    match (thing.falling(), spins) {
        (Some(falling), false) => drop(world.respawn(fallen, falling)?),
        (
            Some((position, rotation, scale, color, velocity, acceleration, gravity, name, origin)),
            true,
        ) => {
            let spin = AngularVelocity::default();
            let born = world.respawn(
                fallen,
                (
                    position,
                    rotation,
                    scale,
                    color,
                    velocity,
                    acceleration,
                    gravity,
                    spin,
                    name,
                    origin,
                ),
            )?;
            *world.get_mut(born)? = own_spin(seed, born);
        }
        // It fell of its own accord, and its template does not.
        (None, _) => {
            world.despawn(fallen)?;
            let born = thing.spawn(world)?;
            if spins && thing.color.is_some() {
                world.insert(born, own_spin(seed, born))?;
            }
        }
    }
    Ok(true)
}

//! What the ECS must do, one test to a behaviour; the letter and number of each test's name are its
//! place in this order: A handles, B packed arrays, C values, D owning groups, E queries, F
//! batches, G systems. `tests/model` holds the whole to a naive twin.

mod arrays;
mod bulk;
mod changes;
mod deferred;
mod groups;
mod handles;
mod inspection;
mod queries;
mod respawn;
#[cfg(feature = "serde")]
mod snapshots;
mod systems;
mod values;

use cubefall::ecs::{Entity, World};

/// Three component types of different size and kind.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Position([f32; 3]);
#[derive(Clone, Copy, PartialEq, Debug)]
struct Velocity(f32);
#[derive(Clone, PartialEq, Debug)]
struct Name(String);
/// A tag.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Frozen;

/// A world that knows all of them.
fn world() -> World {
    let mut world = World::new();
    world.register::<Position>().unwrap();
    world.register::<Velocity>().unwrap();
    world.register::<Name>().unwrap();
    world.register::<Frozen>().unwrap();
    world
}

/// `count` entities with a `Velocity` of 0, 1, 2 ..
fn spawn_moving(world: &mut World, count: u8) -> Vec<Entity> {
    (0..count).map(|i| world.spawn((Velocity(f32::from(i)),)).unwrap()).collect()
}

/// All velocities, in the order of their array.
fn velocities(world: &World) -> Vec<f32> {
    world.query::<(&Velocity,)>().unwrap().iter().map(|(_, (velocity,))| velocity.0).collect()
}

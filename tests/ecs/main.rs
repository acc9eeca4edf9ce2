//! Behaviour of the ECS, one test per behaviour. `tests/model` compares the ECS with a naive model on
//! random operations.

mod arrays;
mod bulk;
mod changes;
mod deferred;
mod groups;
mod handles;
mod inspection;
mod nests;
mod queries;
mod respawn;
#[cfg(feature = "serde")]
mod snapshots;
mod systems;
mod values;

use cubefall::ecs::{Entity, World};

/// Component types of different size and kind.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Position([f32; 3]);
#[derive(Clone, Copy, PartialEq, Debug)]
struct Velocity(f32);
#[derive(Clone, PartialEq, Debug)]
struct Name(String);
/// A tag component.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Frozen;

/// Returns a world in which all of them are registered.
fn world() -> World {
    let mut world = World::new();
    world.register::<Position>().unwrap();
    world.register::<Velocity>().unwrap();
    world.register::<Name>().unwrap();
    world.register::<Frozen>().unwrap();
    world
}

/// Spawns `count` entities with a `Velocity` of 0, 1, 2, ...
fn spawn_moving(world: &mut World, count: u8) -> Vec<Entity> {
    (0..count).map(|i| world.spawn((Velocity(f32::from(i)),)).unwrap()).collect()
}

/// Returns all velocities, in the order of their array.
fn velocities(world: &World) -> Vec<f32> {
    world.query::<(&Velocity,)>().unwrap().iter().map(|(_, (velocity,))| velocity.0).collect()
}

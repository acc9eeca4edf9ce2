//! Behavior of the ECS, one test per behavior. `tests/model` compares the ECS with a naive model on
//! random operations.

mod arrays;
mod bulk;
mod changes;
mod deferred;
mod groups;
mod handles;
mod inspection;
mod loops;
mod nests;
mod observers;
mod panics;
mod parts;
mod queries;
mod removed_groups;
#[cfg(feature = "serde")]
mod reserved;
mod resources;
mod respawn;
mod single;
#[cfg(feature = "serde")]
mod snapshot_types;
#[cfg(feature = "serde")]
mod snapshots;
mod systems;
mod systems_removed;
mod templates;
mod tracking;
mod tracking_moves;
mod unused_types;
mod values;
mod views;
mod wide;

use std::panic::{AssertUnwindSafe, catch_unwind};

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
    world.register::<Position>();
    world.register::<Velocity>();
    world.register::<Name>();
    world.register::<Frozen>();
    world
}

/// Spawns `count` entities with a `Velocity` of 0, 1, 2, ...
fn spawn_moving(world: &mut World, count: u8) -> Vec<Entity> {
    (0..count).map(|i| world.spawn((Velocity(f32::from(i)),))).collect()
}

/// Returns all velocities, in the order of their array.
fn velocities(world: &World) -> Vec<f32> {
    world.query::<&Velocity>().iter().map(|velocity| velocity.0).collect()
}

/// Returns the message of the panic of `work`.
fn panic_of(work: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).expect_err("it must panic");
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => (*panic.downcast::<&str>().expect("a panic has a message")).into(),
    }
}

/// Returns the message of the panic for a component type that is named twice.
fn named_twice<T>() -> String {
    format!("component {} is named twice", std::any::type_name::<T>())
}

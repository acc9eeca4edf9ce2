//! Panics name the file of the caller.

use std::panic::{set_hook, take_hook};
use std::sync::mpsc;
use std::thread;

use cubefall::ecs::{Checkpoint, Limits, World};

use super::{Frozen, Name, Position, Velocity, panic_of};

/// Calls that panic in a world that is full and has a group.
const CALLS: [fn(&mut World); 15] = [
    |world| _ = world.resource::<Velocity>(),
    |world| _ = world.resource_mut::<Velocity>(),
    |world| _ = world.spawn((Frozen,)),
    |world| _ = world.spawn((Frozen, Frozen)),
    |world| _ = world.inspect().entity_in_slot(0).map(|it| world.insert(it, (Frozen, Frozen))),
    |world| _ = world.register::<&str>(),
    |world| _ = world.query::<&Velocity>().changed::<Velocity>(Checkpoint::default()),
    |world| world.query_mut::<(&mut Velocity, &Velocity)>().for_each(|_| ()),
    |world| for _ in world.query_mut::<(&mut Velocity, &Velocity)>() {},
    |world| _ = world.view_mut::<(&mut Velocity, &Velocity)>(),
    |world| _ = world.create_group::<()>(),
    |world| _ = world.create_group::<(Velocity, Name)>(),
    |world| {
        let group = world.create_group::<(Position, Velocity)>();
        _ = world.group(group).map(|group| group.slices::<&Name>());
    },
    |world| {
        let group = world.create_group::<(Position, Velocity)>();
        _ = world.take_group::<(Name,)>(group);
    },
    |world| world.sort_by::<Position>(|_, _| std::cmp::Ordering::Equal),
];

#[test]
fn a_panic_names_the_file_of_the_caller() {
    let mut world = World::with_limits(Limits { entities: 1, ..Limits::default() });
    world.create_group::<(Position, Velocity)>();
    world.spawn((Position([0.0; 3]), Velocity(1.0)));

    let (sender, files) = mpsc::channel();
    let (test, other_hook) = (thread::current().id(), take_hook());
    set_hook(Box::new(move |info| match info.location() {
        Some(place) if thread::current().id() == test => {
            _ = sender.send(place.file().to_owned());
        }
        _ => other_hook(info),
    }));
    for call in CALLS {
        panic_of(|| call(&mut world));
    }
    drop(take_hook());
    assert_eq!(files.iter().collect::<Vec<_>>(), [file!(); CALLS.len()]);
}

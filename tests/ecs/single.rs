//! The components of one entity: by a query that only it matches, or by its handle.

use cubefall::ecs::{Entity, Error};

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

#[test]
fn single_returns_the_only_match() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    assert_eq!(world.single::<(Entity, &Velocity)>(), Ok((entity, &Velocity(0.0))));
    world.single_mut::<&mut Velocity>().unwrap().0 = 4.0;
    assert_eq!(velocities(&world), [4.0]);
}

#[test]
fn single_is_an_error_if_none_or_several_match() {
    let mut world = world();
    let none = Error::NotSingle { found: 0 };
    assert_eq!(world.single::<&Velocity>(), Err(none));
    assert_eq!(world.single_mut::<&mut Velocity>(), Err(none));
    spawn_moving(&mut world, 3);
    let several = Error::NotSingle { found: 2 };
    assert_eq!(world.single::<&Velocity>(), Err(several));
    assert_eq!(world.single_mut::<&mut Velocity>(), Err(several));
    assert_eq!(none.to_string(), "no entity matches the query");
    assert_eq!(several.to_string(), "several entities match the query");
}

#[test]
fn query_one_mut_changes_several_components() {
    let mut world = world();
    let entity = world.spawn((Position([1.0; 3]), Velocity(2.0)));
    spawn_moving(&mut world, 2);
    let (position, velocity) =
        world.query_one_mut::<(&mut Position, &mut Velocity)>(entity).unwrap();
    std::mem::swap(&mut position.0[0], &mut velocity.0);
    let (frozen, own) = world.query_one_mut::<(Option<&mut Frozen>, Entity)>(entity).unwrap();
    assert_eq!((frozen, own), (None, entity));
    let both = world.get::<(&Position, &Velocity)>(entity);
    assert_eq!(both, Ok((&Position([2.0, 1.0, 1.0]), &Velocity(1.0))));
}

#[test]
fn the_error_of_query_one_mut_names_the_first_missing_component() {
    let mut world = world();
    let entity = world.spawn((Position([1.0; 3]),));
    let missing = |name| Some(Error::Missing(entity, name));
    let velocity = std::any::type_name::<Velocity>();
    assert_eq!(
        world.query_one_mut::<(&mut Position, &Velocity, &Name)>(entity).err(),
        missing(velocity)
    );
    assert_eq!(world.get::<(&Position, &Velocity, &Name)>(entity).err(), missing(velocity));
    let name = std::any::type_name::<Name>();
    assert_eq!(world.get::<(&Position, Option<&Velocity>, &Name)>(entity).err(), missing(name));
}

#[test]
fn query_one_mut_marks_only_what_it_may_write() {
    let mut world = world();
    let entity = world.spawn((Position([1.0; 3]), Velocity(2.0)));
    let latest = |world: &cubefall::ecs::World| {
        let (positions, velocities) = world.view::<(&Position, &Velocity)>();
        (positions.changes().latest(), velocities.changes().latest())
    };
    let before = latest(&world);
    world.query_one_mut::<(&Position, &mut Velocity)>(entity).unwrap();
    assert_eq!(latest(&world), (before.0, before.1 + 1));
    assert!(world.query_one_mut::<(&mut Position, &Name)>(entity).is_err());
    assert_eq!(latest(&world), (before.0, before.1 + 1), "an error changes nothing");
}

#[test]
fn query_one_mut_cannot_name_a_component_twice() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    let twice = super::panic_of(|| _ = world.query_one_mut::<(&mut Velocity, &Velocity)>(entity));
    assert_eq!(twice, super::named_twice::<Velocity>());
}

#[test]
fn a_refused_single_marks_nothing() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    let before = world.view::<&Velocity>().changes().latest();
    assert!(world.single_mut::<&mut Velocity>().is_err());
    assert_eq!(world.view::<&Velocity>().changes().latest(), before);
}

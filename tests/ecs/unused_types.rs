//! Calls that read a component type that was never used in the world.

use cubefall::ecs::{Entity, Error, World};

use super::{Velocity, spawn_moving};

/// A type that no test registers.
#[derive(Debug, PartialEq)]
struct Unused;

#[test]
fn a_query_of_an_unused_type_matches_no_entity() {
    let mut world = World::new();
    spawn_moving(&mut world, 2);
    assert_eq!(world.query::<&Unused>().iter().count(), 0);
    assert_eq!(world.query::<(&Velocity, &Unused)>().iter().count(), 0);
    assert_eq!(world.query::<&Velocity>().with::<&Unused>().iter().count(), 0);
    assert_eq!(world.query_mut::<&Velocity>().with::<&Unused>().into_iter().count(), 0);
    assert_eq!(world.component_type::<Unused>(), None, "reading registers no type");
}

#[test]
fn an_optional_unused_type_is_none() {
    let mut world = World::new();
    let entity = spawn_moving(&mut world, 1)[0];
    let found: Vec<_> = world.query::<(Entity, Option<&Unused>)>().iter().collect();
    assert_eq!(found, [(entity, None)]);
    let both = world.get::<(&Velocity, Option<&Unused>)>(entity);
    assert_eq!(both, Ok((&Velocity(0.0), None)));
}

#[test]
fn a_query_without_an_unused_type_matches_all_others() {
    let mut world = World::new();
    let entities = spawn_moving(&mut world, 2);
    let query = world.query::<Entity>().with::<&Velocity>().without::<&Unused>();
    assert_eq!(query.iter().collect::<Vec<_>>(), entities);
}

#[test]
fn a_query_made_before_the_first_use_of_a_type_matches_entities_made_later() {
    let mut world = World::new();
    let query = world.query_mut::<&mut Velocity>();
    query.for_each(|_| unreachable!("no entity has one yet"));
    spawn_moving(&mut world, 3);
    for velocity in world.query_mut::<&mut Velocity>() {
        velocity.0 += 1.0;
    }
    assert_eq!(super::velocities(&world), [1.0, 2.0, 3.0]);
}

#[test]
fn an_unused_type_is_missing() {
    let mut world = World::new();
    let entity = spawn_moving(&mut world, 1)[0];
    let missing = Error::Missing(entity, std::any::type_name::<Unused>());
    assert_eq!(world.get::<&Unused>(entity), Err(missing));
    assert!(!world.has::<Unused>(entity));
    assert_eq!(world.query_one_mut::<&mut Unused>(entity), Err(missing));
    assert_eq!(world.remove::<Unused>(entity), Err(missing));
    assert_eq!(world.get_many_mut::<Unused, 1>([entity]).err(), Some(missing));
}

#[test]
fn a_view_of_an_unused_type_is_empty() {
    let mut world = World::new();
    let entity = spawn_moving(&mut world, 1)[0];
    let view = world.view::<&Unused>();
    assert_eq!((view.get(entity), view.values(), view.entities().count()), (None, &[][..], 0));
    assert_eq!(view.changes().latest(), 0);
    assert_eq!(world.view_mut::<&mut Unused>().get_mut(entity), None);
}

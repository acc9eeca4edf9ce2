//! Resources: values that a world has once.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cubefall::ecs::World;

use super::{Velocity, panic_of, spawn_moving, velocities, world};

#[derive(Debug, PartialEq)]
struct Wind(f32);

#[test]
fn there_is_one_resource_per_type() {
    let mut world = world();
    assert_eq!(world.resources().get::<Wind>(), None);
    assert_eq!(world.resources_mut().get_mut::<Wind>(), None);
    assert_eq!(world.resources_mut().insert(Wind(1.0)), None);
    world.resources_mut().get_mut::<Wind>().unwrap().0 += 1.0;
    assert_eq!(world.resources_mut().insert(Wind(5.0)), Some(Wind(2.0)));
    world.resources_mut().insert(7_u8);
    assert_eq!(world.resources().get(), Some(&Wind(5.0)));
    assert_eq!(world.resources_mut().remove(), Some(Wind(5.0)));
    assert_eq!(world.resources_mut().remove::<Wind>(), None);
    assert_eq!(world.resources().get(), Some(&7_u8));
}

#[test]
fn a_scope_changes_a_resource_and_the_world() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    world.resources_mut().insert(Wind(3.0));
    let blown = world.resource_scope(|world: &mut World, wind: &mut Wind| {
        assert_eq!(world.resources().get::<Wind>(), None, "it is not in the world meanwhile");
        for velocity in world.query_mut::<&mut Velocity>() {
            velocity.0 += wind.0;
        }
        wind.0 -= 1.0;
        world.len()
    });
    assert_eq!((blown, velocities(&world)), (Some(2), vec![3.0, 4.0]));
    assert_eq!(world.resources().get(), Some(&Wind(2.0)));
}

#[test]
fn a_scope_of_a_missing_resource_is_not_called() {
    let mut world = world();
    let called = world.resource_scope(|_, _: &mut Wind| unreachable!());
    assert_eq!(called, None::<()>);
    assert_eq!(world.resources().get::<Wind>(), None);
}

#[test]
fn a_resource_is_in_the_world_again_after_a_panic() {
    let mut world = world();
    world.resources_mut().insert(Wind(1.0));
    let panics = catch_unwind(AssertUnwindSafe(|| {
        world.resource_scope(|_, wind: &mut Wind| {
            wind.0 = 2.0;
            panic!("boom");
        })
    }));
    let message = panics.err().and_then(|panic| panic.downcast::<&str>().ok());
    assert_eq!(message.as_deref(), Some(&"boom"));
    assert_eq!(world.resources().get(), Some(&Wind(2.0)));
}

#[test]
fn a_scope_replaces_a_resource_that_it_inserted() {
    let mut world = world();
    world.resources_mut().insert(Wind(1.0));
    let called = world.resource_scope(|world, wind: &mut Wind| {
        assert_eq!(world.resources_mut().insert(Wind(9.0)), None);
        assert!(world.resource_scope(|_, inner: &mut Wind| inner.0 = 8.0).is_some());
        wind.0 = 4.0;
    });
    assert!(called.is_some());
    assert_eq!(world.resources().get(), Some(&Wind(4.0)));
}

#[test]
fn a_resource_that_must_exist_is_returned_or_panics() {
    let mut world = world();
    let name = std::any::type_name::<Wind>();
    let missing = format!("the world has no resource {name}, or `resource_scope` has taken it out");
    assert_eq!(panic_of(|| _ = world.resource::<Wind>()), missing);
    assert_eq!(panic_of(|| _ = world.resource_mut::<Wind>()), missing);
    world.resources_mut().insert(Wind(1.0));
    world.resource_mut::<Wind>().0 += 1.0;
    assert_eq!(world.resource::<Wind>(), &Wind(2.0));
}

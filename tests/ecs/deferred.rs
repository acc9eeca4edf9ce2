use std::panic::{AssertUnwindSafe, catch_unwind};

use cubefall::ecs::{Entity, Error, World};

use super::{Frozen, Name, Velocity, panic_of, spawn_moving, velocities, world};

#[test]
fn reserved_handles_are_usable_before_their_entity_is_spawned() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    let mut commands = world.commands();
    let reserved = commands.spawn((Velocity(7.0),));
    commands.insert(reserved, Name("named before it was spawned".into()));
    assert!(!world.contains(reserved));
    assert!(world.get::<&Velocity>(reserved).is_err());
    // Other entities are spawned in between, one by one and in a batch.
    let between = world.spawn((Velocity(8.0),));
    let batch = world.spawn_batch([(Velocity(9.0),), (Velocity(10.0),)]).unwrap();
    assert!(![between, batch[0], batch[1]].contains(&reserved));
    assert_eq!(world.len(), 5);
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.get::<&Velocity>(reserved), Ok(&Velocity(7.0)));
    assert_eq!(world.get::<&Name>(reserved), Ok(&Name("named before it was spawned".into())));
    assert_eq!(world.len(), 6);
    assert_eq!(world.query::<&Velocity>().iter().count(), 6);
}

#[test]
fn the_last_of_two_commands_that_set_a_component_wins() {
    let mut world = world();
    let moving = spawn_moving(&mut world, 1)[0];
    let mut commands = world.commands();
    let reserved = commands.spawn(());
    for speed in [7.0, 8.0] {
        commands.set(moving, Velocity(speed));
        commands.set(reserved, Velocity(speed));
    }
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.get::<&Velocity>(moving), Ok(&Velocity(8.0)));
    assert_eq!(world.get::<&Velocity>(reserved), Ok(&Velocity(8.0)));
}

#[test]
fn dropped_commands_never_spawn_their_entities() {
    let mut world = world();
    let mut commands = world.commands();
    let reserved = commands.spawn((Velocity(1.0),));
    drop(commands);
    let next = world.spawn((Velocity(2.0),));
    // The slot is used again, under a new handle.
    assert_eq!((next.index(), next.generation()), (reserved.index(), 2));
    assert!(!world.contains(reserved));
    assert!(world.despawn(reserved).is_err());
    assert_eq!(world.entities(cubefall::ecs::Signature::EMPTY).collect::<Vec<_>>(), [next]);
}

#[test]
fn commands_despawn_and_spawn_entities_after_a_query() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 6);
    let mut commands = world.commands();
    let mut visited = 0;
    for (entity, velocity) in world.query_mut::<(Entity, &mut Velocity)>() {
        visited += 1;
        if velocity.0 >= 3.0 {
            commands.despawn(entity);
            commands.despawn(entity);
        } else {
            commands.spawn((Velocity(velocity.0 + 100.0),));
        }
    }
    assert_eq!((visited, world.len()), (6, 6), "commands are not applied yet");
    let refused = commands.apply(&mut world);
    assert_eq!(refused, [3, 4, 5].map(|i| Error::NoSuchEntity(entities[i])), "the second time");
    let mut left = velocities(&world);
    left.sort_by(f32::total_cmp);
    assert_eq!(left, [0.0, 1.0, 2.0, 100.0, 101.0, 102.0]);
}

#[test]
fn a_command_for_a_stale_handle_changes_nothing() {
    let mut world = world();
    let old = spawn_moving(&mut world, 1)[0];
    let mut commands = world.commands();
    commands.insert(old, Name("late".into()));
    commands.remove::<Velocity>(old);
    commands.despawn(old);
    world.despawn(old).unwrap();
    let new = world.spawn((Velocity(5.0),));
    assert_eq!(new.index(), old.index());
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(old); 3]);
    assert_eq!((world.get::<&Velocity>(new), world.has::<Name>(new)), (Ok(&Velocity(5.0)), false));
}

#[test]
fn commands_of_another_world_are_refused() {
    let (mut here, there) = (world(), world());
    let mut commands = there.commands();
    let theirs = commands.spawn((Velocity(1.0),));
    assert_eq!(commands.apply(&mut here), [Error::ForeignEntity(theirs)]);
    assert!(here.is_empty());
}

#[test]
fn removing_in_reverse_order_visits_each_element_once() {
    let mut world = world();
    spawn_moving(&mut world, 10);
    let entities: Vec<_> = world.view::<&Velocity>().entities().collect();
    let mut visited = Vec::new();
    for &entity in entities.iter().rev() {
        let value = world.get::<&Velocity>(entity).unwrap().0;
        visited.push(value);
        if value % 2.0 == 0.0 {
            world.remove::<Velocity>(entity).unwrap();
        }
    }
    visited.sort_by(f32::total_cmp);
    assert_eq!(visited, (0..10_u8).map(f32::from).collect::<Vec<_>>());
    assert_eq!(velocities(&world).len(), 5);
}

#[test]
fn refused_commands_free_their_slots() {
    let limits = cubefall::ecs::Limits { entities: 1, ..Default::default() };
    let mut world = World::with_limits(limits);
    world.register::<Velocity>();
    let only = world.spawn((Velocity(1.0),));
    for _ in 0..100 {
        let mut commands = world.commands();
        let refused = commands.spawn((Velocity(2.0),));
        assert_eq!(commands.apply(&mut world), [Error::EntityLimit { limit: 1 }]);
        assert!(!world.contains(refused));
    }
    world.despawn(only).unwrap();
    let rows = world.inspect().memory()[0].len;
    for _ in 0..100 {
        let next = world.spawn((Velocity(3.0),));
        world.despawn(next).unwrap();
    }
    assert_eq!(world.inspect().memory()[0].len, rows, "only freed slots are used");
}

#[test]
fn dropped_commands_give_their_slots_back() {
    let mut world = world();
    for _ in 0..1000 {
        let mut commands = world.commands();
        commands.spawn((Velocity(1.0),));
        drop(commands);
        let entity = world.spawn((Velocity(2.0),));
        world.despawn(entity).unwrap();
    }
    assert!(world.inspect().slots().used <= 2, "{:?}", world.inspect().slots());
    let mut commands = world.commands();
    let handles: Vec<_> = (0..3).map(|_| commands.spawn(())).collect();
    assert!(handles.iter().all(|handle| handle.index() <= 4), "{handles:?}");
    assert!(world.inspect().slots().used >= 3, "reserved ones count");
}

#[test]
fn a_command_that_panics_does_not_lose_the_others() {
    struct PanicsOnDrop;
    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            panic!("boom");
        }
    }

    let mut world = world();
    world.register::<PanicsOnDrop>();
    let [first, second] = [0.0, 1.0].map(|v| world.spawn((Velocity(v),)));
    world.insert(first, PanicsOnDrop).unwrap();
    let mut commands = world.commands();
    commands.despawn(first);
    commands.insert(second, Frozen);
    let applied = catch_unwind(AssertUnwindSafe(|| commands.apply(&mut world)));
    assert!(applied.is_err() && !world.contains(first) && world.has::<Frozen>(second));
}

#[test]
fn a_recorded_closure_sees_what_the_commands_before_it_did() {
    let mut world = world();
    let mut commands = world.commands();
    let entity = commands.spawn((Velocity(1.0),));
    commands.queue(move |world| {
        world.get_mut::<Velocity>(entity)?.0 += 1.0;
        Ok(())
    });
    commands.despawn(entity);
    commands.queue(move |world| {
        assert!(!world.contains(entity));
        world.spawn((Velocity(7.0),));
        world.despawn(entity)
    });
    commands.queue(|world| {
        world.spawn((Velocity(8.0),));
    });
    commands.spawn((Velocity(9.0),));
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(entity)]);
    assert_eq!(velocities(&world), [7.0, 8.0, 9.0]);
}

#[test]
fn recorded_bundles_are_added_and_removed() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Frozen)>();
    let [moving, bare] = [world.spawn((Velocity(1.0), Frozen)), world.spawn(())];
    let mut commands = world.commands();
    commands.insert_bundle(bare, (Frozen, Velocity(2.0)));
    commands.insert_bundle(moving, (Name("n".into()), Frozen));
    commands.remove_bundle::<(Velocity, Frozen)>(moving);
    commands.remove_bundle::<(Velocity, Frozen)>(moving);
    let refused = commands.apply(&mut world);
    let [frozen, velocity] = [std::any::type_name::<Frozen>(), std::any::type_name::<Velocity>()];
    assert_eq!(refused, [Error::AlreadyPresent(moving, frozen), Error::Missing(moving, velocity)]);
    assert!(world.group(group).unwrap().entities().eq([bare]));
    assert!(world.signature(moving).unwrap().is_empty());
}

#[test]
fn a_tuple_as_component_panics_where_it_is_recorded() {
    let mut world = world();
    let entity = world.spawn(());
    let mut commands = world.commands();
    for panic in [
        panic_of(|| commands.insert(entity, (1_u8, 2_u8))),
        panic_of(|| commands.set(entity, (1_u8, 2_u8))),
        panic_of(|| commands.remove::<(u8, u8)>(entity)),
    ] {
        assert!(panic.starts_with("(u8, u8) is a tuple, which is no component"), "{panic}");
    }
    assert_eq!(commands.apply(&mut world), []);
}

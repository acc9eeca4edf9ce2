use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use cubefall::ecs::{Entity, Error, Event, World};

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

#[test]
fn reserved_handles_are_usable_before_their_entity_is_spawned() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    let mut commands = world.commands();
    let reserved = commands.spawn((Velocity(7.0),)).unwrap();
    commands.insert(reserved, Name("named before it was spawned".into()));
    assert!(!world.contains(reserved));
    assert!(world.get::<Velocity>(reserved).is_err());
    // Other entities are spawned in between, one by one and in a batch.
    let between = world.spawn((Velocity(8.0),)).unwrap();
    let batch = world.spawn_batch([(Velocity(9.0),), (Velocity(10.0),)]).unwrap();
    assert!(![between, batch[0], batch[1]].contains(&reserved));
    assert_eq!(world.len(), 5);
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.get(reserved), Ok(&Velocity(7.0)));
    assert_eq!(world.get(reserved), Ok(&Name("named before it was spawned".into())));
    assert_eq!(world.len(), 6);
    assert_eq!(world.query::<(&Velocity,)>().unwrap().iter().count(), 6);
}

#[test]
fn dropped_commands_never_spawn_their_entities() {
    let mut world = world();
    let mut commands = world.commands();
    let reserved = commands.spawn((Velocity(1.0),)).unwrap();
    drop(commands);
    let next = world.spawn((Velocity(2.0),)).unwrap();
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
    let query = world.query_mut::<(&mut Velocity,)>().unwrap();
    query
        .for_each(|entity, (velocity,)| {
            visited += 1;
            if velocity.0 >= 3.0 {
                commands.despawn(entity);
                commands.despawn(entity);
            } else {
                commands.spawn((Velocity(velocity.0 + 100.0),)).unwrap();
            }
        })
        .unwrap();
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
    let new = world.spawn((Velocity(5.0),)).unwrap();
    assert_eq!(new.index(), old.index());
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(old); 3]);
    assert_eq!((world.get(new), world.has::<Name>(new)), (Ok(&Velocity(5.0)), false));
}

#[test]
fn commands_of_another_world_are_refused() {
    let (mut here, there) = (world(), world());
    let mut commands = there.commands();
    let theirs = commands.spawn((Velocity(1.0),)).unwrap();
    assert_eq!(commands.apply(&mut here), [Error::ForeignEntity(theirs)]);
    assert!(here.is_empty());
}

#[test]
fn removing_in_reverse_order_visits_each_element_once() {
    let mut world = world();
    spawn_moving(&mut world, 10);
    let entities: Vec<_> = world.view::<Velocity>().unwrap().entities().collect();
    let mut visited = Vec::new();
    for &entity in entities.iter().rev() {
        let value = world.get::<Velocity>(entity).unwrap().0;
        visited.push(value);
        if value % 2.0 == 0.0 {
            world.remove::<Velocity>(entity).unwrap();
        }
    }
    visited.sort_by(f32::total_cmp);
    assert_eq!(visited, (0..10_u8).map(f32::from).collect::<Vec<_>>());
    assert_eq!(velocities(&world).len(), 5);
}

fn recorded(world: &mut World) -> Arc<Mutex<Vec<Event>>> {
    let events = Arc::new(Mutex::new(Vec::new()));
    let recorder = Arc::clone(&events);
    world.observers_mut().add(move |event| recorder.lock().unwrap().push(event));
    events
}

#[test]
fn observers_see_each_event_once_and_in_order() {
    let mut world = world();
    let position = world.component_type::<Position>().unwrap();
    let velocity = world.component_type::<Velocity>().unwrap();
    let frozen = world.component_type::<Frozen>().unwrap();
    spawn_moving(&mut world, 1);
    let events = recorded(&mut world);
    let take = |events: &Arc<Mutex<Vec<Event>>>| std::mem::take(&mut *events.lock().unwrap());

    let e = world.spawn((Velocity(1.0), Position([0.0; 3]))).unwrap();
    assert_eq!(take(&events), [Event::Added(e, position), Event::Added(e, velocity)]);
    world.insert(e, Frozen).unwrap();
    world.get_mut::<Velocity>(e).unwrap().0 = 5.0;
    assert!(world.insert(e, Frozen).is_err());
    assert_eq!(take(&events), [Event::Added(e, frozen)]);
    world.remove::<Position>(e).unwrap();
    assert!(world.remove::<Position>(e).is_err());
    assert_eq!(take(&events), [Event::Removed(e, position)]);
    world.exchange::<Frozen, Position>(e, Position([1.0; 3])).unwrap();
    assert_eq!(take(&events), [Event::Removed(e, frozen), Event::Added(e, position)]);
    world.despawn(e).unwrap();
    assert!(world.despawn(e).is_err());
    assert_eq!(
        take(&events),
        [Event::Removed(e, position), Event::Removed(e, velocity), Event::Despawned(e)]
    );
}

#[test]
fn observers_see_batches_and_taken_groups() {
    let mut world = world();
    let group = world.create_group::<(Velocity,)>().unwrap();
    let velocity = world.component_type::<Velocity>().unwrap();
    let events = recorded(&mut world);
    let take = |events: &Arc<Mutex<Vec<Event>>>| std::mem::take(&mut *events.lock().unwrap());
    let all = |make: fn(Entity, cubefall::ecs::ComponentType) -> Event, entities: &[Entity]| {
        entities.iter().map(|&entity| make(entity, velocity)).collect::<Vec<_>>()
    };
    let entities = world.spawn_batch([(Velocity(1.0),), (Velocity(2.0),)]).unwrap();
    assert_eq!(take(&events), all(Event::Added, &entities));
    let taken = world.take_group::<(Velocity,)>(group).unwrap();
    assert_eq!(take(&events), all(Event::Removed, &entities));
    world.restore_group(taken).unwrap();
    assert_eq!(take(&events), all(Event::Added, &entities));
    assert_eq!(world.despawn_batch(&entities), 2);
    let [a, b] = entities[..] else { unreachable!() };
    let gone = |entity| [Event::Removed(entity, velocity), Event::Despawned(entity)];
    assert_eq!(take(&events), [gone(a), gone(b)].concat());
}

#[test]
fn there_is_one_resource_per_type() {
    #[derive(Debug, PartialEq)]
    struct Wind(f32);
    let mut world = world();
    let none = Error::NoResource(std::any::type_name::<Wind>());
    assert_eq!(world.resources().get::<Wind>(), Err(none));
    assert_eq!(world.resources_mut().insert(Wind(1.0)), None);
    world.resources_mut().get_mut::<Wind>().unwrap().0 += 1.0;
    assert_eq!(world.resources_mut().insert(Wind(5.0)), Some(Wind(2.0)));
    assert_eq!(world.resources().get(), Ok(&Wind(5.0)));
}

#[test]
fn refused_commands_free_their_slots() {
    let limits = cubefall::ecs::Limits { entities: 1, ..Default::default() };
    let mut world = World::with_limits(limits);
    world.register::<Velocity>().unwrap();
    let only = world.spawn((Velocity(1.0),)).unwrap();
    for _ in 0..100 {
        let mut commands = world.commands();
        let refused = commands.spawn((Velocity(2.0),)).unwrap();
        assert_eq!(commands.apply(&mut world), [Error::EntityLimit { limit: 1 }]);
        assert!(!world.contains(refused));
    }
    world.despawn(only).unwrap();
    let rows = world.inspect().memory()[0].len;
    for _ in 0..100 {
        let next = world.spawn((Velocity(3.0),)).unwrap();
        world.despawn(next).unwrap();
    }
    assert_eq!(world.inspect().memory()[0].len, rows, "only freed slots are used");
}

#[test]
fn dropped_commands_give_their_slots_back() {
    let mut world = world();
    for _ in 0..1000 {
        let mut commands = world.commands();
        commands.spawn((Velocity(1.0),)).unwrap();
        drop(commands);
        let entity = world.spawn((Velocity(2.0),)).unwrap();
        world.despawn(entity).unwrap();
    }
    assert!(world.inspect().slots().used <= 2, "{:?}", world.inspect().slots());
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
    world.register::<PanicsOnDrop>().unwrap();
    let [first, second] = [0.0, 1.0].map(|v| world.spawn((Velocity(v),)).unwrap());
    world.insert(first, PanicsOnDrop).unwrap();
    let mut commands = world.commands();
    commands.despawn(first);
    commands.insert(second, Frozen);
    let applied = catch_unwind(AssertUnwindSafe(|| commands.apply(&mut world)));
    assert!(applied.is_err() && !world.contains(first) && world.has::<Frozen>(second));
}

#[test]
fn observers_are_called_although_a_destructor_panics() {
    struct PanicsOnDrop;
    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            panic!("boom");
        }
    }

    for respawn in [false, true] {
        let mut world = world();
        world.register::<PanicsOnDrop>().unwrap();
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        let first = world.spawn((PanicsOnDrop, Velocity(1.0))).unwrap();
        world.observers_mut().add(move |event| heard.lock().unwrap().push(event));
        let removed = catch_unwind(AssertUnwindSafe(|| {
            if respawn {
                world.respawn(first, (PanicsOnDrop, Velocity(2.0))).map(drop)
            } else {
                world.despawn(first)
            }
        }));
        assert!(removed.is_err() && !world.contains(first));
        assert!(events.lock().unwrap().contains(&Event::Despawned(first)));
        if respawn {
            assert_eq!(velocities(&world), [2.0], "every component is replaced");
            let (new, _) = world.query::<(&Velocity,)>().unwrap().iter().next().unwrap();
            std::mem::forget(world.remove::<PanicsOnDrop>(new).unwrap());
        }
    }
}

#[test]
fn a_batch_with_observers_is_despawned_completely_although_a_destructor_panics() {
    struct PanicsOnDrop(bool);
    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            assert!(!self.0, "boom");
        }
    }

    let mut world = world();
    world.register::<PanicsOnDrop>().unwrap();
    world.spawn_batch((0..50).map(|i| (PanicsOnDrop(i == 3),))).unwrap();
    world.observers_mut().add(|_| ());
    assert!(catch_unwind(AssertUnwindSafe(|| world.clear())).is_err());
    assert!(world.is_empty());
}

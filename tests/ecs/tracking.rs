//! Tracking which entities got a component, or may have changed it, since a checkpoint.

use std::sync::{Arc, Mutex};

use cubefall::ecs::{Checkpoint, Entity, Pass, SystemArgs, World};

use super::{Frozen, Name, Position, Velocity, panic_of, spawn_moving, world};

/// Returns a world that tracks `Velocity`, with some entities.
fn tracked(count: u8) -> (World, Vec<Entity>) {
    let mut world = world();
    world.track_changes::<Velocity>();
    let entities = spawn_moving(&mut world, count);
    (world, entities)
}

/// Returns the entities whose `Velocity` was added and changed since a checkpoint, in slot order.
fn since(world: &World, checkpoint: Checkpoint) -> [Vec<Entity>; 2] {
    let sorted = |mut entities: Vec<Entity>| {
        entities.sort_unstable();
        entities
    };
    let added = world.query::<Entity>().added::<Velocity>(checkpoint).iter().collect();
    let changed = world.query::<Entity>().changed::<Velocity>(checkpoint).iter().collect();
    [sorted(added), sorted(changed)]
}

/// Returns the entities at some indices.
fn at(entities: &[Entity], indices: &[usize]) -> Vec<Entity> {
    indices.iter().map(|&i| entities[i]).collect()
}

#[test]
fn spawned_and_inserted_components_are_added_and_changed() {
    let (mut world, entities) = tracked(3);
    let bare = world.spawn((Frozen,));
    let start = world.checkpoint();
    assert_eq!(since(&world, start), [vec![], vec![]]);
    assert_eq!(since(&world, Checkpoint::default())[0], entities);
    let new = world.spawn((Velocity(1.0),));
    let batch = world.spawn_batch([(Velocity(2.0),), (Velocity(3.0),)]).unwrap();
    world.insert(bare, Velocity(4.0)).unwrap();
    let all = vec![bare, new, batch[0], batch[1]];
    assert_eq!(since(&world, start), [all.clone(), all]);
    let later = world.checkpoint();
    assert_eq!(since(&world, later), [vec![], vec![]]);
}

#[test]
fn a_component_that_is_inserted_again_or_exchanged_is_added() {
    let (mut world, entities) = tracked(2);
    let named = world.spawn((Name("n".into()),));
    let start = world.checkpoint();
    let value = world.remove::<Velocity>(entities[0]).unwrap();
    assert_eq!(since(&world, start), [vec![], vec![]]);
    world.insert(entities[0], value).unwrap();
    world.exchange::<Name, Velocity>(named, Velocity(9.0)).unwrap();
    let added = vec![entities[0], named];
    assert_eq!(since(&world, start), [added.clone(), added]);
}

#[test]
fn references_to_a_component_change_it_and_reading_does_not() {
    let (mut world, entities) = tracked(6);
    let start = world.checkpoint();
    world.get::<&Velocity>(entities[0]).unwrap();
    world.query_one_mut::<&Velocity>(entities[0]).unwrap();
    world.view_mut::<&mut Velocity>().get(entities[0]).unwrap();
    world.query_mut::<&Velocity>().for_each(|_| ());
    assert_eq!(since(&world, start)[1], []);
    world.get_mut::<Velocity>(entities[1]).unwrap();
    world.query_one_mut::<(Option<&mut Position>, &mut Velocity)>(entities[2]).unwrap();
    world.view_mut::<&mut Velocity>().get_mut(entities[3]).unwrap();
    world.get_many_mut::<Velocity, 1>([entities[4]]).unwrap();
    assert_eq!(since(&world, start), [vec![], at(&entities, &[1, 2, 3, 4])]);
}

#[test]
fn iterating_a_changing_view_changes_all() {
    let (mut world, entities) = tracked(3);
    let start = world.checkpoint();
    world.view_mut::<&mut Velocity>().as_view().iter().for_each(drop);
    assert_eq!(since(&world, start)[1], []);
    assert_eq!(world.view_mut::<&mut Velocity>().iter_mut().count(), 3);
    assert_eq!(since(&world, start), [vec![], entities]);
}

#[test]
fn a_query_changes_the_entities_that_it_matches_be_they_few_or_many() {
    for (count, step) in [(200, 50), (200, 2)] {
        let (mut world, entities) = tracked(count);
        let some: Vec<_> = entities.iter().copied().step_by(step).collect();
        for &entity in &some {
            world.insert(entity, Frozen).unwrap();
        }
        let start = world.checkpoint();
        for (_, frozen) in world.query_mut::<(&Velocity, &mut Frozen)>() {
            *frozen = Frozen;
        }
        assert_eq!(since(&world, start)[1], [], "velocities were only read");
        for (velocity, _) in world.query_mut::<(&mut Velocity, &Frozen)>() {
            velocity.0 += 1.0;
        }
        assert_eq!(since(&world, start), [vec![], some.clone()]);
        let second = world.checkpoint();
        world.query_mut::<(Option<&mut Velocity>, &Frozen)>().for_each(|_| ());
        assert_eq!(since(&world, second), [vec![], some]);
    }
}

#[test]
fn a_query_of_changed_components_changes_only_these() {
    let (mut world, entities) = tracked(5);
    let start = world.checkpoint();
    world.get_mut::<Velocity>(entities[2]).unwrap();
    let second = world.checkpoint();
    for velocity in world.query_mut::<&mut Velocity>().changed::<Velocity>(start) {
        velocity.0 = 0.5;
    }
    assert_eq!(since(&world, second)[1], [entities[2]]);
    let both = world.query::<Entity>().changed::<Velocity>(start).added::<Velocity>(start);
    assert_eq!(both.iter().count(), 0, "it meets both conditions or does not match");
    let frozen = world.query::<Entity>().changed::<Velocity>(start).with::<&Frozen>();
    assert_eq!(frozen.iter().count(), 0);
}

#[test]
fn slices_change_all_members_and_no_others() {
    let (mut world, entities) = tracked(4);
    let group = world.create_group::<(Velocity, Frozen)>();
    for &i in &[3, 1] {
        world.insert(entities[i], Frozen).unwrap();
    }
    let start = world.checkpoint();
    world.group_mut(group).unwrap().slices_mut::<(&Velocity, &mut Frozen)>();
    assert_eq!(since(&world, start)[1], []);
    world.group_mut(group).unwrap().slices_mut::<&mut Velocity>();
    assert_eq!(since(&world, start), [vec![], at(&entities, &[1, 3])]);
}

#[test]
fn a_query_outside_of_a_group_changes_only_the_entities_after_its_members() {
    let (mut world, entities) = tracked(6);
    let group = world.create_group::<(Velocity, Frozen)>();
    for &i in &[3, 1] {
        world.insert(entities[i], Frozen).unwrap();
    }
    let start = world.checkpoint();
    let outside = world.query_mut::<&mut Velocity>().outside(group).unwrap();
    outside.for_each(|velocity| velocity.0 += 10.0);
    assert_eq!(since(&world, start), [vec![], at(&entities, &[0, 2, 4, 5])]);
    let later = world.checkpoint();
    world.get_mut::<Velocity>(entities[1]).unwrap();
    world.get_mut::<Velocity>(entities[4]).unwrap();
    let changed = world.query::<Entity>().changed::<Velocity>(later).outside(group).unwrap();
    assert_eq!(changed.iter().collect::<Vec<_>>(), [entities[4]]);
}

#[test]
fn components_that_exist_when_tracking_begins_count_as_added() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 2);
    let start = world.checkpoint();
    world.track_changes::<Velocity>();
    let later = world.checkpoint();
    assert_eq!(since(&world, start), [entities.clone(), entities]);
    world.track_changes::<Velocity>();
    assert_eq!(since(&world, later), [vec![], vec![]], "it was tracked already");
}

#[test]
fn a_type_that_is_not_tracked_panics_with_its_name() {
    let mut world = world();
    world.track_changes::<Velocity>();
    let start = world.checkpoint();
    let message = |name: &str| {
        format!("changes of component {name} are not tracked: call `track_changes` first")
    };
    let changed = panic_of(|| _ = world.query::<Entity>().changed::<Frozen>(start));
    assert_eq!(changed, message(std::any::type_name::<Frozen>()));
    let added = panic_of(|| _ = world.query::<Entity>().added::<u64>(start));
    assert_eq!(added, message("u64"));
}

/// Adds a system that records the changed entities since its last run.
fn watch(world: &mut World) -> Arc<Mutex<Vec<Vec<Entity>>>> {
    let runs = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&runs);
    let record = move |world: &mut World, args: SystemArgs| {
        log.lock().unwrap().push(since(world, args.last_run)[1].clone());
    };
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "watch", record);
    runs
}

/// Adds a system that changes one entity.
fn add_change(world: &mut World, entity: Entity) {
    let change =
        move |world: &mut World, _: SystemArgs| world.get_mut::<Velocity>(entity).map(|_| ());
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "change", change);
}

#[test]
fn a_system_sees_the_changes_of_others_and_of_code_outside_exactly_once() {
    let (mut world, entities) = tracked(5);
    add_change(&mut world, entities[0]);
    let seen = watch(&mut world);
    add_change(&mut world, entities[2]);
    let take = || std::mem::take(&mut *seen.lock().unwrap());
    world.run(1.0).unwrap();
    assert_eq!(take(), std::slice::from_ref(&entities), "in the first run, everything is new");
    world.run(1.0).unwrap();
    assert_eq!(take(), [at(&entities, &[0, 2])], "of the earlier and of the later system");
    world.get_mut::<Velocity>(entities[4]).unwrap();
    world.run(1.0).unwrap();
    world.run(1.0).unwrap();
    assert_eq!(take(), [at(&entities, &[0, 2, 4]), at(&entities, &[0, 2])]);
}

#[test]
fn a_system_does_not_see_its_own_changes_again() {
    let (mut world, entities) = tracked(3);
    let counts = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&counts);
    let change = move |world: &mut World, args: SystemArgs| {
        let query = world.query_mut::<&mut Velocity>().changed::<Velocity>(args.last_run);
        log.lock().unwrap().push(query.into_iter().map(|velocity| velocity.0 += 1.0).count());
    };
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "change", change);
    (0..2).for_each(|_| world.run(1.0).unwrap());
    world.get_mut::<Velocity>(entities[1]).unwrap();
    (0..2).for_each(|_| world.run(1.0).unwrap());
    assert_eq!(*counts.lock().unwrap(), [3, 0, 1, 0]);
}

#[test]
fn a_respawned_entity_is_added_and_changed() {
    let (mut world, entities) = tracked(2);
    let start = world.checkpoint();
    let new = world.respawn(entities[0], (Velocity(9.0),)).unwrap();
    assert_eq!(since(&world, start), [vec![new], vec![new]]);
}

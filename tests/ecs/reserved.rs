//! Slots that commands reserve: they are used again, and a handle is never valid twice.

use cubefall::ecs::{Entity, Error, Limits, Snapshot, World};

/// Snapshots of worlds with these components.
type Saved = Snapshot<(u8, u16)>;

#[test]
fn slots_of_entities_that_commands_spawn_and_despawn_are_used_again() {
    let mut world = World::new();
    let mut last = Entity::NULL;
    for round in 0..100 {
        let mut commands = world.commands();
        if round > 0 {
            commands.despawn(last);
        }
        last = commands.spawn((round,));
        assert_eq!(commands.apply(&mut world), []);
        assert_eq!(world.get::<&u8>(last), Ok(&round));
    }
    assert_eq!(world.inspect().slots().used, 2, "one lives, and one is offered");
}

#[test]
fn a_batch_uses_the_slots_of_dropped_commands_as_single_spawns_do() {
    let spawned = |batch: bool| {
        let mut world = World::new();
        let mut commands = world.commands();
        commands.spawn((1_u8,));
        drop(commands);
        let entities = if batch {
            world.spawn_batch([(1_u8,), (2,)]).unwrap()
        } else {
            vec![world.spawn((1_u8,)), world.spawn((2_u8,))]
        };
        entities.iter().map(|entity| entity.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(spawned(true), spawned(false));
    assert_eq!(spawned(true), [2 << 32, (1 << 32) | 1]);
}

#[test]
fn commands_that_were_dropped_before_a_restore_take_nothing_from_later_ones() {
    let mut world = World::new();
    let empty = Saved::take(&world);
    let mut dropped = world.commands();
    dropped.spawn((1_u8,));
    let mut late = world.commands();
    late.spawn((2_u8,));
    drop(dropped);
    empty.restore(&mut world).unwrap();
    let mut commands = world.commands();
    let entity = commands.spawn((3_u8,));
    drop(late);
    world.spawn((4_u8,));
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.get::<&u8>(entity), Ok(&3));
}

#[test]
fn a_handle_reserved_before_a_restore_is_not_valid_twice() {
    let mut world = World::with_limits(Limits { generation: 1, ..Limits::default() });
    let empty = Saved::take(&world);
    let mut commands = world.commands();
    let reserved = commands.spawn((1_u8,));
    empty.restore(&mut world).unwrap();
    let entity = world.spawn((1_u8, 2_u16));
    assert_eq!(entity, reserved, "the same slot and generation");
    world.despawn(entity).unwrap();
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(reserved)]);
    assert!(world.is_empty());
}

#[test]
fn commands_for_another_world_give_their_slots_back() {
    let (mut world, mut other) = (World::new(), World::new());
    let mut commands = world.commands();
    let entity = commands.spawn((1_u8,));
    assert_eq!(commands.apply(&mut other), [Error::ForeignEntity(entity)]);
    assert_eq!(world.spawn(()).index(), entity.index());
}

#[test]
fn a_spawn_recorded_after_a_queued_restore_is_refused() {
    let mut world = World::new();
    let first = world.spawn(());
    world.despawn(first).unwrap();
    // Offers the free slot to later commands.
    let mut commands = world.commands();
    commands.spawn(());
    assert_eq!(commands.apply(&mut world), []);
    let saved = Saved::take(&world);
    let mut commands = world.commands();
    commands.queue(move |world| saved.restore(world));
    let entity = commands.spawn((1_u8,));
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(entity)]);
    assert!(!world.contains(entity));
    assert_eq!(world.len(), 1);
    let new = [world.spawn(()), world.spawn(())];
    assert_ne!(new[0], new[1]);
    assert_eq!(world.len(), 3);
}

#[test]
fn a_restored_world_uses_the_slots_of_the_pool() {
    let mut world = World::new();
    let mut commands = world.commands();
    let [a, b] = [commands.spawn((1_u8,)), commands.spawn((2_u8,))];
    commands.despawn(a);
    commands.despawn(b);
    assert_eq!(commands.apply(&mut world), []);
    let mut dropped = world.commands();
    dropped.spawn((3_u8,));
    drop(dropped);
    let mut restored = World::new();
    Saved::take(&world).restore(&mut restored).unwrap();
    let slots = [restored.spawn(()), restored.spawn(())].map(Entity::index);
    assert!(slots.contains(&0) && slots.contains(&1), "{slots:?}");
}

#[test]
fn commands_of_another_world_do_not_stop_the_reuse_of_dropped_ones() {
    let (mut world, mut other) = (World::new(), World::new());
    let mut foreign = other.commands();
    let entity = foreign.spawn((1_u8,));
    assert_eq!(foreign.apply(&mut world), [Error::ForeignEntity(entity)]);
    let mut dropped = world.commands();
    let reserved = dropped.spawn((2_u8,));
    drop(dropped);
    assert_eq!(world.spawn(()).index(), reserved.index());
    assert_eq!(other.spawn(()).index(), entity.index());
}

#[test]
fn slots_are_used_again_although_a_command_panics_each_time() {
    let mut world = World::new();
    let mut entities: Vec<Entity> = Vec::new();
    for _ in 0..100 {
        let mut commands = world.commands();
        entities.drain(..).for_each(|entity| commands.despawn(entity));
        entities.extend((0..4).map(|_| commands.spawn((1_u8,))));
        commands.queue(|_| -> Result<(), Error> { panic!("boom") });
        let applied = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = commands.apply(&mut world);
        }));
        assert!(applied.is_err());
    }
    assert!(world.inspect().slots().used <= 12, "{:?}", world.inspect().slots());
}

#[test]
fn the_slot_of_a_spawn_that_panics_is_used_again() {
    let mut world = World::new();
    let mut commands = world.commands();
    let lost = commands.spawn((1_u8, 2_u8));
    let applied = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = commands.apply(&mut world);
    }));
    assert!(applied.is_err(), "two components of one type");
    assert!(world.is_empty() && !world.contains(lost));
    assert_eq!(world.spawn((3_u8,)).index(), lost.index());
}

#[test]
fn free_slots_of_a_damaged_snapshot_are_refused() {
    let mut world = World::new();
    let entities: Vec<_> = (0..4).map(|_| world.spawn((1_u8,))).collect();
    world.despawn(entities[1]).unwrap();
    world.despawn(entities[2]).unwrap();
    let text = serde_json::to_string(&Saved::take(&world)).unwrap();
    let restore = |from: &str, to: &str| {
        assert_eq!(text.matches(from).count(), 1, "{text}");
        let snapshot: Saved = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
        snapshot.restore(&mut World::new())
    };
    assert_eq!(restore("[0,null]", "[0,null]"), Ok(()));
    // A list of free slots that is a circle, and one with a slot that was never used.
    assert_eq!(restore("[2147483650,4294967295]", "[2147483650,2]"), Err(Error::SnapshotMismatch));
    assert_eq!(restore("[2147483650,1]", "[2147483649,1]"), Err(Error::SnapshotMismatch));
}

#[test]
fn a_living_slot_in_the_free_list_is_refused() {
    let mut world = World::new();
    let first = world.spawn(());
    world.despawn(first).unwrap();
    world.spawn(());
    let text = serde_json::to_string(&Saved::take(&world)).unwrap();
    let text = text.replacen("\"first_free\":4294967295", "\"first_free\":0", 1);
    let snapshot: Saved = serde_json::from_str(&text).unwrap();
    assert_eq!(snapshot.restore(&mut World::new()), Err(Error::SnapshotMismatch), "{text}");
}

#[test]
fn commands_use_the_slots_of_dropped_ones_again() {
    let mut world = World::new();
    for _ in 0..9 {
        let mut dropped = world.commands();
        dropped.spawn(());
        drop(dropped);
        let mut commands = world.commands();
        let entity = commands.spawn(());
        commands.despawn(entity);
        assert_eq!(commands.apply(&mut world), []);
        assert!(entity.index() < 3, "{entity}");
    }
}

#[test]
fn commands_after_a_restore_act_on_entities_that_they_did_not_reserve() {
    let mut world = World::new();
    let entity = world.spawn(());
    let saved = Saved::take(&world);
    let mut commands = world.commands();
    commands.queue(move |world| saved.restore(world));
    commands.insert(entity, 1_u8);
    assert_eq!(commands.apply(&mut world), []);
    assert!(world.has::<u8>(entity));
}

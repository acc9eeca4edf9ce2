use cubefall::ecs::{Entity, Error, GroupId, SlotCounts, Snapshot, World};
use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Place(f32);
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Label(String);

type All = (Label, Place);

fn world() -> (World, GroupId) {
    let mut world = World::new();
    world.register::<Place>();
    world.register::<Label>();
    let group = world.create_group::<(Place, Label)>();
    (world, group)
}

/// Spawns, despawns and changes entities; the same for the same `round`.
fn advance(world: &mut World, round: u32) {
    for i in 0..20 {
        let place = Place((round * 100 + i) as f32 / 3.0);
        if i % 3 == 0 {
            world.spawn((place,));
        } else {
            world.spawn((place, Label(format!("{round}:{i}"))));
        }
    }
    let all: Vec<_> = world.view::<&Place>().entities().collect();
    for &entity in all.iter().step_by(4) {
        world.despawn(entity).unwrap();
    }
    world.query_mut::<&mut Place>().for_each(|place| place.0 *= 1.1);
}

/// Bits of handle and place, and the label of an entity.
type Held = (u64, u32, Option<String>);

/// Returns all entities and the members of the group, in their order.
fn content(world: &World, group: GroupId) -> (Vec<Held>, Vec<u64>) {
    let query = world.query::<(Entity, &Place, Option<&Label>)>();
    let held = query.iter().map(|(entity, place, label)| {
        (entity.to_bits(), place.0.to_bits(), label.map(|label| label.0.clone()))
    });
    let members = world.group(group).unwrap().entities().map(Entity::to_bits);
    (held.collect(), members.collect())
}

#[test]
fn a_restored_world_continues_like_the_saved_one() {
    let (mut world_a, group_a) = world();
    (0..5).for_each(|round| advance(&mut world_a, round));
    let text = serde_json::to_string(&Snapshot::<All>::take(&world_a)).unwrap();
    let labeled = world_a.signature_of::<(Label,)>();
    let saved = world_a.entities(labeled).next().unwrap();

    let (mut world_b, group_b) = world();
    advance(&mut world_b, 77);
    serde_json::from_str::<Snapshot<All>>(&text).unwrap().restore(&mut world_b).unwrap();
    assert_eq!(content(&world_b, group_b), content(&world_a, group_a));
    let same = Entity::from_bits(saved.to_bits(), world_b.id()).unwrap();
    assert_eq!(world_b.get::<&Label>(same), world_a.get::<&Label>(saved));

    for round in 5..9 {
        advance(&mut world_a, round);
        advance(&mut world_b, round);
        assert_eq!(content(&world_b, group_b), content(&world_a, group_a));
    }
}

#[test]
fn a_snapshot_restores_its_own_world() {
    let (mut world, group) = world();
    advance(&mut world, 1);
    let before = content(&world, group);
    let snapshot = Snapshot::<All>::take(&world);
    let mut commands = world.commands();
    let reserved = commands.spawn((Place(1.0),));
    advance(&mut world, 2);
    snapshot.restore(&mut world).unwrap();
    assert_eq!(content(&world, group), before);
    // The slot reserved after the snapshot is used by another entity.
    advance(&mut world, 3);
    let expected = content(&world, group);
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(reserved)]);
    assert_eq!(content(&world, group), expected);
}

#[test]
fn a_restored_world_gives_the_same_handles_after_commands() {
    let (mut saved, _) = world();
    let entities: Vec<_> = (0..9).map(|_| saved.spawn((Place(0.0),))).collect();
    entities[2..].iter().for_each(|&entity| saved.despawn(entity).unwrap());
    // Applying offers as many free slots as entities were spawned; dropping returns what was reserved.
    for (count, applied) in [(3, true), (4, false), (2, true)] {
        let mut commands = saved.commands();
        (0..count).for_each(|_| _ = commands.spawn((Place(1.0),)));
        if applied {
            assert_eq!(commands.apply(&mut saved), []);
        }
    }
    let free = saved.inspect().slots().free;
    let (mut restored, _) = world();
    Snapshot::<All>::take(&saved).restore(&mut restored).unwrap();
    assert_eq!(restored.inspect().slots().free, free);

    let next = |world: &mut World| {
        let mut commands = world.commands();
        let mut handles: Vec<_> = (0..3).map(|_| commands.spawn((Place(2.0),))).collect();
        assert_eq!(commands.apply(world), []);
        handles.extend((0..9).map(|_| world.spawn((Place(3.0),))));
        handles.into_iter().map(Entity::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(next(&mut restored), next(&mut saved));
}

#[test]
fn a_snapshot_needs_the_same_groups() {
    let (mut source, _) = world();
    advance(&mut source, 1);
    let mismatch = Err(Error::SnapshotMismatch);
    let take = || Snapshot::<All>::take(&source);
    let mut ungrouped = World::new();
    assert_eq!(take().restore(&mut ungrouped), mismatch);
    let mut others = World::new();
    others.create_group::<(Place,)>();
    assert_eq!(take().restore(&mut others), mismatch);
    let mut more = world().0;
    more.create_group::<(Place,)>();
    assert_eq!(take().restore(&mut more), mismatch);
    let mut excluding = World::new();
    excluding.create_group_without::<(Place, Label), (u8,)>();
    assert_eq!(take().restore(&mut excluding), mismatch);
    assert!([ungrouped, others, more, excluding].iter().all(World::is_empty));
}

#[test]
fn a_damaged_snapshot_is_refused_or_gives_a_valid_world() {
    let (mut source, group) = world();
    for i in 0..6 {
        source.spawn((Place(i as f32), Label("x".into())));
        source.spawn((Place(10.0),));
    }
    for member in content(&source, group).1.iter().step_by(2) {
        source.despawn(Entity::from_bits(*member, source.id()).unwrap()).unwrap();
    }
    let text = serde_json::to_string(&Snapshot::<All>::take(&source)).unwrap();
    let digits: Vec<_> =
        text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
    let mut refused = 0;
    for &at in &digits {
        for digit in ["0", "1", "2", "7", "31", ""] {
            let damaged = format!("{}{digit}{}", &text[..at], &text[at + 1..]);
            let Ok(snapshot) = serde_json::from_str::<Snapshot<All>>(&damaged) else { continue };
            let (mut target, group) = world();
            advance(&mut target, 3);
            let before = content(&target, group);
            if snapshot.restore(&mut target).is_err() {
                refused += 1;
                assert_eq!(content(&target, group), before, "a refused snapshot changes nothing");
            } else {
                // The restored world must be valid.
                advance(&mut target, 4);
                for (bits, ..) in content(&target, group).0 {
                    let entity = Entity::from_bits(bits, target.id()).unwrap();
                    assert!(target.despawn(entity).is_ok());
                }
                assert!(target.view::<&Label>().entities().next().is_none());
            }
        }
    }
    assert!(refused > digits.len(), "{refused} of {}", digits.len());
}

#[test]
fn restoring_invalidates_handles_reserved_later() {
    let (mut world, group) = world();
    let snapshot = Snapshot::<All>::take(&world);
    let mut commands = world.commands();
    let reserved = commands.spawn((Place(1.0),));
    snapshot.restore(&mut world).unwrap();
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(reserved)]);
    assert!(world.is_empty());
    let first = world.spawn((Place(2.0),));
    assert_eq!(content(&world, group).0, [(first.to_bits(), 2.0_f32.to_bits(), None)]);
    world.despawn(first).unwrap();
    assert!(content(&world, group).0.is_empty());
}

#[test]
fn a_restored_world_has_the_saved_free_slots() {
    let (mut world_a, _) = world();
    let entities: Vec<_> = (0..9_u8).map(|i| world_a.spawn((Place(i.into()),))).collect();
    world_a.despawn_batch(&entities[2..6]);
    assert_eq!(world_a.inspect().slots(), SlotCounts { used: 9, alive: 5, free: 4 });
    let text = serde_json::to_string(&Snapshot::<All>::take(&world_a)).unwrap();

    let (mut world_b, _) = world();
    world_b.spawn((Place(1.0),));
    serde_json::from_str::<Snapshot<All>>(&text).unwrap().restore(&mut world_b).unwrap();
    assert_eq!(world_b.inspect().slots(), world_a.inspect().slots());
    world_b.spawn((Place(1.0),));
    assert_eq!(world_b.inspect().slots(), SlotCounts { used: 9, alive: 6, free: 3 });
}

#[test]
fn groups_created_in_another_order_are_the_same_groups() {
    type Group = fn(&mut World) -> GroupId;
    let groups: [Group; 3] = [
        World::create_group::<(Place, Label)>,
        World::create_group::<(Place,)>,
        World::create_group::<(u8,)>,
    ];
    let world = |order: [usize; 3]| {
        let mut world = World::new();
        world.register::<Place>();
        world.register::<Label>();
        world.register::<u8>();
        let ids = order.map(|group| groups[group](&mut world));
        (world, ids)
    };
    let (mut source, ids) = world([0, 1, 2]);
    (0..3).for_each(|round| advance(&mut source, round));
    source.spawn_batch((0..5_u8).map(|i| (i, Place(f32::from(i))))).unwrap();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let (mut restored, orders) = world(order);
        let snapshot = Snapshot::<(Place, Label, u8)>::take(&source);
        snapshot.restore(&mut restored).unwrap();
        for (id, group) in orders.into_iter().zip(order) {
            assert_eq!(content(&restored, id), content(&source, ids[group]));
        }
        let numbers = |world: &World| world.view::<&u8>().values().to_vec();
        assert_eq!(numbers(&restored), numbers(&source));
        let entity = restored.view::<&u8>().entities().nth(3).unwrap();
        assert_eq!(restored.get::<&Place>(entity), Ok(&Place(3.0)));
    }
}

#[test]
fn commands_from_before_a_restore_do_not_act_on_restored_entities() {
    let (mut world, group) = world();
    let (mut source, _) = self::world();
    source.spawn((Place(1.0),));
    let snapshot = Snapshot::<All>::take(&source);
    let mut commands = world.commands();
    snapshot.restore(&mut world).unwrap();
    let before = content(&world, group);
    let reserved = commands.spawn((Place(2.0),));
    commands.insert(reserved, Label("x".into()));
    commands.despawn(reserved);
    assert!(world.contains(reserved), "the same slot and generation");
    assert_eq!(commands.apply(&mut world), [Error::NoSuchEntity(reserved); 3]);
    assert_eq!(content(&world, group), before);
}

#[test]
fn a_world_with_many_reserved_handles_restores_its_own_snapshot() {
    let (mut world, group) = world();
    advance(&mut world, 1);
    let mut commands = world.commands();
    for _ in 0..(1 << 20) + 10 {
        commands.spawn((Place(0.0),));
    }
    let before = (content(&world, group), world.inspect().slots().free);
    Snapshot::<All>::take(&world).restore(&mut world).unwrap();
    assert_eq!(content(&world, group), before.0);
    let refused = commands.apply(&mut world).len();
    assert_eq!(refused, (1 << 20) + 10, "handles from before the restore");
    assert_eq!(world.inspect().slots().free, before.1 + refused, "their slots are free again");
}

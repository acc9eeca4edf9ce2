use cubefall::ecs::{Changes, Entity, World};
use proptest::prelude::*;

use super::{Frozen, Position, Velocity, spawn_moving, velocities, world};

/// Returns the dense indices of the values that may have changed since a revision.
fn changed(changes: &Changes, since: u64, len: usize) -> Vec<usize> {
    let Some(recent) = changes.since(since) else { return (0..len).collect() };
    let mut indices: Vec<_> = recent.iter().map(|&index| index as usize).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.retain(|&index| index < len);
    indices
}

#[test]
fn changing_one_value_marks_only_this() {
    let mut world = world();
    let entities = world.spawn_batch((0..5000).map(|i| (Velocity(i as f32),))).unwrap();
    let before = world.view::<&Velocity>().changes().latest();
    let newer = |world: &World| changed(world.view::<&Velocity>().changes(), before, world.len());
    world.get::<&Velocity>(entities[130]).unwrap();
    assert!(newer(&world).is_empty());
    world.get_mut::<Velocity>(entities[130]).unwrap().0 = -1.0;
    assert_eq!(newer(&world), [130]);
    world.respawn(entities[0], (Velocity(7.0),)).unwrap();
    assert_eq!(newer(&world), [0, 130]);
    // A query that matches a few entities marks these, one that matches many marks all.
    for i in [500, 980] {
        world.insert(entities[i], Frozen).unwrap();
    }
    let frozen = |world: &mut World| {
        let query = world.query_mut::<(&mut Velocity, &Frozen)>();
        query.for_each(|(velocity, _)| velocity.0 += 1.0);
    };
    frozen(&mut world);
    assert_eq!(newer(&world), [0, 130, 500, 980]);
    world.query_mut::<&mut Velocity>().for_each(|_| ());
    assert_eq!(newer(&world).len(), 5000);
}

#[test]
fn a_log_forgets_the_older_half_of_too_many_changes() {
    let mut world = world();
    let entities = world.spawn_batch((0..80_000).map(|i| (Velocity(i as f32),))).unwrap();
    let changes = |world: &World| {
        let changes = world.view::<&Velocity>().changes();
        (changes.latest(), changes.recent().len())
    };
    let (start, _) = changes(&world);
    let mut most = 0;
    for count in 1..50_000 {
        world.get_mut::<Velocity>(entities[count % 7]).unwrap();
        let (latest, kept) = changes(&world);
        assert_eq!(latest, start + count as u64);
        assert!(kept >= count.min(5_000), "{kept} of {count}");
        most = most.max(kept);
    }
    assert_eq!(most, 10_000, "an eighth of the values");
    let log = world.view::<&Velocity>().changes();
    assert!(log.since(log.everywhere()).is_some() && log.since(log.everywhere() - 1).is_none());
    assert!(log.since(log.latest() + 1).is_none(), "a revision of another array");
}

#[test]
fn a_log_begins_when_it_is_first_asked_for() {
    let mut world = world();
    let entities = world.spawn_batch((0..100).map(|i| (Velocity(i as f32),))).unwrap();
    let bytes =
        |world: &World| world.inspect().memory().iter().map(|part| part.bytes).sum::<usize>();
    let before = bytes(&world);
    for &entity in &entities {
        world.get_mut::<Velocity>(entity).unwrap();
    }
    assert_eq!(bytes(&world), before, "changes are not logged yet");
    let start = world.view::<&Velocity>().changes().latest();
    world.get_mut::<Velocity>(entities[42]).unwrap();
    let view = world.view::<&Velocity>();
    assert_eq!(view.changes().since(start), Some(&[42][..]));
    assert_eq!(view.changes().since(start - 1), None, "a copy from before the log is out of date");
    assert!(bytes(&world) > before);
}

#[test]
fn writing_a_small_group_changes_its_members_only() {
    let mut world = World::new();
    let group = world.create_group::<(Position, Velocity)>();
    world.spawn_batch((0..3).map(|_| (Position([0.0; 3]), Velocity(0.0)))).unwrap();
    world.spawn_batch((0..10_000).map(|_| (Position([0.0; 3]),))).unwrap();
    let latest = |world: &World| world.view::<&Position>().changes().latest();
    let start = latest(&world);
    world.group_mut(group).unwrap().slices_mut::<(&mut Position, &Velocity)>();
    assert_eq!(world.view::<&Position>().changes().since(start), Some(&[0, 1, 2][..]));
    let before = latest(&world);
    world.spawn_batch((0..3000).map(|_| (Position([0.0; 3]), Velocity(0.0)))).unwrap();
    world.group_mut(group).unwrap().slices_mut::<(&mut Position, &Velocity)>();
    let changes = world.view::<&Position>().changes();
    assert_eq!(changes.since(before), None, "one copy of everything costs less");
}

#[test]
fn only_changes_increase_the_revision() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    let mut last = world.view::<&Velocity>().changes().latest();
    let mut changed = |world: &World| {
        let now = world.view::<&Velocity>().changes().latest();
        now > std::mem::replace(&mut last, now)
    };
    world.get::<&Velocity>(entities[0]).unwrap();
    velocities(&world);
    world.spawn((Position([0.0; 3]),));
    assert!(!changed(&world));
    world.get_mut::<Velocity>(entities[0]).unwrap();
    assert!(changed(&world));
    world.query_mut::<&Velocity>().for_each(|_| ());
    assert!(!changed(&world));
    world.despawn(entities[1]).unwrap();
    assert!(changed(&world));
    world.despawn(entities[2]).unwrap();
    assert!(changed(&world), "the last element was removed");
}

/// Makes one random call; `pick` selects one of all handles given out so far.
fn act(world: &mut World, handles: &mut Vec<Entity>, kind: u8, pick: usize, value: f32) {
    let picked = handles.get(pick % handles.len().max(1)).copied().unwrap_or(Entity::NULL);
    // Errors are ignored: a refused call must not change the array.
    match kind {
        0..4 => handles.push(world.spawn((Velocity(value), Frozen))),
        4 => handles.push(world.spawn((Velocity(value),))),
        5 => {
            let batch = (0..pick % 150).map(|i| (Velocity(value + i as f32), Frozen));
            handles.extend(world.spawn_batch(batch).unwrap());
        }
        6 | 7 => drop(world.despawn(picked)),
        8 => drop(world.insert(picked, Velocity(value))),
        9 => drop(world.remove::<Velocity>(picked)),
        10 => drop(world.remove::<Frozen>(picked)),
        11 => drop(world.insert(picked, Frozen)),
        12 => drop(world.get_mut(picked).map(|velocity| *velocity = Velocity(value))),
        13 | 14 => handles.extend(world.respawn(picked, (Velocity(value), Frozen))),
        15 => {
            let order = |a: &Velocity, b: &Velocity| a.0.total_cmp(&b.0);
            let group = world.inspect().groups().next();
            match group {
                Some(group) => world.group_mut(group.id).unwrap().sort_by(order),
                None => world.sort_by(order),
            }
        }
        16 => {
            let each = 2 + pick % 5;
            let some: Vec<_> = handles.iter().copied().step_by(each).collect();
            world.despawn_batch(&some);
        }
        17 if pick.is_multiple_of(2) => {
            let query = world.query_mut::<(&mut Velocity, &mut Frozen)>();
            query.for_each(|(velocity, _)| velocity.0 -= 1.0);
        }
        17 => {
            let first = handles.first().copied().unwrap_or(Entity::NULL);
            if let Ok([a, b]) = world.get_many_mut::<Velocity, 2>([picked, first]) {
                std::mem::swap(a, b);
            }
        }
        _ => world.clear(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every `pace` calls, only the values that are newer than the copy are copied.
    #[test]
    fn a_copy_updated_by_the_change_log_equals_the_array(
        calls in prop::collection::vec((0_u8..19, any::<usize>(), -1e3_f32..1e3), 1..120),
        pace in 1_usize..4,
        grouped: bool,
    ) {
        let mut world = world();
        if grouped {
            world.create_group::<(Velocity, Frozen)>();
        }
        let mut handles = Vec::new();
        let (mut copy, mut since): (Vec<f32>, u64) = (Vec::new(), 0);
        for (i, (kind, pick, value)) in calls.into_iter().enumerate() {
            // `clear` is rare, so that the arrays become large.
            let kind = if kind == 18 && !pick.is_multiple_of(8) { 5 } else { kind };
            act(&mut world, &mut handles, kind, pick, value);
            if i % pace == 0 {
                let now = velocities(&world);
                let changes = world.view::<&Velocity>().changes();
                copy.resize(now.len(), f32::NAN);
                for position in changed(changes, since, now.len()) {
                    copy[position] = now[position];
                }
                since = changes.latest();
                prop_assert_eq!(&copy, &now);
            }
        }
    }
}

#[test]
fn a_log_names_the_members_of_a_small_group_in_a_large_array() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Position)>();
    for i in 0..1000_u16 {
        world.spawn((Velocity(i.into()), Position([0.0; 3])));
    }
    for _ in 0..20_000 {
        world.spawn((Velocity(0.0),));
    }
    let members: Vec<_> = (0..1000).collect();
    let start = world.view::<&Velocity>().changes().latest();
    for (velocity, _) in world.query_mut::<(&mut Velocity, &Position)>() {
        velocity.0 += 1.0;
    }
    assert_eq!(world.view::<&Velocity>().changes().since(start), Some(&members[..]));
    let start = world.view::<&Velocity>().changes().latest();
    world.group_mut(group).unwrap().slices_mut::<&mut Velocity>();
    assert_eq!(world.view::<&Velocity>().changes().since(start), Some(&members[..]));
}

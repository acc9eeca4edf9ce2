use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cubefall::ecs::{Entity, Error, Limits, TakenGroup, World};

use super::{
    Frozen, Name, Position, Velocity, named_twice, panic_of, spawn_moving, velocities, world,
};

fn moving(range: std::ops::Range<u8>) -> impl Iterator<Item = (Position, Velocity)> {
    range.map(|i| (Position([i.into(); 3]), Velocity(i.into())))
}

/// Checks that the slices and the handles of the members agree.
fn assert_consistent(world: &World, group: cubefall::ecs::GroupId) {
    let (positions, velocities) = world.group(group).unwrap().slices::<(&Position, &Velocity)>();
    for (i, entity) in world.group(group).unwrap().entities().enumerate() {
        assert_eq!(world.get::<&Position>(entity), Ok(&positions[i]));
        assert_eq!(world.get::<&Velocity>(entity), Ok(&velocities[i]));
        assert_eq!(positions[i].0[0].to_bits(), velocities[i].0.to_bits());
    }
}

#[test]
fn spawn_batch_equals_single_spawns() {
    for lone in [false, true] {
        let (mut one_by_one, mut batch) = (world(), world());
        let groups = [&mut one_by_one, &mut batch].map(|world| {
            let group = world.create_group::<(Position, Velocity)>();
            if lone {
                world.spawn((Velocity(99.0),));
            }
            // Some slots are reused, the last freed one first.
            let gone = world.spawn_batch(moving(100..105)).unwrap();
            for i in [3, 0, 4] {
                world.despawn(gone[i]).unwrap();
            }
            group
        });
        let expected: Vec<_> =
            moving(0..9).map(|bundle| one_by_one.spawn(bundle).to_bits()).collect();
        let spawned = batch.spawn_batch(moving(0..9)).unwrap();
        assert_eq!(spawned.iter().map(|entity| entity.to_bits()).collect::<Vec<_>>(), expected);
        for (i, &entity) in spawned.iter().enumerate() {
            assert_eq!(batch.get::<&Velocity>(entity), Ok(&Velocity(i as f32)));
        }
        assert_eq!(velocities(&batch), velocities(&one_by_one));
        assert_eq!(batch.group(groups[1]).unwrap().len(), 11);
        assert_consistent(&batch, groups[1]);
    }
}

/// An iterator with a wrong size hint.
struct WrongSizeHint(std::ops::Range<u8>, usize);

impl Iterator for WrongSizeHint {
    type Item = (Velocity,);
    fn next(&mut self) -> Option<(Velocity,)> {
        self.0.next().map(|i| (Velocity(i.into()),))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}

#[test]
fn spawn_batch_accepts_a_wrong_size_hint() {
    for claimed in [0, 3, 5000, usize::MAX] {
        let mut world = world();
        assert_eq!(world.spawn_batch(WrongSizeHint(0..7, claimed)).unwrap().len(), 7);
        assert_eq!(velocities(&world), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    }
}

#[test]
fn a_failed_spawn_batch_spawns_nothing_and_drops_its_bundles() {
    let counter = Arc::new(());
    let mut world = World::with_limits(Limits { entities: 10, ..Limits::default() });
    world.register::<Velocity>();
    world.register::<Arc<()>>();
    let first = world.spawn((Velocity(1.0), counter.clone()));
    let bundle = |i: u8| (Velocity(i.into()), counter.clone());

    let panics = (0..9).map(|i| if i == 6 { panic!("half way") } else { bundle(i) });
    assert!(catch_unwind(AssertUnwindSafe(|| world.spawn_batch(panics))).is_err());
    assert_eq!((world.len(), velocities(&world)), (1, vec![1.0]));

    let endless = (0..=u8::MAX).cycle().map(bundle);
    assert_eq!(world.spawn_batch(endless), Err(Error::EntityLimit { limit: 10 }));
    assert_eq!((world.len(), velocities(&world)), (1, vec![1.0]));
    assert_eq!(Arc::strong_count(&counter), 2);

    assert_eq!(world.spawn_batch((0..9).map(bundle)).unwrap().len(), 9);
    assert_eq!((world.len(), world.contains(first)), (10, true));
}

#[test]
fn batches_may_be_empty_or_without_components() {
    let mut world = world();
    assert_eq!(world.spawn_batch([(); 5]).unwrap().len(), 5);
    assert_eq!(world.spawn_batch(moving(0..0)), Ok(vec![]));
    assert_eq!((world.len(), world.despawn_batch(&[])), (5, 0));
    let twice = panic_of(|| _ = world.spawn_batch([(Velocity(1.0), Velocity(2.0))]));
    assert_eq!((twice, world.len()), (named_twice::<Velocity>(), 5));
}

#[test]
fn repeated_spawning_and_clearing_needs_no_more_memory() {
    let mut world = world();
    world.create_group::<(Name,)>();
    world.create_group::<(Velocity, Frozen)>();
    let bytes =
        |world: &World| world.inspect().memory().iter().map(|array| array.bytes).sum::<usize>();
    let mut plateau = 0;
    for round in 0..20 {
        world.spawn_batch((0..50_000_u32).map(|i| (Velocity(i as f32), Frozen))).unwrap();
        if round == 1 {
            plateau = bytes(&world);
        }
        world.clear();
        assert!(world.is_empty());
    }
    assert_eq!(bytes(&world), plateau);
    let rows = world.inspect().memory()[0];
    assert_eq!((rows.name, rows.len), ("rows", 50_000));
    world.shrink_to(0);
    assert!(bytes(&world) <= rows.bytes);
}

#[test]
fn slot_indices_stay_below_the_largest_number_of_entities() {
    let mut world = world();
    let mut live = spawn_moving(&mut world, 100);
    let mut highest = 0;
    for i in 0..100_000_usize {
        let gone = live.swap_remove(i * 7919 % live.len());
        world.despawn(gone).unwrap();
        let next = world.spawn((Velocity(0.0),));
        highest = highest.max(next.index());
        live.push(next);
    }
    assert_eq!(highest, 99);
    assert_eq!(world.inspect().memory()[0].len, 100);
}

#[test]
fn two_worlds_are_independent() {
    let (mut here, mut there) = (world(), world());
    spawn_moving(&mut here, 3);
    assert!(there.is_empty());
    let theirs = spawn_moving(&mut there, 2);
    assert_eq!(here.despawn_batch(&theirs), 0);
    assert_eq!((here.len(), there.len()), (3, 2));
}

#[test]
fn clear_invalidates_all_handles_and_empties_groups() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let old = world.spawn_batch(moving(0..6)).unwrap();
    world.spawn((Name("n".into()),));
    world.clear();
    assert_eq!((world.len(), world.group(group).unwrap().len()), (0, 0));
    assert!(velocities(&world).is_empty());
    assert!(old.iter().all(|&entity| !world.contains(entity)));
    let new = world.spawn_batch(moving(0..6)).unwrap();
    assert!(new.iter().all(|entity| !old.contains(entity)));
    assert_eq!(world.group(group).unwrap().len(), 6);
    assert_consistent(&world, group);
}

#[test]
fn a_large_despawn_batch_keeps_the_order_of_the_others() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 100);
    let gone: Vec<_> = entities.iter().copied().step_by(3).collect();
    assert_eq!(world.despawn_batch(&gone), 34);
    let left: Vec<_> = (0..100_u8).filter(|i| i % 3 != 0).map(f32::from).collect();
    assert_eq!(velocities(&world), left);
}

#[test]
fn despawn_batch_equals_single_despawns() {
    // From a few to all entities, with nested groups, non-members, and repeated and stale handles.
    for (modulus, hit) in [(2, 0), (3, 0), (7, 1), (1, 0), (60, 0)] {
        let mut world = world();
        let outer = world.create_group::<(Position, Velocity)>();
        let inner = world.create_group::<(Position, Velocity, Name)>();
        let mut entities = Vec::new();
        for i in 0..120_u8 {
            let (position, velocity) = (Position([i.into(); 3]), Velocity(i.into()));
            entities.push(match i % 4 {
                0 => world.spawn((position, velocity, Name(i.to_string()))),
                1 => world.spawn((velocity,)),
                2 => world.spawn((Name(i.to_string()), Frozen)),
                _ => world.spawn((position, velocity)),
            });
        }
        let mut batch: Vec<Entity> = entities.iter().copied().skip(hit).step_by(modulus).collect();
        let expected = batch.len();
        batch.push(batch[0]);
        batch.push(Entity::NULL);
        assert_eq!(world.despawn_batch(&batch), expected);
        assert_eq!(world.despawn_batch(&batch), 0);
        let live: Vec<_> = entities.iter().filter(|entity| !batch.contains(entity)).collect();
        assert_eq!(world.len(), live.len());
        for &&entity in &live {
            let i = entities.iter().position(|&other| other == entity).unwrap() as f32;
            let velocity = world.get::<&Velocity>(entity).ok().map(|velocity| velocity.0);
            let name = world.get::<&Name>(entity).ok().map(|name| name.0.clone());
            let kind = i as usize % 4;
            assert_eq!(velocity, (kind != 2).then_some(i));
            assert_eq!(name, [0, 2].contains(&kind).then(|| i.to_string()));
        }
        assert_consistent(&world, outer);
        assert_consistent(&world, inner);
        let named = world.group(inner).unwrap().entities().count();
        assert!(world.group(inner).unwrap().entities().all(|entity| world.has::<Name>(entity)));
        let with_all = live.iter().filter(|&&&entity| {
            world.has::<Name>(entity)
                && world.has::<Position>(entity)
                && world.has::<Velocity>(entity)
        });
        assert_eq!(named, with_all.count());
        // The freed slots are reused.
        world.spawn_batch(moving(0..50)).unwrap();
        assert_eq!(world.len(), live.len() + 50);
    }
}

#[test]
fn restore_group_restores_every_array_after_take_group() {
    let full = |i: u8| (Position([i.into(); 3]), Velocity(i.into()), Name(i.to_string()), Frozen);
    for disturbance in 0..5 {
        let mut world = world();
        let outer = world.create_group::<(Position, Velocity)>();
        let inner = world.create_group::<(Position, Velocity, Name, Frozen)>();
        let entities = world.spawn_batch((0..30).map(full)).unwrap();
        let camera = world.spawn((Position([50.0; 3]),));
        let order = world.group(inner).unwrap().entities().collect::<Vec<_>>();

        let taken = world.take_group::<(Name, Frozen)>(inner).unwrap();
        assert_eq!((&taken.entities, taken.values.0.len()), (&entities, 30));
        assert_eq!((world.group(inner).unwrap().len(), world.group(outer).unwrap().len()), (0, 30));
        assert!(
            entities
                .iter()
                .all(|&entity| !world.has::<Name>(entity) && !world.has::<Frozen>(entity))
        );
        world.insert_bundle(camera, (Name("camera".into()), Frozen)).unwrap();

        let expected = match disturbance {
            // No change in between.
            0 => 30,
            // The arrays are not empty.
            1 => 31,
            // An entity was despawned, has one of the components already, or has moved.
            2 => {
                world.despawn(entities[7]).unwrap();
                29
            }
            3 => {
                world.insert(entities[7], Frozen).unwrap();
                29
            }
            _ => {
                world.remove::<Velocity>(entities[0]).unwrap();
                world.insert(entities[0], Velocity(0.0)).unwrap();
                30
            }
        };
        if disturbance != 1 {
            world.remove_bundle::<(Name, Frozen)>(camera).unwrap();
        }
        let restored = world.restore_group(taken);
        assert_eq!(restored, expected.min(30));
        for (i, &entity) in entities.iter().enumerate() {
            if disturbance == 2 && i == 7 {
                assert!(!world.contains(entity));
            } else {
                assert_eq!(world.has::<Name>(entity), !(disturbance == 3 && i == 7));
                assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(i as f32)));
                assert!(world.get::<&Name>(entity).map_or(true, |name| name.0 == i.to_string()));
            }
        }
        assert_consistent(&world, outer);
        assert_consistent(&world, inner);
        assert_eq!(world.group(inner).unwrap().len(), restored);
        if disturbance == 0 {
            assert_eq!(world.group(inner).unwrap().entities().collect::<Vec<_>>(), order);
        }
    }
}

#[test]
fn restore_group_uses_the_first_values_of_a_repeated_entity() {
    for grouped in [false, true] {
        let mut world = world();
        let group = grouped.then(|| world.create_group::<(Position, Velocity)>());
        let [a, b] = [5.0, 6.0].map(|at| world.spawn((Position([at; 3]),)));
        let values = [5.0, 6.0, 7.0].map(Velocity).to_vec();
        let repeated = TakenGroup::<(Velocity,)> { entities: vec![a, b, a], values: (values,) };
        assert_eq!(world.restore_group(repeated), 2);
        assert_eq!(velocities(&world), [5.0, 6.0]);
        assert_eq!(world.get::<&Velocity>(a), Ok(&Velocity(5.0)));
        assert_eq!(world.get::<&Velocity>(b), Ok(&Velocity(6.0)));
        if let Some(group) = group {
            assert_eq!(world.group(group).unwrap().len(), 2);
            assert_consistent(&world, group);
        }
        world.despawn(a).unwrap();
        assert_eq!(
            (world.get::<&Velocity>(b), velocities(&world)),
            (Ok(&Velocity(6.0)), vec![6.0])
        );
    }
}

#[test]
fn take_group_removes_members_from_the_outer_group_too() {
    let mut world = world();
    let outer = world.create_group::<(Position, Velocity)>();
    let inner = world.create_group::<(Position, Velocity, Frozen)>();
    world.spawn_batch(moving(0..5)).unwrap();
    let frozen = world.spawn_batch(moving(5..9).map(|(p, v)| (p, v, Frozen))).unwrap();
    let taken = world.take_group::<(Velocity,)>(inner).unwrap();
    let values: Vec<_> = taken.values.0.iter().map(|velocity| velocity.0).collect();
    assert_eq!((&taken.entities, values), (&frozen, vec![5.0, 6.0, 7.0, 8.0]));
    assert_eq!((world.group(outer).unwrap().len(), world.group(inner).unwrap().len()), (5, 0));
    assert_consistent(&world, outer);
    assert_eq!(world.restore_group(taken), 4);
    assert_eq!((world.group(outer).unwrap().len(), world.group(inner).unwrap().len()), (9, 4));
    assert_consistent(&world, outer);
    let foreign = panic_of(|| drop(world.take_group::<(Name,)>(inner)));
    let name = std::any::type_name::<Name>();
    assert_eq!(foreign, format!("component {name} is not owned by the group"));
    assert_eq!(world.group(outer).unwrap().len(), 9);
}

#[test]
fn a_component_of_a_far_slot_takes_little_memory() {
    let mut world = World::new();
    world.register::<Velocity>();
    let entities = world.spawn_batch((0..2_000_000).map(|_| ())).unwrap();
    let far = entities[1_999_999];
    let allocated = allocation_counter::measure(|| world.insert(far, Velocity(1.0)).unwrap());
    // One `u32` for each slot would take 8 MB.
    assert!(allocated.bytes_max < 64 << 10, "{allocated:?}");
}

#[test]
fn spawning_into_reserved_memory_allocates_nothing() {
    let mut world = World::new();
    world.create_group::<(Position,)>();
    world.create_group::<(Velocity,)>();
    (0..3000).for_each(|_| _ = world.spawn(()));
    // The first entity with these components registers them.
    world.spawn((Velocity(1.0), Frozen));
    let mut later = world.commands();
    (0..5000).for_each(|_| _ = later.spawn((Frozen,)));
    world.reserve::<(Velocity, Frozen)>(10_000).unwrap();
    let allocated = allocation_counter::measure(|| {
        for _ in 0..10_000 {
            world.spawn((Velocity(1.0), Frozen));
        }
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_batch_enters_a_group_with_another_list_of_members() {
    let mut world = world();
    world.create_group::<(Position, Frozen)>();
    let group = world.create_group::<(Velocity, Name)>();
    let new = |i: u8| (Velocity(i.into()), Name(String::new()));
    let batch = world.spawn_batch((0..3).map(new)).unwrap();
    let members = world.group(group).unwrap();
    assert_eq!([0, 1, 2].map(|i| members.entity(i)), [0, 1, 2].map(|i| Some(batch[i])));
    assert_eq!(members.index_of(batch[1]), Some(1));
}

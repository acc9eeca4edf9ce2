use cubefall::ecs::{Entity, Error, Limits, World};

use super::{Velocity, panic_of, spawn_moving, velocities, world};

/// Checks that every call refuses the handle and changes nothing.
fn assert_refused(world: &mut World, entity: Entity) {
    let (len, before) = (world.len(), velocities(world));
    let refused = |result: Result<(), Error>| {
        assert!(
            matches!(result, Err(Error::NoSuchEntity(e) | Error::ForeignEntity(e)) if e == entity),
            "{result:?}"
        );
    };
    refused(world.get::<&Velocity>(entity).map(drop));
    refused(world.get_mut::<Velocity>(entity).map(drop));
    refused(world.insert(entity, Velocity(9.0)));
    refused(world.set(entity, Velocity(9.0)).map(drop));
    refused(world.remove::<Velocity>(entity).map(drop));
    refused(world.signature(entity).map(drop));
    refused(world.despawn(entity));
    assert!(!world.contains(entity) && !world.has::<Velocity>(entity));
    assert_eq!((world.len(), velocities(world)), (len, before));
}

#[test]
fn a_new_world_is_empty_and_refuses_the_null_handle() {
    let mut world = world();
    assert!(world.is_empty());
    assert_eq!(world.len(), 0);
    assert_refused(&mut world, Entity::NULL);
    assert_eq!(world.despawn(Entity::NULL).unwrap_err().to_string(), "entity NULL does not exist");
}

#[test]
fn despawn_twice_is_refused() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    assert_eq!(world.despawn(entities[1]), Ok(()));
    assert_eq!(world.despawn(entities[1]), Err(Error::NoSuchEntity(entities[1])));
    assert_eq!(world.len(), 2);
}

#[test]
fn a_stale_handle_is_refused_after_its_slot_is_reused() {
    let mut world = world();
    let stale = spawn_moving(&mut world, 1)[0];
    world.despawn(stale).unwrap();
    assert_refused(&mut world, stale);
    let reused = world.spawn((Velocity(5.0),));
    assert_eq!(reused.index(), stale.index());
    assert_refused(&mut world, stale);
}

#[test]
fn generations_start_at_one_and_increase() {
    let mut world = world();
    let first = world.spawn(());
    world.despawn(first).unwrap();
    let second = world.spawn(());
    assert_eq!((first.index(), first.generation()), (0, 1));
    assert_eq!((second.index(), second.generation()), (0, 2));
    assert_ne!(first, second);
    assert_eq!(format!("{second} {second:?}"), "0v2 0v2");
    assert_eq!(second.to_bits(), 2 << 32);
}

#[test]
fn queries_return_the_handles_of_spawn() {
    let mut world = world();
    for round in 0..50 {
        let entities = spawn_moving(&mut world, 20);
        let yielded: Vec<_> =
            world.query::<(Entity, &Velocity)>().iter().map(|(entity, _)| entity).collect();
        assert_eq!(yielded.len(), world.len());
        assert!(yielded.iter().all(|&entity| world.contains(entity)));
        assert!(entities.iter().all(|entity| yielded.contains(entity)), "round {round}");
        for entity in entities.iter().skip(round % 3) {
            world.despawn(*entity).unwrap();
        }
    }
}

#[test]
fn despawning_any_of_three_keeps_the_others() {
    for gone in [&[0][..], &[1], &[2], &[0, 1], &[2, 0], &[1, 2, 0]] {
        let mut world = world();
        let entities = spawn_moving(&mut world, 3);
        for &i in gone {
            world.despawn(entities[i]).unwrap();
        }
        for (i, &entity) in entities.iter().enumerate() {
            let kept = world.get::<&Velocity>(entity).map(|velocity| velocity.0);
            let expected =
                if gone.contains(&i) { Err(Error::NoSuchEntity(entity)) } else { Ok(i as f32) };
            assert_eq!(kept, expected, "{gone:?}");
        }
    }
}

#[test]
fn the_only_entity_can_be_despawned() {
    let mut world = world();
    let only = spawn_moving(&mut world, 1)[0];
    world.despawn(only).unwrap();
    assert!(velocities(&world).is_empty());
    let next = world.spawn((Velocity(4.0),));
    assert_eq!((world.get::<&Velocity>(next), world.len()), (Ok(&Velocity(4.0)), 1));
}

#[test]
fn a_slot_without_generations_left_is_retired() {
    let mut world = World::with_limits(Limits { generation: 3, ..Limits::default() });
    let mut handles = Vec::new();
    for _ in 0..7 {
        let entity = world.spawn(());
        assert!(!handles.contains(&entity));
        handles.push(entity);
        world.despawn(entity).unwrap();
        assert_eq!(world.despawn(entity), Err(Error::NoSuchEntity(entity)));
    }
    let slots: Vec<_> = handles.iter().map(|entity| entity.index()).collect();
    assert_eq!(slots, [0, 0, 0, 1, 1, 1, 2]);
}

#[test]
fn spawning_beyond_the_entity_limit_is_refused() {
    let mut world = World::with_limits(Limits { entities: 2, ..Limits::default() });
    let first = world.spawn(());
    world.spawn(());
    assert_eq!(world.try_spawn(()), Err(Error::EntityLimit { limit: 2 }));
    let refused = panic_of(|| _ = world.spawn(()));
    assert_eq!(refused, "cannot spawn an entity: the limit of 2 entities is reached");
    assert_eq!(world.len(), 2);
    world.despawn(first).unwrap();
    assert!(world.try_spawn(()).is_ok());
}

#[test]
fn a_handle_of_another_world_is_refused() {
    let (mut here, mut there) = (world(), world());
    let (mine, theirs) = (spawn_moving(&mut here, 1)[0], spawn_moving(&mut there, 1)[0]);
    assert_eq!(mine.to_bits(), theirs.to_bits());
    assert_ne!(mine, theirs);
    assert_refused(&mut here, theirs);
    assert_eq!(here.despawn(theirs), Err(Error::ForeignEntity(theirs)));
}

#[test]
fn the_same_calls_give_the_same_handles() {
    let run = || {
        let mut world = world();
        let mut entities = spawn_moving(&mut world, 9);
        for i in [4, 0, 6] {
            world.despawn(entities.remove(i)).unwrap();
        }
        entities.extend(spawn_moving(&mut world, 5));
        entities.iter().map(|entity| entity.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
}

#[test]
fn mixed_spawning_and_despawning_keeps_handles_valid() {
    let mut world = world();
    let mut live: Vec<Entity> = Vec::new();
    for i in 0_usize..2000 {
        if i % 3 == 2 || i % 7 == 0 {
            if !live.is_empty() {
                let entity = live.swap_remove(i * 31 % live.len());
                world.despawn(entity).unwrap();
            }
        } else {
            live.push(world.spawn((Velocity(i as f32),)));
        }
        assert_eq!(world.len(), live.len());
        assert_eq!(world.query::<&Velocity>().iter().count(), live.len());
    }
    assert!(live.iter().all(|&entity| world.contains(entity)));
}

#[test]
fn handle_bits_round_trip_and_invalid_bits_are_refused() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    world.despawn(entities[1]).unwrap();
    let reused = spawn_moving(&mut world, 1)[0];
    for entity in [entities[0], entities[1], entities[2], reused] {
        let back = Entity::from_bits(entity.to_bits(), world.id()).unwrap();
        assert_eq!(back, entity);
        assert_eq!(world.contains(back), entity != entities[1]);
    }
    let no_generation = 5;
    let past_the_last = (u64::from(Limits::MAX_GENERATION) + 1) << 32;
    let no_slot = 1 << 32 | u64::from(u32::MAX);
    for bits in [no_generation, past_the_last, no_slot, u64::MAX, Entity::NULL.to_bits()] {
        assert_eq!(Entity::from_bits(bits, world.id()), None, "{bits:x}");
    }
}

#[test]
fn handles_that_were_never_given_out_are_refused() {
    let mut world = world();
    let real = spawn_moving(&mut world, 4);
    world.despawn(real[2]).unwrap();
    for index in [0, 2, 3, 4, 255, 256, 1_000_000, u64::from(u32::MAX - 1)] {
        for generation in [1, 2, 3, u64::from(Limits::MAX_GENERATION)] {
            let junk = Entity::from_bits(generation << 32 | index, world.id()).unwrap();
            if !real.contains(&junk) {
                assert_refused(&mut world, junk);
            }
        }
    }
    let other = super::world();
    let foreign = Entity::from_bits(real[0].to_bits(), other.id()).unwrap();
    assert_refused(&mut world, foreign);
}

#[test]
fn a_batch_may_use_every_slot_that_is_left() {
    // Five slots of a world that allows five entities; three are free again.
    let mut world = World::with_limits(Limits { entities: 5, ..Limits::default() });
    world.register::<Velocity>();
    let entities = spawn_moving(&mut world, 5);
    world.despawn_batch(&entities[1..4]);
    let batch = world.spawn_batch([(Velocity(7.0),); 3]).unwrap();
    assert!(batch.iter().all(|entity| entity.generation() == 2));
    assert_eq!(world.spawn_batch([(Velocity(7.0),)]), Err(Error::EntityLimit { limit: 5 }));
}

#[test]
fn a_signature_of_another_world_matches_nothing() {
    let mut other = world();
    let foreign = cubefall::ecs::Signature::EMPTY.with(other.register::<u8>());
    assert_eq!(world().entities(foreign).count(), 0);
    assert_eq!(World::new().entities(foreign).count(), 0);
}

#[test]
fn rows_of_single_spawns_are_reserved_for_256_entities_and_then_double() {
    let mut world = World::new();
    world.register::<Velocity>();
    let mut capacities = Vec::new();
    for _ in 0..1000 {
        world.spawn((Velocity(0.0),));
        let rows = world.inspect().memory()[0];
        assert_eq!(rows.name, "rows");
        if capacities.last() != Some(&rows.bytes) {
            capacities.push(rows.bytes);
        }
    }
    let first = capacities[0];
    // Generation and position of 4 bytes each, and a signature of 8.
    assert_eq!(first, 256 * 16);
    assert_eq!(capacities, [first, 2 * first, 4 * first]);
}

#[test]
fn a_tuple_or_a_reference_is_no_component() {
    let mut world = world();
    let entity = world.spawn((Velocity(1.0),));
    for (kind, message) in [
        ("tuple", panic_of(|| _ = world.insert(entity, (Velocity(2.0), 3_u8)))),
        ("tuple", panic_of(|| _ = world.spawn(((Velocity(2.0), 3_u8), 4_u16)))),
        ("tuple", panic_of(|| _ = world.has::<(Velocity, u8)>(entity))),
        (
            "tuple",
            panic_of(|| _ = world.query::<&Velocity>().without::<&(u8, u16)>().iter().count()),
        ),
        ("reference", panic_of(|| _ = world.create_group::<(&'static str,)>())),
        ("reference", panic_of(|| _ = world.has::<&Velocity>(entity))),
        ("reference", panic_of(|| _ = world.get_mut::<&mut Velocity>(entity).is_ok())),
    ] {
        assert!(message.contains(&format!("is a {kind}, which is no component")), "{message}");
    }
    assert_eq!((world.len(), velocities(&world)), (1, vec![1.0]));
    assert_eq!(world.insert_bundle(entity, (3_u8, 4_u16)), Ok(()));
}

#[test]
fn the_null_handle_is_of_no_entity_rather_than_of_another_world() {
    let null = Entity::NULL;
    assert_eq!(World::new().despawn(null), Err(Error::NoSuchEntity(null)));
}

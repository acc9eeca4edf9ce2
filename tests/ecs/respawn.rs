use std::sync::{Arc, Mutex};

use cubefall::ecs::{Entity, Error, Limits, World};

use super::{
    Frozen, Name, Position, Velocity, named_twice, panic_of, spawn_moving, velocities, world,
};

#[test]
fn respawn_gives_the_handles_of_despawn_and_spawn() {
    let (mut respawning, mut twice) = (world(), world());
    let [one, two] = [&mut respawning, &mut twice].map(|world| spawn_moving(world, 5)[2]);
    let expected = {
        twice.despawn(two).unwrap();
        twice.spawn((Velocity(9.0),))
    };
    let new = respawning.respawn(one, (Velocity(9.0),)).unwrap();
    assert_eq!(new.to_bits(), expected.to_bits());
    assert_eq!(respawning.get::<&Velocity>(new), Ok(&Velocity(9.0)));
    assert_eq!(respawning.get::<&Velocity>(one), Err(Error::NoSuchEntity(one)));
    assert_eq!(respawning.respawn(one, (Velocity(1.0),)), Err(Error::NoSuchEntity(one)));
    assert_eq!(respawning.len(), 5);
    // No slot is free for the next spawn.
    assert_eq!(respawning.spawn(()).index(), 5);
}

#[test]
fn respawn_replaces_the_values_in_place() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Frozen)>();
    let entities: Vec<_> = (0..4).map(|i| world.spawn((Velocity(i as f32), Frozen))).collect();
    let new = world.respawn(entities[1], (Frozen, Velocity(8.0))).unwrap();
    assert_eq!(velocities(&world), [0.0, 8.0, 2.0, 3.0]);
    assert_eq!(world.group(group).unwrap().entity(1), Some(new));
    assert_eq!(world.group(group).unwrap().len(), 4);
}

#[test]
fn respawn_with_other_components_despawns_and_spawns() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Frozen)>();
    let old = world.spawn((Velocity(1.0), Frozen, Name("old".into())));
    let new = world.respawn(old, (Velocity(2.0), Position([0.0; 3]))).unwrap();
    assert_eq!((new.index(), new.generation()), (old.index(), 2));
    assert!(world.has::<Position>(new) && !world.has::<Frozen>(new) && !world.has::<Name>(new));
    assert_eq!((world.group(group).unwrap().len(), velocities(&world)), (0, vec![2.0]));
}

#[test]
fn respawn_retires_a_slot_without_generations_left() {
    let limits = Limits { generation: 2, ..Limits::default() };
    let mut world = World::with_limits(limits);
    world.register::<Velocity>();
    let first = world.spawn((Velocity(1.0),));
    let second = world.respawn(first, (Velocity(2.0),)).unwrap();
    assert_eq!((second.index(), second.generation()), (0, 2));
    let third = world.respawn(second, (Velocity(3.0),)).unwrap();
    assert_eq!((third.index(), third.generation()), (1, 1));
    assert_eq!((world.len(), world.get::<&Velocity>(third)), (1, Ok(&Velocity(3.0))));
    assert!(!world.contains(second));
}

#[test]
fn a_refused_respawn_changes_nothing() {
    let mut world = World::new();
    world.register::<Velocity>();
    let entity = world.spawn((Velocity(1.0),));
    let twice = panic_of(|| _ = world.respawn(entity, (Velocity(2.0), Velocity(3.0))));
    assert_eq!(twice, named_twice::<Velocity>());
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(1.0)));
}

/// A world with groups, with entities of different components and of generations up to the limit, and those of
/// its entities that are respawned.
fn mixed_world() -> (World, Vec<Entity>) {
    let mut world = World::with_limits(Limits { generation: 3, ..Limits::default() });
    world.create_group::<(Velocity,)>();
    world.create_group::<(Velocity, Frozen)>();
    let mut entities = Vec::new();
    for number in 0..40_u8 {
        let at = f32::from(number);
        let entity = match number % 4 {
            0 => world.spawn((Velocity(at), Frozen, Position([at; 3]))),
            1 => world.spawn((Velocity(at), Position([at; 3]))),
            _ => world.spawn((Velocity(at), Frozen)),
        };
        entities.push(entity);
    }
    for entity in entities.iter_mut().step_by(3) {
        *entity = world.respawn(*entity, (Velocity(0.5), Frozen)).unwrap();
    }
    for entity in entities.iter_mut().step_by(6) {
        *entity = world.respawn(*entity, (Velocity(0.25), Frozen)).unwrap();
    }
    let respawned = entities.into_iter().filter(|entity| entity.index() % 5 != 0);
    (world, respawned.collect())
}

/// All entities in storage order, each with its velocity, by bits.
fn stored(world: &World) -> Vec<(u64, f32, bool)> {
    let stored = world.query::<(Entity, &Velocity, Option<&Frozen>)>().into_iter();
    stored.map(|(entity, speed, frozen)| (entity.to_bits(), speed.0, frozen.is_some())).collect()
}

#[test]
fn respawn_batch_has_the_result_of_single_calls() {
    for observed in [false, true] {
        let [(mut batched, mut batch), (mut single, singles)] = [mixed_world(), mixed_world()];
        let calls = [&mut batched, &mut single].map(|world| {
            let calls = Arc::new(Mutex::new(Vec::new()));
            if observed {
                let [added, removed, despawned] = [(); 3].map(|()| Arc::clone(&calls));
                world.on_added::<Velocity>(move |entity, speed| {
                    added.lock().unwrap().push((1, entity.to_bits(), speed.0));
                });
                world.on_removed::<Velocity>(move |entity, speed| {
                    removed.lock().unwrap().push((2, entity.to_bits(), speed.0));
                });
                world.on_despawned(move |entity| {
                    despawned.lock().unwrap().push((3, entity.to_bits(), 0.0));
                });
            }
            calls
        });
        let values = |number: usize| (Velocity(number as f32), Frozen);
        let mut made = Vec::new();
        batched
            .respawn_batch(&mut batch, |number, new| {
                assert_eq!(number, made.len());
                made.push(new);
                values(number)
            })
            .unwrap();
        assert_eq!(batch, made);
        let singles = singles.iter().enumerate();
        let new = singles.map(|(number, &old)| single.respawn(old, values(number)).unwrap());
        let made = made.into_iter().map(Entity::to_bits);
        assert!(made.eq(new.map(Entity::to_bits)));
        assert_eq!(stored(&batched), stored(&single));
        let [batched, single] = calls.map(|calls| std::mem::take(&mut *calls.lock().unwrap()));
        assert_eq!((batched.is_empty(), &batched), (!observed, &single));
    }
}

#[cfg(feature = "parallel")]
#[test]
fn par_respawn_batch_has_the_result_of_respawn_batch() {
    let members = || {
        let mut world = World::new();
        world.create_group::<(Velocity, Name)>();
        let spawn = |i| world.spawn((Velocity(i as f32), Name(format!("{i}"))));
        let entities: Vec<_> = (0..5000).map(spawn).collect();
        (world, entities)
    };
    // All, runs of 50 with gaps, single ones, those of the end, and none; each in ascending and in descending order.
    let batches: [fn(usize) -> bool; 5] =
        [|_| true, |i| i % 70 < 50, |i| i % 3 == 0, |i| i > 4990, |_| false];
    for (number, (wanted, reversed)) in
        batches.into_iter().flat_map(|it| [(it, false), (it, true)]).enumerate()
    {
        let of = |entities: Vec<Entity>| {
            let wanted = entities.into_iter().filter(|it| wanted(it.index() as usize));
            let mut batch: Vec<_> = wanted.collect();
            if reversed {
                batch.reverse();
            }
            batch
        };
        let [(mut serial, olds), (mut parallel, entities)] = [members(), members()];
        let (olds, mut batch) = (of(olds), of(entities));
        let bundle =
            |new: Entity| (Name(format!("new {}", new.index())), Velocity(-(new.index() as f32)));
        let mut expected = olds.clone();
        serial.respawn_batch(&mut expected, |_, new| bundle(new)).unwrap();
        let latest = parallel.view::<&Velocity>().changes().latest();
        let make = |position: usize, new: Entity| {
            assert_eq!(olds[position].index(), new.index(), "batch {number}");
            bundle(new)
        };
        parallel.par_respawn_batch(&mut batch, make).unwrap();
        assert!(
            batch.into_iter().map(Entity::to_bits).eq(expected.into_iter().map(Entity::to_bits))
        );
        let all = |world: &World| {
            let all = world.query::<(Entity, &Velocity, &Name)>().into_iter();
            all.map(|(it, speed, name)| (it.to_bits(), speed.0, name.clone())).collect::<Vec<_>>()
        };
        assert!(all(&parallel) == all(&serial), "batch {number}");
        let changed = parallel.view::<&Velocity>().changes().since(latest).map(<[u32]>::len);
        assert!(changed.is_none_or(|changed| changed == olds.len()), "batch {number}: {changed:?}");
    }
    let (mut world, mut batch) = mixed_world();
    let (mut serial, mut olds) = mixed_world();
    world.par_respawn_batch(&mut batch, |at, _| (Velocity(at as f32), Frozen)).unwrap();
    serial.respawn_batch(&mut olds, |at, _| (Velocity(at as f32), Frozen)).unwrap();
    assert_eq!(stored(&world), stored(&serial));
}

#[test]
fn respawn_batch_marks_only_the_replaced_values() {
    let mut world = world();
    let entities: Vec<_> = (0..400).map(|i| world.spawn((Velocity(i as f32),))).collect();
    let latest = world.view::<&Velocity>().changes().latest();
    let mut batch = [entities[33], entities[350]];
    world.respawn_batch(&mut batch, |_, _| (Velocity(-1.0),)).unwrap();
    assert_eq!(world.view::<&Velocity>().changes().since(latest), Some(&[33, 350][..]));
}

#[test]
fn respawn_batch_ends_at_the_first_entity_that_is_refused() {
    let mut world = world();
    let entities: Vec<_> = (0..4).map(|i| world.spawn((Velocity(i as f32),))).collect();
    let [first, second, ..] = entities[..] else { unreachable!() };
    let mut batch = [first, second, first];
    let result = world.respawn_batch(&mut batch, |_, _| (Velocity(9.0),));
    assert_eq!(result, Err(Error::NoSuchEntity(first)));
    assert!(world.contains(batch[0]) && world.contains(batch[1]) && batch[2] == first);
    assert_eq!(velocities(&world), [9.0, 9.0, 2.0, 3.0]);
    let panic = panic_of(|| {
        let mut batch = [entities[2], entities[3]];
        let made = world.respawn_batch(&mut batch, |number, _| {
            assert!(number < 1, "no more");
            (Velocity(7.0),)
        });
        made.unwrap();
    });
    assert!(panic.contains("no more"), "{panic}");
    assert_eq!(velocities(&world), [9.0, 9.0, 7.0, 3.0]);
    assert!(world.contains(entities[3]) && !world.contains(entities[2]));
}

#[test]
fn respawn_drops_values_once() {
    struct Counted(Arc<()>);
    let mut world = World::new();
    let count = Arc::new(());
    let old = world.spawn((Counted(Arc::clone(&count)),));
    let new = world.respawn(old, (Counted(Arc::clone(&count)),)).unwrap();
    assert_eq!(Arc::strong_count(&count), 2, "`count` and the new component");
    assert_eq!(Arc::strong_count(&world.get::<&Counted>(new).unwrap().0), 2);
}

/// A struct whose fields are components, one of them in a nested struct.
#[derive(Clone, PartialEq, Debug)]
struct Motion {
    place: Place,
    velocity: Velocity,
}

#[derive(Clone, PartialEq, Debug)]
struct Place {
    position: Position,
}

cubefall::bundle!(Motion { place: Place { position }, velocity }:
    position: Position, velocity: Velocity);

#[test]
fn structs_and_tuples_are_equal_bundles() {
    let mut world = world();
    let group = world.create_group::<Motion>();
    let motion = |at: f32| {
        let place = Place { position: Position([at; 3]) };
        Motion { place, velocity: Velocity(-at) }
    };
    let first = world.spawn(motion(1.0));
    let batch = world.spawn_batch((2..5).map(|i| motion(i as f32))).unwrap();
    assert_eq!(
        (world.group(group).unwrap().len(), world.get::<&Position>(first)),
        (4, Ok(&Position([1.0; 3])))
    );
    assert_eq!(world.remove_bundle::<Motion>(batch[0]), Ok(motion(2.0)));
    assert_eq!(world.insert_bundle(batch[0], motion(7.0)), Ok(()));
    let respawned = world.respawn(batch[1], motion(8.0)).unwrap();
    assert_eq!(world.get::<&Velocity>(respawned), Ok(&Velocity(-8.0)));
    let taken = world.take_group::<Motion>(group).unwrap();
    assert_eq!(taken.values.1.iter().map(|v| v.0).sum::<f32>(), -1.0 - 7.0 - 8.0 - 4.0);
    assert_eq!(world.group(group).unwrap().len(), 0);
    assert_eq!(world.restore_group(taken), 4);
    assert_eq!(world.signature_of::<Motion>(), world.signature_of::<(Position, Velocity)>());
}

#[test]
fn a_panic_leaves_the_handles_of_entities_that_still_live() {
    let make = |at: usize, _| {
        assert!(at == 0, "boom");
        (Velocity(7.0),)
    };
    for observed in [false, true] {
        let mut world = World::new();
        if observed {
            world.on_removed::<Velocity>(|_, _| {});
        }
        let old = [world.spawn((Velocity(0.0),)), world.spawn((Velocity(1.0),))];
        let mut batch = old;
        assert_eq!(panic_of(|| _ = world.respawn_batch(&mut batch, make)), "boom");
        assert!(batch[0] != old[0] && batch[1] == old[1]);
        assert!(batch.iter().all(|&entity| world.contains(entity)));
        #[cfg(feature = "parallel")]
        if observed {
            let old = batch;
            assert_eq!(panic_of(|| _ = world.par_respawn_batch(&mut batch, make)), "boom");
            assert!(batch[0] != old[0] && batch[1] == old[1]);
            assert!(batch.iter().all(|&entity| world.contains(entity)));
        }
    }
}

#[test]
fn a_panicking_observer_or_destructor_leaves_the_handles_of_a_batch_valid() {
    struct PanicsOnDrop(bool);
    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            assert!(!self.0, "dropped");
        }
    }
    for observed in [false, true] {
        let mut world = World::new();
        let panics = Arc::new(Mutex::new(false));
        if observed {
            let panics = Arc::clone(&panics);
            world.on_removed::<PanicsOnDrop>(move |_, _| {
                assert!(!*panics.lock().unwrap(), "removed");
            });
        }
        let mut batch = [false, true, false].map(|panics| world.spawn((PanicsOnDrop(panics),)));
        let old = batch;
        let respawn = |world: &mut World, batch: &mut [Entity]| {
            panic_of(|| _ = world.respawn_batch(batch, |_, _| (PanicsOnDrop(false),)))
        };
        assert_eq!(respawn(&mut world, &mut batch), "dropped");
        assert!(batch[0] != old[0] && batch[1] != old[1] && batch[2] == old[2]);
        assert!(batch.iter().all(|&entity| world.contains(entity)));
        if observed {
            *panics.lock().unwrap() = true;
            let before = batch;
            assert_eq!(respawn(&mut world, &mut batch), "removed");
            assert_eq!(batch, before, "a component that was to be removed stays");
            assert!(batch.iter().all(|&entity| world.contains(entity)));
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn par_respawn_batch_calls_observers() {
    let mut world = world();
    world.create_group::<(Velocity, Frozen)>();
    let mut batch: Vec<_> = (0..3).map(|i| world.spawn((Velocity(i as f32), Frozen))).collect();
    let despawned = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&despawned);
    world.on_despawned(move |entity| seen.lock().unwrap().push(entity));
    let old = batch.clone();
    world.par_respawn_batch(&mut batch, |at, _| (Velocity(at as f32), Frozen)).unwrap();
    assert_eq!(*despawned.lock().unwrap(), old);
}

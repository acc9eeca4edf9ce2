//! Observers of added and removed components, and of despawned entities.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cubefall::ecs::{Entity, Error, World};

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

/// What the observers were called for.
#[derive(Clone, PartialEq, Debug)]
enum Seen {
    Added(Entity, f32),
    Removed(Entity, f32),
    Froze(Entity),
    Thawed(Entity),
    Gone(Entity),
}
use Seen::{Added, Froze, Gone, Removed, Thawed};

/// A list that all observers write to.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Seen>>>);

impl Log {
    fn push(&self, seen: Seen) {
        self.0.lock().unwrap().push(seen);
    }

    /// Returns what was seen since the last call.
    fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

/// Observes `Velocity`, `Frozen` and despawned entities.
fn observe(world: &mut World) -> Log {
    let log = Log::default();
    let seen = log.clone();
    world.on_added::<Velocity>(move |entity, velocity| seen.push(Added(entity, velocity.0)));
    let seen = log.clone();
    world.on_removed::<Velocity>(move |entity, velocity| seen.push(Removed(entity, velocity.0)));
    let seen = log.clone();
    world.on_added::<Frozen>(move |entity, _| seen.push(Froze(entity)));
    let seen = log.clone();
    world.on_removed::<Frozen>(move |entity, _| seen.push(Thawed(entity)));
    let seen = log.clone();
    world.on_despawned(move |entity| seen.push(Gone(entity)));
    log
}

#[test]
fn inserted_and_removed_components_are_seen_with_their_values() {
    let mut world = world();
    let entity = world.spawn(());
    let log = observe(&mut world);
    world.insert(entity, Velocity(2.0)).unwrap();
    assert_eq!(log.take(), [Added(entity, 2.0)]);
    world.get_mut::<Velocity>(entity).unwrap().0 = 5.0;
    assert!(world.insert(entity, Velocity(3.0)).is_err());
    assert!(world.remove::<Frozen>(entity).is_err());
    assert_eq!(log.take(), []);
    world.remove::<Velocity>(entity).unwrap();
    assert_eq!(log.take(), [Removed(entity, 5.0)]);
    world.get_or_insert_with(entity, || Velocity(6.0)).unwrap();
    assert_eq!(log.take(), [Added(entity, 6.0)]);
}

#[test]
fn components_that_change_together_are_seen_in_the_order_of_registration() {
    let mut world = world();
    let log = observe(&mut world);
    let entity = world.spawn((Frozen, Position([0.0; 3]), Velocity(1.0)));
    assert_eq!(log.take(), [Added(entity, 1.0), Froze(entity)]);
    world.remove_bundle::<(Frozen, Velocity)>(entity).unwrap();
    assert_eq!(log.take(), [Removed(entity, 1.0), Thawed(entity)]);
    world.insert_bundle(entity, (Frozen, Velocity(2.0))).unwrap();
    assert_eq!(log.take(), [Added(entity, 2.0), Froze(entity)]);
    world.despawn(entity).unwrap();
    assert!(world.despawn(entity).is_err());
    assert_eq!(log.take(), [Removed(entity, 2.0), Thawed(entity), Gone(entity)]);
}

#[test]
fn an_exchanged_component_is_removed_and_then_the_other_is_added() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    let log = observe(&mut world);
    world.exchange::<Velocity, Frozen>(entity, Frozen).unwrap();
    assert_eq!(log.take(), [Removed(entity, 0.0), Froze(entity)]);
    assert!(world.exchange::<Velocity, Name>(entity, Name("n".into())).is_err());
    assert_eq!(log.take(), []);
}

#[test]
fn batches_are_seen_entity_by_entity() {
    let mut world = world();
    let log = observe(&mut world);
    let bundles = [(Velocity(1.0), Frozen), (Velocity(2.0), Frozen)];
    let [a, b] = world.spawn_batch(bundles).unwrap()[..] else { unreachable!() };
    assert_eq!(log.take(), [Added(a, 1.0), Froze(a), Added(b, 2.0), Froze(b)]);
    assert_eq!(world.despawn_batch(&[b, a, b]), 2);
    let gone = |entity, value| [Removed(entity, value), Thawed(entity), Gone(entity)];
    assert_eq!(log.take(), [gone(b, 2.0), gone(a, 1.0)].concat());
}

#[test]
fn taking_and_restoring_a_group_is_seen() {
    // Restored at once, and one by one because the array is not empty.
    for alone in [true, false] {
        let mut world = world();
        let group = world.create_group::<(Velocity,)>();
        let log = observe(&mut world);
        let [a, b] = spawn_moving(&mut world, 2)[..] else { unreachable!() };
        log.take();
        let taken = world.take_group::<(Velocity,)>(group).unwrap();
        assert_eq!(log.take(), [Removed(a, 0.0), Removed(b, 1.0)]);
        if !alone {
            world.spawn((Velocity(9.0),));
        }
        log.take();
        world.restore_group(taken);
        assert_eq!(log.take(), [Added(a, 0.0), Added(b, 1.0)]);
    }
}

#[test]
fn a_respawn_is_seen_as_a_despawn_and_a_spawn() {
    let mut world = world();
    let log = observe(&mut world);
    let old = world.spawn((Velocity(1.0),));
    log.take();
    // In place, and with other components.
    let new = world.respawn(old, (Velocity(2.0),)).unwrap();
    assert_eq!(log.take(), [Removed(old, 1.0), Gone(old), Added(new, 2.0)]);
    let last = world.respawn(new, (Frozen, Velocity(3.0))).unwrap();
    assert_eq!(log.take(), [Removed(new, 2.0), Gone(new), Added(last, 3.0), Froze(last)]);
    assert!(world.respawn(old, ()).is_err());
    assert_eq!(log.take(), []);
}

#[test]
fn observers_of_one_event_are_called_in_the_order_in_which_they_were_added() {
    let mut world = world();
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in 0..3 {
        let order = Arc::clone(&order);
        world.on_added::<Velocity>(move |_, _| order.lock().unwrap().push(number));
    }
    spawn_moving(&mut world, 2);
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn a_removed_observer_is_silent_and_the_others_are_not() {
    let mut world = world();
    let log = observe(&mut world);
    let silent = Log::default();
    let other = silent.clone();
    let id = world.on_added::<Velocity>(move |entity, _| other.push(Froze(entity)));
    assert_eq!(world.remove_observer(id), Ok(()));
    let entity = world.spawn((Velocity(1.0),));
    assert_eq!((log.take(), silent.take()), (vec![Added(entity, 1.0)], vec![]));
    assert_eq!(world.remove_observer(id), Err(Error::NoSuchObserver), "it was removed before");
}

#[test]
fn an_observer_of_another_world_is_not_removed() {
    let (mut here, mut there) = (world(), world());
    let log = Log::default();
    let other = log.clone();
    let mine = here.on_despawned(move |entity| other.push(Gone(entity)));
    let theirs = there.on_despawned(|_| ());
    assert_ne!(mine, theirs);
    assert_eq!(here.remove_observer(theirs), Err(Error::NoSuchObserver));
    let entity = here.spawn(());
    here.despawn(entity).unwrap();
    assert_eq!(log.take(), [Gone(entity)]);
    assert_eq!(there.remove_observer(theirs), Ok(()));
}

/// Panics in its destructor if it is `true`.
struct PanicsOnDrop(bool);
impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        assert!(!self.0, "boom");
    }
}

#[test]
fn observers_are_called_although_a_destructor_panics() {
    for respawn in [false, true] {
        let mut world = world();
        let first = world.spawn((PanicsOnDrop(true), Velocity(1.0)));
        let log = observe(&mut world);
        let removed = catch_unwind(AssertUnwindSafe(|| {
            if respawn {
                world.respawn(first, (PanicsOnDrop(false), Velocity(2.0))).map(drop)
            } else {
                world.despawn(first)
            }
        }));
        assert!(removed.is_err() && !world.contains(first));
        let seen = log.take();
        assert_eq!(seen[..2], [Removed(first, 1.0), Gone(first)]);
        if respawn {
            assert!(matches!(seen[2..], [Added(_, 2.0)]));
            assert_eq!(velocities(&world), [2.0], "every component is replaced");
        }
    }
}

#[test]
fn a_batch_with_observers_is_despawned_completely_although_a_destructor_panics() {
    let mut world = world();
    world.spawn_batch((0..50).map(|i| (PanicsOnDrop(i % 7 == 3),))).unwrap();
    let log = observe(&mut world);
    assert!(catch_unwind(AssertUnwindSafe(|| world.clear())).is_err());
    assert!(world.is_empty());
    assert_eq!(log.take().len(), 50);
}

#[test]
fn an_entity_whose_observer_panics_stays_when_a_batch_is_compacted() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Position)>();
    let make = |i: u8| (Velocity(i.into()), Position([i.into(); 3]));
    let entities = world.spawn_batch((0..9).map(make)).unwrap();
    world.on_removed::<Velocity>(|_, velocity| assert!(velocity.0 != 4.0, "boom"));
    let despawned = catch_unwind(AssertUnwindSafe(|| world.despawn_batch(&entities[1..])));
    assert!(despawned.is_err());
    assert_eq!((world.len(), velocities(&world)), (2, vec![0.0, 4.0]));
    assert_eq!(world.get::<&Position>(entities[4]), Ok(&Position([4.0; 3])));
    assert_eq!(world.group(group).unwrap().len(), 2);
}

#[test]
fn an_observer_that_panics_for_every_entity_is_called_for_all_of_them() {
    let mut world = world();
    spawn_moving(&mut world, 3);
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    world.on_despawned(move |entity| {
        count.fetch_add(1, Ordering::Relaxed);
        panic!("{entity} is despawned");
    });
    assert!(catch_unwind(AssertUnwindSafe(|| world.clear())).is_err());
    assert_eq!((world.len(), calls.load(Ordering::Relaxed)), (0, 3));
}

#[test]
fn an_observer_that_panics_does_not_silence_the_rest_of_a_batch() {
    let mut world = World::new();
    let group = world.create_group::<(Velocity,)>();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observed = Arc::clone(&seen);
    world.on_added::<Velocity>(move |_, velocity| {
        observed.lock().unwrap().push(velocity.0);
        assert!(velocity.0 != 1.0, "boom");
    });
    let spawned = catch_unwind(AssertUnwindSafe(|| {
        _ = world.spawn_batch([(Velocity(1.0),), (Velocity(2.0),)]);
    }));
    assert!(spawned.is_err() && world.len() == 2);
    assert_eq!(std::mem::take(&mut *seen.lock().unwrap()), [1.0, 2.0]);

    let taken = world.take_group::<(Velocity,)>(group).unwrap();
    // With another entity in the array, values are restored one by one.
    world.spawn((Velocity(9.0),));
    let restored = catch_unwind(AssertUnwindSafe(|| _ = world.restore_group(taken)));
    assert!(restored.is_err());
    assert_eq!(*seen.lock().unwrap(), [9.0, 1.0, 2.0]);
    assert_eq!(world.view::<&Velocity>().entities().count(), 3);
}

#[test]
fn observers_do_not_change_the_order_that_batches_leave() {
    let run = |observed: bool| {
        let mut world = world();
        let entities = spawn_moving(&mut world, 9);
        let log = observed.then(|| observe(&mut world));
        let gone = [entities[0], entities[3], entities[4], entities[7]];
        world.despawn_batch(&gone);
        if let Some(log) = log {
            let calls = gone.map(|it| [Removed(it, it.index() as f32), Gone(it)]);
            assert_eq!(log.take(), calls.concat());
        }
        velocities(&world)
    };
    assert_eq!(run(true), run(false));
    assert_eq!(run(false), [1.0, 2.0, 5.0, 6.0, 8.0], "compacted, in order");
}

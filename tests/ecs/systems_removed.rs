//! Systems that own values of any kind, and removing systems.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use cubefall::ecs::{Commands, Error, Pass, SystemArgs, SystemId, Template, World};

use super::{Velocity, spawn_moving, velocities, world};

/// The names of the systems that ran.
type Log = Arc<Mutex<Vec<&'static str>>>;

/// Adds a system that logs its name.
fn add(world: &mut World, log: &Log, name: &'static str) -> SystemId {
    let log = Arc::clone(log);
    let run = move |_: &mut World, _: SystemArgs| log.lock().unwrap().push(name);
    world.schedule_mut().add_system::<()>(Pass::Update, name, run)
}

/// Adds a system that logs its name and removes the system that `target` then holds.
fn add_remover(world: &mut World, log: &Log, target: &Arc<Mutex<Option<SystemId>>>) -> SystemId {
    let (log, target) = (Arc::clone(log), Arc::clone(target));
    let remove = move |world: &mut World, _: SystemArgs| {
        log.lock().unwrap().push("remover");
        target.lock().unwrap().take().map_or(Ok(()), |id| world.schedule_mut().remove(id))
    };
    world.schedule_mut().add_system::<()>(Pass::Update, "remover", remove)
}

/// Runs `a`, a remover, `b` and `c` twice; the remover removes one of them, by position, in the first
/// run. Returns the names in both runs, and those of the systems that are left.
fn run_twice(removed: usize) -> [Vec<&'static str>; 3] {
    let (mut world, log) = (world(), Log::default());
    let target = Arc::default();
    let a = add(&mut world, &log, "a");
    let own = add_remover(&mut world, &log, &target);
    let [b, c] = [add(&mut world, &log, "b"), add(&mut world, &log, "c")];
    *target.lock().unwrap() = Some([a, own, b, c][removed]);
    world.run(1.0).unwrap();
    let first = std::mem::take(&mut *log.lock().unwrap());
    world.run(1.0).unwrap();
    let second = std::mem::take(&mut *log.lock().unwrap());
    [first, second, world.schedule().systems().map(|system| system.name).collect()]
}

#[test]
fn a_system_can_remove_itself() {
    let expected = [vec!["a", "remover", "b", "c"], vec!["a", "b", "c"], vec!["a", "b", "c"]];
    assert_eq!(run_twice(1), expected);
}

#[test]
fn a_system_can_remove_a_later_one_that_then_does_not_run() {
    let left = vec!["a", "remover", "c"];
    assert_eq!(run_twice(2), [left.clone(), left.clone(), left]);
}

#[test]
fn a_system_can_remove_an_earlier_one_and_each_other_runs_once() {
    let left = vec!["remover", "b", "c"];
    assert_eq!(run_twice(0), [vec!["a", "remover", "b", "c"], left.clone(), left]);
}

#[test]
fn the_id_of_a_removed_system_is_an_error() {
    let (mut world, log) = (world(), Log::default());
    let [a, b] = [add(&mut world, &log, "a"), add(&mut world, &log, "b")];
    assert_eq!(world.schedule_mut().remove(a), Ok(()));
    assert_eq!(world.schedule_mut().remove(a), Err(Error::NoSuchSystem));
    assert_eq!(world.schedule_mut().set_enabled(a, true), Err(Error::NoSuchSystem));
    assert_eq!(world.schedule().get(a).err(), Some(Error::NoSuchSystem));
    assert_ne!(add(&mut world, &log, "a"), a);
    assert_eq!(world.schedule().get(b).map(|system| system.name), Ok("b"));
    let foreign = add(&mut World::new(), &log, "foreign");
    assert_eq!(world.schedule_mut().remove(foreign), Err(Error::NoSuchSystem));
}

#[test]
fn removing_a_system_drops_what_it_owns() {
    let (mut world, owned) = (world(), Arc::new(()));
    let held = Arc::clone(&owned);
    let check = move |_: &mut World, _: SystemArgs| assert_eq!(Arc::strong_count(&held), 2);
    let system = world.schedule_mut().add_system::<()>(Pass::Update, "check", check);
    world.run(1.0).unwrap();
    world.schedule_mut().remove(system).unwrap();
    assert_eq!(Arc::strong_count(&owned), 1);
}

#[test]
fn a_system_can_own_the_receiver_of_a_channel() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    let (sender, receiver) = mpsc::channel();
    let receive = move |world: &mut World, _: SystemArgs| -> Result<(), Error> {
        for speed in receiver.try_iter() {
            world.get_mut::<Velocity>(entity)?.0 += speed;
        }
        Ok(())
    };
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "receive", receive);
    // An observer can own the other end.
    let answers = mpsc::channel();
    world.on_removed::<Velocity>(move |_, velocity| answers.0.send(velocity.0).unwrap());
    std::thread::spawn(move || [3.0, 4.0].map(|speed| sender.send(speed).unwrap())).join().unwrap();
    world.run(1.0).unwrap();
    assert_eq!(velocities(&world), [7.0]);
    world.despawn(entity).unwrap();
    assert_eq!(answers.1.try_iter().collect::<Vec<_>>(), [7.0]);
}

#[test]
fn a_world_can_be_sent_to_and_shared_by_threads() {
    fn assert_send<T: Send>() {}
    fn assert_sync<T: Sync>() {}
    assert_send::<World>();
    assert_sync::<World>();
    assert_send::<Commands>();
    assert_sync::<Template>();
    let mut world = world();
    spawn_moving(&mut world, 4);
    let sum = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for velocity in world.query::<&Velocity>() {
                    sum.fetch_add(velocity.0 as usize, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(sum.into_inner(), 3 * 6);
}

#[test]
fn a_system_that_another_adds_runs_in_the_same_pass() {
    let (mut world, log) = (world(), Log::default());
    let added = Arc::clone(&log);
    let adds = move |world: &mut World, _: SystemArgs| _ = add(world, &added, "added");
    world.schedule_mut().add_system::<()>(Pass::Update, "adds", adds);
    world.run(1.0).unwrap();
    assert_eq!(*log.lock().unwrap(), ["added"]);
    world.run(1.0).unwrap();
    assert_eq!(*log.lock().unwrap(), ["added"; 3]);
}

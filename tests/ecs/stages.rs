//! Systems over the slices of a group: what they are given, which of them run at once, and that it
//! cannot be told from the result.

use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(feature = "parallel")]
use std::sync::Condvar;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cubefall::ecs::{Error, GroupId, Pass, Tick, World};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Frozen, Name, Position, Velocity, velocities, world};

/// Each test has its own pools: a thread that waits for another one takes on whatever its pool has
/// to do, the work of other tests too.
pub(crate) fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Pools of 1, 2 and 8 threads.
pub(crate) fn pools() -> [ThreadPool; 3] {
    [1, 2, 8].map(pool)
}

/// A world with three entities that are in the group, and one that has not all it takes.
fn grouped() -> (World, GroupId) {
    let mut world = world();
    let group = world.group::<(Position, Velocity, Name)>().unwrap();
    world.spawn((Velocity(7.0),)).unwrap();
    for i in 1..=3_u8 {
        let speed = f32::from(i);
        world.spawn((Position([speed; 3]), Velocity(speed), Name(i.to_string()))).unwrap();
    }
    (world, group)
}

/// Notes down who ran, in which order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<&'static str>>>);

impl Log {
    fn note(&self, name: &'static str) {
        self.0.lock().unwrap().push(name);
    }

    fn take(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A place where two systems wait for each other; as a `Barrier`, but one who waits in vain fails.
#[cfg(feature = "parallel")]
#[derive(Default)]
struct Meeting {
    arrived: Mutex<u8>,
    more: Condvar,
}

#[cfg(feature = "parallel")]
impl Meeting {
    #[track_caller]
    fn attend(&self) {
        let mut arrived = self.arrived.lock().unwrap();
        *arrived += 1;
        self.more.notify_all();
        let patience = Duration::from_secs(10);
        let alone = self.more.wait_timeout_while(arrived, patience, |arrived| *arrived < 2);
        assert!(!alone.unwrap().1.timed_out(), "the other one did not run at the same time");
    }
}

/// A place for one system at a time, who stays long enough to be caught by another one.
#[derive(Default)]
struct Cell(AtomicBool);

impl Cell {
    #[track_caller]
    fn occupy(&self) {
        assert!(!self.0.swap(true, Ordering::SeqCst), "two systems run at the same time");
        thread::sleep(Duration::from_millis(20));
        self.0.store(false, Ordering::SeqCst);
    }
}

#[test]
fn a_system_over_slices_is_given_those_of_its_group_as_they_are_by_now() {
    let mut world = world();
    let group = world.group_without::<(Position, Velocity), (Frozen,)>().unwrap();
    let moving = world.spawn((Position([1.0; 3]), Velocity(2.0))).unwrap();
    world.spawn((Position([2.0; 3]), Velocity(4.0), Frozen)).unwrap();
    world.spawn((Velocity(8.0),)).unwrap();
    let spawn =
        |world: &mut World, _: Tick| world.spawn((Position([3.0; 3]), Velocity(16.0))).map(drop);
    world.add_system::<()>("spawn", spawn).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let record = Arc::clone(&seen);
    let system = world.add_slice_system::<(&mut Velocity, &Position)>(
        "add",
        group,
        move |(velocities, positions), tick| {
            record.lock().unwrap().push((velocities.len(), positions.len(), tick.signature));
            for (velocity, position) in velocities.iter_mut().zip(positions) {
                velocity.0 += position.0[0] * tick.dt;
            }
        },
    );
    let system = system.unwrap();
    world.run(0.5).unwrap();
    world.run(0.5).unwrap();

    let both = world.signature_of::<(Position, Velocity)>().unwrap();
    assert_eq!(*seen.lock().unwrap(), [(2, 2, both), (3, 3, both)]);
    assert_eq!(world.get(moving), Ok(&Velocity(3.0)));
    let mut all = velocities(&world);
    all.sort_by(f32::total_cmp);
    assert_eq!(all, [3.0, 4.0, 8.0, 17.5, 19.0]);
    let members: Vec<_> = world.group_entities(group).unwrap().collect();
    let entities: Vec<_> = world.system_entities(system).unwrap().collect();
    assert_eq!((entities.len(), entities), (3, members), "who is frozen is not among them");
}

#[test]
fn a_system_over_slices_is_listed_and_may_be_added_twice_and_to_either_pass() {
    let (mut world, group) = grouped();
    let double = |(velocities,): (&mut [Velocity],), _: Tick| {
        for velocity in velocities {
            velocity.0 *= 2.0;
        }
    };
    let first = world.add_slice_system::<(&mut Velocity,)>("double", group, double).unwrap();
    world.add_slice_system::<(&mut Velocity,)>("double", group, double).unwrap();
    let drawn = world.add_draw_slice_system::<(&mut Velocity,)>("show", group, double).unwrap();
    let listed: Vec<_> =
        world.systems().map(|info| (info.name, info.pass, info.enabled, info.time)).collect();
    let (update, draw) = (Pass::Update, Pass::Draw);
    assert_eq!(
        listed,
        [
            ("double", update, true, None),
            ("double", update, true, None),
            ("show", draw, true, None)
        ]
    );
    let velocity = world.signature_of::<(Velocity,)>().unwrap();
    assert!(world.systems().all(|info| info.signature == velocity));
    assert_eq!(world.systems().next().unwrap().id, first);

    world.run(1.0).unwrap();
    assert_eq!(velocities(&world)[..3], [4.0, 8.0, 12.0]);
    assert_eq!(world.systems().last().unwrap().time, None);
    world.draw().unwrap();
    assert_eq!(velocities(&world)[..3], [8.0, 16.0, 24.0]);
    assert!(world.systems().all(|info| info.time.is_some()));
    world.set_system_enabled(drawn, false).unwrap();
    world.draw().unwrap();
    assert_eq!(velocities(&world)[..3], [8.0, 16.0, 24.0]);
}

#[test]
fn a_system_over_slices_that_cannot_be_given_them_is_refused_when_it_is_added() {
    let (mut world, group) = grouped();
    let (_, foreign) = grouped();
    let before = world.changes::<Velocity>().unwrap().latest;
    let unknown = world.add_slice_system::<(&u8,)>("unknown", group, |_, _| {});
    assert_eq!(unknown, Err(Error::NotRegistered("u8")));
    let foreign = world.add_slice_system::<(&Velocity,)>("foreign", foreign, |_, _| {});
    assert_eq!(foreign, Err(Error::NoSuchGroup));
    let not_owned = world.add_slice_system::<(&Velocity, &Frozen)>("tag", group, |_, _| {});
    assert_eq!(not_owned, Err(Error::NotOwned(type_name::<Frozen>())));
    let twice =
        world.add_draw_slice_system::<(&Velocity, &mut Velocity)>("twice", group, |_, _| {});
    assert_eq!(twice, Err(Error::NamedTwice(type_name::<Velocity>())));
    assert_eq!(world.systems().len(), 0);
    assert_eq!(world.changes::<Velocity>().unwrap().latest, before);
}

#[test]
fn only_arrays_that_a_system_may_change_get_a_new_revision() {
    for pool in pools() {
        let (mut world, group) = grouped();
        world.add_slice_system::<(&mut Velocity, &Name)>("one", group, |_, _| {}).unwrap();
        world.add_slice_system::<(&mut Position, &Name)>("other", group, |_, _| {}).unwrap();
        let off = world.add_slice_system::<(&mut Name,)>("off", group, |_, _| {}).unwrap();
        world.set_system_enabled(off, false).unwrap();
        let revisions = |world: &World| {
            let positions = world.changes::<Position>().unwrap();
            let velocities = world.changes::<Velocity>().unwrap();
            let names = world.changes::<Name>().unwrap();
            [positions, velocities, names].map(|changes| [changes.latest, changes.everywhere])
        };
        let [[position, _], [velocity, _], names] = revisions(&world);
        pool.install(|| world.run(1.0)).unwrap();
        assert_eq!(revisions(&world), [[position + 1; 2], [velocity + 1; 2], names]);
    }
}

/// In a pool of two threads, with two systems that each wait until the other one runs too.
#[cfg(feature = "parallel")]
#[track_caller]
fn assert_meet(between: impl FnOnce(&mut World, GroupId)) {
    let (mut world, group) = grouped();
    let meeting = Arc::new(Meeting::default());
    let [here, there] = [Arc::clone(&meeting), meeting];
    let attend = move |_: (&mut [Velocity], &[Name]), _: Tick| here.attend();
    world.add_slice_system::<(&mut Velocity, &Name)>("one", group, attend).unwrap();
    between(&mut world, group);
    let attend = move |_: (&[Name], &mut [Position]), _: Tick| there.attend();
    world.add_slice_system::<(&Name, &mut Position)>("other", group, attend).unwrap();
    pool(2).install(|| world.run(1.0)).unwrap();
}

#[cfg(feature = "parallel")]
#[test]
fn systems_run_at_once_if_neither_changes_what_the_other_one_uses() {
    assert_meet(|_, _| {});
}

#[cfg(feature = "parallel")]
#[test]
fn systems_that_are_passed_over_do_not_keep_their_neighbours_apart() {
    assert_meet(|world, group| {
        let off = world.add_slice_system::<(&mut Velocity, &mut Position)>(
            "off, in conflict with both",
            group,
            |_, _| panic!("it is off"),
        );
        world.set_system_enabled(off.unwrap(), false).unwrap();
        let off = world.add_system::<()>("off", |_: &mut World, _: Tick| panic!("it is off"));
        world.set_system_enabled(off.unwrap(), false).unwrap();
        let draw = |_: &mut World, _: Tick| panic!("it is for the other pass");
        world.add_draw_system::<()>("draw", draw).unwrap();
    });
}

#[test]
fn systems_never_run_at_once_if_one_changes_what_the_other_one_uses() {
    let (mut world, group) = grouped();
    let (log, cell) = (Log::default(), Arc::new(Cell::default()));
    let enter = |name| {
        let (log, cell) = (log.clone(), Arc::clone(&cell));
        move || {
            log.note(name);
            cell.occupy();
        }
    };
    macro_rules! add {
        ($name:literal: $($term:ty),+) => {
            let enter = enter($name);
            let system = world.add_slice_system::<($($term,)+)>($name, group, move |_, _| enter());
            system.unwrap();
        };
    }
    add!("reads": &Velocity);
    add!("changes after a read": &mut Velocity);
    add!("changes after a change": &Name, &mut Velocity);
    add!("reads after a change": &mut Position, &Velocity);
    add!("changes one of two": &mut Position, &mut Name);
    let names: Vec<_> = world.systems().map(|info| info.name).collect();
    for pool in pools() {
        pool.install(|| world.run(1.0)).unwrap();
        assert_eq!(log.take(), names);
    }
}

#[test]
fn what_a_system_uses_is_kept_from_every_other_one_of_its_stage_not_just_its_neighbour() {
    let (mut world, group) = grouped();
    let cell = Arc::new(Cell::default());
    let [here, there] = [Arc::clone(&cell), cell];
    let occupy = move |_: (&mut [Velocity],), _: Tick| here.occupy();
    world.add_slice_system::<(&mut Velocity,)>("changes", group, occupy).unwrap();
    world.add_slice_system::<(&mut Position,)>("unconcerned", group, |_, _| {}).unwrap();
    let occupy = move |_: (&[Velocity],), _: Tick| there.occupy();
    world.add_slice_system::<(&Velocity,)>("reads", group, occupy).unwrap();
    pool(2).install(|| world.run(1.0)).unwrap();
}

#[test]
fn a_system_that_has_the_world_runs_after_those_before_it_and_before_those_behind() {
    for pool in pools() {
        let (mut world, group) = grouped();
        let (log, cell) = (Log::default(), Arc::new(Cell::default()));
        let enter = |name| {
            let (log, cell) = (log.clone(), Arc::clone(&cell));
            move || {
                cell.occupy();
                log.note(name);
            }
        };
        let [first, between, second] = ["first", "between", "second"].map(enter);
        let system = move |_: (&mut [Velocity],), _: Tick| first();
        world.add_slice_system::<(&mut Velocity,)>("first", group, system).unwrap();
        let system = move |_: &mut World, _: Tick| {
            between();
            Ok(())
        };
        world.add_system::<()>("between", system).unwrap();
        let system = move |_: (&mut [Position],), _: Tick| second();
        world.add_slice_system::<(&mut Position,)>("second", group, system).unwrap();
        pool.install(|| world.run(1.0)).unwrap();
        assert_eq!(log.take(), ["first", "between", "second"]);
    }
}

#[test]
fn an_error_of_a_system_before_it_keeps_a_stage_from_running() {
    let (mut world, group) = grouped();
    world.add_system::<()>("fails", |_: &mut World, _: Tick| Err(Error::MalformedGroup)).unwrap();
    let never = |_: (&[Velocity],), _: Tick| panic!("it is behind an error");
    world.add_slice_system::<(&Velocity,)>("never", group, never).unwrap();
    assert_eq!(world.run(1.0), Err(Error::MalformedGroup));
}

#[test]
fn if_systems_panic_those_beside_them_finish_and_all_are_there_for_the_next_run() {
    for pool in pools() {
        let (mut world, group) = grouped();
        let log = Log::default();
        macro_rules! add {
            ($name:literal: $term:ty, $panics:literal) => {
                let (log, mut panics) = (log.clone(), $panics);
                let system = move |_: <($term,) as cubefall::ecs::Terms>::Views<'_>, _: Tick| {
                    log.note($name);
                    assert!(!std::mem::take(&mut panics), $name);
                };
                world.add_slice_system::<($term,)>($name, group, system).unwrap();
            };
        }
        add!("panics": &mut Position, true);
        add!("panics too": &mut Velocity, true);
        add!("fine": &mut Name, false);
        let behind = log.clone();
        let system = move |_: &mut World, _: Tick| {
            behind.note("behind");
            Ok(())
        };
        world.add_system::<()>("behind", system).unwrap();

        let panic = catch_unwind(AssertUnwindSafe(|| pool.install(|| world.run(1.0)))).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"panics"), "the first of them, in the order");
        let mut ran = log.take();
        ran.sort_unstable();
        assert_eq!(ran, ["fine", "panics", "panics too"]);
        assert_eq!(world.systems().filter(|info| info.time.is_some()).count(), 3);

        pool.install(|| world.run(1.0)).unwrap();
        assert_eq!(log.take().len(), 4);
    }
}

#[test]
fn each_system_of_a_stage_is_timed_by_itself() {
    for pool in pools() {
        let (mut world, group) = grouped();
        let slow = |_: (&mut [Velocity],), _: Tick| thread::sleep(Duration::from_millis(100));
        world.add_slice_system::<(&mut Velocity,)>("slow", group, slow).unwrap();
        world.add_slice_system::<(&mut Position,)>("fast", group, |_, _| {}).unwrap();
        pool.install(|| world.run(1.0)).unwrap();
        let times: Vec<_> = world.systems().map(|info| info.time.unwrap()).collect();
        assert!(times[0] >= Duration::from_millis(100) && times[1] < times[0], "{times:?}");
    }
}

#[test]
fn a_stage_allocates_nothing() {
    let (mut world, group) = grouped();
    let off = world.add_slice_system::<(&mut Velocity,)>("first", group, |_, _| {}).unwrap();
    world.add_slice_system::<(&mut Velocity,)>("alone", group, |_, _| {}).unwrap();
    world.add_slice_system::<(&mut Position,)>("beside it", group, |_, _| {}).unwrap();
    for pool in [1, 2].map(pool) {
        pool.install(|| {
            world.run(1.0).unwrap();
            let allocated = allocation_counter::measure(|| {
                for run in 0..100 {
                    world.set_system_enabled(off, run % 2 == 0).unwrap();
                    world.run(1.0).unwrap();
                }
            });
            assert_eq!(allocated.count_total, 0);
        });
    }
}

use std::sync::{Arc, Mutex};

use cubefall::ecs::{Error, Pass, System, SystemArgs, World};

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

fn double(world: &mut World, _: SystemArgs) {
    world.query_mut::<&mut Velocity>().for_each(|velocity| velocity.0 *= 2.0);
}

fn increment(world: &mut World, args: SystemArgs) {
    world.query_mut::<&mut Velocity>().for_each(|velocity| velocity.0 += args.dt);
}

#[test]
fn systems_run_in_order_and_twice_if_added_twice() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "double", double);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    world.run(0.5).unwrap();
    assert_eq!(velocities(&world), [1.5, 3.5]);
    let names: Vec<_> = world.schedule().systems().map(|system| system.name).collect();
    assert_eq!(names, ["increment", "double", "increment"]);
}

#[test]
fn a_disabled_system_is_skipped() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    let doubling = world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "double", double);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    world.schedule_mut().set_enabled(doubling, false).unwrap();
    world.run(1.0).unwrap();
    assert_eq!(velocities(&world), [1.0, 2.0]);
    world.schedule_mut().set_enabled(doubling, true).unwrap();
    world.run(1.0).unwrap();
    assert_eq!(velocities(&world), [3.0, 5.0]);
}

#[test]
fn the_entities_of_a_system_follow_insert_remove_and_despawn() {
    let mut world = world();
    let system = world.schedule_mut().add_system::<(Velocity, Position)>(
        Pass::Update,
        "both",
        |_: &mut World, _| Ok(()),
    );
    let entities = |world: &World| {
        let signature = world.schedule().get(system).unwrap().signature;
        world.entities(signature).collect::<Vec<_>>()
    };
    let moving = spawn_moving(&mut world, 3);
    assert!(entities(&world).is_empty());
    world.insert(moving[1], Position([0.0; 3])).unwrap();
    world.insert(moving[2], Position([0.0; 3])).unwrap();
    assert_eq!(entities(&world), [moving[1], moving[2]]);
    world.remove::<Velocity>(moving[1]).unwrap();
    assert_eq!(entities(&world), [moving[2]]);
    world.despawn(moving[2]).unwrap();
    assert!(entities(&world).is_empty());
}

#[test]
fn a_running_system_can_list_its_entities() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let mut world = world();
    let moving = spawn_moving(&mut world, 2);
    let recorder = Arc::clone(&seen);
    let watch = move |world: &mut World, args: SystemArgs| {
        recorder.lock().unwrap().extend(world.entities(args.signature));
    };
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "watch", watch);
    world.run(0.0).unwrap();
    assert_eq!(*seen.lock().unwrap(), moving);
}

#[test]
fn component_types_are_numbered_from_zero_and_registered_once() {
    let mut world = world();
    let numbers = [
        world.component_type::<Position>(),
        world.component_type::<Velocity>(),
        world.component_type::<Name>(),
        world.component_type::<Frozen>(),
    ];
    assert_eq!(numbers.map(|number| number.unwrap().index()), [0, 1, 2, 3]);
    assert_eq!(Some(world.register::<Name>()), numbers[2]);
    world.schedule_mut().add_system::<(u8,)>(Pass::Update, "double", double);
    assert_eq!(world.component_type::<u8>().unwrap().index(), 4);
}

#[test]
fn the_first_error_of_a_system_ends_the_pass() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    world.schedule_mut().add_system::<(Velocity,)>(
        Pass::Update,
        "double insert",
        move |world: &mut World, _| world.insert(entity, Velocity(1.0)),
    );
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    assert!(matches!(world.run(1.0), Err(Error::AlreadyPresent(..))));
    assert_eq!(velocities(&world), [0.0]);
    assert!(world.run(1.0).is_err(), "the system is still in the schedule");
}

#[test]
fn update_and_draw_are_separate_passes() {
    let mut world = world();
    spawn_moving(&mut world, 1);
    let shown = Arc::new(Mutex::new(Vec::new()));
    let screen = Arc::clone(&shown);
    let show = move |world: &mut World, args: SystemArgs| {
        assert_eq!(args.dt, 0.0);
        screen.lock().unwrap().extend(velocities(world));
    };
    let drawing = world.schedule_mut().add_system::<(Velocity,)>(Pass::Draw, "show", show);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    world.run(1.0).unwrap();
    world.run(1.0).unwrap();
    assert!(shown.lock().unwrap().is_empty());
    world.draw().unwrap();
    assert_eq!(*shown.lock().unwrap(), [2.0]);
    let drawn = world.schedule().systems().find(|system| system.id == drawing).unwrap();
    assert_eq!((drawn.name, drawn.pass, drawn.enabled), ("show", Pass::Draw, true));
}

#[test]
fn each_run_of_a_system_is_timed() {
    let mut world = world();
    let slow = |_: &mut World, _: SystemArgs| {
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    world.schedule_mut().add_system::<()>(Pass::Update, "slow", slow);
    let time = |world: &World| world.schedule().systems().next().unwrap().time;
    assert_eq!(time(&world), None);
    world.run(0.0).unwrap();
    assert!(time(&world).unwrap() >= std::time::Duration::from_millis(2));
}

#[test]
fn a_system_of_another_world_is_refused() {
    let (mut here, mut there) = (world(), world());
    let foreign = there.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "double", double);
    here.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "double", double);
    assert_eq!(here.schedule_mut().set_enabled(foreign, false), Err(Error::NoSuchSystem));
    assert_eq!(here.schedule().get(foreign).err(), Some(Error::NoSuchSystem));
    assert!(here.schedule().systems().all(|system| system.enabled));
}

#[test]
fn a_system_that_panics_stays_in_the_schedule() {
    let mut world = world();
    let mut runs = 0;
    let panics_once = move |_: &mut World, _: SystemArgs| {
        runs += 1;
        assert_ne!(runs, 1, "boom");
        Err(Error::NoSuchGroup)
    };
    world.schedule_mut().add_system::<()>(Pass::Update, "panics once", panics_once);
    let run = std::panic::AssertUnwindSafe(|| world.run(1.0));
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!(world.run(1.0), Err(Error::NoSuchGroup), "it ran a second time");
}

#[test]
fn a_system_that_replaces_the_world_is_an_error() {
    let mut world = world();
    let reset = |world: &mut World, _: SystemArgs| {
        *world = World::new();
    };
    world.schedule_mut().add_system::<()>(Pass::Update, "reset", reset);
    assert_eq!(world.run(1.0), Err(Error::NoSuchSystem));
    assert_eq!(world.run(1.0), Ok(()), "the new world has no systems");
}

#[test]
fn running_systems_allocates_nothing() {
    let mut world = world();
    spawn_moving(&mut world, 100);
    let doubling = world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "double", double);
    world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    let allocated = allocation_counter::measure(|| {
        for run in 0..100 {
            world.schedule_mut().set_enabled(doubling, run % 2 == 0).unwrap();
            world.run(1.0).unwrap();
        }
    });
    assert_eq!(allocated.count_total, 0);
}

#[test]
fn a_panic_of_a_system_that_replaced_the_world_is_not_lost() {
    let mut world = world();
    let replace = |world: &mut World, _: SystemArgs| -> Result<(), Error> {
        *world = World::new();
        panic!("boom");
    };
    world.schedule_mut().add_system::<()>(Pass::Update, "replace", replace);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.run(1.0))).is_err());
}

#[test]
fn a_boxed_system_is_a_system() {
    let mut world = world();
    spawn_moving(&mut world, 2);
    let mut runs = 0.0;
    let add_runs = move |world: &mut World, _: SystemArgs| {
        runs += 10.0;
        world.query_mut::<&mut Velocity>().for_each(|velocity| velocity.0 += runs);
    };
    let systems: Vec<Box<dyn System>> =
        vec![Box::new(increment), Box::new(double), Box::new(add_runs)];
    for system in systems {
        world.schedule_mut().add_system::<(Velocity,)>(Pass::Update, "boxed", system);
    }
    world.run(1.0).unwrap();
    assert_eq!(velocities(&world), [12.0, 14.0]);
    world.run(1.0).unwrap();
    assert_eq!(velocities(&world), [46.0, 50.0]);
    let failing: Box<dyn System> = Box::new(|_: &mut World, _| Err(Error::NoSuchGroup));
    world.schedule_mut().add_system::<()>(Pass::Draw, "failing", failing);
    assert_eq!(world.draw(), Err(Error::NoSuchGroup));
}

#[test]
fn the_schedule_tells_which_system_returned_an_error() {
    let mut world = world();
    let bare = world.spawn(());
    let fails = move |world: &mut World, _: SystemArgs| world.get::<&Velocity>(bare).map(drop);
    let mut schedule = world.schedule_mut();
    schedule.add_system::<(Velocity,)>(Pass::Update, "double", double);
    let failing = schedule.add_system::<()>(Pass::Update, "fails", fails);
    schedule.add_system::<(Velocity,)>(Pass::Update, "increment", increment);
    let failed = |world: &World| -> Vec<_> {
        world.schedule().systems().filter_map(|it| Some((it.name, it.error?))).collect()
    };
    let error = world.run(1.0).unwrap_err();
    assert_eq!(failed(&world), [("fails", error)]);
    // Another system fails first in the next pass: that of this one is forgotten.
    let panics = |_: &mut World, _: SystemArgs| -> () { panic!("boom") };
    let panicking = world.schedule_mut().add_system::<()>(Pass::Draw, "panics", panics);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.draw())).is_err());
    assert_eq!(failed(&world), []);
    let panicked = |world: &World| -> Vec<_> {
        world.schedule().systems().filter(|it| it.panicked).map(|it| it.name).collect()
    };
    assert_eq!(panicked(&world), ["panics"]);
    world.schedule_mut().remove(panicking).unwrap();
    world.insert(bare, Velocity(0.0)).unwrap();
    world.run(1.0).unwrap();
    assert_eq!(failed(&world), []);
    assert_eq!(world.schedule().get(failing).unwrap().error, None);
}

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cubefall::ecs::{Bundle, Error, Limits, World};

use super::{Frozen, Name, Velocity, velocities, world};

/// The reference count is the number of living values.
#[derive(Debug, PartialEq)]
struct Tracked(Arc<()>);

fn tracked_world() -> (World, Arc<()>) {
    let mut world = world();
    world.register::<Tracked>();
    (world, Arc::new(()))
}

#[test]
fn overwriting_a_component_drops_the_old_value_once() {
    let (mut world, counter) = tracked_world();
    let entity = world.spawn((Tracked(counter.clone()),));
    drop(world.set(entity, Tracked(counter.clone())).unwrap());
    assert_eq!(Arc::strong_count(&counter), 2);
}

#[test]
fn despawning_and_dropping_the_world_drop_each_value_once() {
    let (mut world, counter) = tracked_world();
    let entities = [(); 3].map(|()| world.spawn((Tracked(counter.clone()),)));
    assert_eq!(Arc::strong_count(&counter), 4);
    world.despawn(entities[0]).unwrap();
    assert_eq!(Arc::strong_count(&counter), 3);
    let more: Vec<_> = (0..100).map(|_| world.spawn((Tracked(counter.clone()),))).collect();
    assert_eq!(world.despawn_batch(&more[..90]), 90);
    assert_eq!(Arc::strong_count(&counter), 13);
    world.clear();
    assert_eq!(Arc::strong_count(&counter), 1);
    world.spawn((Tracked(counter.clone()),));
    drop(world);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn remove_returns_the_value_without_dropping_it() {
    let (mut world, counter) = tracked_world();
    let entity = world.spawn((Tracked(counter.clone()),));
    let value = world.remove::<Tracked>(entity).unwrap();
    assert_eq!(Arc::strong_count(&counter), 2);
    drop(value);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn tags_are_components_without_data() {
    let mut world = world();
    let entity = world.spawn((Frozen, Velocity(1.0)));
    let other = world.spawn((Velocity(2.0),));
    assert!(world.has::<Frozen>(entity) && !world.has::<Frozen>(other));
    world.remove::<Frozen>(entity).unwrap();
    world.insert(other, Frozen).unwrap();
    assert!(!world.has::<Frozen>(entity) && world.has::<Frozen>(other));
}

#[test]
fn large_and_over_aligned_components_keep_their_alignment() {
    #[repr(align(64))]
    struct Aligned([u8; 64]);
    struct Large([u32; 1024]);
    let mut world = World::new();
    world.register::<Aligned>();
    world.register::<Large>();
    let entities: Vec<_> =
        (0..9_u8).map(|i| world.spawn((Aligned([i; 64]), Large([i.into(); 1024])))).collect();
    world.despawn(entities[2]).unwrap();
    for (i, &entity) in entities.iter().enumerate().filter(|(i, _)| *i != 2) {
        let aligned = world.get::<&Aligned>(entity).unwrap();
        assert_eq!(std::ptr::from_ref(aligned).addr() % 64, 0);
        assert!(aligned.0.iter().all(|&byte| usize::from(byte) == i));
        assert!(world.get::<&Large>(entity).unwrap().0.iter().all(|&word| word as usize == i));
    }
}

#[test]
fn components_may_be_move_only() {
    struct MoveOnly(Box<dyn Fn() -> u8 + Send + Sync>);
    let mut world = World::new();
    world.register::<MoveOnly>();
    let entity = world.spawn((MoveOnly(Box::new(|| 7)),));
    assert_eq!((world.remove::<MoveOnly>(entity).unwrap().0)(), 7);
}

thread_local! {
    static PANIC: Cell<bool> = const { Cell::new(false) };
}

struct PanicsOnDrop;
impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        assert!(!PANIC.replace(false), "boom");
    }
}

#[test]
fn a_panicking_destructor_leaves_a_usable_world() {
    // The value that panics is dropped first, all others after it.
    let (mut world, counter) = (World::new(), Arc::new(()));
    world.register::<PanicsOnDrop>();
    world.register::<Velocity>();
    world.register::<Tracked>();
    let group = world.create_group::<(Velocity, PanicsOnDrop)>();
    let entities: Vec<_> = (0..3_u8)
        .map(|i| world.spawn((Velocity(i.into()), PanicsOnDrop, Tracked(counter.clone()))))
        .collect();
    PANIC.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| world.despawn(entities[0])));
    assert!(result.is_err());
    assert!(!world.contains(entities[0]));
    assert_eq!((world.len(), world.group(group).unwrap().len()), (2, 2));
    assert_eq!(Arc::strong_count(&counter), 3, "the other values are dropped too");
    assert_eq!(velocities(&world), [2.0, 1.0]);
    let next = world.spawn((Velocity(5.0), PanicsOnDrop));
    assert_eq!(world.get::<&Velocity>(next), Ok(&Velocity(5.0)));
}

#[test]
fn insert_drops_the_value_if_the_entity_is_dead() {
    let (mut world, counter) = tracked_world();
    let dead = world.spawn(());
    world.despawn(dead).unwrap();
    assert!(world.insert(dead, Tracked(counter.clone())).is_err());
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn a_panicking_destructor_in_a_batch_leaves_a_usable_world() {
    let mut world = World::new();
    world.register::<PanicsOnDrop>();
    world.register::<Velocity>();
    let group = world.create_group::<(Velocity, PanicsOnDrop)>();
    let entities =
        world.spawn_batch((0..20_u8).map(|i| (Velocity(i.into()), PanicsOnDrop))).unwrap();
    PANIC.set(true);
    let half = &entities[..10];
    assert!(catch_unwind(AssertUnwindSafe(|| world.despawn_batch(half))).is_err());
    assert!(half.iter().all(|&entity| !world.contains(entity)));
    assert_eq!((world.len(), world.group(group).unwrap().len()), (10, 10));
    assert_eq!(velocities(&world), (10..20_u8).map(f32::from).collect::<Vec<_>>());
    world.spawn((Velocity(1.0), PanicsOnDrop));
    assert_eq!(world.group(group).unwrap().len(), 11);
}

#[test]
fn exchange_replaces_a_component_by_another_one() {
    let (mut world, counter) = tracked_world();
    let group = world.create_group_without::<(Velocity,), (Frozen,)>();
    let entity = world.spawn((Velocity(1.0), Tracked(counter.clone())));
    let tracked = world.exchange::<Tracked, Name>(entity, Name("n".into())).unwrap();
    assert_eq!(Arc::strong_count(&counter), 2);
    drop(tracked);
    assert!(world.has::<Name>(entity) && !world.has::<Tracked>(entity));
    assert_eq!(world.group(group).unwrap().len(), 1);
    world.exchange::<Name, Frozen>(entity, Frozen).unwrap();
    assert_eq!(world.group(group).unwrap().len(), 0);
    assert!(world.exchange::<Name, Frozen>(entity, Frozen).is_err());
    assert!(world.exchange::<Velocity, Frozen>(entity, Frozen).is_err());
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(1.0)));
}

#[test]
fn set_adds_a_component_or_replaces_its_value() {
    let mut world = world();
    let entity = world.spawn(());
    assert_eq!(world.set(entity, Velocity(1.0)), Ok(None));
    assert_eq!(world.set(entity, Velocity(2.0)), Ok(Some(Velocity(1.0))));
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(2.0)));
    world.despawn(entity).unwrap();
    assert_eq!(world.set(entity, Velocity(3.0)), Err(Error::NoSuchEntity(entity)));
}

#[test]
fn get_or_insert_with_inserts_only_if_absent() {
    let mut world = world();
    let entity = world.spawn(());
    world.get_or_insert_with(entity, || Velocity(3.0)).unwrap().0 += 1.0;
    world.get_or_insert_with::<Velocity>(entity, || unreachable!()).unwrap().0 += 1.0;
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(5.0)));
    world.despawn(entity).unwrap();
    assert!(world.get_or_insert_with::<Velocity>(entity, || unreachable!()).is_err());
}

#[test]
fn bundles_are_inserted_and_removed_completely_or_not_at_all() {
    let mut world = world();
    let entity = world.spawn((Velocity(1.0),));
    assert!(world.insert_bundle(entity, (Frozen, Velocity(2.0))).is_err());
    assert!(!world.has::<Frozen>(entity));
    world.insert_bundle(entity, (Frozen, Name("n".into()))).unwrap();
    assert!(world.remove_bundle::<(Frozen, Tracked)>(entity).is_err());
    assert_eq!(world.remove_bundle::<(Name, Frozen)>(entity), Ok((Name("n".into()), Frozen)));
    assert!(world.remove_bundle::<(Velocity, Frozen)>(entity).is_err());
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(1.0)));
}

#[test]
fn a_panicking_destructor_in_a_refused_batch_keeps_the_arrays_parallel() {
    let mut world = World::with_limits(Limits { entities: 1, ..Limits::default() });
    world.register::<PanicsOnDrop>();
    world.register::<Velocity>();
    PANIC.set(true);
    let batch = [(); 3].map(|()| (PanicsOnDrop, Velocity(1.0)));
    assert!(catch_unwind(AssertUnwindSafe(|| world.spawn_batch(batch))).is_err());
    let entity = world.spawn((PanicsOnDrop, Velocity(7.0)));
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(7.0)));
}

#[test]
fn taken_arrays_may_change_their_length() {
    for (longer, expected) in [(true, 3), (false, 2)] {
        let mut world = world();
        let group = world.create_group::<(Velocity, Name)>();
        let bundle = |i: u8| (Velocity(i.into()), Name(i.to_string()));
        let entities = world.spawn_batch((0..3).map(bundle)).unwrap();
        let mut taken = world.take_group::<(Velocity, Name)>(group).unwrap();
        if longer {
            taken.values.1.push(Name("surplus".into()));
        } else {
            taken.values.0.pop();
        }
        assert_eq!(world.restore_group(taken), expected);
        let next = world.spawn(bundle(9));
        let both = world.get::<(&Velocity, &Name)>(next);
        assert_eq!(both, Ok((&Velocity(9.0), &Name("9".into()))));
        for (i, &entity) in entities.iter().enumerate().take(expected) {
            assert_eq!(world.get::<&Name>(entity), Ok(&Name(i.to_string())));
        }
    }
}

/// A bundle whose conversion panics.
struct Broken;

impl Bundle for Broken {
    type Components = (Velocity,);

    fn into_components(self) -> Self::Components {
        panic!("boom");
    }

    fn from_components(_: Self::Components) -> Self {
        panic!("boom");
    }
}

#[test]
fn a_panicking_conversion_of_a_bundle_leaves_a_usable_world() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Frozen)>();
    let entities = world.spawn_batch([(Velocity(1.0), Frozen), (Velocity(2.0), Frozen)]).unwrap();
    let plain = world.spawn((Frozen,));
    let mut panics = |work: &mut dyn FnMut(&mut World)| {
        assert!(catch_unwind(AssertUnwindSafe(|| work(&mut world))).is_err());
    };
    panics(&mut |world| _ = world.spawn(Broken));
    panics(&mut |world| _ = world.insert_bundle(plain, Broken));
    panics(&mut |world| _ = world.respawn(plain, Broken));
    panics(&mut |world| _ = world.spawn_batch([Broken]));
    // The component is removed before the conversion.
    panics(&mut |world| _ = world.remove_bundle::<Broken>(entities[0]));
    assert_eq!((world.len(), world.group(group).unwrap().len()), (3, 1));
    assert_eq!(velocities(&world), [2.0]);
    world.clear();
    assert_eq!(world.spawn_batch([(Velocity(3.0), Frozen)]).unwrap().len(), 1);
    assert_eq!(world.group(group).unwrap().len(), 1);
}

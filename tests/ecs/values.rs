use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cubefall::ecs::World;

use super::{Frozen, Velocity, velocities, world};

/// Counts how many of its kind are alive through the reference count of what it holds.
#[derive(Debug, PartialEq)]
struct Tracked(Arc<()>);

fn tracked_world() -> (World, Arc<()>) {
    let mut world = world();
    world.register::<Tracked>().unwrap();
    (world, Arc::new(()))
}

#[test]
fn c1_replacing_hands_the_old_value_out_once() {
    let (mut world, counter) = tracked_world();
    let entity = world.spawn((Tracked(counter.clone()),)).unwrap();
    let old = world.replace(entity, Tracked(counter.clone())).unwrap();
    assert_eq!(Arc::strong_count(&counter), 3);
    drop(old);
    assert_eq!(Arc::strong_count(&counter), 2);
}

#[test]
fn c2_despawning_and_dropping_the_world_drop_each_value_once() {
    let (mut world, counter) = tracked_world();
    let entities = [(); 3].map(|()| world.spawn((Tracked(counter.clone()),)).unwrap());
    assert_eq!(Arc::strong_count(&counter), 4);
    world.despawn(entities[0]).unwrap();
    assert_eq!(Arc::strong_count(&counter), 3);
    drop(world);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn c3_removing_hands_the_value_out_without_dropping_it() {
    let (mut world, counter) = tracked_world();
    let entity = world.spawn((Tracked(counter.clone()),)).unwrap();
    let value = world.remove::<Tracked>(entity).unwrap();
    assert_eq!(Arc::strong_count(&counter), 2);
    drop(value);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn c4_tags_are_components_without_data() {
    let mut world = world();
    let entity = world.spawn((Frozen, Velocity(1.0))).unwrap();
    let other = world.spawn((Velocity(2.0),)).unwrap();
    assert!(world.has::<Frozen>(entity) && !world.has::<Frozen>(other));
    world.remove::<Frozen>(entity).unwrap();
    world.insert(other, Frozen).unwrap();
    assert!(!world.has::<Frozen>(entity) && world.has::<Frozen>(other));
}

#[test]
fn c5_large_and_over_aligned_components_keep_their_alignment() {
    #[repr(align(64))]
    struct Aligned([u8; 64]);
    struct Large([u32; 1024]);
    let mut world = World::new();
    world.register::<Aligned>().unwrap();
    world.register::<Large>().unwrap();
    let entities: Vec<_> = (0..9_u8)
        .map(|i| world.spawn((Aligned([i; 64]), Large([i.into(); 1024]))).unwrap())
        .collect();
    world.despawn(entities[2]).unwrap();
    for (i, &entity) in entities.iter().enumerate().filter(|(i, _)| *i != 2) {
        let aligned = world.get::<Aligned>(entity).unwrap();
        assert_eq!(std::ptr::from_ref(aligned).addr() % 64, 0);
        assert!(aligned.0.iter().all(|&byte| usize::from(byte) == i));
        assert!(world.get::<Large>(entity).unwrap().0.iter().all(|&word| word as usize == i));
    }
}

#[test]
fn c6_components_need_not_be_copied_cloned_or_compared() {
    struct MoveOnly(Box<dyn Fn() -> u8 + Send + Sync>);
    let mut world = World::new();
    world.register::<MoveOnly>().unwrap();
    let entity = world.spawn((MoveOnly(Box::new(|| 7)),)).unwrap();
    assert_eq!((world.remove::<MoveOnly>(entity).unwrap().0)(), 7);
}

thread_local! {
    static EXPLODE: Cell<bool> = const { Cell::new(false) };
}

struct Bomb;
impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(!EXPLODE.replace(false), "boom");
    }
}

#[test]
fn c7_a_destructor_that_panics_leaves_a_usable_world() {
    let (mut world, counter) = tracked_world();
    world.register::<Bomb>().unwrap();
    let group = world.group::<(Velocity, Bomb)>().unwrap();
    // The bomb is registered behind the tracked value, so give one entity each order of dropping.
    let entities: Vec<_> = (0..3_u8)
        .map(|i| world.spawn((Velocity(i.into()), Bomb, Tracked(counter.clone()))).unwrap())
        .collect();
    EXPLODE.set(true);
    let result = catch_unwind(AssertUnwindSafe(|| world.despawn(entities[0])));
    assert!(result.is_err());
    assert!(!world.contains(entities[0]));
    assert_eq!((world.len(), world.group_len(group)), (2, Ok(2)));
    assert_eq!(Arc::strong_count(&counter), 3, "the other values were dropped all the same");
    assert_eq!(velocities(&world), [2.0, 1.0]);
    let next = world.spawn((Velocity(5.0), Bomb)).unwrap();
    assert_eq!(world.get(next), Ok(&Velocity(5.0)));
}

#[test]
fn c8_a_value_given_to_a_dead_handle_is_dropped_once() {
    let (mut world, counter) = tracked_world();
    let dead = world.spawn(()).unwrap();
    world.despawn(dead).unwrap();
    assert!(world.insert(dead, Tracked(counter.clone())).is_err());
    assert_eq!(Arc::strong_count(&counter), 1);
}

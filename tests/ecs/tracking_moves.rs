//! What was added and changed follows an entity when its components move in their arrays.

use cubefall::ecs::{Checkpoint, Entity, World};

use super::{Frozen, Position, Velocity, world};

/// Twenty entities: the first ten are old, the others were added after a checkpoint; every third one was
/// changed after it.
struct Scene {
    world: World,
    entities: Vec<Entity>,
    start: Checkpoint,
}

impl Scene {
    fn new(grouped: bool) -> Self {
        let mut world = world();
        world.track_changes::<Velocity>();
        if grouped {
            world.create_group::<(Velocity, Frozen)>();
        }
        let moving = |i: u8| (Velocity(f32::from(i * 7 % 20)),);
        let mut entities = world.spawn_batch((0..10).map(moving)).unwrap();
        let start = world.checkpoint();
        entities.extend(world.spawn_batch((10..20).map(moving)).unwrap());
        for &entity in entities.iter().step_by(3) {
            world.get_mut::<Velocity>(entity).unwrap();
        }
        Self { world, entities, start }
    }

    /// Checks all entities that live and have a `Velocity`, except for those that count as added.
    fn check(&self, added: &[Entity]) {
        let newer = |entity: &Entity, index: usize| {
            [index >= 10, index >= 10 || index.is_multiple_of(3)]
                .map(|newer| newer || added.contains(entity))
        };
        let query = |newer: usize| {
            let query = self.world.query::<Entity>();
            let query = match newer {
                0 => query.added::<Velocity>(self.start),
                _ => query.changed::<Velocity>(self.start),
            };
            query.iter().collect::<Vec<_>>()
        };
        let found = [query(0), query(1)];
        for (index, entity) in self.entities.iter().enumerate() {
            let expected = newer(entity, index).map(|it| it && self.world.has::<Velocity>(*entity));
            assert_eq!(found.each_ref().map(|it| it.contains(entity)), expected, "{index}");
        }
    }
}

#[test]
fn removing_and_despawning_others_changes_nothing() {
    let mut scene = Scene::new(false);
    for i in [0, 12, 5, 19, 1] {
        scene.world.remove::<Velocity>(scene.entities[i]).unwrap();
        scene.check(&[]);
    }
    for i in [2, 13, 18] {
        scene.world.despawn(scene.entities[i]).unwrap();
        scene.check(&[]);
    }
    let batch = [scene.entities[3], scene.entities[11], scene.entities[9]];
    scene.world.despawn_batch(&batch);
    scene.check(&[]);
}

#[test]
fn sorting_changes_nothing() {
    let mut scene = Scene::new(false);
    scene.world.sort_by::<Velocity>(|a, b| a.0.total_cmp(&b.0));
    scene.check(&[]);
    let mut grouped = Scene::new(true);
    for &entity in grouped.entities.iter().step_by(2) {
        grouped.world.insert(entity, Frozen).unwrap();
    }
    let group = grouped.world.create_group::<(Velocity, Frozen)>();
    let members = grouped.world.group_mut(group).unwrap();
    members.sort_by::<Velocity>(|a, b| b.0.total_cmp(&a.0));
    grouped.check(&[]);
}

#[test]
fn entering_and_leaving_groups_changes_nothing() {
    let mut scene = Scene::new(true);
    for i in [15, 4, 9, 0, 11] {
        scene.world.insert(scene.entities[i], Frozen).unwrap();
        scene.check(&[]);
    }
    let outer = scene.world.create_group::<(Velocity,)>();
    scene.check(&[]);
    for i in [9, 15] {
        scene.world.remove::<Frozen>(scene.entities[i]).unwrap();
        scene.check(&[]);
    }
    scene.world.despawn(scene.entities[4]).unwrap();
    scene.world.remove_group(outer).unwrap();
    scene.check(&[]);
}

#[test]
fn batches_that_move_elements_change_nothing() {
    let mut scene = Scene::new(true);
    scene.world.insert(scene.entities[7], Frozen).unwrap();
    // New members move the elements outside of the group to the end.
    scene.world.spawn((Velocity(50.0), Frozen));
    scene.world.spawn_batch([(Velocity(51.0), Frozen), (Velocity(52.0), Frozen)]).unwrap();
    scene.check(&[]);
    scene.world.shrink_to(0);
    scene.check(&[]);
    scene.world.reserve::<(Velocity, Position)>(100).unwrap();
    scene.check(&[]);
}

#[test]
fn components_that_were_taken_count_as_added_when_they_are_restored() {
    // At once, and one by one.
    for alone in [true, false] {
        let mut scene = Scene::new(true);
        let group = scene.world.create_group::<(Velocity, Frozen)>();
        let members: Vec<_> = scene.entities.iter().copied().step_by(4).collect();
        for &entity in &members {
            scene.world.insert(entity, Frozen).unwrap();
        }
        if alone {
            for entity in scene.entities.iter().filter(|entity| !members.contains(entity)) {
                scene.world.despawn(*entity).unwrap();
            }
        }
        let taken = scene.world.take_group::<(Velocity,)>(group).unwrap();
        scene.check(&[]);
        assert_eq!(scene.world.restore_group(taken), members.len());
        scene.check(&members);
    }
}

#[test]
fn taking_other_components_changes_nothing() {
    let mut scene = Scene::new(true);
    let group = scene.world.create_group::<(Velocity, Frozen)>();
    for &entity in scene.entities.iter().step_by(4) {
        scene.world.insert(entity, Frozen).unwrap();
    }
    let taken = scene.world.take_group::<(Frozen,)>(group).unwrap();
    scene.check(&[]);
    scene.world.restore_group(taken);
    scene.check(&[]);
}

#[test]
fn a_respawned_entity_counts_as_added() {
    let mut scene = Scene::new(false);
    // In place, and with other components.
    let same = scene.world.respawn(scene.entities[1], (Velocity(1.0),)).unwrap();
    let other = scene.world.respawn(scene.entities[2], (Velocity(1.0), Frozen)).unwrap();
    scene.check(&[]);
    for entity in [same, other] {
        let added = scene.world.query::<Entity>().added::<Velocity>(scene.start);
        assert!(added.iter().any(|added| added == entity));
    }
}

#[test]
fn an_array_that_was_cleared_is_tracked_further() {
    let mut scene = Scene::new(false);
    scene.world.clear();
    let start = scene.world.checkpoint();
    let entity = scene.world.spawn((Velocity(1.0),));
    let changed = scene.world.query::<Entity>().changed::<Velocity>(start);
    assert_eq!(changed.iter().collect::<Vec<_>>(), [entity]);
}

#[test]
fn a_refused_batch_leaves_the_times_of_the_others() {
    let mut scene = Scene::new(false);
    let panics = (0..9).map(|i| if i == 6 { panic!("half way") } else { (Velocity(0.0),) });
    super::panic_of(|| _ = scene.world.spawn_batch(panics));
    scene.check(&[]);
    let start = scene.world.checkpoint();
    let entity = scene.world.spawn((Velocity(1.0),));
    assert_eq!(scene.world.query::<Entity>().added::<Velocity>(start).iter().next(), Some(entity));
}

#[cfg(feature = "serde")]
#[test]
fn restored_components_count_as_added() {
    use cubefall::ecs::Snapshot;

    let mut world = World::new();
    world.track_changes::<u32>();
    let entities = [world.spawn((1_u32,)), world.spawn((2_u32,))];
    let snapshot = Snapshot::<(u32,)>::take(&world);
    world.despawn(entities[0]).unwrap();
    let start = world.checkpoint();
    snapshot.restore(&mut world).unwrap();
    let added: Vec<_> = world.query::<Entity>().added::<u32>(start).iter().collect();
    assert_eq!(added, entities);
    assert_eq!(world.query::<Entity>().changed::<u32>(start).iter().count(), 2);
    world.despawn(entities[0]).unwrap();
    let start = world.checkpoint();
    world.get_mut::<u32>(entities[1]).unwrap();
    assert_eq!(world.query::<Entity>().changed::<u32>(start).iter().count(), 1);
}

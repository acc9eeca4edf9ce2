//! `bevy_ecs`: archetypes with tables. The marker is stored in a sparse set, as its documentation
//! advises for components that are often added and removed. Slices come from `contiguous_iter_mut`, past change detection.

use std::hint::black_box;

use bevy_ecs::component::{Component, Mutable, StorageType};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::With;
use bevy_ecs::world::World;

use crate::components::{
    self, Color, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody, Transform,
    for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Bevy;

macro_rules! components {
    ($($component:ty: $storage:ident),+) => {
        $(impl Component for $component {
            const STORAGE_TYPE: StorageType = StorageType::$storage;
            type Mutability = Mutable;
        })+
    };
}

components!(Transform: Table, Color: Table, RigidBody: Table, Gravity: Table, Data: Table);
components!(Marker: SparseSet);

impl<const NUMBER: usize> Component for Numbered<NUMBER> {
    const STORAGE_TYPE: StorageType = StorageType::Table;
    type Mutability = Mutable;
}

const PRESENT: &str = "the entity has the component";
const DENSE: &str = "all components are in tables";

impl Subject for Bevy {
    fn name(&self) -> &'static str {
        "bevy_ecs"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => return None,
            Workload::CreateEach => fresh(count, World::new, |mut world| {
                for cube in components::cubes(count) {
                    black_box(world.spawn(cube).id());
                }
                world
            }),
            Workload::CreateBatch => fresh(count, World::new, |mut world| {
                let entities: Vec<_> = world.spawn_batch(components::cubes(count)).collect();
                (entities, world)
            }),
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    for &entity in &entities {
                        assert!(world.despawn(entity));
                    }
                    (world, entities)
                },
            ),
            // By component: there is no call that takes handles.
            Workload::DestroyBatch => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    world.despawn_all::<With<Transform>>();
                    assert!(world.get_entity(entities[PROBE]).is_err());
                    (world, entities)
                },
            ),
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (mut world, entities) = shuffled_world(count);
                let mut state = world.query::<&Transform>();
                repeated(count, || {
                    let transforms = state.query(&world);
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, transforms.get(entity).expect(PRESENT));
                    }
                    black_box(sum);
                })
            }
            Workload::GetPerCall => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, world.get::<Transform>(entity).expect(PRESENT));
                    }
                    black_box(sum);
                })
            }
            Workload::Fragmented => fragmented(count),
            Workload::Flip => flip(count),
            Workload::LoopOne => loop_one(count),
            Workload::LoopTwo => loop_two(count),
            Workload::EachOne => each_one(count),
            Workload::EachTwo => each_two(count),
        })
    }
}

fn filled(count: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let entities = world.spawn_batch(components::cubes(count)).collect();
    (world, entities)
}

fn shuffled_world(count: usize) -> (World, Vec<Entity>) {
    let (world, entities) = filled(count);
    (world, shuffled(&entities))
}

fn integrate(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let mut state = world.query::<(&mut Transform, &mut RigidBody, &Gravity)>();
    let mut steps = 0;
    let time = repeated(count, || {
        for (mut transforms, mut bodies, gravities) in
            state.contiguous_iter_mut(&mut world).expect(DENSE)
        {
            components::integrate_slices(
                transforms.bypass_change_detection(),
                bodies.bypass_change_detection(),
                gravities,
            );
        }
        steps += 1;
    });
    components::assert_integrated(steps, world.get(entities[PROBE]).expect(PRESENT));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            let mut entity = world.entity_mut(entity);
            let gravity: Gravity = entity.take().expect(PRESENT);
            entity.insert(gravity);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            world.entity_mut(entity).insert(Marker(1)).remove::<Marker>();
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &mut World, each: usize) {
        drop(world.spawn_batch((0..each).map(|_| (Numbered::<NUMBER>(0.0), Data(1.0)))));
    }

    let each = count / NUMBERED_TYPES;
    let mut world = World::new();
    for_each_numbered!(spawn(&mut world, each));
    let mut state = world.query::<&mut Data>();
    repeated(each * NUMBERED_TYPES, || {
        for mut data in state.contiguous_iter_mut(&mut world).expect(DENSE) {
            components::double_slice(data.bypass_change_detection());
        }
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let camera = world.spawn(Transform::default()).id();
    let mut taken: Vec<(Entity, (RigidBody, Gravity))> = Vec::with_capacity(count);
    let time = repeated(count, || {
        // From the end, so that no other row moves.
        for &entity in entities.iter().rev() {
            taken.push((entity, world.entity_mut(entity).take().expect(PRESENT)));
        }
        let mut camera = world.entity_mut(camera);
        camera.insert((RigidBody::default(), Gravity::default()));
        black_box(camera.take::<(RigidBody, Gravity)>().expect(PRESENT));
        world.insert_batch(taken.drain(..).rev());
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    let mut state = world.query::<&mut Color>();
    repeated(count, || {
        for mut color in state.iter_mut(&mut world) {
            components::recolor(&mut color);
        }
    })
}

fn loop_two(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    let mut state = world.query::<(&mut Transform, &RigidBody)>();
    repeated(count, || {
        for (mut transform, body) in state.iter_mut(&mut world) {
            components::drift(&mut transform, body);
        }
    })
}

fn each_one(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    let mut state = world.query::<&mut Color>();
    repeated(count, || {
        state.iter_mut(&mut world).for_each(|mut color| components::recolor(&mut color));
    })
}

fn each_two(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    let mut state = world.query::<(&mut Transform, &RigidBody)>();
    repeated(count, || {
        state
            .iter_mut(&mut world)
            .for_each(|(mut transform, body)| components::drift(&mut transform, body));
    })
}

fn assert_intact(world: &World, probe: Entity) {
    components::assert_intact(world.get(probe), world.get(probe));
}

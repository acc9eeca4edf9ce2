//! hecs: archetypes. Two components are removed and added as one bundle, which moves an entity once.

use std::hint::black_box;

use cubefall::components::{Acceleration, Position, Velocity};
use cubefall::sim;
use hecs::{ColumnBatch, ColumnBatchType, Entity, World};

use crate::components::{
    self, Color, Cube, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody, STEP,
    Transform, for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Hecs;

const PRESENT: &str = "the entity has the component";

impl Subject for Hecs {
    fn name(&self) -> &'static str {
        "hecs"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => integrate_fields(count),
            Workload::CreateEach => fresh(count, World::new, |mut world| {
                world.reserve::<Cube>(count as u32);
                for cube in components::cubes(count) {
                    black_box(world.spawn(cube));
                }
                world
            }),
            Workload::CreateBatch => fresh(count, World::new, |mut world| {
                let entities: Vec<_> = world.spawn_column_batch(columns(count)).collect();
                (entities, world)
            }),
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    for &entity in &entities {
                        world.despawn(entity).expect("the entity is alive");
                    }
                    assert!(world.is_empty());
                    (world, entities)
                },
            ),
            Workload::DestroyBatch => return None,
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (mut world, entities) = shuffled_world(count);
                repeated(count, || {
                    let transforms = world.view_mut::<&Transform>();
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, transforms.get(entity).expect(PRESENT));
                    }
                    black_box(sum);
                })
            }
            Workload::GetPerCall => {
                let (mut world, entities) = shuffled_world(count);
                repeated(count, || {
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, world.query_one_mut::<&Transform>(entity).expect(PRESENT));
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

/// Returns the cubes array by array, which hecs stores without conversion. `spawn_batch` is five times
/// slower.
fn columns(count: usize) -> ColumnBatch {
    const ROOM: &str = "the batch was made for as many";
    const ADDED: &str = "the bundle is part of the batch";

    let mut kind = ColumnBatchType::new();
    kind.add_bundle::<Cube>();
    let batch = kind.into_batch(count as u32);
    let mut transforms = batch.writer().expect(ADDED);
    let mut colors = batch.writer().expect(ADDED);
    let mut bodies = batch.writer().expect(ADDED);
    let mut gravities = batch.writer().expect(ADDED);
    for (transform, color, body, gravity) in components::cubes(count) {
        transforms.push(transform).expect(ROOM);
        colors.push(color).expect(ROOM);
        bodies.push(body).expect(ROOM);
        gravities.push(gravity).expect(ROOM);
    }
    drop((transforms, colors, bodies, gravities));
    batch.build().expect("every array is full")
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
    let (world, entities) = filled(count);
    let mut steps = 0;
    let time = repeated(count, || {
        for archetype in world.archetypes() {
            let transforms = archetype.get::<&mut Transform>();
            let bodies = archetype.get::<&mut RigidBody>();
            let gravities = archetype.get::<&Gravity>();
            if let (Some(mut transforms), Some(mut bodies), Some(gravities)) =
                (transforms, bodies, gravities)
            {
                components::integrate_slices(&mut transforms, &mut bodies, &gravities);
            }
        }
        steps += 1;
    });
    components::assert_integrated(steps, &world.get::<&Transform>(entities[PROBE]).expect(PRESENT));
    time
}

fn integrate_fields(count: usize) -> f64 {
    let mut world = World::new();
    let entities: Vec<_> = world.spawn_batch((0..count).map(components::fields)).collect();
    let mut steps = 0;
    let time = repeated(count, || {
        for archetype in world.archetypes() {
            let positions = archetype.get::<&mut Position>();
            let velocities = archetype.get::<&mut Velocity>();
            let accelerations = archetype.get::<&Acceleration>();
            let gravities = archetype.get::<&cubefall::components::Gravity>();
            if let (
                Some(mut positions),
                Some(mut velocities),
                Some(accelerations),
                Some(gravities),
            ) = (positions, velocities, accelerations, gravities)
            {
                sim::integrate(
                    &mut positions,
                    &mut velocities,
                    &accelerations,
                    &gravities,
                    1.0,
                    STEP,
                );
            }
        }
        steps += 1;
    });
    components::assert_moved(steps, *world.get::<&Position>(entities[PROBE]).expect(PRESENT));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            let gravity: Gravity = world.remove_one(entity).expect(PRESENT);
            world.insert_one(entity, gravity).expect("the entity is alive");
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            world.insert_one(entity, Marker(1)).expect("the entity is alive");
            world.remove_one::<Marker>(entity).expect(PRESENT);
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
    repeated(each * NUMBERED_TYPES, || {
        world.query_mut::<&mut Data>().into_iter().for_each(components::double);
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let camera = world.spawn((Transform::default(),));
    let mut taken: Vec<(RigidBody, Gravity)> = Vec::with_capacity(count);
    let time = repeated(count, || {
        // From the end, so that no other row moves.
        for &entity in entities.iter().rev() {
            taken.push(world.remove(entity).expect(PRESENT));
        }
        world
            .insert(camera, (RigidBody::default(), Gravity::default()))
            .expect("the entity is alive");
        black_box(world.remove::<(RigidBody, Gravity)>(camera).expect(PRESENT));
        for (&entity, bundle) in entities.iter().zip(taken.drain(..).rev()) {
            world.insert(entity, bundle).expect("the entity is alive");
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    repeated(count, || {
        for color in world.query_mut::<&mut Color>() {
            components::recolor(color);
        }
    })
}

fn loop_two(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    repeated(count, || {
        for (transform, body) in world.query_mut::<(&mut Transform, &RigidBody)>() {
            components::drift(transform, body);
        }
    })
}

fn each_one(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    repeated(count, || {
        world.query_mut::<&mut Color>().into_iter().for_each(components::recolor);
    })
}

fn each_two(count: usize) -> f64 {
    let (mut world, _) = filled(count);
    repeated(count, || {
        world
            .query_mut::<(&mut Transform, &RigidBody)>()
            .into_iter()
            .for_each(|(transform, body)| components::drift(transform, body));
    })
}

fn assert_intact(world: &World, probe: Entity) {
    components::assert_intact(
        world.get::<&RigidBody>(probe).ok().as_deref(),
        world.get::<&Gravity>(probe).ok().as_deref(),
    );
}

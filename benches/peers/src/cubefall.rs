//! Cubefall: owning groups `{Transform, Color}` around `{Transform, Color, RigidBody, Gravity}`,
//! slices for loops over all members, a view for access by handle.

use std::hint::black_box;

use cubefall::components::{Acceleration, Position, Velocity};
use cubefall::ecs::{Entity, GroupId, World};
use cubefall::sim;

use crate::components::{
    self, Color, Cube, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody, STEP,
    Transform, for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Cubefall;

impl Subject for Cubefall {
    fn name(&self) -> &'static str {
        "cubefall"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => integrate_fields(count),
            Workload::CreateEach => fresh(count, empty, |(mut world, _)| {
                world.reserve::<Cube>(count).expect("there is memory");
                for cube in components::cubes(count) {
                    black_box(world.spawn(cube));
                }
                world
            }),
            Workload::CreateBatch => fresh(count, empty, |(mut world, _)| {
                let entities = world.spawn_batch(components::cubes(count));
                (entities.expect("the world is not full"), world)
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
            Workload::DestroyBatch => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    world.despawn_batch(&entities);
                    assert!(world.is_empty());
                    (world, entities)
                },
            ),
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let transforms = world.view::<&Transform>();
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
                        read(&mut sum, world.get::<&Transform>(entity).expect(PRESENT));
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

const PRESENT: &str = "the entity has the component";

/// Returns a world with its groups, and the inner group.
fn empty() -> (World, GroupId) {
    let mut world = World::new();
    world.create_group::<(Transform, Color)>();
    let falling = world.create_group::<Cube>();
    (world, falling)
}

fn filled(count: usize) -> (World, GroupId, Vec<Entity>) {
    let (mut world, falling) = empty();
    let entities = world.spawn_batch(components::cubes(count)).expect("the world is not full");
    (world, falling, entities)
}

fn shuffled_world(count: usize) -> (World, Vec<Entity>) {
    let (world, _, entities) = filled(count);
    (world, shuffled(&entities))
}

fn integrate(count: usize) -> f64 {
    let (mut world, falling, entities) = filled(count);
    let mut steps = 0;
    let time = repeated(count, || {
        let (transforms, bodies, gravities) = world
            .group_mut(falling)
            .expect("it is a group of this world")
            .slices_mut::<(&mut Transform, &mut RigidBody, &Gravity)>();
        components::integrate_slices(transforms, bodies, gravities);
        steps += 1;
    });
    components::assert_integrated(steps, world.get::<&Transform>(entities[PROBE]).expect(PRESENT));
    time
}

fn integrate_fields(count: usize) -> f64 {
    let mut world = World::new();
    let falling =
        world.create_group::<(Position, Velocity, Acceleration, cubefall::components::Gravity)>();
    let entities =
        world.spawn_batch((0..count).map(components::fields)).expect("the world is not full");
    let mut steps = 0;
    let time = repeated(count, || {
        let group = world.group_mut(falling).expect("it is a group of this world");
        let (positions, velocities, accelerations, gravities) = group.slices_mut::<(
            &mut Position,
            &mut Velocity,
            &Acceleration,
            &cubefall::components::Gravity,
        )>();
        sim::integrate(positions, velocities, accelerations, gravities, 1.0, STEP);
        steps += 1;
    });
    components::assert_moved(steps, *world.get::<&Position>(entities[PROBE]).expect(PRESENT));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (mut world, _, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            let gravity: Gravity = world.remove(entity).expect(PRESENT);
            world.insert(entity, gravity).expect("it was removed");
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (mut world, _, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            world.insert(entity, Marker(1)).expect("it has none");
            world.remove::<Marker>(entity).expect(PRESENT);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &mut World, each: usize) {
        let bundles = (0..each).map(|_| (Numbered::<NUMBER>(0.0), Data(1.0)));
        world.spawn_batch(bundles).expect("the world is not full");
    }

    let each = count / NUMBERED_TYPES;
    let mut world = World::new();
    for_each_numbered!(spawn(&mut world, each));
    let all = world.create_group::<(Data,)>();
    repeated(each * NUMBERED_TYPES, || {
        let group = world.group_mut(all).expect("it is a group of this world");
        components::double_slice(group.slices_mut::<&mut Data>());
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, falling, entities) = filled(count);
    let camera = world.spawn((Transform::default(),));
    let time = repeated(count, || {
        let taken =
            world.take_group::<(RigidBody, Gravity)>(falling).expect("it is a group of this world");
        world
            .insert_bundle(camera, (RigidBody::default(), Gravity::default()))
            .expect("the camera has none");
        let from_camera: (RigidBody, Gravity) = world.remove_bundle(camera).expect(PRESENT);
        black_box(from_camera);
        world.restore_group(taken);
    });
    assert_eq!(world.group(falling).expect("it is a group of this world").len(), count);
    assert_intact(&world, entities[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (mut world, ..) = filled(count);
    repeated(count, || {
        for color in world.query_mut::<&mut Color>() {
            components::recolor(color);
        }
    })
}

fn loop_two(count: usize) -> f64 {
    let (mut world, ..) = filled(count);
    repeated(count, || {
        for (transform, body) in world.query_mut::<(&mut Transform, &RigidBody)>() {
            components::drift(transform, body);
        }
    })
}

fn each_one(count: usize) -> f64 {
    let (mut world, ..) = filled(count);
    repeated(count, || {
        world.query_mut::<&mut Color>().for_each(components::recolor);
    })
}

fn each_two(count: usize) -> f64 {
    let (mut world, ..) = filled(count);
    repeated(count, || {
        world
            .query_mut::<(&mut Transform, &RigidBody)>()
            .for_each(|(transform, body)| components::drift(transform, body));
    })
}

fn assert_intact(world: &World, probe: Entity) {
    components::assert_intact(
        world.get::<&RigidBody>(probe).ok(),
        world.get::<&Gravity>(probe).ok(),
    );
}

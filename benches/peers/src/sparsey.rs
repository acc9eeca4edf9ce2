//! sparsey: sparse sets with nested owning groups, the same two as in Cubefall.

use std::hint::black_box;

use sparsey::World;
use sparsey::entity::Entity;

use crate::components::{
    self, Color, Cube, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody,
    Transform, for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Sparsey;

const PRESENT: &str = "the entity has the component";

impl Subject for Sparsey {
    fn name(&self) -> &'static str {
        "sparsey"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::CreateEach => fresh(count, empty, |mut world| {
                for cube in components::cubes(count) {
                    black_box(world.create(cube));
                }
                world
            }),
            Workload::CreateBatch => fresh(count, empty, |mut world| {
                black_box(world.extend(components::cubes(count)));
                world
            }),
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    for &entity in &entities {
                        assert!(world.destroy(entity));
                    }
                    assert!(world.is_empty());
                    (world, entities)
                },
            ),
            Workload::IntegrateFields | Workload::DestroyBatch => return None,
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let transforms = world.borrow::<Transform>();
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
                        let mut query = world.query_one::<&Transform>();
                        read(&mut sum, query.get(entity).expect(PRESENT));
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

fn empty() -> World {
    let mut world = World::builder().add_group::<(Transform, Color)>().add_group::<Cube>().build();
    world.register::<Marker>();
    world
}

fn filled(count: usize) -> (World, Vec<Entity>) {
    let mut world = empty();
    let entities = world.extend(components::cubes(count)).to_vec();
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
        let query = world.query_all::<(&mut Transform, &mut RigidBody, &Gravity)>();
        let mut query = query.include::<&Color>();
        let (transforms, bodies, gravities) = query.slice().expect("the group owns them");
        components::integrate_slices(transforms, bodies, gravities);
        steps += 1;
    });
    let transforms = world.borrow::<Transform>();
    components::assert_integrated(steps, transforms.get(entities[PROBE]).expect(PRESENT));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            let (gravity,) = world.remove::<(Gravity,)>(entity);
            world.insert(entity, (gravity.expect(PRESENT),));
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            world.insert(entity, (Marker(1),));
            world.delete::<(Marker,)>(entity);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &mut World, each: usize) {
        world.register::<Numbered<NUMBER>>();
        world.extend((0..each).map(|_| (Numbered::<NUMBER>(0.0), Data(1.0))));
    }

    let each = count / NUMBERED_TYPES;
    let mut world = World::default();
    world.register::<Data>();
    for_each_numbered!(spawn(&mut world, each));
    repeated(each * NUMBERED_TYPES, || {
        components::double_slice(world.borrow_mut::<Data>().as_mut_slice());
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, entities) = filled(count);
    let camera = world.create((Transform::default(),));
    let mut taken: Vec<(RigidBody, Gravity)> = Vec::with_capacity(count);
    let time = repeated(count, || {
        // From the end, so that no other member moves.
        for &entity in entities.iter().rev() {
            let (body, gravity) = world.remove::<(RigidBody, Gravity)>(entity);
            taken.push((body.expect(PRESENT), gravity.expect(PRESENT)));
        }
        world.insert(camera, (RigidBody::default(), Gravity::default()));
        black_box(world.remove::<(RigidBody, Gravity)>(camera));
        for (&entity, bundle) in entities.iter().zip(taken.drain(..).rev()) {
            world.insert(entity, bundle);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        for color in &mut world.query_all::<&mut Color>() {
            components::recolor(color);
        }
    })
}

fn loop_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        for (transform, body) in &mut world.query_all::<(&mut Transform, &RigidBody)>() {
            components::drift(transform, body);
        }
    })
}

fn each_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world.query_all::<&mut Color>().iter().for_each(components::recolor);
    })
}

fn each_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world
            .query_all::<(&mut Transform, &RigidBody)>()
            .iter()
            .for_each(|(transform, body)| components::drift(transform, body));
    })
}

fn assert_intact(world: &World, probe: Entity) {
    let (bodies, gravities) = (world.borrow(), world.borrow());
    components::assert_intact(bodies.get(probe), gravities.get(probe));
}

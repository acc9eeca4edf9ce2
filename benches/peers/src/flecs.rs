//! flecs: archetypes, through its Rust binding. Components are added one by one, and each of them moves the entity. One
//! deferred section per entity, and the trait `DontFragment` for the marker, took a fifth to a third more time.
//!
//! The binding's run-time borrow checks are on. They are a crate feature, but without it version
//! 0.2.2 expects another layout of a returned structure than its C code has, and `get` and `cloned`
//! crash.

use std::hint::black_box;

use flecs_ecs::prelude::*;

use crate::components::{
    self, Color, Cube, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody,
    Transform, for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Flecs;

impl Subject for Flecs {
    fn name(&self) -> &'static str {
        "flecs_ecs"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => return None,
            Workload::CreateEach => fresh(count, empty, |world| {
                world.preallocate_entity_count(i32::try_from(count).unwrap_or(i32::MAX));
                for cube in components::cubes(count) {
                    black_box(create(&world, cube));
                }
                world
            }),
            Workload::CreateBatch => fresh(count, empty, |world| (fill(&world, count), world)),
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(world, entities)| {
                    for &entity in &entities {
                        world.entity_from_id(entity).destruct();
                    }
                    assert!(!world.is_alive(entities[PROBE]));
                    (world, entities)
                },
            ),
            // By component: there is no call that takes handles.
            Workload::DestroyBatch => fresh(
                count,
                || shuffled_world(count),
                |(world, entities)| {
                    world.delete_entities_with(Transform::id());
                    assert!(!world.is_alive(entities[PROBE]));
                    (world, entities)
                },
            ),
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => get_hoisted(count),
            Workload::GetPerCall => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let mut sum = 0.0;
                    for &entity in &entities {
                        let entity = world.entity_from_id(entity);
                        entity.get::<&Transform>(|transform| read(&mut sum, transform));
                    }
                    black_box(sum);
                })
            }
            Workload::Fragmented => fragmented(count),
            Workload::Flip => flip(count),
            Workload::LoopOne | Workload::EachOne => loop_one(count),
            Workload::LoopTwo | Workload::EachTwo => loop_two(count),
        })
    }
}

fn empty() -> World {
    let world = World::new();
    world.component::<Transform>();
    world.component::<Color>();
    world.component::<RigidBody>();
    world.component::<Gravity>();
    world.component::<Marker>();
    world
}

fn create(world: &World, (transform, color, body, gravity): Cube) -> Entity {
    world.entity().set(transform).set(color).set(body).set(gravity).id()
}

fn fill(world: &World, count: usize) -> Vec<Entity> {
    let cubes = components::cubes(count);
    let transforms: Vec<_> = cubes.clone().map(|cube| cube.0).collect();
    let colors: Vec<_> = cubes.clone().map(|cube| cube.1).collect();
    let bodies: Vec<_> = cubes.clone().map(|cube| cube.2).collect();
    let gravities: Vec<_> = cubes.map(|cube| cube.3).collect();
    let mut bulk = world.entity_bulk(count as u32);
    bulk.set(&transforms).set(&colors).set(&bodies).set(&gravities).build()
}

fn filled(count: usize) -> (World, Vec<Entity>) {
    let world = empty();
    let entities = fill(&world, count);
    (world, entities)
}

fn shuffled_world(count: usize) -> (World, Vec<Entity>) {
    let (world, entities) = filled(count);
    (world, shuffled(&entities))
}

fn integrate(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let query = world.new_query::<(&mut Transform, &mut RigidBody, &Gravity)>();
    let mut steps = 0;
    let time = repeated(count, || {
        query.run(|mut tables| {
            while tables.next() {
                components::integrate_slices(
                    tables.field_mut::<Transform>(0).as_mut_slice(),
                    tables.field_mut::<RigidBody>(1).as_mut_slice(),
                    tables.field::<Gravity>(2).as_slice(),
                );
            }
        });
        steps += 1;
    });
    world
        .entity_from_id(entities[PROBE])
        .get::<&Transform>(|transform| components::assert_integrated(steps, transform));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            let entity = world.entity_from_id(entity);
            let gravity = entity.get::<&Gravity>(|gravity| *gravity);
            entity.remove(Gravity::id()).set(gravity);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let time = repeated(count, || {
        for &entity in &entities {
            world.entity_from_id(entity).set(Marker(1)).remove(Marker::id());
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

/// flecs has no view over all entities, but one cached reference per entity.
fn get_hoisted(count: usize) -> f64 {
    let (world, entities) = shuffled_world(count);
    let mut transforms: Vec<_> = entities
        .iter()
        .map(|&entity| CachedRef::<Transform>::new(&world, entity, Transform::id()))
        .collect();
    repeated(count, || {
        let mut sum = 0.0;
        for transform in &mut transforms {
            transform.get(|transform| read(&mut sum, transform));
        }
        black_box(sum);
    })
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &World, each: usize) {
        let (numbered, data) = (vec![Numbered::<NUMBER>(0.0); each], vec![Data(1.0); each]);
        world.entity_bulk(each as u32).set(&numbered).set(&data).build();
    }

    let each = count / NUMBERED_TYPES;
    let world = World::new();
    for_each_numbered!(spawn(&world, each));
    let query = world.new_query::<&mut Data>();
    repeated(each * NUMBERED_TYPES, || {
        query.run(|mut tables| {
            while tables.next() {
                components::double_slice(tables.field_mut::<Data>(0).as_mut_slice());
            }
        });
    })
}

fn flip(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let camera = world.entity().set(Transform::default());
    let query = world.new_query::<(&RigidBody, &Gravity)>();
    let mut taken: Vec<(Entity, RigidBody, Gravity)> = Vec::with_capacity(count);
    let time = repeated(count, || {
        query.each_entity(|entity, (body, gravity)| taken.push((entity.id(), *body, *gravity)));
        world.remove_all(RigidBody::id());
        world.remove_all(Gravity::id());
        camera.set(RigidBody::default()).set(Gravity::default());
        camera.remove(RigidBody::id()).remove(Gravity::id());
        for (entity, body, gravity) in taken.drain(..) {
            world.entity_from_id(entity).set(body).set(gravity);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    let query = world.new_query::<&mut Color>();
    repeated(count, || query.each(components::recolor))
}

fn loop_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    let query = world.new_query::<(&mut Transform, &RigidBody)>();
    repeated(count, || query.each(|(transform, body)| components::drift(transform, body)))
}

fn assert_intact(world: &World, probe: Entity) {
    let probe = world.entity_from_id(probe);
    probe.get::<(Option<&RigidBody>, Option<&Gravity>)>(|(body, gravity)| {
        components::assert_intact(body, gravity);
    });
}

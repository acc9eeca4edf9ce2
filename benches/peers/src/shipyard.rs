//! shipyard: sparse sets without groups, tracking off. Storages are borrowed once, outside of the
//! loops.

use std::hint::black_box;

use shipyard::sparse_set::SparseSet;
use shipyard::{
    AllStoragesViewMut, Component, EntitiesView, EntitiesViewMut, EntityId, Get, IntoIter, Remove,
    View, ViewMut, World, track,
};

use crate::components::{
    self, Color, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody, Transform,
    for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Shipyard;

macro_rules! components {
    ($($component:ty),+) => {
        $(impl Component for $component {
            type Tracking = track::Untracked;
        })+
    };
}

components!(Transform, Color, RigidBody, Gravity, Marker, Data);

impl<const NUMBER: usize> Component for Numbered<NUMBER> {
    type Tracking = track::Untracked;
}

const PRESENT: &str = "the entity has the component";
const FREE: &str = "the storage is not borrowed";

impl Subject for Shipyard {
    fn name(&self) -> &'static str {
        "shipyard"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => return None,
            Workload::CreateEach => fresh(count, World::new, |world| {
                world.run_with_data(create, count);
                world
            }),
            Workload::CreateBatch => fresh(count, World::new, |mut world| {
                let entities: Vec<_> = world.bulk_add_entity(components::cubes(count)).collect();
                (entities, world)
            }),
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(world, entities)| {
                    world.run(|mut storages: AllStoragesViewMut<'_>| {
                        for &entity in &entities {
                            assert!(storages.delete_entity(entity));
                        }
                    });
                    (world, entities)
                },
            ),
            // By component: there is no call that takes handles.
            Workload::DestroyBatch => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    world.delete_any::<SparseSet<Transform>>();
                    assert!(!world.is_entity_alive(entities[PROBE]));
                    (world, entities)
                },
            ),
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let transforms = world.borrow::<View<'_, Transform>>().expect(FREE);
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, (&transforms).get(entity).expect(PRESENT));
                    }
                    black_box(sum);
                })
            }
            Workload::GetPerCall => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let mut sum = 0.0;
                    for &entity in &entities {
                        read(&mut sum, &world.get::<&Transform>(entity).expect(PRESENT));
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

fn create(
    count: usize,
    mut entities: EntitiesViewMut<'_>,
    mut transforms: ViewMut<'_, Transform>,
    mut colors: ViewMut<'_, Color>,
    mut bodies: ViewMut<'_, RigidBody>,
    mut gravities: ViewMut<'_, Gravity>,
) {
    transforms.reserve(count);
    colors.reserve(count);
    bodies.reserve(count);
    gravities.reserve(count);
    for cube in components::cubes(count) {
        let storages = (&mut transforms, &mut colors, &mut bodies, &mut gravities);
        black_box(entities.add_entity(storages, cube));
    }
}

fn filled(count: usize) -> (World, Vec<EntityId>) {
    let mut world = World::new();
    let entities = world.bulk_add_entity(components::cubes(count)).collect();
    (world, entities)
}

fn shuffled_world(count: usize) -> (World, Vec<EntityId>) {
    let (world, entities) = filled(count);
    (world, shuffled(&entities))
}

fn integrate(count: usize) -> f64 {
    #[expect(clippy::needless_pass_by_value, reason = "systems take views by value")]
    fn step(
        mut transforms: ViewMut<'_, Transform>,
        mut bodies: ViewMut<'_, RigidBody>,
        gravities: View<'_, Gravity>,
    ) {
        (&mut transforms, &mut bodies, &gravities)
            .iter()
            .for_each(|(transform, body, gravity)| components::integrate(transform, body, gravity));
    }

    let (world, entities) = filled(count);
    let mut steps = 0;
    let time = repeated(count, || {
        world.run(step);
        steps += 1;
    });
    let probe = world.get::<&Transform>(entities[PROBE]).expect(PRESENT);
    components::assert_integrated(steps, &probe);
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (world, handles) = filled(count);
    let time = repeated(count, || {
        world.run(|entities: EntitiesView<'_>, mut gravities: ViewMut<'_, Gravity>| {
            for &entity in &handles {
                let gravity = gravities.remove(entity).expect(PRESENT);
                entities.add_component(entity, &mut gravities, gravity);
            }
        });
    });
    assert_intact(&world, handles[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (world, handles) = filled(count);
    let time = repeated(count, || {
        world.run(|entities: EntitiesView<'_>, mut markers: ViewMut<'_, Marker>| {
            for &entity in &handles {
                entities.add_component(entity, &mut markers, Marker(1));
                black_box(markers.remove(entity).expect(PRESENT));
            }
        });
    });
    assert_intact(&world, handles[PROBE]);
    time
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &mut World, each: usize) {
        world.bulk_add_entity((0..each).map(|_| (Numbered::<NUMBER>(0.0), Data(1.0))));
    }

    let each = count / NUMBERED_TYPES;
    let mut world = World::new();
    for_each_numbered!(spawn(&mut world, each));
    repeated(each * NUMBERED_TYPES, || {
        world.run(|mut data: ViewMut<'_, Data>| {
            (&mut data).iter().for_each(components::double);
        });
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, handles) = filled(count);
    let camera = world.add_entity(Transform::default());
    let mut taken_bodies: Vec<(EntityId, RigidBody)> = Vec::with_capacity(count);
    let mut taken_gravities: Vec<(EntityId, Gravity)> = Vec::with_capacity(count);
    let time = repeated(count, || {
        world.run(
            |entities: EntitiesView<'_>,
             mut bodies: ViewMut<'_, RigidBody>,
             mut gravities: ViewMut<'_, Gravity>| {
                taken_bodies.extend(bodies.drain().with_id());
                taken_gravities.extend(gravities.drain().with_id());
                let given = (RigidBody::default(), Gravity::default());
                entities.add_component(camera, (&mut bodies, &mut gravities), given);
                black_box((&mut bodies, &mut gravities).remove(camera));
                for (entity, body) in taken_bodies.drain(..) {
                    entities.add_component(entity, &mut bodies, body);
                }
                for (entity, gravity) in taken_gravities.drain(..) {
                    entities.add_component(entity, &mut gravities, gravity);
                }
            },
        );
    });
    assert_intact(&world, handles[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world.run(|mut colors: ViewMut<'_, Color>| {
            for color in (&mut colors).iter() {
                components::recolor(color);
            }
        });
    })
}

fn loop_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world.run(|mut transforms: ViewMut<'_, Transform>, bodies: View<'_, RigidBody>| {
            for (transform, body) in (&mut transforms, &bodies).iter() {
                components::drift(transform, body);
            }
        });
    })
}

fn each_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world.run(|mut colors: ViewMut<'_, Color>| {
            (&mut colors).iter().for_each(components::recolor);
        });
    })
}

fn each_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        world.run(|mut transforms: ViewMut<'_, Transform>, bodies: View<'_, RigidBody>| {
            (&mut transforms, &bodies)
                .iter()
                .for_each(|(transform, body)| components::drift(transform, body));
        });
    })
}

fn assert_intact(world: &World, probe: EntityId) {
    components::assert_intact(
        world.get::<&RigidBody>(probe).ok().as_deref().copied(),
        world.get::<&Gravity>(probe).ok().as_deref().copied(),
    );
}

//! specs: one storage per component type and bit sets. `VecStorage`, indexed by entity, for
//! components of most entities, as its book advises. `DenseVecStorage` for the marker and for
//! components that are iterated as a slice.

use std::hint::black_box;

use specs::world::EntitiesRes;
use specs::{
    Builder, Component, DenseVecStorage, Entity, Join, LendJoin, ReadStorage, VecStorage, World,
    WorldExt, WriteStorage,
};

use crate::components::{
    self, Color, Data, Gravity, Marker, NUMBERED_TYPES, Numbered, PROBE, RigidBody, Transform,
    for_each_numbered,
};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Specs;

macro_rules! components {
    ($($component:ty: $storage:ident),+) => {
        $(impl Component for $component {
            type Storage = $storage<Self>;
        })+
    };
}

components!(Transform: VecStorage, Color: VecStorage, RigidBody: VecStorage, Gravity: VecStorage);
components!(Marker: DenseVecStorage, Data: DenseVecStorage);

impl<const NUMBER: usize> Component for Numbered<NUMBER> {
    type Storage = DenseVecStorage<Self>;
}

const PRESENT: &str = "the entity has the component";
const ALIVE: &str = "the entity is alive";

impl Subject for Specs {
    fn name(&self) -> &'static str {
        "specs"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        Some(match workload {
            Workload::Integrate => integrate(count),
            Workload::IntegrateFields => return None,
            Workload::CreateEach => fresh(count, empty, |world| {
                {
                    let entities = world.read_resource::<EntitiesRes>();
                    let mut storages = Storages::of(&world);
                    for cube in components::cubes(count) {
                        let entity = entities.create();
                        storages.give(entity, cube);
                        black_box(entity);
                    }
                }
                world
            }),
            Workload::CreateBatch => {
                fresh(count, empty, |mut world| (fill(&mut world, count), world))
            }
            Workload::DestroyEach => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    for &entity in &entities {
                        world.delete_entity(entity).expect(ALIVE);
                    }
                    (world, entities)
                },
            ),
            Workload::DestroyBatch => fresh(
                count,
                || shuffled_world(count),
                |(mut world, entities)| {
                    world.delete_entities(&entities).expect(ALIVE);
                    assert!(!world.is_alive(entities[PROBE]));
                    (world, entities)
                },
            ),
            Workload::ReplaceGrouped => replace_grouped(count),
            Workload::ToggleMarker => toggle_marker(count),
            Workload::GetHoisted => {
                let (world, entities) = shuffled_world(count);
                repeated(count, || {
                    let transforms: ReadStorage<'_, Transform> = world.read_storage();
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
                        let transforms = world.read_storage::<Transform>();
                        read(&mut sum, transforms.get(entity).expect(PRESENT));
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

/// The storages of a cube, fetched once for many entities.
struct Storages<'w> {
    transforms: WriteStorage<'w, Transform>,
    colors: WriteStorage<'w, Color>,
    bodies: WriteStorage<'w, RigidBody>,
    gravities: WriteStorage<'w, Gravity>,
}

impl<'w> Storages<'w> {
    fn of(world: &'w World) -> Self {
        Self {
            transforms: world.write_storage(),
            colors: world.write_storage(),
            bodies: world.write_storage(),
            gravities: world.write_storage(),
        }
    }

    fn give(&mut self, entity: Entity, (transform, color, body, gravity): components::Cube) {
        self.transforms.insert(entity, transform).expect(ALIVE);
        self.colors.insert(entity, color).expect(ALIVE);
        self.bodies.insert(entity, body).expect(ALIVE);
        self.gravities.insert(entity, gravity).expect(ALIVE);
    }
}

fn empty() -> World {
    let mut world = World::new();
    world.register::<Transform>();
    world.register::<Color>();
    world.register::<RigidBody>();
    world.register::<Gravity>();
    world.register::<Marker>();
    world
}

/// Spawns entities in a batch; there is no batch call for components.
fn fill(world: &mut World, count: usize) -> Vec<Entity> {
    let entities: Vec<_> = world.create_iter().take(count).collect();
    let mut storages = Storages::of(world);
    for (&entity, cube) in entities.iter().zip(components::cubes(count)) {
        storages.give(entity, cube);
    }
    entities
}

fn filled(count: usize) -> (World, Vec<Entity>) {
    let mut world = empty();
    let entities = fill(&mut world, count);
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
        let mut transforms: WriteStorage<'_, Transform> = world.write_storage();
        let mut bodies: WriteStorage<'_, RigidBody> = world.write_storage();
        let gravities: ReadStorage<'_, Gravity> = world.read_storage();
        (&mut transforms, &mut bodies, &gravities)
            .join()
            .for_each(|(transform, body, gravity)| components::integrate(transform, body, gravity));
        steps += 1;
    });
    let transforms = world.read_storage();
    components::assert_integrated(steps, transforms.get(entities[PROBE]).expect(PRESENT));
    time
}

fn replace_grouped(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let time = repeated(count, || {
        let mut gravities: WriteStorage<'_, Gravity> = world.write_storage();
        for &entity in &entities {
            let gravity = gravities.remove(entity).expect(PRESENT);
            gravities.insert(entity, gravity).expect(ALIVE);
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn toggle_marker(count: usize) -> f64 {
    let (world, entities) = filled(count);
    let time = repeated(count, || {
        let mut markers: WriteStorage<'_, Marker> = world.write_storage();
        for &entity in &entities {
            markers.insert(entity, Marker(1)).expect(ALIVE);
            black_box(markers.remove(entity).expect(PRESENT));
        }
    });
    assert_intact(&world, entities[PROBE]);
    time
}

fn fragmented(count: usize) -> f64 {
    fn spawn<const NUMBER: usize>(world: &mut World, each: usize) {
        world.register::<Numbered<NUMBER>>();
        for _ in 0..each {
            world.create_entity().with(Numbered::<NUMBER>(0.0)).with(Data(1.0)).build();
        }
    }

    let each = count / NUMBERED_TYPES;
    let mut world = World::new();
    world.register::<Data>();
    for_each_numbered!(spawn(&mut world, each));
    repeated(each * NUMBERED_TYPES, || {
        let mut data: WriteStorage<'_, Data> = world.write_storage();
        components::double_slice(data.as_mut_slice());
    })
}

fn flip(count: usize) -> f64 {
    let (mut world, handles) = filled(count);
    let camera = world.create_entity().with(Transform::default()).build();
    let mut taken: Vec<(Entity, RigidBody, Gravity)> = Vec::with_capacity(count);
    let time = repeated(count, || {
        let entities = world.entities();
        let mut bodies: WriteStorage<'_, RigidBody> = world.write_storage();
        let mut gravities: WriteStorage<'_, Gravity> = world.write_storage();
        let mut all = (&*entities, bodies.drain(), gravities.drain()).lend_join();
        while let Some(one) = all.next() {
            taken.push(one);
        }
        bodies.insert(camera, RigidBody::default()).expect(ALIVE);
        gravities.insert(camera, Gravity::default()).expect(ALIVE);
        black_box((bodies.remove(camera), gravities.remove(camera)));
        for (entity, body, gravity) in taken.drain(..) {
            bodies.insert(entity, body).expect(ALIVE);
            gravities.insert(entity, gravity).expect(ALIVE);
        }
    });
    assert_intact(&world, handles[PROBE]);
    time
}

fn loop_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        let mut colors: WriteStorage<'_, Color> = world.write_storage();
        for color in (&mut colors).join() {
            components::recolor(color);
        }
    })
}

fn loop_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        let mut transforms: WriteStorage<'_, Transform> = world.write_storage();
        let bodies: ReadStorage<'_, RigidBody> = world.read_storage();
        for (transform, body) in (&mut transforms, &bodies).join() {
            components::drift(transform, body);
        }
    })
}

fn each_one(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        let mut colors: WriteStorage<'_, Color> = world.write_storage();
        (&mut colors).join().for_each(components::recolor);
    })
}

fn each_two(count: usize) -> f64 {
    let (world, _) = filled(count);
    repeated(count, || {
        let mut transforms: WriteStorage<'_, Transform> = world.write_storage();
        let bodies: ReadStorage<'_, RigidBody> = world.read_storage();
        (&mut transforms, &bodies)
            .join()
            .for_each(|(transform, body)| components::drift(transform, body));
    })
}

fn assert_intact(world: &World, probe: Entity) {
    let (bodies, gravities) = (world.read_storage(), world.read_storage());
    components::assert_intact(bodies.get(probe), gravities.get(probe));
}

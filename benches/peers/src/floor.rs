//! The floor: plain `Vec`s without entities, handles or checks.

use std::hint::black_box;

use cubefall::sim;

use crate::components::{self, Color, Cube, Data, Gravity, PROBE, RigidBody, STEP, Transform};
use crate::workload::{Subject, Workload, fresh, read, repeated, shuffled};

pub(crate) struct Floor;

#[derive(Default)]
struct Arrays {
    transforms: Vec<Transform>,
    colors: Vec<Color>,
    bodies: Vec<RigidBody>,
    gravities: Vec<Gravity>,
}

impl Arrays {
    fn with_capacity(count: usize) -> Self {
        Self {
            transforms: Vec::with_capacity(count),
            colors: Vec::with_capacity(count),
            bodies: Vec::with_capacity(count),
            gravities: Vec::with_capacity(count),
        }
    }

    fn push(&mut self, (transform, color, body, gravity): Cube) {
        self.transforms.push(transform);
        self.colors.push(color);
        self.bodies.push(body);
        self.gravities.push(gravity);
    }
}

impl Subject for Floor {
    fn name(&self) -> &'static str {
        "floor"
    }

    fn measure(&self, workload: Workload, count: usize) -> Option<f64> {
        match workload {
            Workload::Integrate => Some(integrate(count)),
            Workload::IntegrateFields => Some(integrate_fields(count)),
            Workload::CreateEach => Some(fresh(count, Arrays::default, |_| {
                let mut arrays = Arrays::with_capacity(count);
                // Hidden from the optimizer, or the loop is torn into one per array: the batch.
                components::cubes(count).for_each(|cube| black_box(&mut arrays).push(cube));
                arrays
            })),
            Workload::CreateBatch => Some(fresh(count, Arrays::default, |mut arrays| {
                let cubes = components::cubes(count);
                arrays.transforms.extend(cubes.clone().map(|cube| cube.0));
                arrays.colors.extend(cubes.clone().map(|cube| cube.1));
                arrays.bodies.extend(cubes.clone().map(|cube| cube.2));
                arrays.gravities.extend(cubes.map(|cube| cube.3));
                arrays
            })),
            Workload::GetHoisted => Some(get(count)),
            Workload::LoopOne | Workload::EachOne => Some(loop_one(count)),
            Workload::LoopTwo => Some(loop_two(count)),
            Workload::EachTwo => Some(each_two(count)),
            Workload::Fragmented => {
                let mut data = vec![Data(1.0); count];
                Some(repeated(count, || components::double_slice(black_box(&mut data))))
            }
            _ => None,
        }
    }
}

fn integrate(count: usize) -> f64 {
    let mut arrays = Arrays::with_capacity(count);
    components::cubes(count).for_each(|cube| arrays.push(cube));
    let mut steps = 0;
    let time = repeated(count, || {
        let Arrays { transforms, bodies, gravities, .. } = &mut arrays;
        components::integrate_slices(transforms, bodies, gravities);
        steps += 1;
    });
    components::assert_integrated(steps, &arrays.transforms[PROBE]);
    time
}

fn integrate_fields(count: usize) -> f64 {
    let fields = || (0..count).map(components::fields);
    let mut positions: Vec<_> = fields().map(|cube| cube.0).collect();
    let mut velocities: Vec<_> = fields().map(|cube| cube.1).collect();
    let accelerations: Vec<_> = fields().map(|cube| cube.2).collect();
    let gravities: Vec<_> = fields().map(|cube| cube.3).collect();
    let mut steps = 0;
    let time = repeated(count, || {
        sim::integrate(&mut positions, &mut velocities, &accelerations, &gravities, 1.0, STEP);
        steps += 1;
    });
    components::assert_moved(steps, positions[PROBE]);
    time
}

fn get(count: usize) -> f64 {
    let transforms: Vec<_> = components::cubes(count).map(|cube| cube.0).collect();
    let positions = shuffled(&(0..count as u32).collect::<Vec<_>>());
    repeated(count, || {
        let mut sum = 0.0;
        for &position in &positions {
            read(&mut sum, &transforms[position as usize]);
        }
        black_box(sum);
    })
}

fn loop_one(count: usize) -> f64 {
    let mut colors: Vec<_> = components::cubes(count).map(|cube| cube.1).collect();
    repeated(count, || black_box(&mut colors).iter_mut().for_each(components::recolor))
}

fn loop_two(count: usize) -> f64 {
    let (mut transforms, bodies): (Vec<_>, Vec<_>) =
        components::cubes(count).map(|(transform, _, body, _)| (transform, body)).unzip();
    repeated(count, || {
        for (transform, body) in black_box(&mut transforms).iter_mut().zip(&bodies) {
            components::drift(transform, body);
        }
    })
}

fn each_two(count: usize) -> f64 {
    let (mut transforms, bodies): (Vec<_>, Vec<_>) =
        components::cubes(count).map(|(transform, _, body, _)| (transform, body)).unzip();
    repeated(count, || {
        black_box(&mut transforms)
            .iter_mut()
            .zip(&bodies)
            .for_each(|(transform, body)| components::drift(transform, body));
    })
}

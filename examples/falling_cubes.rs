//! Falling cubes: ten thousand cubes in an owning group, and a physics system that iterates over its
//! parallel slices. Then the physics components are taken from the cubes and added to the camera, and
//! the same system moves the camera instead.
//!
//! Run it with `cargo run --example falling_cubes --no-default-features --features sim`.

use cubefall::ecs::{Entity, Error, GroupId, Pass, System, SystemArgs, World};

struct Transform {
    position: [f32; 3],
    /// A unit quaternion: x, y, z, w.
    rotation: [f32; 4],
    scale: f32,
}

#[derive(Default)]
struct RigidBody {
    velocity: [f32; 3],
}

struct Gravity([f32; 3]);

/// Red, green and blue.
struct Color([u8; 3]);

const STANDARD_GRAVITY: f32 = 9.806_65;
const DOWN: [f32; 3] = [0.0, -STANDARD_GRAVITY, 0.0];
const CUBES: u32 = 10_000;
const STEPS: u8 = 60;

/// Returns the physics system for the members of a group.
fn physics(falling: GroupId) -> impl System {
    move |world: &mut World, args: SystemArgs| -> Result<(), Error> {
        let (transforms, bodies, gravities) =
            world.group_mut(falling)?.slices_mut::<(&mut Transform, &mut RigidBody, &Gravity)>();
        for ((transform, body), gravity) in transforms.iter_mut().zip(bodies).zip(gravities) {
            for axis in 0..3 {
                let (velocity, acceleration) = (&mut body.velocity[axis], gravity.0[axis]);
                // Exact for constant acceleration and any time step.
                transform.position[axis] +=
                    *velocity * args.dt + acceleration * (0.5 * args.dt * args.dt);
                *velocity += acceleration * args.dt;
            }
        }
        Ok(())
    }
}

/// Returns random numbers from 0 to 1, from a linear congruential generator with a fixed seed.
fn random_numbers() -> impl FnMut() -> f32 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 2_f32.powi(24)
    }
}

/// Returns a random cube in a box of 100 m.
fn random_cube(mut random: impl FnMut() -> f32) -> (Transform, RigidBody, Gravity, Color) {
    let position = [(); 3].map(|()| random() * 100.0 - 50.0);
    let half_angle = random() * std::f32::consts::PI;
    let rotation = [0.0, half_angle.sin(), 0.0, half_angle.cos()];
    let transform = Transform { position, rotation, scale: 0.5 + random() };
    let gravity = Gravity([0.0, -(1.0 + random() * STANDARD_GRAVITY), 0.0]);
    let color = Color([(); 3].map(|()| (random() * 255.0) as u8));
    (transform, RigidBody::default(), gravity, color)
}

fn heights(entities: &[Entity], world: &World) -> Result<Vec<f32>, Error> {
    entities.iter().map(|&entity| Ok(world.get::<&Transform>(entity)?.position[1])).collect()
}

fn run_one_second(world: &mut World) -> Result<(), Error> {
    (0..STEPS).try_for_each(|_| world.run(1.0 / f32::from(STEPS)))
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    let falling = world.create_group::<(Transform, RigidBody, Gravity)>();
    let mut schedule = world.schedule_mut();
    let physics = physics(falling);
    schedule.add_system::<(Transform, RigidBody, Gravity)>(Pass::Update, "physics", physics);

    let mut random = random_numbers();
    let cubes = world.spawn_batch((0..CUBES).map(|_| random_cube(&mut random)))?;
    let level = [0.0, 0.0, 0.0, 1.0];
    let camera = world.spawn((Transform { position: [0.0; 3], rotation: level, scale: 1.0 },));

    println!("{} cubes fall for 1 s", cubes.len());
    let start = heights(&cubes, &world)?;
    run_one_second(&mut world)?;
    let fallen = heights(&cubes, &world)?;
    for ((cube, start), fallen) in cubes.iter().zip(&start).zip(&fallen).take(3) {
        let (transform, gravity, Color(rgb)) =
            world.get::<(&Transform, &Gravity, &Color)>(*cube)?;
        let Transform { rotation, scale, .. } = transform;
        println!("cube {cube}: edge {scale:.2} m, rotation {rotation:.2?}, color {rgb:?}");
        println!("  fell {:.2} m, g t^2 / 2 = {:.2} m", start - fallen, -gravity.0[1] / 2.0);
    }

    let resting = world.take_group::<(RigidBody, Gravity)>(falling)?;
    world.insert_bundle(camera, (RigidBody::default(), Gravity(DOWN)))?;
    println!("{} cubes rest, {} camera falls", resting.entities.len(), world.group(falling)?.len());
    run_one_second(&mut world)?;
    let moved =
        heights(&cubes, &world)?.iter().zip(&fallen).filter(|(now, then)| now != then).count();
    println!("{moved} cubes moved");
    println!("camera {camera} fell {:.3} m", -world.get::<&Transform>(camera)?.position[1]);
    Ok(())
}

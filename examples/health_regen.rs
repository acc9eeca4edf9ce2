//! Health regeneration: a system is a plain function over the entities that have all components of
//! its query. Entities that lack one of them do not match.
//!
//! Run it with `cargo run --example health_regen`.

use cubefall::ecs::{Error, Pass, Tick, World};

struct Name(&'static str);
struct Health(u32);
struct MaxHealth(u32);
struct Position([f32; 2]);
/// Change of the position per frame.
struct Velocity([f32; 2]);

/// A resource: number of the current frame, from 1.
struct Frame(u32);

const FRAMES: u32 = 600;
const FRAMES_PER_POINT: u32 = 120;

fn count_frames(world: &mut World, _: Tick) -> Result<(), Error> {
    world.resources_mut().get_mut::<Frame>()?.0 += 1;
    Ok(())
}

fn regenerate(world: &mut World, _: Tick) -> Result<(), Error> {
    if !world.resources().get::<Frame>()?.0.is_multiple_of(FRAMES_PER_POINT) {
        return Ok(());
    }
    world.query_mut::<(&mut Health, &MaxHealth)>()?.for_each(|_, (health, maximum)| {
        if health.0 < maximum.0 {
            health.0 += 1;
        }
    })
}

fn movement(world: &mut World, _: Tick) -> Result<(), Error> {
    world.query_mut::<(&mut Position, &Velocity)>()?.for_each(|_, (position, velocity)| {
        for (coordinate, step) in position.0.iter_mut().zip(velocity.0) {
            *coordinate += step;
        }
    })
}

fn print_entities(world: &World) -> Result<(), Error> {
    println!("after {} frames", world.resources().get::<Frame>()?.0);
    let named = world.query::<(&Name, Option<&Health>, Option<&Position>)>()?;
    for (_, (name, health, position)) in named.iter() {
        let health = health.map_or("none".into(), |health| health.0.to_string());
        let position = position.map_or("none".into(), |Position([x, y])| format!("{x}, {y}"));
        println!("  {:<6} health {health:<4} position {position}", name.0);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.register::<Name>()?;
    world.register::<Health>()?;
    world.register::<MaxHealth>()?;
    world.register::<Position>()?;
    world.register::<Velocity>()?;
    world.resources_mut().insert(Frame(0));

    world.schedule_mut().add_system::<()>(Pass::Update, "count frames", count_frames)?;
    world.schedule_mut().add_system::<(Health, MaxHealth)>(
        Pass::Update,
        "regenerate",
        regenerate,
    )?;
    world.schedule_mut().add_system::<(Position, Velocity)>(Pass::Update, "movement", movement)?;

    let (start, walk) = (Position([10.0, 0.0]), Velocity([0.25, -0.5]));
    world.spawn((Name("knight"), Health(90), MaxHealth(100), start, walk))?;
    world.spawn((Name("troll"), Health(98), MaxHealth(100), Position([3.0, 4.0])))?;
    world.spawn((Name("statue"), Health(50), Position([7.0, 7.0])))?;
    world.spawn((Name("cloud"), Position([0.0, 90.0]), Velocity([1.0, 0.0])))?;
    world.spawn((Name("wind"), Velocity([5.0, 5.0])))?;

    print_entities(&world)?;
    for frame in 1..=FRAMES {
        world.run(1.0 / 60.0)?;
        if [FRAMES_PER_POINT - 1, FRAMES_PER_POINT, FRAMES].contains(&frame) {
            print_entities(&world)?;
        }
    }
    Ok(())
}

//! Health regeneration: a system is a plain function over the entities that have all components of
//! its query. Entities that lack one of them do not match. A system may have state of its own: here, a
//! count of its frames.
//!
//! Run it with `cargo run --example health_regen --no-default-features --features sim`.

use cubefall::ecs::{Error, Pass, System, SystemArgs, World};

struct Name(&'static str);
struct Health(u32);
struct MaxHealth(u32);
/// A tag: entities with it lose health.
struct Poisoned;
struct Position([f32; 2]);
/// Change of the position per frame.
struct Velocity([f32; 2]);

fn regenerate(world: &mut World, _: SystemArgs) {
    for (health, maximum) in world.query_mut::<(&mut Health, &MaxHealth)>() {
        health.0 = maximum.0.min(health.0 + 1);
    }
}

fn poison(world: &mut World, _: SystemArgs) {
    for health in world.query_mut::<&mut Health>().with::<&Poisoned>() {
        health.0 = health.0.saturating_sub(1);
    }
}

fn movement(world: &mut World, _: SystemArgs) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        for (coordinate, step) in position.0.iter_mut().zip(velocity.0) {
            *coordinate += step;
        }
    }
}

/// Returns a system that runs another one in every `period`th frame. Each call returns a system with
/// a count of its own.
fn every(period: u32, mut system: impl System) -> impl System {
    let mut frames = 0;
    move |world: &mut World, args: SystemArgs| {
        frames = (frames + 1) % period;
        if frames == 0 { system.run(world, args) } else { Ok(()) }
    }
}

fn print_entities(frames: u32, world: &World) {
    println!("after {frames} frames");
    for (name, health, position) in world.query::<(&Name, Option<&Health>, Option<&Position>)>() {
        let health = health.map_or("none".into(), |health| health.0.to_string());
        let position = position.map_or("none".into(), |Position([x, y])| format!("{x}, {y}"));
        println!("  {:<6} health {health:<4} position {position}", name.0);
    }
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    let mut schedule = world.schedule_mut();
    let regenerate = every(120, regenerate);
    schedule.add_system::<(Health, MaxHealth)>(Pass::Update, "regenerate", regenerate);
    schedule.add_system::<(Health, Poisoned)>(Pass::Update, "poison", every(150, poison));
    schedule.add_system::<(Position, Velocity)>(Pass::Update, "movement", movement);

    let (start, walk) = (Position([10.0, 0.0]), Velocity([0.25, -0.5]));
    world.spawn((Name("knight"), Health(90), MaxHealth(100), start, walk));
    world.spawn((Name("troll"), Health(98), MaxHealth(100), Position([3.0, 4.0])));
    world.spawn((Name("statue"), Health(50), Position([7.0, 7.0])));
    world.spawn((Name("rat"), Health(9), Poisoned));
    world.spawn((Name("cloud"), Position([0.0, 90.0]), Velocity([1.0, 0.0])));
    world.spawn((Name("wind"), Velocity([5.0, 5.0])));

    print_entities(0, &world);
    for frame in 1..=600 {
        world.run(1.0 / 60.0)?;
        if [119, 120, 600].contains(&frame) {
            print_entities(frame, &world);
        }
    }
    Ok(())
}

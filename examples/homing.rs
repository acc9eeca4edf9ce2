//! Homing missiles: a loop over the velocities reads the positions of other entities. A missile whose
//! target was despawned flies straight on, also if another entity is in the slot of the target now.
//!
//! Run it with `cargo run --example homing --no-default-features --features sim`.

use cubefall::ecs::{Entity, Error, Pass, SystemArgs, World};

#[derive(Clone, Copy)]
struct Position {
    x: i32,
    y: i32,
}

/// Change of the position per turn.
struct Velocity {
    x: i32,
    y: i32,
}

/// The entity that a missile follows.
struct Target(Entity);

struct Glyph(char);

/// Highest speed of a missile along an axis.
const SPEED: i32 = 2;

fn steer(world: &mut World, _: SystemArgs) {
    let (mut velocities, positions, targets) =
        world.view_mut::<(&mut Velocity, &Position, &Target)>();
    for (missile, velocity) in velocities.iter_mut() {
        let Some(own) = positions.get(missile) else { continue };
        // `None` if the entity has no target, and if the target was despawned.
        let target = targets.get(missile).and_then(|target| positions.get(target.0));
        if let Some(target) = target {
            velocity.x = (target.x - own.x).clamp(-SPEED, SPEED);
            velocity.y = (target.y - own.y).clamp(-SPEED, SPEED);
        }
    }
}

fn movement(world: &mut World, _: SystemArgs) {
    for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
        position.x += velocity.x;
        position.y += velocity.y;
    }
}

/// Missiles explode beside their target.
fn explode(world: &mut World, _: SystemArgs) {
    let mut commands = world.commands();
    let positions = world.view::<&Position>();
    for (missile, own, target) in world.query::<(Entity, &Position, &Target)>() {
        let Some(hit) = positions.get(target.0) else { continue };
        if (hit.x - own.x).abs() <= 1 && (hit.y - own.y).abs() <= 1 {
            println!("missile {missile} hits {}", target.0);
            commands.despawn(missile);
            commands.despawn(target.0);
        }
    }
    // No error is of interest: two missiles may have hit the same target.
    drop(commands.apply(world));
}

fn draw(world: &mut World, _: SystemArgs) {
    let mut map = [['.'; 25]; 3];
    for (position, glyph) in world.query::<(&Position, &Glyph)>() {
        map[position.y as usize][position.x as usize] = glyph.0;
    }
    println!("{}", map.map(|row| row.iter().collect::<String>()).join("  "));
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    let mut schedule = world.schedule_mut();
    schedule.add_system::<(Velocity, Position, Target)>(Pass::Update, "steer", steer);
    schedule.add_system::<(Position, Velocity)>(Pass::Update, "movement", movement);
    schedule.add_system::<(Position, Target)>(Pass::Update, "explode", explode);
    schedule.add_system::<(Position, Glyph)>(Pass::Draw, "draw", draw);

    let (at, still) = (|x, y| Position { x, y }, || Velocity { x: 0, y: 0 });
    let plane = world.spawn((at(5, 0), Velocity { x: 1, y: 0 }, Glyph('P')));
    for (position, glyph) in [(at(0, 2), 'a'), (at(24, 2), 'b')] {
        let missile = world.spawn((position, still(), Target(plane), Glyph(glyph)));
        println!("missile {missile}, {glyph}, follows the plane {plane}");
    }
    world.draw()?;
    for turn in 1..=7 {
        world.run(1.0)?;
        world.draw()?;
        if turn == 4 {
            let cloud = world.spawn((at(12, 2), Glyph('C')));
            println!("the cloud {cloud} is in the slot of the plane; missile b does not follow it");
        }
    }
    Ok(())
}

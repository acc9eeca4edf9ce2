//! Movement mask: the components of an entity are the bits of a mask, its signature. A system works on
//! the entities whose mask contains all bits of its own. An entity without velocity does not move, and
//! an entity without components matches no system.
//!
//! Run it with `cargo run --example movement_mask --no-default-features --features sim`.

use cubefall::ecs::{Entity, Error, Pass, SystemArgs, World};

struct Displacement {
    x: f32,
    y: f32,
}

/// Change of the displacement per frame.
struct Velocity {
    x: f32,
    y: f32,
}

struct Appearance(&'static str);

fn movement(world: &mut World, _: SystemArgs) {
    for (displacement, velocity) in world.query_mut::<(&mut Displacement, &mut Velocity)>() {
        velocity.y -= 0.98;
        displacement.x += velocity.x;
        displacement.y += velocity.y;
    }
}

fn drawing(world: &mut World, _: SystemArgs) {
    for (displacement, appearance) in world.query::<(&Displacement, &Appearance)>() {
        println!("  draw {:<4} at ({:.2}, {:.2})", appearance.0, displacement.x, displacement.y);
    }
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    // Bits are assigned in the order of first use, the lowest first.
    let mut schedule = world.schedule_mut();
    schedule.add_system::<(Displacement, Velocity)>(Pass::Update, "movement", movement);
    schedule.add_system::<(Displacement, Appearance)>(Pass::Draw, "drawing", drawing);

    let at = |x, y| Displacement { x, y };
    let tree = world.spawn((at(5.0, 0.0), Appearance("tree")));
    let ball = world.spawn((at(0.0, 10.0), Velocity { x: 1.0, y: 0.0 }, Appearance("ball")));
    let draft = world.spawn((at(0.0, 2.0), Velocity { x: -2.0, y: 0.98 }));
    let bare = world.spawn(());
    for (name, entity) in [("tree", tree), ("ball", ball), ("draft", draft), ("bare", bare)] {
        println!("{name:<8} mask {:03b}, entity {entity}", world.signature(entity)?.bits());
    }
    for system in world.schedule().systems() {
        let matched: Vec<Entity> = world.entities(system.signature).collect();
        println!("{:<8} mask {:03b}, matches {matched:?}", system.name, system.signature.bits());
    }

    for frame in 1..=3 {
        println!("frame {frame}");
        world.run(1.0 / 60.0)?;
        world.draw()?;
    }
    let Displacement { x, y } = world.get::<&Displacement>(draft)?;
    println!("draft has no appearance and is at ({x:.2}, {y:.2})");
    Ok(())
}

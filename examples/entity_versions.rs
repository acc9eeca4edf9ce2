//! Entity versions: a handle is a slot and a generation (`3v2` is slot 3, generation 2). A stale
//! handle never reaches the entity that uses the slot now, and a handle of another world never
//! reaches an entity of this one.
//!
//! Run it with `cargo run --example entity_versions --no-default-features --features sim`.

use cubefall::ecs::{Entity, World};

struct Health(u32);

fn print_health(name: &str, entity: Entity, world: &World) {
    match world.get::<&Health>(entity) {
        Ok(Health(points)) => println!("{name} {entity} has health {points}"),
        Err(error) => println!("cannot read {name} {entity}: {error}"),
    }
}

fn despawn(name: &str, entity: Entity, world: &mut World) {
    match world.despawn(entity) {
        Ok(()) => println!("{name} {entity} is despawned, {} left", world.len()),
        Err(error) => println!("cannot despawn {name} {entity}, {} left: {error}", world.len()),
    }
}

fn stale_handles() {
    let mut world = World::new();
    let goblin = world.spawn((Health(10),));
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);

    let dragon = world.spawn((Health(500),));
    println!(
        "dragon {dragon} reuses slot {}: generation {} after {}",
        dragon.index(),
        dragon.generation(),
        goblin.generation()
    );
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);
    print_health("dragon", dragon, &world);
}

fn foreign_handles() {
    let (mut here, mut there) = (World::new(), World::new());
    let mine = here.spawn((Health(1),));
    let theirs = there.spawn((Health(2),));
    println!(
        "mine {mine}, theirs {theirs}: same slot and generation {}, same handle {}",
        mine.to_bits() == theirs.to_bits(),
        mine == theirs
    );
    print_health("mine", mine, &here);
    print_health("theirs", theirs, &here);
    despawn("theirs", theirs, &mut here);
    print_health("theirs", theirs, &there);
}

fn main() {
    stale_handles();
    foreign_handles();
}

//! Entity versions: a handle names one life of a slot (`3v2` is slot 3, generation 2), so a stale
//! handle never reaches the entity that lives in the slot now, and a foreign one never reaches an
//! entity of another world.
//!
//! Run it with `cargo run --example entity_versions`.

use cubefall::ecs::{Entity, Error, World};

struct Health(u32);

fn new_world() -> Result<World, Error> {
    let mut world = World::new();
    world.register::<Health>()?;
    Ok(world)
}

fn print_health(whose: &str, entity: Entity, world: &World) {
    match world.get::<Health>(entity) {
        Ok(Health(points)) => println!("{whose} {entity} has health {points}"),
        Err(refused) => println!("{whose} {entity} is refused: {refused}"),
    }
}

fn despawn(whose: &str, entity: Entity, world: &mut World) {
    match world.despawn(entity) {
        Ok(()) => println!("{whose} {entity} is despawned, {} left", world.len()),
        Err(refused) => println!("not despawned, {} left: {refused}", world.len()),
    }
}

fn stale_handles() -> Result<(), Error> {
    let mut world = new_world()?;
    let goblin = world.spawn((Health(10),))?;
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);

    let dragon = world.spawn((Health(500),))?;
    println!(
        "dragon {dragon} reuses slot {}: generation {} after {}",
        dragon.index(),
        dragon.generation(),
        goblin.generation()
    );
    assert!(dragon.index() == goblin.index() && dragon.generation() > goblin.generation());
    print_health("goblin", goblin, &world);
    despawn("goblin", goblin, &mut world);
    print_health("dragon", dragon, &world);
    Ok(())
}

fn foreign_handles() -> Result<(), Error> {
    let (mut here, mut there) = (new_world()?, new_world()?);
    let mine = here.spawn((Health(1),))?;
    let theirs = there.spawn((Health(2),))?;
    println!(
        "mine {mine}, theirs {theirs}: same slot and generation {}, same handle {}",
        mine.to_bits() == theirs.to_bits(),
        mine == theirs
    );
    print_health("mine", mine, &here);
    print_health("theirs", theirs, &here);
    despawn("theirs", theirs, &mut here);
    print_health("theirs, at home,", theirs, &there);
    Ok(())
}

fn main() -> Result<(), Error> {
    stale_handles()?;
    foreign_handles()
}

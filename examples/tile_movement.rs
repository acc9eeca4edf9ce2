//! Tile movement: a `Collidable` entity does not move onto a tile with another `Collidable` entity. The
//! tag has no data. Without it, the hero is a ghost that walks through the wall. A system that is added
//! twice runs twice.
//!
//! Run it with `cargo run --example tile_movement --no-default-features --features sim`.

use cubefall::ecs::{Entity, Error, Pass, SystemArgs, World};

#[derive(Clone, Copy, PartialEq)]
struct Tile {
    column: usize,
    row: usize,
}

/// Columns and rows that an entity moves in each run of the movement system.
#[derive(Clone, Copy)]
struct Stride {
    columns: usize,
    rows: usize,
}

/// A tag: entities with it block each other.
struct Collidable;

struct Glyph(char);

fn movement(world: &mut World, _: SystemArgs) -> Result<(), Error> {
    let step = |(entity, tile, stride): (Entity, &Tile, &Stride)| {
        let (column, row) = (tile.column + stride.columns, tile.row + stride.rows);
        (entity, Tile { column, row })
    };
    let steps: Vec<_> = world.query::<(Entity, &Tile, &Stride)>().iter().map(step).collect();
    // One after the other, so that two entities do not move onto the same tile.
    for (entity, target) in steps {
        let mut blocking = world.query::<&Tile>().with::<&Collidable>().iter();
        let blocked = blocking.any(|tile| *tile == target);
        if !(blocked && world.has::<Collidable>(entity)) {
            *world.get_mut(entity)? = target;
        }
    }
    Ok(())
}

fn draw(world: &mut World, _: SystemArgs) {
    let mut map = [['.'; 9]; 2];
    let resting = world.query::<(&Tile, &Glyph)>().without::<&Stride>();
    let moving = world.query::<(&Tile, &Glyph)>().with::<&Stride>();
    // Moving entities are drawn on top.
    for (tile, glyph) in resting.into_iter().chain(moving) {
        map[tile.row][tile.column] = glyph.0;
    }
    println!("{}", map.map(|row| row.iter().collect::<String>()).join("  "));
}

fn take_turns(count: u32, world: &mut World) -> Result<(), Error> {
    for _ in 0..count {
        world.run(1.0)?;
        world.draw()?;
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.schedule_mut().add_system::<(Tile, Stride)>(Pass::Update, "movement", movement);
    world.schedule_mut().add_system::<(Tile, Glyph)>(Pass::Draw, "draw", draw);

    let at = |column, row| Tile { column, row };
    let east = Stride { columns: 1, rows: 0 };
    let hero = world.spawn((at(0, 0), east, Collidable, Glyph('@')));
    world.spawn((at(1, 0), Glyph(',')));
    world.spawn((at(4, 0), Collidable, Glyph('#')));
    world.spawn((at(0, 1), east, Glyph('g')));
    world.spawn((at(2, 1), Collidable, Glyph('#')));

    println!("the hero @ walks on grass but not through a wall; the ghost g does");
    take_turns(4, &mut world)?;
    world.remove::<Collidable>(hero)?;
    println!("the hero without Collidable");
    take_turns(2, &mut world)?;
    world.schedule_mut().add_system::<(Tile, Stride)>(Pass::Update, "movement", movement);
    println!("the movement system added twice");
    take_turns(1, &mut world)
}

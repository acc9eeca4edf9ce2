//! Tile movement: what is `Collidable` does not step onto a tile held by something `Collidable`.
//! The tag has no data; taking it from the hero makes a ghost that walks through the wall.
//!
//! Run it with `cargo run --example tile_movement`.

use cubefall::ecs::{Entity, Error, Pass, Tick, World};

#[derive(Clone, Copy, PartialEq)]
struct Tile {
    column: usize,
    row: usize,
}

/// How many columns and rows an entity steps each turn.
#[derive(Clone, Copy)]
struct Stride {
    columns: usize,
    rows: usize,
}

/// A tag.
struct Collidable;

struct Glyph(char);

fn movement(world: &mut World, _: Tick) -> Result<(), Error> {
    let steps: Vec<(Entity, Tile)> = world
        .query::<(&Tile, &Stride)>()?
        .iter()
        .map(|(entity, (tile, stride))| {
            let (column, row) = (tile.column + stride.columns, tile.row + stride.rows);
            (entity, Tile { column, row })
        })
        .collect();
    // One after the other, so that two do not enter the same free tile.
    for (entity, target) in steps {
        let solid = world.query::<(&Tile,)>()?.with::<(Collidable,)>()?;
        let held = solid.iter().any(|(_, (tile,))| *tile == target);
        if !(held && world.has::<Collidable>(entity)) {
            *world.get_mut(entity)? = target;
        }
    }
    Ok(())
}

fn draw(world: &mut World, _: Tick) -> Result<(), Error> {
    let mut map = [['.'; 9]; 2];
    let drawn = || world.query::<(&Tile, &Glyph)>();
    let (still, walking) = (drawn()?.without::<(Stride,)>()?, drawn()?.with::<(Stride,)>()?);
    // Who walks is drawn on top.
    for (_, (tile, glyph)) in still.iter().chain(walking.iter()) {
        map[tile.row][tile.column] = glyph.0;
    }
    println!("{}", map.map(|row| row.iter().collect::<String>()).join("  "));
    Ok(())
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
    world.register::<Tile>()?;
    world.register::<Stride>()?;
    world.register::<Collidable>()?;
    world.register::<Glyph>()?;
    world.schedule_mut().add_system::<(Tile, Stride)>(Pass::Update, "movement", movement)?;
    world.schedule_mut().add_system::<(Tile, Glyph)>(Pass::Draw, "draw", draw)?;

    let at = |column, row| Tile { column, row };
    let east = Stride { columns: 1, rows: 0 };
    let hero = world.spawn((at(0, 0), east, Collidable, Glyph('@')))?;
    world.spawn((at(1, 0), Glyph(',')))?;
    world.spawn((at(4, 0), Collidable, Glyph('#')))?;
    world.spawn((at(0, 1), east, Glyph('g')))?;
    world.spawn((at(2, 1), Collidable, Glyph('#')))?;

    println!("the hero @ steps on grass, not on a wall; the ghost g does");
    take_turns(4, &mut world)?;
    world.remove::<Collidable>(hero)?;
    println!("the hero is a ghost too");
    take_turns(3, &mut world)
}

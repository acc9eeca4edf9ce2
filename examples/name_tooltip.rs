//! Name tooltip: shows the name of the entity under the cursor. The cursor is a resource, because there
//! is only one. One system finds the entity whose rectangle contains the cursor, another one draws.
//!
//! Run it with `cargo run --example name_tooltip --no-default-features --features sim`.

use cubefall::ecs::{Entity, Error, Pass, SystemArgs, World};

struct Name(&'static str);

/// Upper left corner in pixels.
struct Position {
    x: i32,
    y: i32,
}

/// Width and height in pixels.
struct Size {
    width: i32,
    height: i32,
}

/// A resource: position of the cursor in pixels.
#[derive(Clone, Copy)]
struct Cursor {
    x: i32,
    y: i32,
}

/// A resource: the entity under the cursor.
struct Hovered(Option<Entity>);

fn contains(position: &Position, size: &Size, cursor: Cursor) -> bool {
    (position.x..position.x + size.width).contains(&cursor.x)
        && (position.y..position.y + size.height).contains(&cursor.y)
}

fn hover(world: &mut World, _: SystemArgs) {
    let cursor = *world.resource::<Cursor>();
    let hovered = world
        .query::<(Entity, &Position, &Size)>()
        .iter()
        .find(|(_, position, size)| contains(position, size, cursor))
        .map(|(entity, ..)| entity);
    world.resource_mut::<Hovered>().0 = hovered;
}

fn draw_tooltip(world: &mut World, _: SystemArgs) {
    let Cursor { x, y } = world.resource();
    match world.resource::<Hovered>().0 {
        Some(entity) => match world.get::<&Name>(entity) {
            Ok(name) => println!("({x}, {y}) {entity}: [{}]", name.0),
            Err(_) => println!("({x}, {y}) {entity}: no name, no tooltip"),
        },
        None => println!("({x}, {y}) no entity, no tooltip"),
    }
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.resources_mut().insert(Hovered(None));

    let house = Size { width: 100, height: 80 };
    world.spawn((Name("The Prancing Pony"), Position { x: 10, y: 20 }, house));
    world.spawn((Name("well"), Position { x: 200, y: 50 }, Size { width: 30, height: 30 }));
    world.spawn((Position { x: 300, y: 0 }, Size { width: 50, height: 50 }));
    // Has no rectangle, so it is never under the cursor.
    world.spawn((Name("echo"),));

    let mut schedule = world.schedule_mut();
    schedule.add_system::<(Position, Size)>(Pass::Update, "hover", hover);
    schedule.add_system::<(Name,)>(Pass::Draw, "draw tooltip", draw_tooltip);
    for (x, y) in [(60, 60), (10, 20), (110, 60), (215, 65), (320, 10), (0, 0)] {
        world.resources_mut().insert(Cursor { x, y });
        world.run(1.0 / 60.0)?;
        world.draw()?;
    }
    Ok(())
}

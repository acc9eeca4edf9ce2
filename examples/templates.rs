//! Templates: entities described in a file, as a list of components and their values. A file is
//! checked as a whole before anything is spawned; what is wrong is named by template and component.
//!
//! Run it with `cargo run --example templates`; the file is `examples/templates.json`.

use std::collections::BTreeMap;
use std::error::Error;

use cubefall::ecs::{self, Entity, World};
use serde_json::Value;

struct Name(String);
struct Health(u32);
struct Position([f32; 2]);

/// One component of a template, by its value.
enum Part {
    Name(String),
    Health(u32),
    Position([f32; 2]),
}

type Templates = BTreeMap<String, Vec<Part>>;

fn parse_part(component: &str, value: Value) -> Result<Part, String> {
    let part = match component {
        "Name" => serde_json::from_value(value).map(Part::Name),
        "Health" => serde_json::from_value(value).map(Part::Health),
        "Position" => serde_json::from_value(value).map(Part::Position),
        _ => return Err("there is no such component".into()),
    };
    part.map_err(|error| error.to_string())
}

fn load(text: &str) -> Result<Templates, Box<dyn Error>> {
    let file: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_str(text)?;
    let mut templates = Templates::new();
    for (template, components) in file {
        let parts = templates.entry(template.clone()).or_default();
        for (component, value) in components {
            let part = parse_part(&component, value).map_err(|reason| {
                format!("template {template}, component {component}: {reason}")
            })?;
            parts.push(part);
        }
    }
    Ok(templates)
}

fn spawn(template: &[Part], world: &mut World) -> Result<Entity, ecs::Error> {
    let entity = world.spawn(())?;
    for part in template {
        match part {
            Part::Name(name) => world.insert(entity, Name(name.clone()))?,
            Part::Health(points) => world.insert(entity, Health(*points))?,
            Part::Position(place) => world.insert(entity, Position(*place))?,
        }
    }
    Ok(entity)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    world.register::<Name>()?;
    world.register::<Health>()?;
    world.register::<Position>()?;

    let templates = load(include_str!("templates.json"))?;
    for template in ["guard", "guard", "door", "curse"] {
        let entity = spawn(&templates[template], &mut world)?;
        let Name(name) = world.get(entity)?;
        let health = world.get(entity).map(|Health(points)| points).ok();
        let position = world.get(entity).map(|Position(place)| place).ok();
        println!("{entity}, {name}: health {health:?}, position {position:?}");
    }

    let unknown = r#"{ "ghost": { "Name": "ghost", "Ectoplasm": 3 } }"#;
    let wrong = r#"{ "dragon": { "Name": "dragon", "Health": "plenty" } }"#;
    for text in [unknown, wrong] {
        match load(text) {
            Ok(templates) => println!("loaded {} templates", templates.len()),
            Err(refused) => println!("refused: {refused}"),
        }
    }
    Ok(())
}

//! Templates: a JSON file describes entities as lists of components and values. The whole file is
//! validated before an entity is spawned. Errors name the template and the component.
//!
//! Run it with `cargo run --example templates`; the file is `examples/templates.json`.

use std::collections::BTreeMap;
use std::error::Error;

use cubefall::ecs::{self, Entity, World};
use serde_json::Value;

struct Name(String);
struct Health(u32);
struct Position([f32; 2]);

/// Value of one component of a template.
enum ComponentValue {
    Name(String),
    Health(u32),
    Position([f32; 2]),
}

type Templates = BTreeMap<String, Vec<ComponentValue>>;

fn parse_component(component: &str, value: Value) -> Result<ComponentValue, String> {
    let value = match component {
        "Name" => serde_json::from_value(value).map(ComponentValue::Name),
        "Health" => serde_json::from_value(value).map(ComponentValue::Health),
        "Position" => serde_json::from_value(value).map(ComponentValue::Position),
        _ => return Err("unknown component".into()),
    };
    value.map_err(|error| error.to_string())
}

fn load(text: &str) -> Result<Templates, Box<dyn Error>> {
    let file: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_str(text)?;
    let mut templates = Templates::new();
    for (template, components) in file {
        let values = templates.entry(template.clone()).or_default();
        for (component, value) in components {
            let value = parse_component(&component, value).map_err(|reason| {
                format!("template {template}, component {component}: {reason}")
            })?;
            values.push(value);
        }
    }
    Ok(templates)
}

fn spawn(template: &[ComponentValue], world: &mut World) -> Result<Entity, ecs::Error> {
    let entity = world.spawn(())?;
    for value in template {
        match value {
            ComponentValue::Name(name) => world.insert(entity, Name(name.clone()))?,
            ComponentValue::Health(points) => world.insert(entity, Health(*points))?,
            ComponentValue::Position(point) => world.insert(entity, Position(*point))?,
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
        let position = world.get(entity).map(|Position(point)| point).ok();
        println!("{entity}, {name}: health {health:?}, position {position:?}");
    }

    let unknown = r#"{ "ghost": { "Name": "ghost", "Ectoplasm": 3 } }"#;
    let wrong = r#"{ "dragon": { "Name": "dragon", "Health": "plenty" } }"#;
    for text in [unknown, wrong] {
        match load(text) {
            Ok(templates) => println!("loaded {} templates", templates.len()),
            Err(error) => println!("cannot load: {error}"),
        }
    }
    Ok(())
}

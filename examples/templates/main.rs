//! Templates: a JSON file describes entities by their components and values. The whole file is
//! validated before an entity is spawned. Errors name the template and the component.
//!
//! Run it with `cargo run --example templates --no-default-features --features sim`, or add a file and the
//! templates to spawn: `-- examples/templates.json guard guard door`.

mod file;

use std::process::ExitCode;

use cubefall::ecs::{Component, Entity, Template, World};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Deserialize, Serialize)]
struct Name(String);
#[derive(Clone, Deserialize, Serialize)]
struct Health(u32);
#[derive(Clone, Deserialize, Serialize)]
struct Position(f32, f32);
#[derive(Clone, Deserialize, Serialize)]
struct Appearance(char, String);
/// A tag has no data; it is `null` in a file.
#[derive(Clone, Deserialize, Serialize)]
struct Solid;
#[derive(Clone, Deserialize, Serialize)]
struct Minable;

/// A component that files can name.
struct Known {
    name: &'static str,
    /// Adds the component to a template.
    insert: fn(Value, &mut Template) -> serde_json::Result<()>,
    /// Returns the component of an entity as a value of a file.
    show: fn(Entity, &World) -> Option<Value>,
}

const COMPONENTS: [Known; 6] = [
    known::<Name>("Name"),
    known::<Health>("Health"),
    known::<Position>("Position"),
    known::<Appearance>("Appearance"),
    known::<Solid>("Solid"),
    known::<Minable>("Minable"),
];

const fn known<T>(name: &'static str) -> Known
where
    T: Component + Clone + DeserializeOwned + Serialize,
{
    Known {
        name,
        insert: |value, template| {
            // No key occurs twice, and each type has one key.
            assert!(template.insert(serde_json::from_value::<T>(value)?));
            Ok(())
        },
        show: |entity, world| serde_json::to_value(world.get::<&T>(entity).ok()?).ok(),
    }
}

fn run(file: &str, names: &[String]) -> Result<(), String> {
    let templates = file::load(file).map_err(|error| format!("cannot load {file}: {error}"))?;
    let of_name = |name: &String| {
        let found = templates.iter().find(|(other, _)| other == name);
        found.ok_or_else(|| format!("cannot spawn {name}: {file} has no such template"))
    };
    let chosen: Vec<_> = match names {
        [] => templates.iter().collect(),
        names => names.iter().map(of_name).collect::<Result<_, _>>()?,
    };

    let mut world = World::new();
    for (name, template) in chosen {
        let entity = world.spawn_template(template);
        print!("{entity} is a {name}:");
        for Known { name, show, .. } in &COMPONENTS {
            show(entity, &world).inspect(|value| print!(" {name} {value}"));
        }
        println!();
    }
    Ok(())
}

fn main() -> ExitCode {
    let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/templates.json");
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let (file, names) = arguments.split_first().map_or((bundled, &[][..]), |(f, n)| (f, n));
    match run(file, names) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

//! Every example of `docs/scenes.md` is read, and runs. Documented defaults are those of the program.

use std::collections::BTreeMap;
use std::sync::Arc;

use cubefall::scenes::{CameraPath, Scene};
use cubefall::sim::{Simulation, TimeStep};
use serde_json::{Value, json};

use crate::schema::Schema;

const PAGE: &str = include_str!("../../docs/scenes.md");

/// Reads a scene by parser and schema, and runs it for a second.
fn run(scene: &Value) -> Simulation {
    let text = scene.to_string();
    let parsed = Scene::parse("example.json", text.as_bytes());
    let parsed = Arc::new(parsed.unwrap_or_else(|error| panic!("{error}: {text}")));
    assert!(Schema(Scene::schema()).accepts(scene), "{text}");
    let mut simulation = Simulation::new(&parsed, parsed.mode).unwrap();
    for _ in 0..4 {
        simulation.step(TimeStep::fixed(0.25).unwrap()).unwrap();
    }
    simulation
}

/// Collects the keys of all objects of a schema.
fn collect_keys(schema: &Value, keys: &mut Vec<String>) {
    let parts: Box<dyn Iterator<Item = &Value>> = match schema {
        Value::Array(parts) => Box::new(parts.iter()),
        Value::Object(parts) => Box::new(parts.values()),
        _ => return,
    };
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        keys.extend(properties.keys().cloned());
    }
    parts.for_each(|part| collect_keys(part, keys));
}

#[test]
fn every_key_is_documented() {
    let mut keys = Vec::new();
    collect_keys(&Scene::schema(), &mut keys);
    assert!(keys.len() > 50, "{keys:?}");
    for key in keys {
        let is_named =
            [format!("`{key}`"), format!("\"{key}\"")].iter().any(|it| PAGE.contains(it));
        assert!(is_named, "the key {key} is missing in docs/scenes.md");
    }
}

/// The text of a section.
fn section(title: &str) -> &'static str {
    let start = format!("\n## {title}\n");
    let text = PAGE.split(&start).nth(1).unwrap_or_else(|| panic!("no section {title}"));
    text.split("\n## ").next().unwrap()
}

/// Cells of the rows of all tables of a section, without the heads.
fn rows(title: &str) -> Vec<Vec<String>> {
    let rows = section(title).lines().filter(|line| line.starts_with("| "));
    let cells = rows.map(|line| {
        let line = line.trim().trim_matches('|').replace("\\|", "/");
        line.split(" | ").map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    });
    cells
        .filter(|cells| !cells[0].starts_with("key") && !["form", "region"].contains(&&*cells[0]))
        .collect()
}

/// The texts between backticks that are JSON.
fn json_of(cell: &str) -> Vec<Value> {
    cell.split('`').skip(1).step_by(2).filter_map(|text| serde_json::from_str(text).ok()).collect()
}

/// A scene of one template with this value of a key.
fn with_template(key: &str, value: &Value) -> Value {
    let mut template = json!({
        "position": [0, 10, 0], "color": "#ff8000", "gravity": 1, "velocity": [0, 1, 0]
    });
    template[key] = value.clone();
    json!({"version": 1, "name": "example", "templates": {"t": template}})
}

#[test]
fn every_example_block_runs() {
    let mut kinds = BTreeMap::new();
    for block in PAGE.split("```json\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let value: Value = serde_json::from_str(text).unwrap();
        let is_scene = value.get("version").is_some();
        *kinds.entry(is_scene).or_insert(0) += 1;
        if is_scene {
            run(&value);
            continue;
        }
        CameraPath::parse("path.json", text.as_bytes()).unwrap();
        assert!(Schema(CameraPath::schema()).accepts(&value));
        let mut scene = with_template("scale", &json!(1));
        scene["camera_path"] = value;
        run(&scene);
    }
    assert!(kinds[&true] >= 1 && kinds[&false] >= 1, "{kinds:?}");
}

#[test]
fn every_example_of_a_table_runs() {
    let mut count = 0;
    let mut try_all = |key: &str, examples: Vec<Value>| {
        count += examples.len();
        for example in examples {
            run(&with_template(key, &example));
        }
    };
    for row in rows("Templates") {
        if let [key, _, _, example] = &row[..] {
            try_all(key.trim_matches('`'), json_of(example));
        }
    }
    for row in rows("Numbers") {
        try_all("scale", json_of(&row[1]));
    }
    for row in rows("Vectors").iter().filter(|row| row[2].starts_with("`{")) {
        try_all("position", json_of(&row[2]));
    }
    for (section, key) in [("Rotations", "rotation"), ("Colors", "color")] {
        for row in rows(section) {
            try_all(key, json_of(&row[1]));
        }
    }
    assert!(count >= 20, "{count} examples");
}

#[test]
fn every_form_of_an_entity_runs() {
    let mut count = 0;
    for row in rows("Entities") {
        let key = row[0].split('`').nth(1).unwrap();
        for example in json_of(&row[2]).into_iter().filter(Value::is_object) {
            let mut entity = json!({"position": [0, 10, 0], "color": "#ff8000"});
            entity[key] = example;
            run(&json!({"version": 1, "name": "example", "entities": [entity]}));
            count += 1;
        }
    }
    assert!(count >= 1);
    for rotation in
        [json!([0, 0.382_683_43, 0, 0.923_879_5]), json!({"axis": [0, 2, 0], "degrees": 45})]
    {
        let entity = json!({"position": [0, 10, 0], "color": "#ff8000", "rotation": rotation});
        let simulation = run(&json!({"version": 1, "name": "example", "entities": [entity]}));
        let turned = simulation.cubes().slice::<cubefall::components::Rotation>()[0].0;
        let expected = glam::Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
        assert!(turned.angle_between(expected) < 1e-3, "{turned}");
    }
}

#[test]
fn documented_defaults_are_those_of_the_program() {
    let mut count = 0;
    for (title, place) in [
        ("Scene", None),
        ("Tuning", Some("tuning")),
        ("Timeline", Some("timeline")),
        ("Camera", Some("camera")),
    ] {
        for row in rows(title) {
            let default = row[1].trim_matches('`');
            let Ok(default) = serde_json::from_str::<Value>(default) else { continue };
            let keys: Vec<_> = row[0].split('`').skip(1).step_by(2).collect();
            for key in keys {
                let mut plain = with_template("rotation", &json!("random"));
                if title == "Camera" {
                    let orbit = if key == "orbit_speed" { json!([0, 0, 0]) } else { Value::Null };
                    plain["camera"] = json!({"position": [0, 0, 50], "orbit": orbit});
                    if plain["camera"]["orbit"].is_null() {
                        plain["camera"].as_object_mut().unwrap().remove("orbit");
                    }
                    plain["mode"] = json!("camera-falls");
                }
                let mut explicit = plain.clone();
                match place {
                    Some(place) => explicit[place][key] = default.clone(),
                    None => explicit[key] = default.clone(),
                }
                let (plain, explicit) = (run(&plain), run(&explicit));
                assert_eq!(plain.state_hash(), explicit.state_hash(), "{title}: {key}");
                assert_eq!(plain.tuning(), explicit.tuning(), "{title}: {key}");
                assert_eq!(plain.has_ground(), explicit.has_ground(), "{title}: {key}");
                count += 1;
            }
        }
    }
    assert!(count >= 10, "{count} defaults");
}

#[test]
fn the_example_of_an_error_is_one() {
    let message = section("Errors").split("```text\n").nth(1).unwrap().lines().next().unwrap();
    let broken = "{ \"version\": 1, \"name\": \"a\", \"templates\": { \"red\": {\n\n\n\n\n\n\n\n\n\n\n\
                  \"position\": [0.000000, 100000.0, 0] } } }";
    let error = Scene::parse("mine.json", broken.as_bytes()).unwrap_err();
    let place = |text: &str| text.split(": ").skip(1).collect::<Vec<_>>().join(": ");
    assert_eq!(place(&error.to_string()), place(message));
    assert_eq!(error.position().unwrap().0, 12);
}

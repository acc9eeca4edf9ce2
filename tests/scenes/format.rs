//! Errors name file, line, column and JSON path, and the schema agrees with the parser.

use std::sync::Arc;

use cubefall::components::Light;
use cubefall::scenes::{Scene, bundled};
use cubefall::sim::{FallMode, Simulation};

use crate::schema::Schema;

fn error(text: &str) -> String {
    Scene::parse("a.json", text.as_bytes()).unwrap_err().to_string()
}

/// Returns a scene with one template of this position, and more keys after it.
fn with(position: &str) -> String {
    let head = r#"{"version": 1, "name": "a", "templates": {"#;
    format!("{head}\n\"t\": {{\"position\": {position}}}\n}}}}")
}

#[test]
fn an_error_names_line_column_path_and_expectation() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("", "line 1, column 1", &["the file ends"]),
        ("[]", "line 1, column 1", &["found an array, expected an object"]),
        ("{\"version\": 2}", "line 1, column 14", &["version: ", "`2`", "expected version 1"]),
        ("{\"name\": \"a\"}", "line 1, column 13", &["missing key `version`"]),
        ("{\"version\": 1}", "line 1, column 14", &["missing key `name`"]),
        ("{\"version\": 1,\n\"wind\": 3}", "line 2, column 6", &["unknown key `wind`", "`seed`"]),
        (
            "{\"version\": 1,\n\"name\": \"a,\n\"seed\": 2}",
            "line 2, column 12",
            &["a closing quote"],
        ),
        ("{\"two\\nlines\": 3}", "line 1, column", &["unknown key `two\\nlines`"]),
        ("{\"seed\": 1, \"seed\": 2}", "line 1, column 18", &["repeated key `seed`"]),
        ("{\"version\": 1, \"name\": \"\"}", "line 1, column 26", &["name: ", "1 to 64 printable"]),
        ("{\"version\": 1, \"name\": \"\\u001b[2J\"}", "line 1, column", &["printable"]),
        (
            "{\"seed\": -1}",
            "line 1, column 11",
            &["seed: found `-1`, expected a whole number in digits alone, 0 or more"],
        ),
        ("{\"mode\": \"up\"}", "line 1, column 13", &["`cubes-fall` or `camera-falls`"]),
        ("{\"mode\": true}", "line 1, column 13", &["mode: found `true`, expected a text"]),
        ("{\"motion\": null}", "line 1, column 15", &["motion: found null, expected a text"]),
        ("{\"palette\": {}}", "line 1, column 12", &["palette: found an object, expected a text"]),
        ("{\"color_by\": []}", "line 1, column 13", &["color_by: found an array, expected a text"]),
        ("{\"tuning\": {\"spin\": 5}}", "line 1, column 21", &["a factor from 0 to 4"]),
        ("{\"tuning\": {\"time\": -1}}", "line 1, column 22", &["a factor from 0 to 8"]),
        ("{\"tuning\": {\"speed\": 1}}", "line 1, column 19", &["unknown key `speed`"]),
        ("{\"light\": []}", "line 1, column 10", &["light: ", "expected an object"]),
        (
            "{\"templates\": {\"t\": []}}",
            "line 1, column 20",
            &["templates.t: ", "expected an object"],
        ),
        ("{\"entities\": [[]]}", "line 1, column 14", &["entities[0]: ", "expected an object"]),
        (
            "{\"camera\": {\"position\": [0, 0, 0], \"yaw\": 400}}",
            "line 1, column 46",
            &["camera.yaw: found `400`, expected an angle from -360 to 360 (degrees)"],
        ),
        ("{\"description\": null}", "line 1, column 20", &["description: ", "null", "text"]),
        ("{\"version\": 1, ", "line 1, column", &["the file ends"]),
        ("{\"tuning\": {\"time\": 2,, }}", "line 1, column 23", &["column 23: tuning: expected"]),
        ("{\"version\": 1, \"name\": \"a\"} x", "line 1, column 29", &["more values or text"]),
        ("{\"version\": NaN}", "line 1, column 13", &["expected a JSON value"]),
        ("{\"templates\": {\"t\": {\"scale\": {}}}}", "line 1, column", &["found an empty object"]),
        ("{\"tuning\": {\"gravity\": 4.1}}", "line 1, column 26", &["found `4.1`"]),
    ];
    for (text, place, words) in cases {
        let message = error(text);
        assert!(message.starts_with(&format!("a.json, {place}")), "{text}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{text}: {message}");
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn an_invalid_template_value_is_reported_with_its_path() {
    let cases: &[(&str, &[&str])] = &[
        ("[0, 1e39, 0]", &["line 2", "a length from -10000 to 10000 (m)"]),
        ("[0, 1e999, 0]", &["line 2", "number out of range"]),
        (
            "[0, 10001, 0]",
            &["line 2", "templates.t.position[1]: ", "10001", "a length from -10000"],
        ),
        ("[0, -18446744073709551616, 0]", &["line 2", "a length from"]),
        ("[0, 0]", &["line 2", "found a length of 2"]),
        ("[0, 0, 0, 0]", &["line 2", "more values or text"]),
        ("[0, \"0\", 0]", &["line 2", "the text", "a length from"]),
        ("[0, {\"uniform\": [2, 1]}, 0]", &["line 2", "position[1].uniform: ", "ascending"]),
        ("[0, {\"uniform\": [1, 2], \"choice\": [1]}, 0]", &["line 2", "exactly one is expected"]),
        ("[0, {\"uniformly\": [1, 2]}, 0]", &["line 2", "`uniform` or `choice`"]),
        ("[0, {}, 0]", &["line 2"]),
        ("[0, {\"choice\": []}, 0]", &["line 2", "1 to 1000 values"]),
        ("{\"sphere\": {\"radius\": -1}}", &["line 2", "negative"]),
        ("{\"sphere\": {\"radius\": [3, 2]}}", &["line 2", "sphere.radius: ", "ascending"]),
        ("{\"sphere\": {\"radius\": 1, \"height\": 2}}", &["line 2", "unknown key `height`"]),
        ("{\"ball\": {}}", &["line 2", "`sphere`, `disk`, `spiral`, `grid`"]),
        (
            "{\"grid\": {\"counts\": [0, 1, 1], \"spacing\": [1, 1, 1]}}",
            &["counts[0]: found `0`, expected 1 to 100000000"],
        ),
        ("{\"grid\": {\"counts\": [9999, 9999, 9999], \"spacing\": [1, 1, 1]}}", &["product"]),
        ("[0, 0, 0], \"position\": [0, 0, 0]", &["line 2", "repeated key `position`"]),
        (
            "[0, 0, 0], \"count\": 100000001",
            &["line 2", "count: found `100000001`, expected 0 to 100000000"],
        ),
        ("[0, 0, 0], \"count\": 1.5", &["line 2", "1.5"]),
        ("[0, 0, 0], \"count\": -1", &["line 2", "-1"]),
        ("[0, 0, 0], \"scale\": 0", &["line 2", "an edge from 0.001 to 1000"]),
        ("[0, 0, 0], \"color\": \"red\"", &["line 2", "\"red\"", "#ff8000"]),
        ("[0, 0, 0], \"color\": \"#12345\"", &["line 2", "#12345"]),
        ("[0, 0, 0], \"color\": {\"hsv\": [2, 1, 1]}", &["line 2", "a number from 0 to 1"]),
        ("[0, 0, 0], \"rotation\": \"any\"", &["line 2", "random"]),
        ("[0, 0, 0], \"rotation\": [1, 1, 0, 0]", &["line 2", "unit quaternion"]),
        (
            "[0, 0, 0], \"rotation\": {\"axis\": [0, 0, 0], \"degrees\": 1}",
            &["axis: ", "a direction too short"],
        ),
        ("[0, 0, 0], \"gravity\": null", &["line 2", "null"]),
        ("[0, 0, 0], \"gravity\": {\"sphere\": {\"radius\": 1}}", &["line 2", "`uniform`"]),
        ("[0, 0, 0], \"gravity\": 0", &["line 2", "gravity without a color"]),
        ("[0, 0, 0], \"respawn\": \"never\"", &["line 2", "`top` or `start`"]),
        ("[0, 0, 0], \"respawn\": 3", &["line 2", "respawn: found `3`, expected a text"]),
    ];
    for (position, words) in cases {
        let message = error(&with(position));
        assert!(words.iter().all(|word| message.contains(word)), "{position}: {message}");
    }
}

#[test]
fn duplicate_templates_and_too_many_entities_are_refused() {
    let message = error(&with("[0, 0, 0]},\n\"t\": {\"position\": [0, 0, 0]"));
    assert!(message.contains("line 3") && message.contains("duplicate template `t`"), "{message}");
    let half = "[0, 0, 0], \"count\": 60000000";
    let message = error(&with(&format!("{half}}},\n\"u\": {{\"position\": {half}")));
    assert!(
        message.contains(
            "line 2, column 6: templates: 120000000 entities, expected 100000000 at most"
        ),
        "{message}"
    );
    let many: Vec<_> = (0..257).map(|n| format!("\"{n}\": {{\"position\": [0,0,0]}}")).collect();
    let text = format!("{{\"templates\": {{{}}}}}", many.join(",\n"));
    assert!(error(&text).contains("templates: too many templates, expected up to 256"));
}

#[test]
fn an_invalid_entity_is_reported_with_its_path() {
    let cases = [
        ("{}", "expected a template or a position"),
        ("{\"template\": \"x\"}", "there is no template `x`"),
        ("{\"template\": \"t\", \"template\": \"t\"}", "repeated key `template`"),
        ("{\"template\": \"t\", \"scale\": 1, \"scale\": 1}", "repeated key `scale`"),
        ("{\"template\": \"t\", \"gravity\": 1}", "gravity without a color"),
        ("{\"position\": [0, 0, 0], \"gravity\": 1}", "gravity without a color"),
        ("{\"template\": \"t\", \"mass\": 1}", "unknown key `mass`"),
        ("{\"position\": [0, 0, 1e39]}", "number out of range"),
        ("{\"position\": [0, 0, 1e5]}", "a length from"),
        ("{\"position\": [0, 0, 0], \"scale\": {\"uniform\": [1, 2]}}", "an edge from"),
    ];
    for (entity, words) in cases {
        let text = format!(
            "{{\"version\": 1, \"name\": \"a\",\n\"templates\": {{\"t\": {{\"position\": [0, 0, 0]}}}},\n\
             \"entities\": [\n{entity}]}}"
        );
        let message = error(&text);
        assert!(
            message.starts_with("a.json, line 4, column ")
                && message.contains("entities[0]")
                && message.contains(words),
            "{message}"
        );
    }
}

#[test]
fn keys_that_contradict_each_other_are_refused() {
    let cases = [
        (
            r#""camera": {"position": [1, 2, 3], "orbit": [1, 2, 3]}"#,
            "1 to 2000 m from the position",
        ),
        (r#""camera": {"position": [1, 2, 3], "orbit": [3000, 2, 3]}"#, "1 to 2000 m"),
        (r#""camera": {"position": [1, 2, 3], "look_at": [1, 2, 3]}"#, "expected another point"),
        (r#""camera": {"position": [1, 2, 3], "look_at": [0, 0, 0], "yaw": 1}"#, "look_at besides"),
    ];
    for (camera, words) in cases {
        let message = error(&format!("{{\"version\": 1, \"name\": \"a\",\n{camera}}}"));
        assert!(message.starts_with("a.json, line 2, column 11: camera: "), "{camera}: {message}");
        assert!(message.contains(words), "{camera}: {message}");
    }
}

#[test]
fn parts_that_contradict_each_other_are_refused() {
    let path =
        r#"{"keys": [{"time": 0, "position": [0, 0, 5]}, {"time": 4, "position": [0, 2, 5]}]}"#;
    let orbit = format!(
        r#""camera": {{"position": [0, 0, 9], "orbit": [0, 0, 0]}}, "camera_path": {path}"#
    );
    for (keys, words) in [
        (r#""timeline": {"switch_every": 5, "rewind_after": 5}"#, "rewind_after, expected one"),
        (&orbit, "orbit besides camera_path"),
    ] {
        let message = error(&format!("{{\"version\": 1, \"name\": \"a\", {keys}}}"));
        assert!(message.contains(words), "{message}");
    }
    let message = error(&with("{\"sphere\": {\"radius\": [-1, 2]}}"));
    assert!(message.contains("a radius is negative"), "{message}");
}

#[test]
fn line_ends_do_not_change_the_fingerprint_and_names_of_templates_are_those_of_the_file() {
    let text = with(r##"[0, 0, 0], "name": "Anna", "color": "#ffffff""##);
    let parse = |text: &str| Scene::parse("a.json", text.as_bytes()).unwrap();
    let [unix, windows] =
        [text.clone(), text.replace('\n', "\r\n")].map(|it| parse(&it).fingerprint());
    assert!(text.contains('\n') && unix == windows, "{unix} {windows}");
    let simulation = Simulation::new(Arc::new(parse(&text)), FallMode::Cubes).unwrap();
    let named = simulation.world().query::<cubefall::ecs::Entity>();
    assert!(named.iter().any(|entity| simulation.name(entity) == Some("Anna")));
}

#[test]
fn a_loop_may_end_after_a_full_turn() {
    let path = |yaw: f32| {
        let text = format!(
            r#"{{"loop": true, "keys": [{{"time": 0, "position": [0, 0, 5], "yaw": 0}},
            {{"time": 4, "position": [0, 0, 5], "yaw": {yaw}}}]}}"#
        );
        cubefall::scenes::CameraPath::parse("path.json", text.as_bytes()).is_ok()
    };
    assert!(path(360.0) && path(-360.0) && path(0.0) && !path(90.0));
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let template =
        r##""templates": {"t": {"position": [0, 0, 0], "color": "#ffffff", "gravity": 1}}"##;
    let entities =
        r#""entities": [{"name": "b", "template": "t"}, {"template": "t", "name": "b"}]"#;
    let parse = |text: String| Scene::parse("a.json", text.as_bytes()).unwrap().to_json().unwrap();
    let first = parse(format!(r#"{{"version": 1, "name": "a", {template}, {entities}}}"#));
    let second = parse(format!(r#"{{{entities}, {template}, "name": "a", "version": 1}}"#));
    assert_eq!(first, second);
}

#[test]
fn gravity_and_color_may_come_from_entity_and_template() {
    for (template, entity) in [
        ("\"color\": \"#ffffff\"", "\"gravity\": 1"),
        ("\"scale\": 2", "\"gravity\": 1, \"color\": \"#ffffff\""),
    ] {
        let text = format!(
            "{{\"version\": 1, \"name\": \"a\", \"templates\": {{\"t\": {{\"position\": [0, 0, 0], {template}}}}},\
             \"entities\": [{{\"template\": \"t\", {entity}}}]}}"
        );
        Scene::parse("a.json", text.as_bytes()).unwrap();
    }
    // The schema requires a color, too.
    let schema = Schema(Scene::schema());
    let falls =
        |color| serde_json::json!({ "version": 1, "name": "a", "templates": { "t": color } });
    let unseen = serde_json::json!({ "position": [0, 0, 0], "gravity": 1 });
    let seen = serde_json::json!({ "position": [0, 0, 0], "gravity": 1, "color": "#ffffff" });
    assert!(schema.accepts(&falls(seen)) && !schema.accepts(&falls(unseen)));
}

#[test]
fn utf_8_and_utf_16_with_a_mark_are_read_and_other_encodings_refused() {
    let text = bundled()[0].scene().unwrap().to_json().unwrap();
    let marked = format!("\u{feff}{text}");
    let units: Vec<_> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [marked.as_bytes(), &units] {
        assert_eq!(Scene::parse("a.json", bytes).unwrap().to_json().unwrap(), text);
    }
    let message = Scene::parse("a.json", b"{\n \"name\": \"\xFF\"}").unwrap_err();
    assert_eq!(message.position(), Some((2, 11)));
    assert!(message.to_string().contains("UTF-8"), "{message}");
}

#[test]
fn an_unreadable_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("missing.json")] {
        let message = Scene::read(&path).unwrap_err().to_string();
        assert!(message.starts_with(&path.display().to_string()), "{message}");
        assert!(message.contains("cannot be read"), "{message}");
    }
}

#[test]
fn a_file_above_32_mib_is_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(33 << 20).unwrap();
    let message = Scene::read(file.path()).unwrap_err().to_string();
    assert!(message.contains("larger than 32 MiB"), "{message}");
}

#[test]
fn light_is_that_of_the_file_and_otherwise_the_default() {
    let text = r#"{"version": 1, "name": "a", "entities": [{"position": [0, 0, 0]}],
        "light": {"sun_direction": [0, 5, 0], "sun": [1, 2, 3], "fog_distance": 50}}"#;
    let scene = Scene::parse("a.json", text.as_bytes()).unwrap();
    let light = Simulation::new(Arc::new(scene), FallMode::Cubes).unwrap().light();
    let expected = Light {
        sun_direction: glam::Vec3::Y,
        sun: glam::Vec3::new(1.0, 2.0, 3.0),
        fog_distance: 50.0,
        ..Light::default()
    };
    assert_eq!(light, expected);
}

#[test]
fn the_schema_accepts_bundled_scenes_and_refuses_mistakes() {
    let schema = Schema(Scene::schema());
    for file in bundled() {
        let json: serde_json::Value = serde_json::from_str(file.text).unwrap();
        assert!(schema.accepts(&json), "{}", file.name);
        // Schema and parser both refuse an unknown key and `null` anywhere.
        for wrong in mistakes(&json) {
            let text = wrong.to_string();
            assert!(Scene::parse("a.json", text.as_bytes()).is_err(), "{text}");
            assert!(!schema.accepts(&wrong), "{text}");
        }
    }
    for (template, is_valid) in [
        ("\"position\": [0, 0, 0], \"color\": \"#ff8000\"", true),
        ("\"position\": [0, 0, 0], \"color\": \"red\"", false),
        ("\"position\": [0, 0, 0], \"color\": \"#fff\"", false),
        ("\"position\": [0, 0, 0], \"count\": 20", true),
        ("\"position\": [0, 0, 0], \"count\": 1000000000", false),
        ("\"position\": [0, 0, 0], \"name\": \"\"", false),
        ("\"position\": {\"menger\": {\"edge\": 9, \"level\": 2}}", true),
        ("\"position\": {\"menger\": {\"edge\": 9, \"level\": 9}}", false),
        ("\"position\": {\"spiral\": {\"radius\": 9, \"arms\": 0, \"turns\": 1}}", false),
        ("\"position\": {\"grid\": {\"counts\": [2, 1, 1], \"spacing\": [1, 1, 1]}}", true),
        ("\"position\": {\"grid\": {\"counts\": [2, 0, 1], \"spacing\": [1, 1, 1]}}", false),
    ] {
        let head = r#"{"$schema": "./scene.json", "version": 1, "name": "a", "templates": {"t": {"#;
        let text = format!("{head}{template}}}}}}}");
        assert_eq!(Scene::parse("a.json", text.as_bytes()).is_ok(), is_valid, "{text}");
        assert_eq!(schema.accepts(&serde_json::from_str(&text).unwrap()), is_valid, "{text}");
    }
    for (camera, is_valid) in
        [("\"orbit\": [0, 9, 0], \"orbit_speed\": 5", true), ("\"orbit_speed\": 5", false)]
    {
        let head = r#"{"version": 1, "name": "a", "templates": {"t": {"position": [0, 0, 0]}}"#;
        let text = format!("{head}, \"camera\": {{\"position\": [0, 0, 0], {camera}}}}}");
        assert_eq!(Scene::parse("a.json", text.as_bytes()).is_ok(), is_valid, "{text}");
        assert_eq!(schema.accepts(&serde_json::from_str(&text).unwrap()), is_valid, "{text}");
    }
    let defaults = schema.0.pointer("/$defs/LightSpec/properties/sun/default").unwrap();
    assert_eq!(defaults.to_string(), "[2.9,2.5,2.0]", "no digits of f32");
    let settings = cubefall::sim::SceneSettings { cubes: 20, seed: 1 };
    let saved = Simulation::new(settings, FallMode::Camera).unwrap().to_scene().unwrap();
    let saved: serde_json::Value = serde_json::from_str(&saved.to_json().unwrap()).unwrap();
    assert!(schema.accepts(&saved), "{saved}");
}

/// Returns a copy for each object, with an unknown key in it, and for each value, with `null` for it.
fn mistakes(json: &serde_json::Value) -> Vec<serde_json::Value> {
    let mut found = Vec::new();
    let mut paths = vec![String::new()];
    while let Some(path) = paths.pop() {
        match json.pointer(&path).unwrap() {
            serde_json::Value::Object(object) => {
                // Templates may have any name.
                if path != "/templates" {
                    let mut wrong = json.clone();
                    wrong.pointer_mut(&path).unwrap()["unknown"] = 1.into();
                    found.push(wrong);
                }
                paths.extend(object.keys().map(|key| format!("{path}/{key}")));
            }
            serde_json::Value::Array(items) => {
                paths.extend((0..items.len()).map(|place| format!("{path}/{place}")));
            }
            _ => {}
        }
        if !path.is_empty() {
            let mut wrong = json.clone();
            *wrong.pointer_mut(&path).unwrap() = serde_json::Value::Null;
            found.push(wrong);
        }
    }
    found
}

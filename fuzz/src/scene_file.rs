//! Coverage-guided fuzzing of the scene file parser: any bytes give a scene or an error with a position.
//! A parsed scene is written and read back unchanged.

#![no_main]

use cubefall::scenes::Scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Scene::parse("fuzzed.json", bytes) {
        Ok(scene) => {
            let text = scene.to_json().expect("a parsed scene fits into a file");
            let reparsed =
                Scene::parse("saved.json", text.as_bytes()).expect("a written scene is valid");
            let saved = reparsed.to_json().expect("a parsed scene fits into a file");
            assert_eq!(saved, text);
        }
        Err(error) => {
            let (line, column) = error.position().expect("an error has a position");
            assert!(line >= 1 && column >= 1 && !error.to_string().contains(char::is_control));
        }
    }
});

//! The reader of scene files, steered by coverage: whatever the bytes, it gives a scene or says where
//! the mistake is, and a scene that it gives is written and read as the same scene.

#![no_main]

use cubefall::scenes::Scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match Scene::parse("fuzzed.json", bytes) {
        Ok(scene) => {
            let text = scene.to_json().expect("it was small enough to be read");
            let again = Scene::parse("saved.json", text.as_bytes()).expect("it was just written");
            let saved = again.to_json().expect("it was small enough to be read");
            assert_eq!(saved, text);
        }
        Err(error) => {
            let (line, column) = error.position().expect("a mistake has a place");
            assert!(line >= 1 && column >= 1 && !error.to_string().contains(char::is_control));
        }
    }
});

//! A graphics driver that fails, around lavapipe.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Description of lavapipe, without the architecture that follows in newer versions.
const LAVAPIPE: &str = "lvp_icd";

/// Builds the driver of `driver.c` in a folder.
pub(crate) fn build(folder: &Path) -> Driver {
    let library = folder.join("driver.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/window/driver.c");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).args([source, "-ldl"]);
    assert!(compiler.status().unwrap().success());
    let description = folder.join("driver.json");
    let content = json!({
        "file_format_version": "1.0.0",
        "ICD": { "api_version": "1.1.0", "library_path": library },
    });
    fs::write(&description, content.to_string()).unwrap();
    Driver { description, lavapipe: lavapipe() }
}

/// A driver that was built.
pub(crate) struct Driver {
    description: PathBuf,
    lavapipe: String,
}

impl Driver {
    /// Makes a command use it, with a failure: the name and the value of a variable of `driver.c`.
    pub(crate) fn fails(&self, command: &mut Command, [name, value]: [&str; 2]) {
        command
            .env("VK_ICD_FILENAMES", &self.description)
            .env("VK_DRIVER_FILES", &self.description);
        command.env("DRIVER", &self.lavapipe).env(name, value);
    }
}

/// Returns the path of lavapipe.
fn lavapipe() -> String {
    let mut files = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .map(|file| file.unwrap().path());
    let is_lavapipe =
        |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(LAVAPIPE);
    let file =
        files.find(is_lavapipe).expect("lavapipe; set up this machine with: ./setup.sh --tests");
    let description: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    description["ICD"]["library_path"].as_str().unwrap().to_owned()
}

//! `cubefall scenes`: lists the bundled scenes, prints one, or prints the JSON schema.

use std::fmt::Write as _;

use super::CommandError;
use crate::cli::ScenesArgs;
use crate::output;
use crate::scenes::{CameraPath, Scene, bundled};
use crate::units;

pub(super) fn run(args: &ScenesArgs) -> Result<(), CommandError> {
    if let Some(scene) = args.name {
        return Ok(output::print(scene.text)?);
    }
    if args.schema {
        return Ok(output::print(&format!("{:#}\n", Scene::schema()))?);
    }
    if args.path_schema {
        return Ok(output::print(&format!("{:#}\n", CameraPath::schema()))?);
    }
    if args.json {
        return Ok(output::print(&format!("{:#}\n", json()?))?);
    }
    let mut lines = String::new();
    for file in bundled() {
        let scene = file.scene()?;
        let _ = writeln!(
            lines,
            "{:<10}{:>9}  {:<13}{}",
            file.name,
            units::count(scene.len()),
            scene.mode.name(),
            scene.description()
        );
    }
    Ok(output::print(&lines)?)
}

/// Returns the bundled scenes as a JSON array.
fn json() -> Result<serde_json::Value, CommandError> {
    let scenes = bundled().iter().map(|file| {
        let scene = file.scene()?;
        Ok(serde_json::json!({
            "name": file.name,
            "cubes": scene.len(),
            "mode": scene.mode.name(),
            "motion": scene.motion.name(),
            "description": scene.description(),
        }))
    });
    scenes.collect()
}

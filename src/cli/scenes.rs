//! Scene files on the command line, and the flags of `cubefall scenes`.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use clap::Args;

use crate::scenes::{Bundled, Scene, bundled};

/// Flags of `cubefall scenes`.
#[derive(Args, Debug)]
pub struct ScenesArgs {
    /// Scene to print, as a start for your own; without a name, all scenes are listed
    #[arg(value_parser = parse_name)]
    pub name: Option<Bundled>,
    /// Print the JSON schema of scene files
    #[arg(long, conflicts_with = "name")]
    pub schema: bool,
}

/// Scene of the flag `--scene`, already parsed.
#[derive(Clone, Debug)]
pub struct ChosenScene {
    argument: OsString,
    scene: Arc<Scene>,
}

impl ChosenScene {
    /// Returns the argument of the flag: a path or a bundled name.
    pub fn argument(&self) -> &OsStr {
        &self.argument
    }

    /// Returns the path of the file; `None` for a bundled scene.
    pub fn file(&self) -> Option<&Path> {
        let bundled = self.argument.to_str().and_then(find);
        bundled.is_none().then_some(Path::new(&self.argument))
    }

    /// Returns the scene, with `seed` instead of its own if there is one.
    pub fn scene(&self, seed: Option<u64>) -> Arc<Scene> {
        match seed {
            Some(seed) => Arc::new(Scene::clone(&self.scene).with_seed(seed)),
            None => Arc::clone(&self.scene),
        }
    }

    /// Returns name and content hash, which tell results of different scenes apart.
    pub fn fingerprint(&self) -> String {
        self.scene.fingerprint()
    }
}

fn find(name: &str) -> Option<Bundled> {
    bundled().iter().copied().find(|scene| scene.name == name)
}

fn names() -> String {
    bundled().iter().map(|scene| scene.name).collect::<Vec<_>>().join(", ")
}

/// Parses the name of a bundled scene.
fn parse_name(text: &str) -> Result<Bundled, String> {
    find(text).ok_or_else(|| format!("unknown scene, expected one of {}", names()))
}

/// Parses the argument of `--scene`: a bundled name, or else a path.
pub(super) fn parse(argument: OsString) -> Result<ChosenScene, String> {
    let path = Path::new(&argument);
    let scene = match argument.to_str().and_then(find) {
        Some(bundled) => bundled.scene(),
        None if path.extension().is_none() && !path.exists() => {
            return Err(format!("no such file, expected a file or one of {}", names()));
        }
        None => Scene::read(path),
    };
    let scene = scene.map_err(|error| error.to_string())?;
    Ok(ChosenScene { argument, scene: Arc::new(scene) })
}

/// Refuses `--scene` for a sweep, which varies the number of cubes of the classic scene.
#[cfg(feature = "benchmark")]
pub(super) fn no_sweep(_: &str) -> Result<ChosenScene, String> {
    Err("a sweep varies the number of cubes of the classic scene; remove --scene".to_owned())
}

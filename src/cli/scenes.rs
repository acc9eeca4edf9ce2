//! Scene files on the command line, and the flags of `cubefall scenes`.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

#[cfg(feature = "app")]
use crate::input_file::{self, Version};
use crate::scenes::{Bundled, Scene, bundled};

/// Flags of `cubefall scenes`.
#[derive(Args, Debug)]
pub struct ScenesArgs {
    /// Scene to print, as a start for your own; without a name, all scenes are listed
    #[arg(value_parser = bundled_name(), hide_possible_values = true)]
    pub name: Option<Bundled>,
    /// Print the JSON schema of scene files
    #[arg(long, conflicts_with = "name")]
    pub schema: bool,
    /// Print the JSON schema of files of camera paths
    #[arg(long, conflicts_with_all = ["name", "schema"])]
    pub path_schema: bool,
    /// Print the list as JSON
    #[arg(long, conflicts_with_all = ["name", "schema", "path_schema"])]
    pub json: bool,
}

/// Scene of the flag `--scene`, already parsed.
#[derive(Clone, Debug)]
pub struct ChosenScene {
    argument: OsString,
    scene: Arc<Scene>,
    #[cfg(feature = "app")]
    version: Option<Version>,
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

    /// Returns the version of the file before it was read; `None` for a bundled scene.
    #[cfg(feature = "app")]
    pub(crate) fn version(&self) -> Option<Version> {
        self.version
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

/// Returns the bundled scene of a name.
pub(super) fn bundled_scene(name: &str) -> Option<ChosenScene> {
    let scene = Arc::new(find(name)?.scene().ok()?);
    Some(ChosenScene {
        argument: name.into(),
        scene,
        #[cfg(feature = "app")]
        version: None,
    })
}

pub(super) fn names() -> String {
    bundled().iter().map(|scene| scene.name).collect::<Vec<_>>().join(", ")
}

/// Returns the parser of the name of a bundled scene.
fn bundled_name() -> impl TypedValueParser<Value = Bundled> {
    PossibleValuesParser::new(bundled().iter().map(|scene| scene.name))
        .map(|name| find(&name).expect("one of the names"))
}

/// Returns the bundled name that is most similar to a mistyped one.
fn similar(name: &str) -> Option<&'static str> {
    /// From 0 (nothing in common) to 1 (equal).
    const LEAST_SIMILARITY: f64 = 0.85;
    let rated = bundled().iter().map(|scene| (strsim::jaro_winkler(name, scene.name), scene.name));
    let best = rated.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(similarity, _)| *similarity >= LEAST_SIMILARITY).map(|(_, name)| name)
}

/// Parses the argument of `--scene`: a bundled name, or else a path.
pub(super) fn parse(argument: OsString) -> Result<ChosenScene, Box<dyn Error + Send + Sync>> {
    let path = Path::new(&argument);
    #[cfg(feature = "app")]
    let version = input_file::version(path);
    let scene = match argument.to_str().and_then(find) {
        Some(bundled) => bundled.scene(),
        None if path.extension().is_none() && matches!(path.try_exists(), Ok(false)) => {
            let similar = argument.to_str().and_then(similar);
            let hint = similar.map_or_else(String::new, |name| format!("; did you mean {name}?"));
            return Err(format!("no such file or scene{hint} (scenes: {})", names()).into());
        }
        None => Scene::read(path),
    };
    Ok(ChosenScene {
        argument,
        scene: Arc::new(scene?),
        #[cfg(feature = "app")]
        version,
    })
}

/// Refuses `--scene` and `--open` for a sweep, which varies the number of cubes of the classic scene.
#[cfg(feature = "benchmark")]
pub(super) fn no_sweep<T>(_: &str) -> Result<T, String> {
    Err("a sweep varies the number of cubes of the classic scene; remove this option".to_owned())
}

//! Scenes: a scene file as the command line names it, and the flags of `cubefall scenes`.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use crate::scenes::{Bundled, Scene, bundled};

/// `cubefall scenes`.
#[derive(Args, Debug)]
pub struct ScenesArgs {
    /// The scene to print, as a file to start from; without one, all are listed
    #[arg(value_parser = named)]
    pub name: Option<Bundled>,
    /// Print the JSON schema of scene files
    #[arg(long, conflicts_with = "name")]
    pub schema: bool,
}

/// The scene that was asked for.
#[derive(Clone, Debug)]
pub struct ChosenScene {
    given: String,
    scene: Arc<Scene>,
}

impl ChosenScene {
    /// What was asked for: a file or a name.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The file it was read from; `None` if it came with the program.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        found(&self.given).is_none().then_some(Path::new(&self.given))
    }

    /// The scene, from another start of the random numbers if there is one.
    #[must_use]
    pub fn scene(&self, seed: Option<u64>) -> Arc<Scene> {
        match seed {
            Some(seed) => Arc::new(Scene::clone(&self.scene).with_seed(seed)),
            None => Arc::clone(&self.scene),
        }
    }

    /// Name and hash of the content.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.scene.fingerprint()
    }
}

fn found(name: &str) -> Option<Bundled> {
    bundled().iter().copied().find(|scene| scene.name == name)
}

fn names() -> String {
    bundled().iter().map(|scene| scene.name).collect::<Vec<_>>().join(", ")
}

/// Finds a scene that comes with the program.
fn named(text: &str) -> Result<Bundled, String> {
    found(text).ok_or_else(|| format!("there are {}", names()))
}

/// Reads a scene that comes with the program, or a file.
pub(super) fn parse(text: &str) -> Result<ChosenScene, String> {
    let path = Path::new(text);
    let scene = match found(text) {
        Some(bundled) => bundled.scene(),
        None if path.extension().is_none() && !path.exists() => {
            return Err(format!(
                "there is no such file, and no scene of that name but {}",
                names()
            ));
        }
        None => Scene::read(path),
    };
    let scene = scene.map_err(|error| error.to_string())?;
    Ok(ChosenScene { given: text.to_owned(), scene: Arc::new(scene) })
}

/// A sweep is over counts, which a scene file says by itself.
#[cfg(feature = "benchmark")]
pub(super) fn no_sweep(_: &str) -> Result<ChosenScene, String> {
    Err("a sweep makes the classic scene larger and larger; it takes no other".to_owned())
}

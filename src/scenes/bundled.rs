//! Bundled: the scenes that come with the program.

use super::error::SceneError;
use super::scene::Scene;

/// A scene file that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundled {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The content of the file.
    pub text: &'static str,
}

macro_rules! bundled {
    ($($name:literal),+) => {
        [$(Bundled {
            name: $name,
            text: include_str!(concat!("../../scenes/", $name, ".json")),
        }),+]
    };
}

/// All of them, in the order in which they are listed.
const BUNDLED: &[Bundled] =
    &bundled!["classic", "rain", "tower", "sphere", "galaxy", "fountain", "sunset", "stress"];

/// The scenes that come with the program.
#[must_use]
pub fn bundled() -> &'static [Bundled] {
    BUNDLED
}

impl Bundled {
    /// Reads the scene.
    ///
    /// # Errors
    /// The file is no scene, which a test rules out.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        Scene::parse(&format!("{}.json", self.name), self.text.as_bytes())
    }
}

//! Scene files that are part of the program.

use super::error::SceneError;
use super::scene::Scene;

/// A scene file that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bundled {
    /// Name on the command line.
    pub name: &'static str,
    /// Content of the file.
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

/// All bundled scenes, in the order of lists.
const BUNDLED: &[Bundled] = &bundled![
    "classic", "switch", "sponge", "tower", "galaxy", "sphere", "fountain", "rain", "sunset",
    "stress"
];

/// Returns the scene files that are part of the program, in the order of lists.
pub fn bundled() -> &'static [Bundled] {
    BUNDLED
}

impl Bundled {
    /// Parses the file.
    ///
    /// # Errors
    /// The file is not a valid scene. A test rules this out.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        Scene::parse(&format!("{}.json", self.name), self.text.as_bytes())
    }
}

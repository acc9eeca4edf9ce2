//! Scene: which cubes there are.

use clap::Args;

use super::{ChosenScene, scenes, values};
use crate::sim::{FallMode, SceneSettings, SceneSource};

/// Heading of these flags in `--help`.
pub(super) const HEADING: &str = "Scene";

/// Which cubes there are, and who falls.
#[derive(Args, Clone, Debug)]
pub struct SceneArgs {
    /// How many cubes, from 1 to 100M; 10k and 1.5M are understood
    #[arg(long, value_name = "N", default_value = "10k", value_parser = values::parse_count)]
    #[arg(conflicts_with = "scene", help_heading = HEADING)]
    pub cubes: u32,
    /// Start of the random numbers; the same seed gives the same scene on every machine [default: 1, or
    /// that of the scene file]
    #[arg(long, value_name = "S", help_heading = HEADING)]
    pub seed: Option<u64>,
    /// Who falls [default: cubes-fall, or as the scene file says]
    #[arg(long, value_enum, help_heading = HEADING)]
    pub mode: Option<FallMode>,
    /// A scene file, or one of those that `cubefall scenes` lists
    #[arg(long, value_name = "FILE|NAME", value_parser = scenes::parse, help_heading = HEADING)]
    pub scene: Option<ChosenScene>,
}

impl SceneArgs {
    /// The scene these flags describe.
    #[must_use]
    pub fn start(&self) -> SceneSource {
        match &self.scene {
            Some(chosen) => SceneSource::File(chosen.scene(self.seed)),
            None => SceneSource::Classic(SceneSettings {
                cubes: self.cubes,
                seed: self.seed.unwrap_or(SceneSettings::default().seed),
            }),
        }
    }

    /// Who falls.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.mode.unwrap_or_else(|| self.start().mode())
    }
}

//! Flags that select the scene.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};

use super::{CameraArgs, ChosenScene, SharedView, TuningArgs, scenes, values};
use crate::components::Motion;
use crate::ecs::Error;
use crate::sim::{CLASSIC, CameraSetup, FallMode, SceneSettings, SceneSource, Simulation, Tuning};

/// Heading of these flags in `--help`.
pub(super) const HEADING: &str = "Scene";

/// Scene to simulate, and its fall mode.
#[derive(Args, Clone, Debug)]
pub struct SceneArgs {
    /// Number of cubes, from 1 to 100M, such as 10k or 1.5M
    #[arg(long, value_name = "N", default_value = "10k", value_parser = values::parse_count)]
    #[arg(conflicts_with = "scene", help_heading = HEADING)]
    pub cubes: u32,
    /// Random seed; the same seed gives the same scene on every machine with IEEE 754 single-precision
    /// arithmetic [default: 1, or the seed of the scene file]
    #[arg(long, value_name = "S", value_parser = values::whole::<u64>(0..=u64::MAX), help_heading = HEADING)]
    pub seed: Option<u64>,
    /// Whether the cubes or the camera fall [default: cubes-fall, or the mode of the scene file]
    #[arg(long, value_enum, help_heading = HEADING)]
    pub mode: Option<FallMode>,
    /// How the motion of cubes is computed: by the CPU in each step, or by the GPU when a cube is drawn
    /// [default: integrated, or the motion of the scene file]
    #[arg(long, value_enum, help_heading = HEADING)]
    pub motion: Option<Motion>,
    /// Scene file, or a name from `cubefall scenes`
    #[arg(long, value_name = "FILE|NAME", value_parser = OsStringValueParser::new().try_map(scenes::parse), help_heading = HEADING)]
    pub scene: Option<ChosenScene>,
    /// Text copied with "Copy link" in the window: opens the same scene, factors and camera; flags override it,
    /// except those that choose a scene
    #[arg(long, value_name = "TEXT", value_parser = SharedView::parse, help_heading = HEADING)]
    #[arg(conflicts_with_all = ["cubes", "scene"])]
    pub open: Option<SharedView>,
    /// Factors instead of those of the scene.
    #[command(flatten, next_help_heading = HEADING)]
    pub tuning: TuningArgs,
    /// Camera instead of that of the scene.
    #[command(flatten)]
    pub camera: CameraArgs,
}

impl SceneArgs {
    /// Returns the scene that the flags select.
    pub fn source(&self) -> SceneSource {
        let shared = self.open.as_ref();
        let seed = self.seed.or(shared.and_then(|shared| shared.seed));
        match self.file() {
            Some(chosen) => SceneSource::File(chosen.scene(seed)),
            None => SceneSource::Classic(SceneSettings {
                cubes: shared.and_then(|shared| shared.cubes).unwrap_or(self.cubes),
                seed: seed.unwrap_or(SceneSettings::default().seed),
            }),
        }
    }

    /// Returns the scene file or bundled scene; `None` for the scene of `--cubes`, also by its name.
    pub fn file(&self) -> Option<ChosenScene> {
        let chosen = self.scene.clone().or_else(|| self.open.as_ref()?.scene());
        chosen.filter(|chosen| chosen.argument() != CLASSIC)
    }

    /// Returns the fall mode of the flags, or else that of the scene.
    pub fn mode(&self) -> FallMode {
        let shared = self.open.as_ref().and_then(|shared| shared.mode);
        self.mode.or(shared).unwrap_or_else(|| self.source().mode())
    }

    /// Returns the motion of the flags; `None` for that of the scene.
    pub fn chosen_motion(&self) -> Option<Motion> {
        self.motion.or_else(|| self.open.as_ref()?.motion)
    }

    /// Returns the motion of the flags, or else that of the scene.
    pub fn motion(&self) -> Motion {
        self.chosen_motion().unwrap_or_else(|| self.source().motion())
    }

    /// Returns the factors of the flags, or else those of a scene or state.
    pub fn tuning(&self, scene: Tuning) -> Tuning {
        let shared = self.open.as_ref().map(|shared| shared.tuning).unwrap_or_default();
        self.tuning.of(shared.of(scene))
    }

    /// Creates a scene with the motion and the factors of the flags.
    ///
    /// # Errors
    /// As for [`Simulation::new`].
    pub fn create(&self, source: SceneSource, mode: FallMode) -> Result<Simulation, Error> {
        let tuning = self.tuning(source.tuning());
        Simulation::with_overrides(source, mode, self.chosen_motion(), Some(tuning))
    }

    /// Gives a simulation the motion and the factors of the flags.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn apply_to(&self, simulation: &mut Simulation) -> Result<(), Error> {
        if let Some(motion) = self.chosen_motion() {
            simulation.set_motion(motion)?;
        }
        simulation.set_tuning(self.tuning(simulation.tuning()))
    }

    /// Returns the files that the flags name: a scene and a camera path.
    pub fn files(&self) -> Vec<PathBuf> {
        let scene = self.scene.as_ref().and_then(ChosenScene::file);
        scene.into_iter().chain(self.camera.file()).map(Path::to_owned).collect()
    }

    /// Returns the camera of the flags.
    pub fn camera(&self) -> CameraSetup {
        self.camera.setup(&self.open.as_ref().map(SharedView::camera).unwrap_or_default())
    }
}

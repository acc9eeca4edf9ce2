//! Simulation: flags for the initial state and the number of steps.

use std::path::PathBuf;

use clap::Args;

use super::{SceneArgs, scene, values};
use crate::components::{ColorBy, Coloring, Palette};
use crate::sim::TimeStep;

/// Steps of a run without a window if `--frames` is not given: two simulated seconds.
const DEFAULT_STEPS: u32 = 120;

/// Initial state: a scene or a saved simulation.
#[derive(Args, Clone, Debug)]
pub struct SimulationArgs {
    /// Scene to create.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Load a simulation saved by `cubefall simulate --save` instead of creating a scene
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cubes", "seed", "mode", "scene", "open"])]
    #[arg(help_heading = scene::HEADING)]
    pub load: Option<PathBuf>,
    /// Palette of the cubes [default: that of the scene]
    #[arg(long, value_enum, value_name = "NAME", help_heading = scene::HEADING)]
    pub palette: Option<Palette>,
    /// What selects the place of a cube in the palette [default: as the scene, or place]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = scene::HEADING)]
    pub color_by: Option<ColorBy>,
}

impl SimulationArgs {
    /// Returns the coloring of the flags, which override `initial`; `None` without flags.
    pub fn coloring(&self, initial: Option<Coloring>) -> Option<Coloring> {
        let shared = self.scene.open.as_ref();
        let palette = self.palette.or_else(|| shared?.palette);
        let by = self.color_by.or_else(|| shared?.color_by);
        if palette.is_none() && by.is_none() {
            return None;
        }
        let initial = initial.unwrap_or_default();
        Some(Coloring { palette: palette.unwrap_or(initial.palette), by: by.unwrap_or(initial.by) })
    }
}

/// Number and length of the simulation steps.
#[derive(Args, Clone, Copy, Debug)]
pub struct StepArgs {
    /// Number of simulation steps, from 0 to 10,000,000
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=10_000_000))]
    #[arg(default_value_t = DEFAULT_STEPS)]
    pub frames: u32,
    /// Simulated seconds per step; fractions such as 1/60 are accepted
    #[arg(long, value_name = "SECONDS", default_value = "1/60", allow_hyphen_values = true)]
    #[arg(value_parser = values::parse_time_step)]
    pub dt: TimeStep,
}

impl Default for StepArgs {
    fn default() -> Self {
        Self { frames: DEFAULT_STEPS, dt: TimeStep::default() }
    }
}

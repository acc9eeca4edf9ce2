//! Simulation: flags for the initial state and the number of steps.

use std::path::PathBuf;

use clap::Args;

use super::{SceneArgs, scene, values};
use crate::components::{ColorBy, Coloring, Palette};
use crate::sim::{Simulation, TimeStep};

/// Steps of a run without a window if `--frames` is not given: two simulated seconds.
const DEFAULT_STEPS: u32 = 120;

/// Initial state: a scene or a saved simulation.
#[derive(Args, Clone, Debug)]
pub struct SimulationArgs {
    /// Scene to create.
    #[command(flatten)]
    pub scene: SceneArgs,
    /// Continue from a state saved by F5 or `cubefall simulate --save` instead of from a new scene
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cubes", "seed", "mode", "scene", "open"])]
    #[arg(help_heading = scene::HEADING)]
    pub load: Option<PathBuf>,
    /// Palette of the cubes [default: that of the scene; the window: as last used for the classic scene]
    #[arg(long, value_enum, value_name = "NAME", help_heading = scene::HEADING)]
    pub palette: Option<Palette>,
    /// Property that selects the color of a cube in the palette [default: that of the scene, or place; the window: as
    /// last used for the classic scene]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = scene::HEADING)]
    pub color_by: Option<ColorBy>,
}

impl SimulationArgs {
    /// Returns the files that the flags name: a scene, a camera path and a saved state.
    pub fn files(&self) -> Vec<PathBuf> {
        self.scene.files().into_iter().chain(self.load.clone()).collect()
    }

    /// Returns the coloring that the flags ask for; `None` if the simulation has it already.
    pub fn coloring(&self, simulation: &Simulation) -> Option<Coloring> {
        let shared = self.scene.open.as_ref();
        let palette = self.palette.or_else(|| shared?.palette);
        let by = self.color_by.or_else(|| shared?.color_by);
        if palette.is_none() && by.is_none() {
            return None;
        }
        let initial = simulation.coloring_or_default();
        let chosen =
            Coloring { palette: palette.unwrap_or(initial.palette), by: by.unwrap_or(initial.by) };
        Some(chosen).filter(|_| simulation.coloring() != Some(chosen))
    }
}

/// Number and length of the simulation steps.
#[derive(Args, Clone, Copy, Debug)]
pub struct StepArgs {
    /// Number of simulation steps, from 0 to 10,000,000
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=10_000_000))]
    #[arg(default_value_t = DEFAULT_STEPS)]
    pub frames: u32,
    /// Simulated seconds per step, 0.000001 to 0.25; fractions such as 1/60 are accepted
    #[arg(long, value_name = "SECONDS", default_value = "1/60", allow_hyphen_values = true)]
    #[arg(value_parser = values::parse_time_step)]
    pub dt: TimeStep,
}

impl Default for StepArgs {
    fn default() -> Self {
        Self { frames: DEFAULT_STEPS, dt: TimeStep::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use clap::Parser;

    use super::*;
    use crate::scenes::Scene;
    use crate::sim::FallMode;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        simulation: SimulationArgs,
    }

    #[test]
    fn a_palette_keeps_what_the_scene_chooses_colors_by() {
        let of = |palette: &str, flags: &[&str]| {
            let text = format!(
                r#"{{"version": 1, "name": "a", {palette} "color_by": "height", "entities": [{{"position": [0, 0, 0]}}]}}"#
            );
            let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
            let simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
            Flags::parse_from([&["cubefall"], flags].concat()).simulation.coloring(&simulation)
        };
        let ocean = Some(Coloring { palette: Palette::Ocean, by: ColorBy::Height });
        assert_eq!(of("", &["--palette", "ocean"]), ocean);
        assert_eq!(of("\"palette\": \"ember\",", &["--palette", "ocean"]), ocean);
        // What is as it is does not replace colors of single cubes.
        assert_eq!(of("\"palette\": \"ocean\",", &["--palette", "ocean"]), None);
        assert_eq!(of("", &[]), None);
    }
}

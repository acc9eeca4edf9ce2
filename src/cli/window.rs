//! Flags of `cubefall` without a subcommand: the demo window.

use clap::Args;

use super::render::DEFAULT_IMAGE;
use super::{FaultArgs, GraphicsArgs, ImageOutput, RenderArgs, SimulationArgs, StepArgs, values};
use crate::render::{PresentMode, Size};

/// `cubefall` without a subcommand.
#[derive(Args, Clone, Debug)]
pub struct WindowArgs {
    /// Initial state.
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Window size in pixels [default: as last used, at first 1280x720 points]
    #[arg(long, value_name = "WxH", help_heading = "Window")]
    pub size: Option<Size>,
    /// Start in full screen
    #[arg(long, help_heading = "Window")]
    pub fullscreen: bool,
    /// How frames are presented to the display [default: as last used, or vsync]
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Window")]
    pub present: Option<PresentMode>,
    /// Draw as fast as possible; short for --present no-vsync
    #[arg(long, conflicts_with = "present", help_heading = "Window")]
    pub no_vsync: bool,
    /// Show the UI at startup; F1 shows or hides it [default: as last used, or on]
    #[arg(long, value_name = "on|off", value_parser = values::on_or_off())]
    #[arg(help_heading = "Window")]
    pub hud: Option<bool>,
    /// Let the camera drift around the cubes until the first input [default: as last used, or on; off with --load
    /// or flags that place the camera]
    #[arg(long, value_name = "on|off", value_parser = values::on_or_off())]
    #[arg(help_heading = "Window")]
    pub attract: Option<bool>,
    /// Neither read nor write saved preferences
    #[arg(long, help_heading = "Window")]
    pub no_preferences: bool,
    /// Fail without a display instead of rendering an image off screen
    #[arg(long, help_heading = "Window")]
    pub require_display: bool,
    /// Adapter and render settings.
    #[command(flatten)]
    pub graphics: GraphicsArgs,
    /// Faults to inject.
    #[command(flatten)]
    pub faults: FaultArgs,
}

impl WindowArgs {
    /// Returns the present mode given by `--present` or `--no-vsync`.
    pub fn present_mode(&self) -> Option<PresentMode> {
        self.present.or(self.no_vsync.then_some(PresentMode::NoVsync))
    }

    /// Returns the flags of `cubefall render` for an image of the same scene.
    pub fn without_display(&self) -> RenderArgs {
        RenderArgs {
            simulation: self.simulation.clone(),
            steps: StepArgs::default(),
            attract: self.attract == Some(true),
            size: self.size.unwrap_or_default(),
            out: ImageOutput::File(DEFAULT_IMAGE.into()),
            graphics: self.graphics.clone(),
            faults: self.faults.clone(),
        }
    }
}

//! `cubefall` without a subcommand: flags of the window.

use std::path::PathBuf;

use clap::Args;

use super::render::PICTURE;
use super::{FaultArgs, GraphicsArgs, LoadArgs, RenderArgs, SceneArgs, StepArgs, graphics};
use crate::render::{PresentMode, Size};

/// `cubefall` without a subcommand.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is given or not")]
pub struct WindowArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub graphics: GraphicsArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub faults: FaultArgs,
    /// Width and height of the window in pixels [default: as it was left, or 1280x720]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    /// Start in full screen
    #[arg(long)]
    pub fullscreen: bool,
    /// How pictures get to the display [default: as it was left, or vsync]
    #[arg(long, value_enum, value_name = "MODE")]
    pub present: Option<PresentMode>,
    /// Draw as fast as possible instead of once per refresh of the display; as --present no-vsync
    #[arg(long, conflicts_with = "present")]
    pub no_vsync: bool,
    /// Show figures and controls over the picture at the start; F1 does so later [default: as it was
    /// left, or on]
    #[arg(long, value_name = "on|off", value_parser = graphics::on_or_off())]
    pub hud: Option<bool>,
    /// Remember nothing of the window before, and leave nothing to remember
    #[arg(long, hide = true)]
    pub no_preferences: bool,
    /// Fail without a display instead of rendering an image off screen
    #[arg(long)]
    pub require_display: bool,
}

impl WindowArgs {
    /// How pictures get to the display, by whichever flag.
    #[must_use]
    pub fn present_mode(&self) -> PresentMode {
        let unsaid = if self.no_vsync { PresentMode::NoVsync } else { PresentMode::Vsync };
        self.present.unwrap_or(unsaid)
    }

    /// Width and height of the window.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size.unwrap_or_default()
    }

    /// Flags of `cubefall render` for an image of the same scene.
    #[must_use]
    pub fn without_display(&self) -> RenderArgs {
        RenderArgs {
            scene: self.scene.clone(),
            load: self.load.clone(),
            steps: StepArgs::default(),
            graphics: self.graphics.clone(),
            faults: self.faults.clone(),
            size: self.size(),
            out: PathBuf::from(PICTURE),
        }
    }
}

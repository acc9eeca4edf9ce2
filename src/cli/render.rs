//! Flags of `cubefall render`.

use std::path::PathBuf;

use clap::Args;

use super::{FaultArgs, GraphicsArgs, SimulationArgs, StepArgs};
use crate::render::Size;

/// Image file if `--out` is not given.
pub(super) const DEFAULT_IMAGE: &str = "cubes.png";

/// `cubefall render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// Initial state.
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Number and length of the steps.
    #[command(flatten)]
    pub steps: StepArgs,
    /// Image size in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// PNG file to write
    #[arg(long, value_name = "FILE", default_value = DEFAULT_IMAGE)]
    pub out: PathBuf,
    /// Adapter and render settings.
    #[command(flatten)]
    pub graphics: GraphicsArgs,
    /// Faults to inject.
    #[command(flatten)]
    pub faults: FaultArgs,
}

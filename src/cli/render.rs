//! Flags of `cubefall render` and `cubefall adapters`.

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args};

use super::{FaultArgs, GraphicsArgs, ImageOutput, SimulationArgs, StepArgs, values};
use crate::render::Size;

/// Image file of `cubefall render` if `--out` is not given, and of the window without a display.
pub const DEFAULT_IMAGE: &str = "cubes.png";

/// `cubefall render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    /// Initial state.
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Number and length of the steps.
    #[command(flatten)]
    pub steps: StepArgs,
    /// Let the camera drift around the cubes, as the window does before the first input; no effect on a camera that
    /// falls, orbits or follows a path
    #[arg(long, value_name = "on|off", action = ArgAction::Set)]
    #[arg(value_parser = values::on_or_off(), default_value = "off")]
    pub attract: bool,
    /// Image size in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// PNG file to write, or - for standard output
    #[arg(long, value_name = "FILE", default_value = DEFAULT_IMAGE)]
    #[arg(value_parser = OsStringValueParser::new().try_map(|text| ImageOutput::parse(&text)))]
    pub out: ImageOutput,
    /// Adapter and render settings.
    #[command(flatten)]
    pub graphics: GraphicsArgs,
    /// Faults to inject.
    #[command(flatten)]
    pub faults: FaultArgs,
}

/// `cubefall adapters`.
#[derive(Args, Debug)]
pub struct AdaptersArgs {
    /// Print a JSON array instead of text
    #[arg(long)]
    pub json: bool,
}

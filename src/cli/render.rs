//! `cubefall render`: flags of a picture off screen.

use std::path::PathBuf;

use clap::Args;

use super::{FaultArgs, GraphicsArgs, LoadArgs, SceneArgs, StepArgs};
use crate::render::Size;

/// Where a picture goes, unless told otherwise.
pub(super) const PICTURE: &str = "cubes.png";

/// `cubefall render`.
#[derive(Args, Debug)]
pub struct RenderArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub steps: StepArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub graphics: GraphicsArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub faults: FaultArgs,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Where the PNG goes; written whole or not at all
    #[arg(long, value_name = "FILE", default_value = PICTURE)]
    pub out: PathBuf,
}

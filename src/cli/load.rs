//! Load: a simulation that was saved, instead of a new scene.

use std::path::PathBuf;

use clap::Args;

/// Where the simulation comes from, if it is not a new scene.
#[derive(Args, Clone, Default, Debug)]
pub struct LoadArgs {
    /// Go on from what `cubefall simulate --save FILE` saved, instead of from a new scene
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cubes", "seed", "mode", "scene"])]
    pub load: Option<PathBuf>,
}

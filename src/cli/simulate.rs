//! `cubefall simulate`: flags of a run without any GPU.

use std::path::PathBuf;

use clap::Args;

use super::{LoadArgs, SceneArgs, StepArgs};

/// `cubefall simulate`.
#[derive(Args, Debug)]
pub struct SimulateArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub steps: StepArgs,
    /// How many threads share the work, from 1 to 256; the result is the same with any number
    /// [default: one to a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Save the simulation as it is after the last step, for --load; written whole or not at all
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Print one JSON object instead of lines
    #[arg(long)]
    pub json: bool,
}

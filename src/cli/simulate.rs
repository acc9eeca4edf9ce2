//! Flags of `cubefall simulate`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};

use super::{SimulationArgs, StepArgs, values};

/// `cubefall simulate`. A widened view is no part of the state, so its flag is hidden.
#[derive(Args, Debug)]
#[command(mut_arg("widen_view", |widen_view| widen_view.hide(true)))]
pub struct SimulateArgs {
    /// Initial state.
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Number and length of the steps.
    #[command(flatten)]
    pub steps: StepArgs,
    /// Number of worker threads, from 1 to 256; does not change the result [default: one per core]
    #[arg(long, value_name = "N", value_parser = values::whole::<u16>(1..=256))]
    pub threads: Option<u16>,
    /// Save the simulation after the last step, for --load
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(saved_state))]
    pub save: Option<PathBuf>,
    /// Print a JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Refuses `-`, since the report goes to standard output.
fn saved_state(path: PathBuf) -> Result<PathBuf, String> {
    let is_file = path.as_os_str() != "-";
    is_file.then_some(path).ok_or_else(|| "expected the name of a file".to_owned())
}

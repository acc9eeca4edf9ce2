//! Shell completions and manual pages, generated from the definitions of the flags.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// `cubefall completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to complete the command line of
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `cubefall man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Existing folder for the pages of all subcommands [default: print the main page]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

//! Shell completions and manual pages, generated from the definitions of the flags.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

const INSTALLATION: &str = "\
Examples:
  source <(cubefall completions bash)      in ~/.bashrc
  cubefall completions fish > ~/.config/fish/completions/cubefall.fish
  cubefall completions zsh > FOLDER/_cubefall   in a folder of $fpath";

/// `cubefall completions`.
#[derive(Args, Debug)]
#[command(after_help = INSTALLATION)]
pub struct CompletionsArgs {
    /// Shell to complete the command line of
    #[arg(value_enum)]
    pub shell: Shell,
}

/// `cubefall man`.
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  cubefall man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Existing folder for the pages of all subcommands [default: print the main page]
    #[arg(value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

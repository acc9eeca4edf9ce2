//! Writes the shell completions and manual pages of `cubefall` to a folder: `packaging FOLDER`.

use std::path::PathBuf;
use std::{env, fs, io};

use clap::CommandFactory;
use clap_complete::Shell;
use cubefall::cli::Cli;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("usage: packaging FOLDER"))?;
    let (completions, manual) = (folder.join("completions"), folder.join("man"));
    fs::create_dir_all(&completions)?;
    fs::create_dir_all(&manual)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell] {
        clap_complete::generate_to(shell, &mut Cli::command(), "cubefall", &completions)?;
    }
    clap_mangen::generate_to(Cli::command(), &manual)
}

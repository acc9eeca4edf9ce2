//! `cubefall completions` and `cubefall man`.

use std::path::Path;

use clap::{Arg, CommandFactory};

use super::CommandError;
use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::output::{self, OutputError, OutputFile};

const NAME: &str = "cubefall";

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut without_hidden(&Cli::command()), NAME, &mut script);
    Ok(output::print_bytes(&script)?)
}

/// Returns a command without its hidden flags and subcommands, which completions would offer. Flags that exclude others
/// name them, so these stay.
fn without_hidden(command: &clap::Command) -> clap::Command {
    let excluded = |flag: &Arg| {
        let others = |other| command.get_arg_conflicts_with(other);
        command
            .get_arguments()
            .any(|other| others(other).iter().any(|it| it.get_id() == flag.get_id()))
    };
    let flags = command.get_arguments().filter(|flag| !flag.is_hide_set() || excluded(flag));
    let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    // Names are static: these live until the process ends, which is soon.
    let visible = clap::Command::new(&*command.get_name().to_owned().leak())
        .about(command.get_about().cloned().unwrap_or_default())
        .args(flags.cloned())
        .subcommands(subcommands.map(without_hidden));
    if command.get_version().is_some() {
        visible.version(env!("CARGO_PKG_VERSION"))
    } else {
        visible
    }
}

/// Prints the main manual page, or writes the pages of all subcommands to a folder.
pub(super) fn manual(args: &ManArgs) -> Result<(), CommandError> {
    let mut command = without_help(Cli::command());
    command.build();
    match &args.folder {
        None => Ok(output::print_bytes(&page(&command))?),
        Some(folder) => Ok(write_pages(&command, folder)?),
    }
}

/// Writes `cubefall.1`, `cubefall-render.1` and so on.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), OutputError> {
    let page = page(command);
    let name = command.get_display_name().unwrap_or(NAME);
    let file = OutputFile::create(&folder.join(format!("{name}.1")))?;
    file.write(|to| to.write_all(&page))?;
    let mut subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    subcommands.try_for_each(|command| write_pages(command, folder))
}

/// Removes the subcommands `help`, which have no pages.
fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn page(command: &clap::Command) -> Vec<u8> {
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(command.clone()).render(&mut page);
    written.expect("writing to memory does not fail");
    page
}

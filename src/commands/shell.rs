//! `cubefall completions` and `cubefall man`.

use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, CommandFactory};
use clap_complete::Shell;

use super::CommandError;
use crate::cli::{Cli, CompletionsArgs, ManArgs};
use crate::output::{self, OutputError, OutputFile};
use crate::scenes::bundled;

const NAME: &str = "cubefall";

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs) -> Result<(), CommandError> {
    let (mut script, mut command) = (Vec::new(), without_hidden(&Cli::command()));
    clap_complete::generate(args.shell, &mut command, NAME, &mut script);
    let script = String::from_utf8(script).expect("the names and texts of flags are UTF-8");
    Ok(output::print_bytes(with_values(args.shell, &script, &command).as_bytes())?)
}

/// Returns a script that also completes names of scenes, and files as the shell itself does.
fn with_values(shell: Shell, script: &str, command: &clap::Command) -> String {
    let names = bundled().iter().map(|scene| scene.name).collect::<Vec<_>>().join(" ");
    match shell {
        Shell::Bash => {
            let files = r#"COMPREPLY=($(compgen -f "${cur}"))"#;
            let of_scene = |reply: &str| format!("--scene)\n                    {reply}");
            let scenes = format!(r#"COMPREPLY=($(compgen -W "{names}" -- "${{cur}}"))"#);
            // Without a reply, the shell completes names of files, with quotes and with slashes after folders.
            let script = script.replace(&of_scene(files), &of_scene(&scenes));
            script.replace(files, "COMPREPLY=()")
        }
        Shell::Zsh => {
            let function = format!(
                "_cubefall_scenes() {{\n    _alternative 'scenes:scene:({names})' 'files:file:_files'\n}}\n"
            );
            let start = "autoload -U is-at-least\n";
            let script = script.replacen(start, &format!("{start}\n{function}"), 1);
            script.replace(":FILE|NAME:_default", ":FILE|NAME:_cubefall_scenes")
        }
        Shell::Fish => {
            let scenes = format!(" -F -a \"{names}\"");
            let with_scenes = |line: &str| {
                let scenes = if line.contains(" -l scene ") { &scenes } else { "" };
                [line, scenes, "\n"].concat()
            };
            let script: String = script.lines().map(with_scenes).collect();
            let of_scenes = fish_values(&format!("__fish_{NAME}_using_subcommand scenes"), &names);
            [script, of_scenes, fish_positionals(command, "")].concat()
        }
        _ => script.to_owned(),
    }
}

/// Returns the completion of values after the subcommands of a condition.
fn fish_values(condition: &str, values: &str) -> String {
    format!("complete -c {NAME} -n \"{condition}\" -f -a \"{values}\"\n")
}

/// Returns the completions of arguments without a flag, which the script lacks.
fn fish_positionals(command: &clap::Command, condition: &str) -> String {
    let own = command.get_positionals().map(Arg::get_possible_values);
    let own = own.filter(|values| !values.is_empty()).map(|values| {
        let names = values.iter().map(PossibleValue::get_name).collect::<Vec<_>>();
        fish_values(condition, &names.join(" "))
    });
    let nested = command.get_subcommands().map(|subcommand| {
        let name = subcommand.get_name();
        let condition = match condition {
            "" => format!("__fish_{NAME}_using_subcommand {name}"),
            outer => format!("{outer}; and __fish_seen_subcommand_from {name}"),
        };
        fish_positionals(subcommand, &condition)
    });
    own.chain(nested).collect()
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
    let file = OutputFile::create_unlinked(&folder.join(format!("{name}.1")))?;
    file.write(|to| to.write_all(&page))?;
    let mut subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    subcommands.try_for_each(|command| write_pages(command, folder))
}

/// Removes the subcommands `help`, which have no pages.
fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

fn page(command: &clap::Command) -> Vec<u8> {
    let (mut page, mut command) = (Vec::new(), command.clone());
    // The synopsis that the library makes lacks the values of required flags.
    let usage = command.render_usage().to_string().replacen("Usage: ", "", 1);
    let source = format!("{NAME} {}", env!("CARGO_PKG_VERSION"));
    // Without a date, the source would take its place.
    let man = clap_mangen::Man::new(command.override_usage(usage)).date(" ").source(source);
    let written = man.render(&mut page);
    written.expect("writing to memory does not fail");
    let page = String::from_utf8(page).expect("the texts of flags are UTF-8");
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.into_bytes() };
    // Tables, whose lines must stay as they are.
    let (extra, after) = extra.split_at(extra.find(".SH VERSION").unwrap_or(extra.len()));
    format!("{before}.SH NOTES\n.nf\n{extra}.fi\n{after}").into_bytes()
}

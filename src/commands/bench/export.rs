//! Export: a result in the formats of other programs.

use std::fs;

use super::files::Folder;
use super::{BenchError, Outcome, files};
use crate::benchmark::{BenchResult, ExportFormat};
use crate::cli::{ExportArgs, ExportChoice};
use crate::output;

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, BenchError> {
    let result = files::read(&args.result)?;
    let folder = Folder::open(&args.out)?;
    let formats = ExportChoice::formats(&args.format);
    write(&folder, &result, &formats, 0)?;
    say(&folder, &result, &formats);
    Ok(Outcome::Done)
}

/// Puts what other programs read in the place of that of an earlier result; of the files that are one
/// run each, those of run `first`, counted from 0, and after it.
pub(super) fn write(
    folder: &Folder,
    result: &BenchResult,
    formats: &[ExportFormat],
    first: usize,
) -> Result<(), BenchError> {
    for format in formats {
        for file in format.files(result) {
            if file.run().is_none_or(|run| run >= first) {
                folder.replace(&file.name(), |to| file.write(to))?;
            }
        }
        if format.is_per_run() {
            // An earlier result may have had more runs, and is gone.
            let left = (result.runs.len()..).map(|run| folder.path(&format.file_name(run)));
            left.take_while(|path| fs::remove_file(path).is_ok()).for_each(drop);
        }
    }
    Ok(())
}

/// Says what was written, if anything was.
pub(super) fn say(folder: &Folder, result: &BenchResult, formats: &[ExportFormat]) {
    let files = formats.iter().flat_map(|format| format.files(result));
    let paths: Vec<_> = files.map(|file| folder.path(&file.name()).display().to_string()).collect();
    if !paths.is_empty() {
        output::status(&format!("wrote {}", paths.join(", ")));
    }
}

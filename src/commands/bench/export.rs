//! `cubefall bench export`: a saved result in the formats of other programs.

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
    report_paths(&folder, &result, &formats);
    Ok(Outcome::Done)
}

/// Writes the exported files over those of an earlier result. Where each run has a file, writes those from
/// run `first` on, which starts at 0.
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
            // An earlier result may have had more runs.
            let outdated = (result.runs.len()..).map(|run| folder.path(&format.file_name(run)));
            outdated.take_while(|path| fs::remove_file(path).is_ok()).for_each(drop);
        }
    }
    Ok(())
}

/// Prints the paths of the exported files to standard error.
pub(super) fn report_paths(folder: &Folder, result: &BenchResult, formats: &[ExportFormat]) {
    let files = formats.iter().flat_map(|format| format.files(result));
    let paths: Vec<_> = files.map(|file| folder.path(&file.name()).display().to_string()).collect();
    if !paths.is_empty() {
        output::status(&format!("wrote {}", paths.join(", ")));
    }
}

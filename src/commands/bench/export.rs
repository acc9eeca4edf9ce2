//! `bench export`: a saved result in the formats of other tools.

use std::fs;

use super::files::Folder;
use super::{BenchError, Outcome, files};
use crate::benchmark::{BenchResult, ExportFormat};
use crate::cli::{ExportArgs, ExportChoice};

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, BenchError> {
    let result = files::read(&args.result)?;
    let folder = Folder::create(&args.out)?;
    let formats = ExportChoice::formats(&args.format);
    write(&folder, &result, &formats, 0)?;
    report_paths(&folder, &result, &formats);
    Ok(Outcome::Done)
}

/// Writes the files of each format; of formats with one file per run, those from `first_run` on.
pub(super) fn write(
    folder: &Folder,
    result: &BenchResult,
    formats: &[ExportFormat],
    first_run: usize,
) -> Result<(), BenchError> {
    for format in formats {
        for file in format.files(result) {
            if file.run().is_none_or(|run| run >= first_run) {
                folder.write(&file.name(), |to| file.write(to))?;
            }
        }
        if format.is_per_run() {
            // Delete files of an earlier result with more runs.
            let stale = (result.runs.len()..).map(|run| folder.path(&format.file_name(run)));
            stale.take_while(|path| fs::remove_file(path).is_ok()).for_each(drop);
        }
    }
    Ok(())
}

/// Prints the paths of the written files to standard error.
pub(super) fn report_paths(folder: &Folder, result: &BenchResult, formats: &[ExportFormat]) {
    let files = formats.iter().flat_map(|format| format.files(result));
    folder.report_paths(files.map(|file| file.name()));
}

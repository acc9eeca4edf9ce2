//! `bench export`: a saved result in the formats of other tools.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::Folder;
use super::{BenchError, Outcome, files};
use crate::benchmark::{BenchResult, ExportFormat};
use crate::cli::{ExportArgs, export_formats};
use crate::output::{OutputFile, StagedFile, is_same_file};

pub(super) fn run(args: &ExportArgs) -> Result<Outcome, BenchError> {
    let result = files::read_result_with_frames(&args.result)?;
    let folder = Folder::create(&args.out, &[])?;
    let formats = export_formats(&args.format);
    for (format, run) in all_files(&result, &formats) {
        let file = OutputFile::create_unlinked(&folder.path(format.file_name(run)))?;
        file.require_other_than(files::read_from([&args.result]))?;
    }
    files::commit(stage(&folder, &result, &formats, 0)?)?;
    remove_stale(&folder, &result, &formats, std::slice::from_ref(&args.result));
    report_paths(&folder, &result, &formats);
    Ok(Outcome::Done)
}

/// Writes the content of the files of each format; of formats with one file per run, those from
/// `first_run` on.
pub(super) fn stage(
    folder: &Folder,
    result: &BenchResult,
    formats: &[ExportFormat],
    first_run: usize,
) -> Result<Vec<StagedFile>, BenchError> {
    let files = all_files(result, formats);
    let files = files.filter(|(format, run)| !format.is_per_run() || *run >= first_run);
    let stage = |(format, run): (ExportFormat, usize)| {
        folder.stage(&format.file_name(run), |to| format.write(to, result, run))
    };
    files.map(stage).collect()
}

/// Deletes files of an earlier result with more runs, but none of those that are `kept`.
pub(super) fn remove_stale(
    folder: &Folder,
    result: &BenchResult,
    formats: &[ExportFormat],
    kept: &[PathBuf],
) {
    for format in formats.iter().filter(|format| format.is_per_run()) {
        let stale = (result.runs.len()..).map(|run| folder.path(format.file_name(run)));
        let is_kept = |path: &Path| kept.iter().any(|kept| is_same_file(kept, path));
        stale.take_while(|path| !is_kept(path) && fs::remove_file(path).is_ok()).for_each(drop);
    }
}

/// Prints the paths of the written files to standard error.
pub(super) fn report_paths(folder: &Folder, result: &BenchResult, formats: &[ExportFormat]) {
    folder.report_paths(all_files(result, formats).map(|(format, run)| format.file_name(run)));
}

fn all_files(
    result: &BenchResult,
    formats: &[ExportFormat],
) -> impl Iterator<Item = (ExportFormat, usize)> {
    formats.iter().flat_map(|&format| format.files(result).map(move |run| (format, run)))
}

//! Result files: written atomically, read with a check of their schema version.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::BenchError;
use crate::benchmark::{
    BenchResult, FramePhase, FrameSample, RESULT_SCHEMA, Report, RunMedian, Sweep, sweep_page,
};
use crate::cli::STANDARD_OUTPUT;
use crate::output::{self, OutputError, OutputFile, StagedFile, StdoutError};
use crate::{error_text, input_file};

/// Files of a result: `--out` of `bench run`.
pub(super) const RESULT_FILES: [&str; 3] = ["result.json", "frames.csv", "report.html"];
/// Medians of pairs, besides [`RESULT_FILES`]: `--out` of `bench ab`.
pub(super) const PAIRS_FILE: &str = "pairs.csv";
/// Files of a sweep: `--out` of `bench sweep`.
pub(super) const SWEEP_FILES: [&str; 3] = ["sweep.json", "sweep.csv", "sweep.html"];

/// Smallest size of a frame in `result.json`: fourteen values.
const SAMPLE_BYTES: u64 = 30;

/// Median frame times of a pair.
type Medians = (RunMedian, RunMedian);

/// Directory for result files.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Creates the directory if it is missing, and checks that result files can be written.
    pub(super) fn create(path: &Path) -> Result<Self, BenchError> {
        fs::create_dir_all(path).map_err(|error| OutputError::new(path, error))?;
        for name in RESULT_FILES.iter().chain(&SWEEP_FILES).chain([&PAIRS_FILE]) {
            OutputFile::create(&path.join(name))?;
        }
        Ok(Self(path.to_owned()))
    }

    /// Checks that the file system has space for the samples of a number of frames.
    pub(super) fn require_space(&self, frames: u64) -> Result<(), BenchError> {
        let file = OutputFile::create(&self.path(RESULT_FILES[0]))?;
        Ok(file.require_space(frames * SAMPLE_BYTES)?)
    }

    /// Replaces the files of a result, and others of the same runs: all of them, or none if the disk is
    /// full.
    pub(super) fn write_result(
        &self,
        report: &Report,
        others: Vec<StagedFile>,
    ) -> Result<(), BenchError> {
        let result = report.result;
        let [json, frames, page] = RESULT_FILES;
        let frames = self.stage(frames, |file| write_frames(file, result))?;
        let page = self.stage(page, |file| file.write_all(report.html().as_bytes()))?;
        let json = self.stage_json(json, result)?;
        // The runs an earlier comparison refers to are about to be replaced.
        let _ = fs::remove_file(self.path(PAIRS_FILE));
        commit(others.into_iter().chain([frames, page, json]))
    }

    /// Replaces the files of a sweep: all of them, or none if the disk is full.
    pub(super) fn write_sweep(&self, sweep: &Sweep) -> Result<(), BenchError> {
        let [json, points, page] = SWEEP_FILES;
        let points = self.stage(points, |file| write_points(file, sweep))?;
        let page = self.stage(page, |file| file.write_all(sweep_page(sweep).as_bytes()))?;
        commit([points, page, self.stage_json(json, sweep)?])
    }

    /// Writes the medians of a comparison.
    pub(super) fn stage_pairs(&self, medians: &[Medians]) -> Result<StagedFile, BenchError> {
        self.stage(PAIRS_FILE, |file| {
            let mut csv = csv::Writer::from_writer(file);
            csv.write_record(["pair", "a_median_ns", "b_median_ns"])?;
            for (number, (a, b)) in (1..).zip(medians) {
                csv.serialize((number, a.nanoseconds(), b.nanoseconds()))?;
            }
            csv.flush()
        })
    }

    fn stage_json(&self, name: &str, value: &impl Serialize) -> Result<StagedFile, BenchError> {
        self.stage(name, |file| {
            serde_json::to_writer(&mut *file, value)?;
            writeln!(file)
        })
    }

    /// Writes the new content of a file.
    pub(super) fn stage(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<StagedFile, BenchError> {
        Ok(OutputFile::create(&self.path(name))?.stage(write)?)
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Prints the paths of written files to standard error.
    pub(super) fn report_paths(&self, names: impl IntoIterator<Item: AsRef<str>>) {
        let paths = names.into_iter().map(|name| self.path(name.as_ref()).display().to_string());
        let paths: Vec<_> = paths.collect();
        if !paths.is_empty() {
            output::status(&format!("wrote {}", paths.join(", ")));
        }
    }
}

/// Replaces files in order. The last one is the JSON file, so that it never refers to missing files.
pub(super) fn commit(files: impl IntoIterator<Item = StagedFile>) -> Result<(), BenchError> {
    Ok(files.into_iter().try_for_each(StagedFile::commit)?)
}

/// Writes one line per frame. Unknown values are empty.
fn write_frames(file: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    let phases = FramePhase::ALL.map(|phase| format!("{}_ns", phase.name()));
    let first = ["run", "frame", "frame_ns"].map(str::to_owned);
    let gpu = ["gpu_ns", "gpu_shadow_ns", "gpu_scene_ns"].map(str::to_owned);
    let last = ["dt_s", "cubes", "drawn", "upload_bytes", "status"].map(str::to_owned);
    csv.write_record(first.iter().chain(&phases).chain(&gpu).chain(&last))?;
    for (number, run) in (1..).zip(&result.runs) {
        for (i, sample) in run.samples.iter().enumerate() {
            let FrameSample { frame, phases, gpu, gpu_shadow, gpu_scene, .. } = *sample;
            let FrameSample { dt, cubes, drawn, upload_bytes, status, .. } = *sample;
            let times = (frame, phases, gpu, gpu_shadow, gpu_scene);
            csv.serialize((number, i, times, dt, cubes, drawn, upload_bytes, status))?;
        }
    }
    csv.flush()
}

/// Writes one line per run of each point.
fn write_points(file: &mut dyn Write, sweep: &Sweep) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    csv.write_record(["cubes", "run", "median_ns"])?;
    for point in &sweep.points {
        for (number, median) in (1..).zip(&point.medians_ns) {
            csv.serialize((point.cubes, number, median))?;
        }
    }
    csv.flush()
}

/// Destination of `--json`.
pub(super) enum JsonTarget {
    /// No `--json`.
    None,
    StandardOutput,
    File(OutputFile),
}

impl JsonTarget {
    /// `-` is standard output. Checks that a file can be written.
    pub(super) fn create(path: Option<&Path>) -> Result<Self, BenchError> {
        Ok(match path {
            None => Self::None,
            Some(path) if path == Path::new(STANDARD_OUTPUT) => Self::StandardOutput,
            Some(path) => Self::File(OutputFile::create(path)?),
        })
    }

    /// Writes a result as JSON.
    pub(super) fn write(&self, value: &impl Serialize) -> Result<(), BenchError> {
        let json = || serde_json::to_string(value).map(|json| json + "\n");
        match self {
            Self::None => {}
            Self::StandardOutput => output::print(&json()?)?,
            Self::File(file) => {
                let json = json()?;
                file.write(|file| file.write_all(json.as_bytes()))?;
            }
        }
        Ok(())
    }

    /// Prints text, unless standard output is reserved for JSON.
    pub(super) fn print_text(&self, text: &str) -> Result<(), StdoutError> {
        if matches!(self, Self::StandardOutput) { Ok(()) } else { output::print(text) }
    }
}

/// Reads a result or a sweep of this schema version.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, BenchError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: u32,
    }

    let text = input_file::open(path).and_then(io::read_to_string);
    let error = |reason| BenchError::Input { path: path.to_owned(), reason };
    let text = text.map_err(|cause: io::Error| error(error_text::io(&cause)))?;
    let invalid = |cause: serde_json::Error| {
        let (line, column) = (cause.line(), cause.column());
        let reason = error_text::json(&cause);
        error(format!("not a benchmark result: line {line}, column {column}: {reason}"))
    };
    let Versioned { schema } = serde_json::from_str(&text).map_err(invalid)?;
    if schema != RESULT_SCHEMA {
        return Err(error(format!(
            "schema version {schema}, this version of cubefall reads {RESULT_SCHEMA}; measure again"
        )));
    }
    serde_json::from_str(&text).map_err(invalid)
}

//! Result files: written atomically, read with a check of their schema version.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::BenchError;
use crate::benchmark::{
    Baseline, BenchResult, RESULT_SCHEMA, Report, Suite, Sweep, read_samples, suite_page,
    sweep_page, write_samples,
};
use crate::cli::STANDARD_OUTPUT;
use crate::output::{self, OutputError, OutputFile, StagedFile, StdoutError};
use crate::{error_text, input_file};

/// File of all frames, beside a result.
pub(super) const FRAMES_FILE: &str = "frames.npz";
/// Files of a result: `--out` of `bench run`.
pub(super) const RESULT_FILES: [&str; 3] = ["result.json", FRAMES_FILE, "report.html"];
/// Files of `--out` of `bench ab`, besides the directories of A and B.
const PAIRS_FILES: [&str; 2] = ["ab.json", "report.html"];
/// Files of a sweep: `--out` of `bench sweep`.
pub(super) const SWEEP_FILES: [&str; 3] = ["sweep.json", "sweep.csv", "sweep.html"];

/// Files of a suite: `--out` of `bench suite`.
pub(super) const SUITE_FILES: [&str; 2] = ["suite.json", "suite.html"];

/// Smallest size of a frame in [`FRAMES_FILE`].
const SAMPLE_BYTES: u64 = 10;

/// Directory for result files.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Creates the directory if it is missing, and checks that result files can be written.
    pub(super) fn create(path: &Path) -> Result<Self, BenchError> {
        fs::create_dir_all(path).map_err(|error| OutputError::new(path, error))?;
        for name in [&RESULT_FILES[..], &SWEEP_FILES, &PAIRS_FILES, &SUITE_FILES].concat() {
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
        let page = self.stage_page(report)?;
        let result = self.stage_result(report.result)?;
        // An earlier comparison refers to other results.
        let _ = fs::remove_file(self.path(PAIRS_FILES[0]));
        commit(others.into_iter().chain([page]).chain(result))
    }

    fn stage_page(&self, report: &Report) -> Result<StagedFile, BenchError> {
        self.stage(RESULT_FILES[2], |file| file.write_all(report.html().as_bytes()))
    }

    /// Writes the frames and then the result.
    fn stage_result(&self, result: &BenchResult) -> Result<[StagedFile; 2], BenchError> {
        let [json, frames, _] = RESULT_FILES;
        let samples = result.runs.iter().map(|run| &run.samples[..]);
        Ok([
            self.stage(frames, |file| write_samples(file, samples))?,
            self.stage_json(json, result)?,
        ])
    }

    /// Replaces the files of a sweep: all of them, or none if the disk is full.
    pub(super) fn write_sweep(&self, sweep: &Sweep) -> Result<(), BenchError> {
        let [json, points, page] = SWEEP_FILES;
        let points = self.stage(points, |file| write_points(file, sweep))?;
        let page = self.stage(page, |file| file.write_all(sweep_page(sweep).as_bytes()))?;
        commit([points, page, self.stage_json(json, sweep)?])
    }

    /// Replaces the files of a suite: all of them, or none if the disk is full.
    pub(super) fn write_suite(&self, suite: &Suite) -> Result<(), BenchError> {
        let [json, page] = SUITE_FILES;
        let page = self.stage(page, |file| file.write_all(suite_page(suite).as_bytes()))?;
        commit([page, self.stage_json(json, suite)?])
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

/// Directory of `bench ab`, with one for each side.
pub(super) struct PairsFolder {
    sides: [Folder; 2],
    both: Folder,
}

impl PairsFolder {
    /// Creates the directories if they are missing, and checks that files can be written.
    pub(super) fn create(path: &Path) -> Result<Self, BenchError> {
        let both = Folder::create(path)?;
        Ok(Self {
            sides: [Folder::create(&path.join("a"))?, Folder::create(&path.join("b"))?],
            both,
        })
    }

    /// Replaces all files, or none if the disk is full.
    pub(super) fn write(
        &self,
        results: &[BenchResult; 2],
        report: &Report,
        verdict: &impl Serialize,
    ) -> Result<(), BenchError> {
        let [a, b] = [0, 1].map(|side| self.sides[side].stage_result(&results[side]));
        let page = self.both.stage_page(report)?;
        let verdict = self.both.stage_json(PAIRS_FILES[0], verdict)?;
        commit(a?.into_iter().chain(b?).chain([page, verdict]))
    }

    /// Prints the paths of written files to standard error.
    pub(super) fn report_paths(&self) {
        self.both.report_paths(PAIRS_FILES);
        self.sides.iter().for_each(|side| side.report_paths([RESULT_FILES[0], FRAMES_FILE]));
    }
}

/// Replaces files in order. The last one is the JSON file, so that it never refers to missing files.
pub(super) fn commit(files: impl IntoIterator<Item = StagedFile>) -> Result<(), BenchError> {
    Ok(files.into_iter().try_for_each(StagedFile::commit)?)
}

/// Writes one line per run of each point.
fn write_points(file: &mut dyn Write, sweep: &Sweep) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    csv.write_record(["cubes", "run", "median_ns", "cpu_median_ns", "gpu_median_ns"])?;
    for point in &sweep.points {
        for (at, median) in point.medians_ns.iter().enumerate() {
            let [cpu, gpu] = [&point.cpu_medians_ns, &point.gpu_medians_ns].map(|of| of.get(at));
            csv.serialize((point.cubes, at + 1, median, cpu, gpu))?;
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

/// Reads a result, with its frames if `with_frames`.
pub(super) fn read_result(path: &Path, with_frames: bool) -> Result<BenchResult, BenchError> {
    let mut result: BenchResult = read(path)?;
    let error = |path: &Path, reason| BenchError::Input { path: path.to_owned(), reason };
    result.check().map_err(|reason| error(path, reason))?;
    if with_frames {
        let name = result.frames_file.as_ref().map(Path::new);
        // No other directory: the file says what is read.
        let Some(name) = name.and_then(Path::file_name) else {
            return Err(error(path, "it has no frames; use the result.json of --out".to_owned()));
        };
        let frames = path.with_file_name(name);
        let mut bytes = Vec::new();
        let read = input_file::open(&frames).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|cause| error(&frames, error_text::io(&cause)))?;
        let samples = read_samples(&bytes, result.runs.len());
        let samples = samples.map_err(|cause| error(&frames, cause.to_string()))?;
        for (run, samples) in result.runs.iter_mut().zip(samples) {
            run.samples = samples;
            run.check_samples().map_err(|reason| error(&frames, reason))?;
        }
    }
    Ok(result)
}

/// Reads a baseline, or a result as a baseline of one session.
pub(super) fn read_baseline(path: &Path) -> Result<Baseline, BenchError> {
    #[derive(Deserialize)]
    struct Kind {
        #[serde(default)]
        sessions: Option<IgnoredAny>,
    }

    if parse::<Kind>(path, &read_text(path)?)?.sessions.is_none() {
        return Ok(Baseline::from_result(read_result(path, false)?));
    }
    let baseline: Baseline = read(path)?;
    let error = |reason| BenchError::Input { path: path.to_owned(), reason };
    baseline.sessions().iter().try_for_each(BenchResult::check).map_err(error)?;
    Ok(baseline)
}

/// Reads a result, a baseline or a sweep of this schema version.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, BenchError> {
    #[derive(Deserialize)]
    struct Versioned {
        schema: u32,
    }

    let text = read_text(path)?;
    let Versioned { schema } = parse(path, &text)?;
    if schema != RESULT_SCHEMA {
        let reason = format!(
            "schema version {schema}, this version of cubefall reads {RESULT_SCHEMA}; measure again"
        );
        return Err(BenchError::Input { path: path.to_owned(), reason });
    }
    parse(path, &text)
}

fn read_text(path: &Path) -> Result<String, BenchError> {
    let text = input_file::open(path).and_then(io::read_to_string);
    text.map_err(|cause| BenchError::Input {
        path: path.to_owned(),
        reason: error_text::io(&cause),
    })
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, BenchError> {
    serde_json::from_str(text).map_err(|cause| {
        let (line, column) = (cause.line(), cause.column());
        let reason = error_text::json(&cause);
        let reason = format!("not a benchmark result: line {line}, column {column}: {reason}");
        BenchError::Input { path: path.to_owned(), reason }
    })
}

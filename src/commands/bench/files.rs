//! Files: a result on disk, whole or not at all.

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
use crate::output;
use crate::output::OutputFile;

const RESULT: &str = "result.json";
const FRAMES: &str = "frames.csv";
const REPORT: &str = "report.html";
const PAIRS: &str = "pairs.csv";
const SWEEP: &str = "sweep.json";
const SWEEP_TABLE: &str = "sweep.csv";
const SWEEP_PAGE: &str = "sweep.html";

/// Where the files of a result go.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder if it is missing, and sees to it that a file can be made there before
    /// anything is measured.
    pub(super) fn open(path: &Path) -> Result<Self, BenchError> {
        let made = fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path));
        made.map_err(|why| file_error(path, &why))?;
        let names = [RESULT, FRAMES, REPORT, PAIRS, SWEEP, SWEEP_TABLE, SWEEP_PAGE];
        for name in names {
            OutputFile::create(&path.join(name))?;
        }
        Ok(Self(path.to_owned()))
    }

    /// Puts the files of a result in the place of those of an earlier one.
    pub(super) fn write(&self, report: &Report) -> Result<(), BenchError> {
        let result = report.result;
        // An earlier comparison, whose runs of B are gone.
        let _ = fs::remove_file(self.path(PAIRS));
        self.replace(RESULT, |file| {
            serde_json::to_writer(&mut *file, result)?;
            writeln!(file)
        })?;
        self.replace(FRAMES, |file| write_frames(file, result))?;
        self.replace(REPORT, |file| file.write_all(report.html().as_bytes()))
    }

    /// Puts the files of a sweep in the place of those of an earlier one.
    pub(super) fn write_sweep(&self, sweep: &Sweep) -> Result<(), BenchError> {
        self.replace(SWEEP, |file| {
            serde_json::to_writer(&mut *file, sweep)?;
            writeln!(file)
        })?;
        self.replace(SWEEP_TABLE, |file| write_points(file, sweep))?;
        self.replace(SWEEP_PAGE, |file| file.write_all(sweep_page(sweep).as_bytes()))
    }

    /// Puts the medians of pairs in the place of those of an earlier comparison.
    pub(super) fn write_pairs(&self, medians: &[(RunMedian, RunMedian)]) -> Result<(), BenchError> {
        self.replace(PAIRS, |file| {
            let mut csv = csv::Writer::from_writer(file);
            csv.write_record(["pair", "a_median_ns", "b_median_ns"])?;
            for (number, (a, b)) in (1..).zip(medians) {
                csv.serialize((number, a.nanoseconds(), b.nanoseconds()))?;
            }
            csv.flush()
        })
    }

    /// What was written of a comparison, for people.
    pub(super) fn names_of_pairs(&self) -> String {
        self.paths(&[RESULT, FRAMES, REPORT, PAIRS])
    }

    /// What was written of a result, for people.
    pub(super) fn names(&self) -> String {
        self.paths(&[RESULT, FRAMES, REPORT])
    }

    /// What was written of a sweep, for people.
    pub(super) fn sweep_names(&self) -> String {
        self.paths(&[SWEEP, SWEEP_TABLE, SWEEP_PAGE])
    }

    fn paths(&self, names: &[&str]) -> String {
        let paths: Vec<_> =
            names.iter().map(|name| self.0.join(name).display().to_string()).collect();
        paths.join(", ")
    }

    /// Where a file of that name goes.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Puts what `write` writes in the place of a file.
    pub(super) fn replace(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), BenchError> {
        Ok(OutputFile::create(&self.0.join(name))?.write(write)?)
    }
}

/// One line to a frame; what is not known is empty.
fn write_frames(file: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(file);
    let phases = FramePhase::ALL.map(|part| format!("{}_ns", part.name()));
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

/// One line to a run of a count.
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

/// Where JSON goes.
pub(super) enum JsonTarget {
    StandardOutput,
    File(OutputFile),
}

impl JsonTarget {
    /// `-` is standard output; sees to it that a file can be written before anything is measured.
    pub(super) fn open(to: &Path) -> Result<Self, BenchError> {
        if to == Path::new(STANDARD_OUTPUT) {
            return Ok(Self::StandardOutput);
        }
        Ok(Self::File(OutputFile::create(to)?))
    }

    /// A file whole or not at all.
    pub(super) fn write(&self, what: &impl Serialize) -> Result<(), BenchError> {
        let json = format!("{}\n", serde_json::to_string(what)?);
        match self {
            Self::StandardOutput => Ok(output::print(&json)?),
            Self::File(file) => Ok(file.write(|file| file.write_all(json.as_bytes()))?),
        }
    }
}

/// Reads a result or a sweep that was saved by this version.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, BenchError> {
    /// What all versions have in common.
    #[derive(Deserialize)]
    struct Versioned {
        schema: u32,
    }

    let text = fs::read_to_string(path).map_err(|why| file_error(path, &why))?;
    let no_result = |why| file_error(path, &format!("it is no result of this program: {why}"));
    let Versioned { schema } = serde_json::from_str(&text).map_err(no_result)?;
    if schema != RESULT_SCHEMA {
        let why = format!("its schema is {schema}, this program reads {RESULT_SCHEMA}");
        return Err(file_error(path, &why));
    }
    serde_json::from_str(&text).map_err(no_result)
}

fn file_error(path: &Path, why: &dyn ToString) -> BenchError {
    BenchError::File { path: path.to_owned(), why: why.to_string() }
}

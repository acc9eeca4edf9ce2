//! Result files: written atomically, read with a check of their schema version.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use super::BenchError;
use crate::benchmark::{Baseline, BenchResult, RESULT_SCHEMA, Sweep, read_samples, write_samples};
use crate::cli::{JsonArgs, STANDARD_OUTPUT};
use crate::output::{self, OutputError, OutputFile, StagedFile};
use crate::{error_text, input_file, memory};

/// File of all frames, beside a result.
pub(super) const FRAMES_FILE: &str = "frames.npz";
/// Files of a result: `--out` of `bench run`.
pub(super) const RESULT_FILES: [&str; 3] = ["result.json", FRAMES_FILE, "report.html"];
/// Files of `--out` of `bench ab`, besides the directories of A and B.
pub(super) const PAIRS_FILES: [&str; 2] = ["ab.json", "report.html"];
/// Files of a sweep: `--out` of `bench sweep`.
pub(super) const SWEEP_FILES: [&str; 3] = ["sweep.json", "sweep.csv", "sweep.html"];
/// Files of a suite: `--out` of `bench suite`.
pub(super) const SUITE_FILES: [&str; 2] = ["suite.json", "suite.html"];

/// Largest file of text, in bytes: far more than any result has without its frames.
const MAX_TEXT: u64 = 64 << 20;

/// Smallest size of a frame in [`FRAMES_FILE`].
const SAMPLE_BYTES: u64 = 10;

/// Directory for result files.
pub(super) struct Folder {
    path: PathBuf,
    /// Number of directories that were created: it, and those above.
    new: usize,
    is_written: Cell<bool>,
}

/// Removes the empty directories that were created for results that were not written.
impl Drop for Folder {
    fn drop(&mut self) {
        if !self.is_written() {
            for path in self.path.ancestors().take(self.new) {
                let _ = fs::remove_dir(path);
            }
        }
    }
}

impl Folder {
    /// Creates the directory if it is missing, and checks that files of these names can be written.
    pub(super) fn create(path: &Path, names: &[&str]) -> Result<Self, BenchError> {
        // The last ancestor of a relative path is empty.
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let new = path.ancestors().take_while(is_missing).count();
        let folder = Self { path: path.to_owned(), new, is_written: Cell::new(false) };
        let created = if path.exists() && !path.is_dir() {
            Err(io::Error::other("it is not a folder"))
        } else if let Some(link) = path.ancestors().find(|it| it.is_symlink() && !it.exists()) {
            let link = error_text::path(link);
            Err(io::Error::other(format!(
                "the link {link} leads to no folder; remove it, or create that folder"
            )))
        } else {
            fs::create_dir_all(path)
        };
        created.map_err(|error| OutputError::new(path, error))?;
        for name in names {
            OutputFile::create_unlinked(&path.join(name))?;
        }
        Ok(folder)
    }

    /// [`create`](Self::create) for a name that the program chooses, which must not be a link.
    pub(super) fn create_unlinked(path: &Path, names: &[&str]) -> Result<Self, BenchError> {
        output::refuse_link(path)?;
        Self::create(path, names)
    }

    /// Checks that the file system has space for the samples of a number of frames.
    pub(super) fn require_space(&self, frames: u64) -> Result<(), BenchError> {
        let file = OutputFile::create(&self.path(RESULT_FILES[0]))?;
        Ok(file.require_space(frames * SAMPLE_BYTES)?)
    }

    /// Replaces a page, a JSON file and others: all of them, or none if one cannot be written before the first is
    /// replaced. The JSON file is the last, so that it never refers to missing files.
    pub(super) fn write(
        &self,
        [json, page]: [&str; 2],
        value: &impl Serialize,
        html: &str,
        others: Vec<StagedFile>,
    ) -> Result<(), BenchError> {
        let page = self.stage(page, |file| file.write_all(html.as_bytes()))?;
        let value = self.stage_json(json, value)?;
        commit(others.into_iter().chain([page, value]))?;
        self.is_written.set(true);
        Ok(())
    }

    /// Returns whether [`write`](Self::write) has succeeded.
    pub(super) fn is_written(&self) -> bool {
        self.is_written.get()
    }

    /// Writes the frames of a result.
    pub(super) fn stage_frames(&self, result: &BenchResult) -> Result<StagedFile, BenchError> {
        let samples = result.runs.iter().map(|run| &run.samples[..]);
        self.stage(FRAMES_FILE, |file| write_samples(file, samples))
    }

    /// Writes a value as JSON.
    pub(super) fn stage_json(
        &self,
        name: &str,
        value: &impl Serialize,
    ) -> Result<StagedFile, BenchError> {
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
        // A measurement takes minutes, in which others may remove an empty directory.
        fs::create_dir_all(&self.path).map_err(|error| OutputError::new(&self.path, error))?;
        Ok(OutputFile::create_unlinked(&self.path(name))?.stage(write)?)
    }

    /// Returns the path of a file.
    pub(super) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Prints the paths of written files to standard error.
    pub(super) fn report_paths(&self, names: impl IntoIterator<Item: AsRef<str>>) {
        let paths = names.into_iter().map(|name| error_text::path(&self.path(name.as_ref())));
        let paths: Vec<_> = paths.collect();
        if !paths.is_empty() {
            output::status(&format!("wrote {}", paths.join(", ")));
        }
    }
}

/// Replaces files in order.
pub(super) fn commit(files: impl IntoIterator<Item = StagedFile>) -> Result<(), BenchError> {
    Ok(files.into_iter().try_for_each(StagedFile::commit)?)
}

/// Destination of `--json`.
pub(super) enum JsonTarget {
    /// No `--json`.
    None,
    StandardOutput,
    File(OutputFile),
}

impl JsonTarget {
    /// `-` is standard output. Checks that a file can be written, that it is none of the `written` and `read` ones,
    /// and that no written one is read.
    pub(super) fn create(
        args: &JsonArgs,
        written: impl IntoIterator<Item = PathBuf>,
        read: impl IntoIterator<Item = PathBuf>,
    ) -> Result<Self, BenchError> {
        let [written, read] = [Vec::from_iter(written), Vec::from_iter(read)];
        for path in &written {
            OutputFile::create_unlinked(path)?.require_other_than(&read)?;
        }
        Ok(match &args.json {
            None => Self::None,
            Some(path) if path == Path::new(STANDARD_OUTPUT) => Self::StandardOutput,
            Some(path) => {
                let file = OutputFile::create(path)?;
                file.require_other_than(written.iter().chain(&read))?;
                Self::File(file)
            }
        })
    }

    /// Writes a result as JSON, and prints it as text unless standard output is reserved for JSON.
    pub(super) fn write(&self, value: &impl Serialize, text: &str) -> Result<(), BenchError> {
        let json = serde_json::to_string(value)? + "\n";
        match self {
            Self::None => {}
            Self::StandardOutput => return Ok(output::print(&json)?),
            Self::File(file) => file.write(|file| file.write_all(json.as_bytes()))?,
        }
        Ok(output::print(text)?)
    }

    /// Reports the first line of a text, which explains the exit code, if standard output has JSON only.
    pub(super) fn report(&self, text: &str) {
        if let (Self::StandardOutput, Some(line)) = (self, text.lines().next()) {
            output::status(line);
        }
    }
}

/// Returns the files that results are read from: their own, and those of frames under their usual name.
pub(super) fn read_from<'a>(
    results: impl IntoIterator<Item = &'a PathBuf>,
) -> impl Iterator<Item = PathBuf> {
    let both = |path: &PathBuf| [path.clone(), path.with_file_name(FRAMES_FILE)];
    results.into_iter().flat_map(both)
}

/// Reads a result without its frames.
pub(super) fn read_result(path: &Path) -> Result<BenchResult, BenchError> {
    let result: BenchResult = read(path, RESULT)?;
    result.check().map_err(|reason| BenchError::unread(path, &reason))?;
    Ok(result)
}

/// Reads a result with its frames.
pub(super) fn read_result_with_frames(path: &Path) -> Result<BenchResult, BenchError> {
    let mut result = read_result(path)?;
    let name = result.frames_file.as_ref().map(Path::new);
    // No other directory: the file says what is read.
    let Some(name) = name.and_then(Path::file_name) else {
        return Err(BenchError::unread(path, "it has no frames; use the result.json of --out"));
    };
    let frames = path.with_file_name(name);
    let found = fs::symlink_metadata(&frames);
    if found.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        let name = error_text::path(name.as_ref());
        let reason = format!("its frames, {name}, are not beside it; copy both files");
        return Err(BenchError::unread(path, &reason));
    }
    let bytes = content(&frames, |mut file| {
        memory::check("the frame samples", file.metadata()?.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map(|_| bytes)
    })?;
    let samples = read_samples(&bytes, result.runs.len());
    let samples = samples.map_err(|cause| BenchError::unread(&frames, &cause.to_string()))?;
    for (run, samples) in result.runs.iter_mut().zip(samples) {
        run.samples = samples;
        run.check_samples().map_err(|reason| BenchError::unread(&frames, &reason))?;
    }
    Ok(result)
}

/// Kinds of files.
const RESULT: &str = "a result";
const PAIRS: &str = "a comparison of bench ab or aa";
const BASELINE: &str = "a baseline (for bench gate --baseline)";
const SWEEP: &str = "a sweep (for bench report --sweep)";

/// What a file says of itself.
#[derive(Deserialize)]
struct Versioned {
    /// Comparisons have none.
    schema: Option<u32>,
    /// Only comparisons of results have files.
    files: Option<IgnoredAny>,
    /// Of the others, only comparisons of `bench ab` have pairs.
    medians_ns: Option<IgnoredAny>,
    /// Only verdicts of `bench gate` have a conclusion.
    conclusion: Option<IgnoredAny>,
    /// Of the others, only baselines have sessions.
    sessions: Option<IgnoredAny>,
    /// Only sweeps have points.
    points: Option<IgnoredAny>,
    /// Only suites have variants.
    variants: Option<IgnoredAny>,
}

impl Versioned {
    /// Names the kind of the file, and what reads those of other kinds than results.
    fn kind(&self) -> &'static str {
        let kinds = [
            (&self.files, "a comparison of two results"),
            (&self.medians_ns, PAIRS),
            (&self.conclusion, "a verdict of bench gate"),
            (&self.sessions, BASELINE),
            (&self.points, SWEEP),
            (&self.variants, "a suite"),
        ];
        kinds.into_iter().find_map(|(key, kind)| key.as_ref().map(|_| kind)).unwrap_or(RESULT)
    }
}

/// Reads a sweep.
pub(super) fn read_sweep(path: &Path) -> Result<Sweep, BenchError> {
    let sweep: Sweep = read(path, SWEEP)?;
    sweep.check().map_err(|reason| BenchError::unread(path, &reason))?;
    Ok(sweep)
}

/// Reads a baseline, or a result as a baseline of one session.
pub(super) fn read_baseline(path: &Path) -> Result<Baseline, BenchError> {
    let text = content(path, text)?;
    let versioned: Versioned = parse(path, &text)?;
    let baseline = match versioned.kind() {
        RESULT => Baseline::from_result(parse_versioned(path, &text, &versioned, RESULT)?),
        BASELINE => parse_versioned(path, &text, &versioned, BASELINE)?,
        kind => {
            let reason = format!("it is {kind}, expected a baseline or a result");
            return Err(BenchError::unread(path, &reason));
        }
    };
    baseline.check().map_err(|reason| BenchError::unread(path, &reason))?;
    Ok(baseline)
}

/// Reads a baseline to which a session will be added. A result is refused: the baseline would replace it.
pub(super) fn read_saved_baseline(path: &Path) -> Result<Baseline, BenchError> {
    let baseline: Baseline = read(path, BASELINE)?;
    baseline.check().map_err(|reason| BenchError::unread(path, &reason))?;
    Ok(baseline)
}

/// Reads a file of this kind and schema version.
fn read<T: DeserializeOwned>(path: &Path, expected: &str) -> Result<T, BenchError> {
    let text = content(path, text)?;
    parse_versioned(path, &text, &parse(path, &text)?, expected)
}

/// Parses the text of a file of this kind and schema version.
fn parse_versioned<T: DeserializeOwned>(
    path: &Path,
    text: &str,
    versioned: &Versioned,
    expected: &str,
) -> Result<T, BenchError> {
    let kind = versioned.kind();
    if kind != expected && (versioned.schema.is_some() || kind != RESULT) {
        // Without the hint in parentheses.
        let expected = expected.split(" (").next().unwrap_or_default();
        return Err(BenchError::unread(path, &format!("it is {kind}, expected {expected}")));
    }
    let Some(schema) = versioned.schema else {
        return Err(BenchError::unread(path, "not a benchmark result: it has no schema version"));
    };
    if schema != RESULT_SCHEMA {
        let advice = if schema > RESULT_SCHEMA {
            "use the version of cubefall that wrote it, or a later one"
        } else {
            "measure again, into another file"
        };
        let reason = format!(
            "schema version {schema}, this version of cubefall reads {RESULT_SCHEMA}; {advice}"
        );
        return Err(BenchError::unread(path, &reason));
    }
    parse(path, text)
}

fn text(file: File) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        let max = MAX_TEXT >> 20;
        return Err(io::Error::other(format!("it is too large, expected {max} MiB at most")));
    }
    io::read_to_string(&*input_file::as_utf8(&bytes))
}

fn content<T>(path: &Path, read: impl FnOnce(File) -> io::Result<T>) -> Result<T, BenchError> {
    let content = input_file::open(path).and_then(read);
    content.map_err(|cause| match cause.kind() {
        io::ErrorKind::InvalidData => BenchError::unread(path, "it is not a text file"),
        _ if path.join(RESULT_FILES[0]).is_file() => {
            BenchError::unread(path, &format!("it is a folder; name its {}", RESULT_FILES[0]))
        }
        _ => BenchError::unread(path, &error_text::io(&cause)),
    })
}

fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, BenchError> {
    serde_json::from_str(text).map_err(|cause| {
        let reason = error_text::json_with_place(&cause);
        BenchError::unread(path, &format!("not a benchmark result: {reason}"))
    })
}

//! `bench ab` and `bench aa`: two binaries or settings in interleaved pairs of runs (A B, B A, A B and so on).

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::files::{FRAMES_FILE, Folder, JsonTarget, PAIRS_FILES, RESULT_FILES};
use super::outcome::STRICT;
use super::runner::{self, Runner};
use super::{BenchError, Outcome, doctor, summary};
use crate::benchmark::{
    BenchResult, Comparison, Difference, NamedComparison, Report, RunMedian, RunResult, Summary,
    Threshold, frame_rates, noise_floor, pair_warnings,
};
use crate::cli::{AaArgs, AbArgs, DURATION, PairArgs, RunArgs};
use crate::error_text;
use crate::output;
use crate::units::{bare_ms, change};

/// Noise floor in percent above which a machine is too disturbed to compare anything.
const MAX_NOISE_FLOOR: f64 = 20.0;

/// What is wrong with a run that cannot be compared.
const DISTURBED: &str = "disturbed (a window was resized or hidden, or the process suspended)";

/// A binary and its flags.
struct Side {
    program: PathBuf,
    args: RunArgs,
    name: String,
}

/// Results of A and B so far, with the same warnings.
struct Pairs {
    results: [BenchResult; 2],
    threshold: Threshold,
    /// Flags of one side are given.
    may_differ: bool,
    /// Warnings about the machine before the first run.
    machine_warnings: Vec<String>,
    /// Smallest difference that this machine can resolve, if a binary is compared with itself; `None` for
    /// fewer than six pairs.
    noise_floor: Option<f64>,
}

/// Compares two binaries or settings.
pub(super) fn ab(args: &AbArgs) -> Result<Outcome, BenchError> {
    let common = &args.pairs.run;
    let sides = [
        Side::new(args.a.as_deref(), args.a_flags.as_deref(), common)?,
        Side::new(args.b.as_deref(), args.b_flags.as_deref(), common)?,
    ];
    let may_differ = args.a_flags.is_some() || args.b_flags.is_some();
    let folder = |path: &PathBuf| {
        let side = |name| Folder::create_unlinked(&path.join(name), &RESULT_FILES);
        // The folders in it are dropped first: each that stays empty is removed.
        let both = Folder::create(path, &PAIRS_FILES)?;
        Ok::<_, BenchError>([side("a")?, side("b")?, both])
    };
    let folders = args.out.as_ref().map(folder).transpose()?;
    let written = folders.iter().flat_map(|[sides @ .., both]| {
        let of_sides = sides.iter().flat_map(|side| RESULT_FILES.map(|name| side.path(name)));
        PAIRS_FILES.map(|name| both.path(name)).into_iter().chain(of_sides)
    });
    let read = sides.iter().flat_map(Side::files);
    let json = JsonTarget::create(&args.pairs.json, written, read)?;
    let mut pairs = Pairs { may_differ, ..Pairs::new(&sides, &args.pairs) };
    let measured = pairs.measure(&sides, folders.as_ref());
    if let Some([sides @ .., both]) = folders.as_ref().filter(|[.., both]| both.is_written()) {
        both.report_paths(PAIRS_FILES);
        for side in sides {
            side.report_paths([RESULT_FILES[0], FRAMES_FILE]);
        }
    }
    pairs.print(&json, "", measured)?;
    let verdict = pairs.comparison().verdict;
    let [a, _] = &pairs.results;
    Ok(if !pairs.is_complete() {
        Outcome::Interrupted
    } else if args.strict && !a.warnings.is_empty() {
        output::status(STRICT);
        Outcome::Invalid
    } else {
        verdict.into()
    })
}

/// Compares a binary with itself.
pub(super) fn aa(args: &AaArgs) -> Result<Outcome, BenchError> {
    let side = || Side::new(args.program.as_deref(), None, &args.pairs.run);
    let sides = [side()?, side()?];
    let json = JsonTarget::create(&args.pairs.json, [], sides[0].files())?;
    let mut pairs = Pairs::new(&sides, &args.pairs);
    let measured = pairs.measure(&sides, None);
    pairs.noise_floor = noise_floor(&pairs.medians());
    let text = match pairs.noise_floor.map(|floor| floor * 100.0) {
        None => "unknown, at least 6 pairs are needed".to_owned(),
        Some(percent) if percent > MAX_NOISE_FLOOR => format!(
            "above {MAX_NOISE_FLOOR} %, other programs disturb the runs: close them and measure again"
        ),
        Some(percent) => {
            format!("differences below about {percent:.2} % are often missed with this many pairs")
        }
    };
    pairs.print(&json, &format!("Noise floor: {text}.\n"), measured)?;
    Ok(if pairs.is_complete() { Outcome::Done } else { Outcome::Interrupted })
}

impl Side {
    /// The files that it reads.
    fn files(&self) -> Vec<PathBuf> {
        self.args.scene.files().into_iter().chain([self.program.clone()]).collect()
    }

    fn new(
        program: Option<&Path>,
        flags: Option<&str>,
        common: &RunArgs,
    ) -> Result<Self, BenchError> {
        let args =
            flags.map_or_else(|| Ok(common.clone()), |flags| runner::with_flags(common, flags))?;
        let (named, program) = (program, runner::program(program)?);
        let path = named.unwrap_or(&program).to_string_lossy().into_owned();
        let name = match flags.map(str::trim).filter(|flags| !flags.is_empty()) {
            None => path,
            Some(flags) if named.is_some() => format!("{path} {flags}"),
            Some(flags) => flags.to_owned(),
        };
        let args = args.for_medians(DURATION).map_err(BenchError::Input)?;
        Ok(Self { program, args, name })
    }

    /// Makes a run, and a second one if the first is disturbed; fails if both are. `left` is the number of planned runs that
    /// are left, with this one. Returns `None` after a signal.
    fn undisturbed_run(
        &self,
        runner: &Runner,
        label: &str,
        left: u64,
    ) -> Result<Option<RunResult>, BenchError> {
        let run = || runner.run(label, &self.program, &self.args);
        let is_disturbed = |run: &RunResult| !run.all_frames_valid();
        let first = run()?;
        if !first.as_ref().is_some_and(is_disturbed) {
            return Ok(first);
        }
        runner.status(&format!("{label} was {DISTURBED}; it is measured again"));
        runner.expect(left);
        let again = run()?;
        if again.as_ref().is_some_and(is_disturbed) {
            return Err(BenchError::Failed(format!(
                "a run of {} was {DISTURBED} again; leave the window visible and the process running",
                error_text::path(&self.program)
            )));
        }
        Ok(again)
    }
}

impl Pairs {
    fn new(sides: &[Side; 2], args: &PairArgs) -> Self {
        let result = |side: &Side| {
            let settings = side.args.bench_settings(args.pairs);
            BenchResult::new(side.name.clone(), settings)
        };
        let results = sides.each_ref().map(result);
        let machine_warnings = doctor::warnings();
        Self {
            results,
            threshold: args.threshold,
            may_differ: false,
            machine_warnings,
            noise_floor: None,
        }
    }

    /// Returns the median frame times of each pair.
    fn medians(&self) -> Vec<(RunMedian, RunMedian)> {
        let [a, b] = self.results.each_ref().map(BenchResult::medians);
        a.into_iter().zip(b).collect()
    }

    fn comparison(&self) -> Comparison {
        Comparison::of_pairs(&self.medians(), self.threshold)
    }

    fn differences(&self) -> Vec<Difference> {
        self.results[0].differences(&self.results[1])
    }

    fn is_complete(&self) -> bool {
        self.results.iter().all(|result| result.complete)
    }

    /// Prints the verdict after a `heading`, what differs, each pair, and the warnings. Then returns the error that
    /// ended the measurement.
    fn print(
        &self,
        json: &JsonTarget,
        heading: &str,
        measured: Result<(), BenchError>,
    ) -> Result<(), BenchError> {
        let [a, b] = &self.results;
        let medians = self.medians();
        // Pairs that cannot be compared have no figures.
        let is_refused =
            matches!(measured, Err(BenchError::NotComparable(_) | BenchError::MixedRuns(_)));
        if medians.is_empty() || is_refused {
            measured?;
            output::status("interrupted before the end of the first pair");
            return Ok(());
        }
        let (comparison, done) = (self.comparison(), medians.len());
        let mut text = heading.to_owned() + &comparison.text();
        for (side, result) in [("A", a), ("B", b)] {
            let rates = frame_rates(&Summary::of(&result.runs[..done]));
            text += &summary::wrapped(&format!("{side}: {}: {rates}", result.name));
        }
        text += &summary::differences(&self.differences());
        text += "\npair   A median   B median   B vs A\n";
        for (number, (a, b)) in (1..).zip(medians) {
            let [a, b] = [a, b].map(RunMedian::nanoseconds);
            let difference = change(b / a - 1.0);
            let [a, b] = [a, b].map(bare_ms);
            let _ = writeln!(text, "{number:>4} {a:>7} ms {b:>7} ms {difference:>8}");
        }
        if !self.is_complete() {
            let planned = a.settings.runs;
            text += &summary::wrapped(&format!("warning: incomplete: {done} of {planned} pairs"));
        }
        json.write(&self.record(&comparison), &(text + &summary::warnings(&a.warnings)))?;
        json.report(&comparison.text());
        measured
    }

    /// Returns the verdict in JSON.
    fn record(&self, comparison: &Comparison) -> Value {
        let [a, b] = &self.results;
        let medians = self.medians().into_iter();
        let medians = medians.map(|(a, b)| [a.nanoseconds(), b.nanoseconds()]);
        let adapter = |result: &BenchResult| result.runs.first().map(|run| run.adapter.clone());
        json!({
            "started_unix_s": a.started_unix_s,
            "machine": a.machine,
            "names": [a.name, b.name],
            "versions": [a.version, b.version],
            "adapters": [adapter(a), adapter(b)],
            "settings": [a.settings, b.settings],
            "medians_ns": medians.collect::<Vec<_>>(),
            "comparison": comparison.record(),
            "differences": self.differences(),
            "warnings": a.warnings,
            "complete": self.is_complete(),
            "noise_floor": self.noise_floor,
        })
    }

    /// Writes the verdict, and the result of each side into the folder of the side.
    fn write(&mut self, [sides @ .., both]: &[Folder; 3]) -> Result<(), BenchError> {
        let mut files = Vec::new();
        for (folder, result) in sides.iter().zip(&mut self.results) {
            result.summary = Some(Summary::of(&result.runs));
            result.frames_file = Some(FRAMES_FILE.to_owned());
            files.push(folder.stage_frames(result)?);
            files.push(folder.stage_json(RESULT_FILES[0], result)?);
        }
        let comparison = self.comparison();
        let [a, b] = &self.results;
        let named = NamedComparison::of_pairs(a, b, &self.medians(), comparison);
        let report = Report { comparison: Some(named), ..Report::new(b) };
        both.write(PAIRS_FILES, &self.record(&comparison), &report.html(), files)?;
        // Pages of earlier results, which these files replace.
        for folder in sides {
            let _ = fs::remove_file(folder.path(RESULT_FILES[2]));
        }
        Ok(())
    }

    /// Returns the warnings about both sides.
    fn warnings(&self, sides: &[Side; 2]) -> Vec<String> {
        let [a, b] = &self.results;
        let runs = a.runs.iter().chain(&b.runs);
        let mut warnings = pair_warnings(runs, &self.machine_warnings);
        for ((name, side), result) in ["A", "B"].into_iter().zip(sides).zip(&self.results) {
            let run = result.runs.first();
            let warning = run.and_then(|run| side.args.graphics.without_effect(run));
            warnings.extend(warning.map(|warning| format!("{name}: {warning}")));
        }
        let are_measured = !a.runs.is_empty() && !b.runs.is_empty();
        // An injected slowdown is in no settings.
        let [one, other] = sides.each_ref().map(|side| (&side.program, side.args.inject_slowdown));
        if self.may_differ && are_measured && one == other && self.differences().is_empty() {
            let same = "A and B ran with the same settings: change the flags of one side";
            warnings.push(same.to_owned());
        }
        warnings
    }

    /// Measures pairs of runs until all are done, or until a signal or an error. Writes the files after each pair.
    fn measure(
        &mut self,
        sides: &[Side; 2],
        folders: Option<&[Folder; 3]>,
    ) -> Result<(), BenchError> {
        let count = self.results[0].settings.runs;
        let runner = Runner::new(u64::from(count) * 2)?;
        for pair in 1..=count {
            let order = if pair % 2 == 1 { [0, 1] } else { [1, 0] };
            for (turn, at) in (0..).zip(order) {
                let label = format!("pair {pair} of {count}, {}", ["A", "B"][at]);
                let left = u64::from(count - pair) * 2 + 2 - turn;
                let run = sides[at].undisturbed_run(&runner, &label, left)?;
                let Some(run) = run else { return Ok(()) };
                self.results[at].push(run).map_err(BenchError::MixedRuns)?;
                let warnings = self.warnings(sides);
                self.results.iter_mut().for_each(|result| result.warnings.clone_from(&warnings));
            }
            self.check_comparable()?;
            if let Some(folders) = folders {
                self.write(folders)?;
            }
        }
        Ok(())
    }

    /// Checks that the sides differ only in what the flags of one side name.
    fn check_comparable(&self) -> Result<(), BenchError> {
        let [a, b] = &self.results;
        let mut refused = self.differences();
        // Flags do not explain other work of the same scene.
        refused.retain(|difference| {
            !self.may_differ || (difference.is_work() && a.settings.has_same_work(&b.settings))
        });
        Difference::list(&refused).map_or(Ok(()), |list| Err(BenchError::NotComparable(list)))
    }
}

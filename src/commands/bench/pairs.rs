//! `bench ab` and `bench aa`: two binaries or settings in interleaved pairs of runs (A B, B A, A B and so on).

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::files::{FRAMES_FILE, JsonTarget, PairsFolder};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, summary, warnings};
use crate::benchmark::{
    BenchResult, Comparison, ComparisonRecord, Difference, NamedComparison, Report, RunMedian,
    RunResult, Summary, Threshold, add_warnings, noise_floor,
};
use crate::cli::{AaArgs, AbArgs, DURATION, PairArgs, RunArgs};
use crate::units::{bare_ms, change};

/// Noise floor above which a machine is too disturbed to compare anything.
const MAX_NOISE_FLOOR: f64 = 0.2;

/// Median frame times of A and B.
type Pair = (RunMedian, RunMedian);

/// A binary and its flags.
struct Side {
    program: PathBuf,
    args: RunArgs,
    name: String,
}

/// Results of A and B so far.
struct Pairs {
    results: [BenchResult; 2],
    medians: Vec<Pair>,
    warnings: Vec<String>,
    threshold: Threshold,
}

/// The verdict in JSON.
#[derive(Serialize)]
pub(super) struct PairsRecord<'a> {
    /// Names of A and B.
    names: [&'a str; 2],
    /// Median frame times of A and B in each pair, in ns.
    medians_ns: Vec<[f64; 2]>,
    comparison: ComparisonRecord,
    /// Smallest difference that this machine can resolve; `None` for fewer than six pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    noise_floor: Option<f64>,
    differences: Vec<Difference>,
    warnings: &'a [String],
    complete: bool,
}

/// Compares two binaries or settings.
pub(super) fn ab(args: &AbArgs) -> Result<Outcome, BenchError> {
    let common = &args.pairs.run;
    let sides = [
        Side::new(args.a.as_deref(), args.a_flags.as_deref(), common)?,
        Side::new(args.b.as_deref(), args.b_flags.as_deref(), common)?,
    ];
    let may_differ = args.a_flags.is_some() || args.b_flags.is_some();
    let folder = args.out.as_deref().map(PairsFolder::create).transpose()?;
    let json = JsonTarget::create(args.pairs.json.json.as_deref())?;
    let save = |pairs: &mut Pairs| folder.as_ref().map_or(Ok(()), |folder| pairs.write(folder));
    let pairs = measure(&sides, &args.pairs, may_differ, save)?;
    if let Some(folder) = folder.filter(|_| !pairs.medians.is_empty()) {
        folder.report_paths();
    }
    json.write(&pairs.record(None))?;
    json.print_text(&format!("{}{}", pairs.verdict(), pairs.details()))?;
    let verdict = pairs.comparison().verdict;
    Ok(if pairs.is_complete() { verdict.into() } else { Outcome::Interrupted })
}

/// Compares a binary with itself.
pub(super) fn aa(args: &AaArgs) -> Result<Outcome, BenchError> {
    let side = || Side::new(args.program.as_deref(), None, &args.pairs.run);
    let json = JsonTarget::create(args.pairs.json.json.as_deref())?;
    let pairs = measure(&[side()?, side()?], &args.pairs, false, |_| Ok(()))?;
    let floor = noise_floor(&pairs.medians);
    json.write(&pairs.record(floor))?;
    let floor = match floor {
        None => "unknown, at least 6 pairs are needed".to_owned(),
        Some(floor) if floor > MAX_NOISE_FLOOR => format!(
            "above {} %, other programs disturb the runs: close them and measure again",
            MAX_NOISE_FLOOR * 100.0
        ),
        Some(floor) => {
            format!("this machine cannot resolve differences below {:.2} %", floor * 100.0)
        }
    };
    let text = format!("Noise floor: {floor}.\n{}{}", pairs.verdict(), pairs.details());
    json.print_text(&text)?;
    Ok(if pairs.is_complete() { Outcome::Done } else { Outcome::Interrupted })
}

impl Side {
    fn new(
        program: Option<&Path>,
        flags: Option<&str>,
        common: &RunArgs,
    ) -> Result<Self, BenchError> {
        let args =
            flags.map_or_else(|| Ok(common.clone()), |flags| runner::with_flags(common, flags))?;
        let program = runner::program(program)?;
        // Of `old/cubefall`, the directory tells which one it is.
        let parts: Vec<_> =
            program.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let path = parts[parts.len().saturating_sub(2)..].join("/");
        let name = flags.map_or(path, str::to_owned);
        Ok(Self { program, args: args.for_medians(DURATION), name })
    }
}

impl Pairs {
    fn comparison(&self) -> Comparison {
        Comparison::of_pairs(&self.medians, self.threshold)
    }

    fn is_complete(&self) -> bool {
        self.results[0].complete
    }

    fn differences(&self) -> Vec<Difference> {
        let [a, b] = &self.results;
        a.differences(b)
    }

    /// Adds a pair of runs.
    fn push(&mut self, medians: Pair, runs: [RunResult; 2]) -> Result<(), BenchError> {
        self.medians.push(medians);
        add_warnings(&mut self.warnings, &runs);
        for (result, run) in self.results.iter_mut().zip(runs) {
            result.push(run).map_err(BenchError::MixedRuns)?;
            result.warnings.clone_from(&self.warnings);
        }
        Ok(())
    }

    fn verdict(&self) -> String {
        self.comparison().text(self.threshold)
    }

    /// Returns what differs, each pair, and the warnings.
    fn details(&self) -> String {
        let [a, b] = self.results.each_ref().map(|result| &result.name);
        let mut text = summary::wrapped(&format!("A: {a}")) + &summary::wrapped(&format!("B: {b}"));
        text += &summary::differences(&self.differences());
        text += "\npair   A median   B median   B vs A\n";
        for (number, (a, b)) in (1..).zip(&self.medians) {
            let [a, b] = [a, b].map(|median| median.nanoseconds());
            let difference = change(b / a - 1.0);
            let [a, b] = [a, b].map(bare_ms);
            let _ = writeln!(text, "{number:>4} {a:>7} ms {b:>7} ms {difference:>8}");
        }
        text + &summary::warnings(&self.warnings)
    }

    fn record(&self, noise_floor: Option<f64>) -> PairsRecord<'_> {
        let medians = self.medians.iter();
        PairsRecord {
            names: self.results.each_ref().map(|result| result.name.as_str()),
            medians_ns: medians.map(|&(a, b)| [a.nanoseconds(), b.nanoseconds()]).collect(),
            comparison: self.comparison().record(self.threshold),
            noise_floor,
            differences: self.differences(),
            warnings: &self.warnings,
            complete: self.is_complete(),
        }
    }

    fn write(&mut self, folder: &PairsFolder) -> Result<(), BenchError> {
        for result in &mut self.results {
            result.summary = Some(Summary::of(&result.runs));
            result.frames_file = Some(FRAMES_FILE.to_owned());
        }
        let [a, b] = &self.results;
        let comparison = NamedComparison::of_pairs(a, b, &self.medians, self.threshold);
        let report = Report { comparison: Some(comparison), ..Report::new(b) };
        folder.write(&self.results, &report, &self.record(None))
    }
}

/// Measures pairs of runs until all are done, or until a signal. Calls `save` after each pair.
fn measure(
    sides: &[Side; 2],
    args: &PairArgs,
    may_differ: bool,
    save: impl Fn(&mut Pairs) -> Result<(), BenchError>,
) -> Result<Pairs, BenchError> {
    let result =
        |side: &Side| BenchResult::new(side.name.clone(), side.args.bench_settings(args.pairs));
    let mut pairs = Pairs {
        results: sides.each_ref().map(result),
        medians: Vec::new(),
        warnings: warnings::of_machine(),
        threshold: args.threshold,
    };
    let runner = Runner::new(u64::from(args.pairs) * 2)?;
    let run = |which: usize, pair: u32| {
        let Side { program, args: flags, .. } = &sides[which];
        let label = format!("pair {pair} of {}, {}", args.pairs, ["A", "B"][which]);
        let Some(run) = runner.run(&label, program, flags)? else { return Ok(None) };
        if !run.all_frames_valid() {
            return Err(BenchError::Disturbed(program.clone()));
        }
        Ok(Some((runner::median(&run, program)?, run)))
    };
    for pair in 1..=args.pairs {
        let is_a_first = pair % 2 == 1;
        let (first, second) = if is_a_first { (0, 1) } else { (1, 0) };
        let Some(first) = run(first, pair)? else { break };
        let Some(second) = run(second, pair)? else { break };
        let ((a, run_a), (b, run_b)) = if is_a_first { (first, second) } else { (second, first) };
        pairs.push((a, b), [run_a, run_b])?;
        let [a, b] = &pairs.results;
        // Flags of one side name what may differ, but do not explain other work of the same scene.
        let mut refused = pairs.differences();
        refused.retain(|difference| {
            !may_differ || (difference.is_work() && a.settings.has_same_work(&b.settings))
        });
        if let Some(list) = Difference::list(&refused) {
            return Err(BenchError::NotComparable(list));
        }
        save(&mut pairs)?;
    }
    Ok(pairs)
}

//! `bench ab` and `bench aa`: two binaries in interleaved pairs of runs (A B, B A, A B and so on).

use std::fmt::Write;
use std::path::Path;

use super::files::{Folder, PAIRS_FILE, RESULT_FILES};
use super::runner::{self, Runner};
use super::{BenchError, Outcome, summary, warnings};
use crate::benchmark::{
    BenchResult, Comparison, NamedComparison, Report, RunMedian, RunResult, noise_floor,
};
use crate::cli::{AbArgs, PairArgs};
use crate::output;
use crate::units::{bare_ms, change};

/// Median frame times of A and B.
type Pair = (RunMedian, RunMedian);

/// Compares two binaries.
pub(super) fn ab(args: &AbArgs) -> Result<Outcome, BenchError> {
    let folder = args.out.as_deref().map(Folder::create).transpose()?;
    let PairArgs { run, pairs: count, threshold } = &args.pairs;
    let names = [&args.a, &args.b].map(|program| program.display().to_string());
    let mut warnings = warnings::of_machine();
    let mut b = BenchResult::new(names[1].clone(), run.bench_settings(*count));
    let save = |pairs: &[Pair], runs: [RunResult; 2]| {
        warnings::add_of_runs(&mut warnings, &runs);
        let [_, run] = runs;
        let Some(folder) = &folder else { return Ok(()) };
        (b.version, b.debug_build) = (run.version.clone(), run.debug_build);
        b.runs.push(run);
        b.complete = pairs.len() == *count as usize;
        b.warnings.clone_from(&warnings);
        let comparison = NamedComparison::of_pairs(&names[0], &names[1], pairs, *threshold);
        let report = Report { comparison: Some(comparison), ..Report::new(&b) };
        folder.write_result(&report, vec![folder.stage_pairs(pairs)?])
    };
    let pairs = measure([&args.a, &args.b], &args.pairs, args.slow_down_b, save)?;
    let comparison = Comparison::of_pairs(&pairs, *threshold);
    let verdict = comparison.text(*threshold);
    output::print(&format!("{}{verdict}{}", table(&pairs), summary::warnings(&warnings)))?;
    if let Some(folder) = folder.filter(|_| !pairs.is_empty()) {
        folder.report_paths(RESULT_FILES.into_iter().chain([PAIRS_FILE]));
    }
    let complete = pairs.len() == *count as usize;
    Ok(if complete { comparison.verdict.into() } else { Outcome::Interrupted })
}

/// Compares this binary with itself.
pub(super) fn aa(args: &PairArgs) -> Result<Outcome, BenchError> {
    let program = runner::own_program()?;
    let mut warnings = warnings::of_machine();
    let collect = |_: &[Pair], runs: [RunResult; 2]| {
        warnings::add_of_runs(&mut warnings, &runs);
        Ok(())
    };
    let pairs = measure([&program, &program], args, 0, collect)?;
    let floor = noise_floor(&pairs).map_or_else(
        || "Noise floor: unknown, at least 6 pairs are needed.\n".to_owned(),
        |floor| {
            let floor = floor * 100.0;
            format!("Noise floor: this machine cannot resolve differences below {floor:.2} %.\n")
        },
    );
    let verdict = Comparison::of_pairs(&pairs, args.threshold).text(args.threshold);
    let warnings = summary::warnings(&warnings);
    output::print(&format!("{}{verdict}{floor}{warnings}", table(&pairs)))?;
    let complete = pairs.len() == args.pairs as usize;
    Ok(if complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Measures pairs of runs until all are done, or until a signal. After each pair, calls `save` with all
/// pairs so far and the two runs.
fn measure(
    programs: [&Path; 2],
    args: &PairArgs,
    slow_down_b: u32,
    mut save: impl FnMut(&[Pair], [RunResult; 2]) -> Result<(), BenchError>,
) -> Result<Vec<Pair>, BenchError> {
    let mut pairs = Vec::new();
    let runner = Runner::new(u64::from(args.pairs) * 2)?;
    let run = |which: usize, pair: u32| {
        let program = programs[which];
        let label = format!("pair {pair} of {}, {}", args.pairs, ["A", "B"][which]);
        let slow_down = args.run.slow_down + [0, slow_down_b][which];
        let Some(run) = runner.run(&label, program, &args.run, slow_down)? else { return Ok(None) };
        if !run.all_frames_valid() {
            return Err(BenchError::Disturbed(program.to_owned()));
        }
        Ok(Some((runner::median(&run, program)?, run)))
    };
    for pair in 1..=args.pairs {
        let is_a_first = pair % 2 == 1;
        let (first, second) = if is_a_first { (0, 1) } else { (1, 0) };
        let Some(first) = run(first, pair)? else { break };
        let Some(second) = run(second, pair)? else { break };
        let ((a, run_a), (b, run_b)) = if is_a_first { (first, second) } else { (second, first) };
        if let Some(differences) = run_a.differs_from(&run_b) {
            return Err(BenchError::NotComparable(differences));
        }
        pairs.push((a, b));
        save(&pairs, [run_a, run_b])?;
    }
    Ok(pairs)
}

fn table(pairs: &[Pair]) -> String {
    let mut table = String::from("pair   A median   B median   B vs A\n");
    for (number, (a, b)) in (1..).zip(pairs) {
        let [a, b] = [a, b].map(|median| median.nanoseconds());
        let difference = change(b / a - 1.0);
        let _ = writeln!(
            table,
            "{number:>4} {:>7} ms {:>7} ms {difference:>8}",
            bare_ms(a),
            bare_ms(b)
        );
    }
    table
}

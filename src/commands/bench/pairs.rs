//! Pairs: two programs in turns, A B, B A, A B and so on, so that what drifts hits both alike.

use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::files::Folder;
use super::{BenchError, Outcome, child, run, summary, warnings};
use crate::benchmark::{
    Comparison, LogRatio, NamedComparison, Report, RunMedian, RunResult, noise_floor,
};
use crate::cli::{AbArgs, PairArgs};
use crate::commands::interrupt;
use crate::commands::progress::Progress;
use crate::output;
use crate::units;

/// Compares two programs.
pub(super) fn ab(args: &AbArgs) -> Result<Outcome, BenchError> {
    let folder = args.out.as_deref().map(Folder::open).transpose()?;
    let threshold = args.pairs.threshold;
    let names = [&args.a, &args.b].map(|program| program.display().to_string());
    let mut warnings = warnings::of_machine();
    let mut b = run::new_result(&names[1], &args.pairs.course, args.pairs.pairs);
    let keep = |medians: &[(RunMedian, RunMedian)], runs: [RunResult; 2]| {
        warnings::add(&mut warnings, &runs);
        let [_, run] = runs;
        let Some(folder) = &folder else { return Ok(()) };
        // Of the program that ran, which need not be this one.
        (b.version, b.debug_build) = (run.version.clone(), run.debug_build);
        b.runs.push(run);
        b.complete = medians.len() == args.pairs.pairs as usize;
        b.warnings.clone_from(&warnings);
        let comparison = NamedComparison::of_pairs(&names[0], &names[1], medians, threshold);
        folder.write(&Report { comparison: Some(comparison), ..Report::new(&b) })?;
        folder.write_pairs(medians)
    };
    let (medians, complete) = measure([&args.a, &args.b], &args.pairs, args.slow_b_by, keep)?;
    let comparison = Comparison::of_pairs(&medians, threshold);
    let verdict = comparison.text(threshold);
    output::print(&format!("{}{verdict}{}", table(&medians), summary::warnings(&warnings)))?;
    if let Some(folder) = folder.filter(|_| !medians.is_empty()) {
        output::status(&format!("wrote {}", folder.names_of_pairs()));
    }
    Ok(if complete { comparison.verdict.into() } else { Outcome::Interrupted })
}

/// Compares this program with itself.
pub(super) fn aa(args: &PairArgs) -> Result<Outcome, BenchError> {
    let own = run::own_program()?;
    let mut warnings = warnings::of_machine();
    let note = |_: &[_], runs: [RunResult; 2]| {
        warnings::add(&mut warnings, &runs);
        Ok(())
    };
    let (medians, complete) = measure([&own, &own], args, 0, note)?;
    let runs =
        (0..).zip(&medians).flat_map(|(pair, &(a, b))| if pair % 2 == 0 { [a, b] } else { [b, a] });
    let floor = noise_floor(&runs.collect::<Vec<_>>()).map_or_else(
        || "The noise floor is not known: it takes six pairs.\n".to_owned(),
        |floor| {
            format!(
                "Noise floor of this machine: differences below {:.2} % cannot be told from nothing.\n",
                floor * 100.0
            )
        },
    );
    let comparison = Comparison::of_pairs(&medians, args.threshold);
    let verdict = comparison.text(args.threshold);
    let warnings = summary::warnings(&warnings);
    output::print(&format!("{}{verdict}{floor}{warnings}", table(&medians)))?;
    Ok(if complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Medians of pairs of runs of two programs, and whether these are all; not so if it was
/// interrupted. After each pair, `keep` is given the medians so far and the runs of A and B.
fn measure(
    programs: [&Path; 2],
    args: &PairArgs,
    slow_b_by: u32,
    mut keep: impl FnMut(&[(RunMedian, RunMedian)], [RunResult; 2]) -> Result<(), BenchError>,
) -> Result<(Vec<(RunMedian, RunMedian)>, bool), BenchError> {
    let interrupted = interrupt::listen()?;
    let mut medians = Vec::new();
    let progress = Progress::new(u64::from(args.pairs) * 2);
    for pair in 0..args.pairs {
        let mut both = [None, None];
        let order = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        for which in order {
            let name = ["A", "B"][which];
            progress.begin(&format!("pair {} of {}, {name}", pair + 1, args.pairs));
            let slowed_by = args.course.slowed_by + if which == 1 { slow_b_by } else { 0 };
            let program = programs[which];
            let result = match child::measure(program, &args.course, slowed_by) {
                Err(_) if run::was_interrupted(&interrupted) => return Ok((medians, false)),
                result => result?,
            };
            if interrupted.load(Ordering::Acquire) {
                return Ok((medians, false));
            }
            if !result.all_frames_valid() {
                return Err(BenchError::Disturbed(program.to_owned()));
            }
            let nothing = || BenchError::NothingMeasured(program.to_owned());
            both[which] = Some((result.median().ok_or_else(nothing)?, result));
            progress.done();
        }
        if let [Some((a, run_of_a)), Some((b, run_of_b))] = both {
            if let Some(what) = run_of_a.differs_from(&run_of_b) {
                return Err(BenchError::NotComparable(what));
            }
            medians.push((a, b));
            keep(&medians, [run_of_a, run_of_b])?;
        }
    }
    Ok((medians, true))
}

fn table(medians: &[(RunMedian, RunMedian)]) -> String {
    let mut table = String::from("pair   A median   B median        B\n");
    for (number, (a, b)) in (1..).zip(medians) {
        let change = units::change(LogRatio::between(*a, *b).change());
        let [a, b] = [a, b].map(|median| units::ms(median.nanoseconds()));
        let _ = writeln!(table, "{number:>4} {a:>10} {b:>10} {change:>9}");
    }
    table
}

//! The summary of a result on a terminal with 80 columns.

use std::fmt::Write;

use crate::benchmark::{
    BenchResult, Difference, LowFps, Percentile, RunResult, Setup, Summary, definitions, facts,
    in_words,
};
use crate::error_text::harmless;
use crate::units::{count, ms};

/// Length of the sparkline, in characters.
const SPARKLINE: usize = 48;

/// Returns the summary of a result: one sentence, the table of times and the warnings. With `verbose` also
/// all facts about it, and what the statistics mean.
pub(super) fn text(result: &BenchResult, verbose: bool) -> String {
    let summary = Summary::of(&result.runs);
    let details = if verbose { details(result, &summary) } else { String::new() };
    [
        wrapped(&in_words(result, &summary)),
        wrapped(&format!("{}: {}", result.name, Setup::of_result(result).line())),
        table(&summary),
        missing_frames(result),
        if verbose { String::new() } else { low_formula(&summary) },
        details,
        warnings(&result.warnings),
    ]
    .concat()
}

/// Returns one line per warning, wrapped.
pub(super) fn warnings(warnings: &[String]) -> String {
    warnings.iter().map(|warning| wrapped(&format!("warning: {warning}"))).collect()
}

/// Lists what differs between A and B, one line each.
pub(super) fn differences(differences: &[Difference]) -> String {
    let line = |Difference { condition, a, b }: &Difference| {
        wrapped(&format!("{condition}: A {a}, B {b}"))
    };
    differences.iter().map(line).collect()
}

/// Wraps a line at 80 columns and indents continuation lines. Names of files and in files are made harmless.
pub(super) fn wrapped(line: &str) -> String {
    textwrap::fill(&harmless(line), textwrap::Options::new(80).subsequent_indent("  ")) + "\n"
}

/// Times of the frame, the GPU and each phase: medians over the runs.
fn table(summary: &Summary) -> String {
    let mut text = format!(
        "\n{:<10}{:>10}{:>10}{:>10}{:>10}{:>12}\n",
        "ms", "median", "p95", "p99", "max", "spread"
    );
    for row in &summary.rows {
        let (name, [median, p95, p99, max, spread]) = (row.name, row.texts());
        let _ = writeln!(text, "{name:<10}{median:>10}{p95:>10}{p99:>10}{max:>10}{spread:>12}");
    }
    text
}

/// Names what the unknown values of the table need. Empty if all runs are long enough.
fn missing_frames(result: &BenchResult) -> String {
    let needed = Percentile::P99.frames_needed();
    let frames = result.runs.iter().map(|run| run.valid_samples().count());
    let Some(shortest) = frames.min().filter(|frames| *frames < needed) else {
        return String::new();
    };
    let needed = u32::try_from(needed).expect("a thousand");
    let advice = match result.settings.frames {
        Some(frames) if frames >= needed => "measure again",
        _ => &format!("use --frames {needed}"),
    };
    wrapped(&format!(
        "1 % low and p99 need {} valid frames per run: the shortest run had {}; {advice}",
        count(needed),
        count(shortest),
    ))
}

/// Returns how the 1 % low of the first sentence is computed, if it is known: others have other formulas for it.
fn low_formula(summary: &Summary) -> String {
    let low = LowFps::OnePercent;
    let text = |_| wrapped(&format!("1 % low = {}", low.formula()));
    summary.low_fps(low).map(text).unwrap_or_default()
}

/// The facts that are not in the table, one per line, the definitions of statistics and a sparkline.
fn details(result: &BenchResult, summary: &Summary) -> String {
    let facts = facts(result, summary).into_iter().map(|(name, text)| format!("{name}: {text}"));
    let definitions = definitions().into_iter().map(|(name, text)| format!("{name} = {text}"));
    let facts: String = facts.map(|line| wrapped(&line)).collect();
    let definitions: String = definitions.map(|line| wrapped(&line)).collect();
    format!("\n{facts}\n{definitions}\n{}", sparkline(result))
}

/// Frame times of the last run; each character is the slowest of its frames.
fn sparkline(result: &BenchResult) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let frames = result.runs.last().map(RunResult::frame_times).unwrap_or_default();
    let Some(&max) = frames.iter().max().filter(|max| **max > 0) else { return String::new() };
    let level = |chunk: &[u64]| {
        let slowest = chunk.iter().copied().max().unwrap_or(0);
        LEVELS[((u128::from(slowest) * 14 + u128::from(max)) / (2 * u128::from(max))) as usize]
    };
    let line: String = frames.chunks(frames.len().div_ceil(SPARKLINE)).map(level).collect();
    format!("{line} last run, max {}\n", ms(max as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};

    /// Three runs of `frames` frames with long names and a long warning.
    fn of(frames: usize) -> BenchResult {
        let mut result = result(vec![run(vec![sim_frame(5_000_000_000); frames]); 3]);
        result.name = "a name of many words ".repeat(6);
        result.runs[0].adapter = "an adapter of many words ".repeat(6);
        result.warnings = vec!["a long warning ".repeat(9)];
        result
    }

    #[test]
    fn the_sentence_is_first_and_no_line_exceeds_80_columns() {
        for (frames, verbose) in [(412, false), (412, true), (1000, false), (1000, true)] {
            let result = of(frames);
            let text = text(&result, verbose);
            let sentence = wrapped(&in_words(&result, &Summary::of(&result.runs)));
            assert!(text.starts_with(&sentence), "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            for part in ["a name", "spread", "frame       5000.000", "warning: a long"] {
                assert!(text.contains(part), "{part} is missing in {text}");
            }
            let details = [
                "adapter: an adapter",
                "frames of each run: ",
                "bound by: CPU 100.0 %",
                "average = number of frames / sum of their times\n",
                "\n1 % low (rank mean) = k / sum of the k slowest",
                "last run",
            ];
            for part in details {
                assert_eq!(text.contains(part), verbose, "{part}: {text}");
            }
            let is_formula = text.contains("\n1 % low = k / sum of the k slowest");
            assert_eq!(is_formula, !verbose && frames == 1000, "{text}");
        }
        assert!(text(&of(1000), true).contains("frames of each run: 1,000, 1,000, 1,000\n"));
        assert_eq!(text(&of(1000), false).lines().count(), 11);
    }

    #[test]
    fn the_advice_is_about_the_shortest_run() {
        let missing = |frames: &[usize], wanted| {
            let runs = frames.iter().map(|&frames| run(vec![sim_frame(5_000_000); frames]));
            let mut result = result(runs.collect());
            result.settings.frames = wanted;
            missing_frames(&result).replace("\n  ", " ")
        };
        assert_eq!(missing(&[1000, 1000], None), "");
        assert_eq!(
            missing(&[1000, 412, 900], None),
            "1 % low and p99 need 1,000 valid frames per run: the shortest run had 412; use --frames 1000\n"
        );
        assert!(missing(&[999], Some(500)).ends_with("had 999; use --frames 1000\n"));
        assert!(missing(&[999], Some(1000)).ends_with("had 999; measure again\n"));
    }

    #[test]
    fn the_sparkline_shows_the_slowest_frame_of_each_part_of_the_last_run() {
        let frames: Vec<_> =
            (0..96).map(|i| sim_frame(if i == 31 { 8 } else { 1 + i % 2 })).collect();
        let line = sparkline(&result(vec![run(vec![sim_frame(99)]), run(frames)]));
        // Of two frames each, 2 or 8 ns: levels of 1.75 and 7 sevenths.
        let expected = format!("{}█{} last run, max 0.000 ms\n", "▃".repeat(15), "▃".repeat(32));
        assert_eq!(line, expected);
    }
}

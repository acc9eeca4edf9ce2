//! A result in one sentence.

use super::summary::{FEWEST_FRAMES, MAX_SPREAD, average_spread, exceeds};
use super::{BenchResult, LowFps, Summary};
use crate::units::{live_rate, percent};

/// Returns one sentence of about 100 characters: the frame rates, and whether they are reliable. If not, it
/// names the most serious reason and what to do.
pub fn in_words(result: &BenchResult, summary: &Summary) -> String {
    let rates = frame_rates(summary);
    let verdict = match reliability(result, summary) {
        Ok(reason) => format!("reliable: {reason}"),
        Err(reason) => format!("unreliable: {reason}"),
    };
    format!("{rates}; {verdict}.")
}

/// Returns the average frame rate and the 1 % low.
pub fn frame_rates(summary: &Summary) -> String {
    match (summary.average_fps, summary.low_fps(LowFps::OnePercent)) {
        (None, _) => "frame rate unknown".to_owned(),
        (Some(fps), None) => format!("{} fps, 1 % low needs more frames", live_rate(fps)),
        (Some(fps), Some(low)) => format!("{} fps, 1 % low {}", live_rate(fps), live_rate(low)),
    }
}

/// Returns why a result is reliable, or the most serious reason why it is not.
fn reliability(result: &BenchResult, summary: &Summary) -> Result<String, String> {
    let runs = &result.runs;
    let any = |is_so: &dyn Fn(&super::RunResult) -> bool| runs.iter().any(is_so);
    let spread = summary.row("frame").and_then(|frame| frame.spread);
    if !result.complete {
        let (done, planned) = (runs.len(), result.settings.runs);
        return Err(format!("{done} of {planned} runs: run the benchmark again"));
    }
    if result.debug_build || any(&|run| run.debug_build) {
        return Err("debug build: build with --release".to_owned());
    }
    if any(&|run| run.software) {
        return Err("software adapter: install a GPU driver".to_owned());
    }
    if any(&|run| run.frames.valid < FEWEST_FRAMES) {
        let advice = if any(&|run| run.frames.is_mostly_unseen()) {
            "most frames do not count: leave the window visible"
        } else {
            "too few frames: use --frames 1000"
        };
        return Err(advice.to_owned());
    }
    let Some(spread) = spread else {
        return Err("variation between runs unknown: add runs".to_owned());
    };
    if exceeds(spread, MAX_SPREAD) {
        return Err(format!("runs differ by {}: close other programs", percent(spread)));
    }
    if let Some(by) = average_spread(runs).filter(|&by| exceeds(by, MAX_SPREAD)) {
        return Err(format!("average rates differ by {}: close other programs", percent(by)));
    }
    if any(&|run| run.warmup.steady == Some(false)) {
        return Err("frame times were not steady: close other programs".to_owned());
    }
    match result.warnings.len() {
        0 => Ok(format!("medians of {} runs within {}", runs.len(), percent(spread))),
        1 => Err("1 warning below".to_owned()),
        more => Err(format!("{more} warnings below")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};

    /// A result with runs of 1,000 frames of these times, in ms.
    fn of(milliseconds: &[u64]) -> BenchResult {
        let run = |&time: &u64| run(vec![sim_frame(time * 1_000_000); 1000]);
        result(milliseconds.iter().map(run).collect())
    }

    type Change = fn(&mut BenchResult);

    fn words(result: &BenchResult) -> String {
        let words = in_words(result, &Summary::of(&result.runs));
        assert!(words.chars().count() <= 100, "{words}");
        words
    }

    #[test]
    fn a_result_is_reliable_or_the_most_serious_reason_is_named() {
        assert_eq!(
            words(&of(&[5; 5])),
            "200 fps, 1 % low 200; reliable: medians of 5 runs within 0.0 %."
        );
        let changes: [(Change, &str); 7] = [
            (|it| it.warnings.push("load".into()), "1 warning below"),
            (|it| it.warnings.push("power".into()), "2 warnings below"),
            (|it| it.runs[0].warmup.steady = Some(false), "were not steady: close other programs"),
            (
                |it| it.runs[0].samples = vec![sim_frame(10_000_000); 1000],
                "runs differ by 50.0 %: close other programs",
            ),
            (|it| it.runs[1].software = true, "software adapter: install a GPU driver"),
            (|it| it.runs[0].debug_build = true, "debug build: build with --release"),
            (
                |it| (it.complete, it.settings.runs) = (false, 5),
                "3 of 5 runs: run the benchmark again",
            ),
        ];
        let mut result = of(&[20; 3]);
        for (change, reason) in changes {
            change(&mut result);
            let words = words(&result);
            assert!(words.starts_with("50.0 fps, 1 % low 50.0; unreliable: "), "{words}");
            assert!(words.ends_with(&format!("{reason}.")), "{words}");
        }
    }

    #[test]
    fn runs_with_equal_medians_and_other_averages_are_unreliable() {
        let slow = [vec![sim_frame(5_000_000); 900], vec![sim_frame(30_000_000); 100]].concat();
        let mut result = of(&[5; 3]);
        result.runs[2] = run(slow);
        let words = words(&result);
        assert!(
            words.ends_with("unreliable: average rates differ by 50.0 %: close other programs."),
            "{words}"
        );
    }

    #[test]
    fn hidden_frames_are_named_instead_of_few() {
        use crate::benchmark::{FrameSample, FrameStatus};

        let hidden = FrameSample { status: FrameStatus::Hidden, ..sim_frame(10_000_000) };
        let samples = [vec![hidden; 1000], vec![sim_frame(10_000_000); 50]].concat();
        let words = words(&result(vec![run(samples)]));
        assert!(words.ends_with("most frames do not count: leave the window visible."), "{words}");
    }

    #[test]
    fn a_suspended_frame_is_not_a_hidden_window() {
        use crate::benchmark::{FrameSample, FrameStatus};

        let suspended = FrameSample { status: FrameStatus::Suspended, ..sim_frame(1_000_000_000) };
        let samples = [vec![sim_frame(10_000_000); 49], vec![suspended]].concat();
        let words = words(&result(vec![run(samples)]));
        assert!(words.ends_with("too few frames: use --frames 1000."), "{words}");
    }

    #[test]
    fn unknown_values_are_named() {
        let short = result(vec![run(vec![sim_frame(10); 999])]);
        let expected = "100000000 fps, 1 % low needs more frames; unreliable: variation between \
                        runs unknown: add runs.";
        assert_eq!(words(&short), expected);
        assert!(words(&result(Vec::new())).starts_with("frame rate unknown; unreliable: "));
    }

    #[test]
    fn limits_of_frames_and_of_the_spread_are_exact() {
        use crate::benchmark::{FrameSample, FrameStatus};

        let frames = |count: usize| result(vec![run(vec![sim_frame(10_000_000); count]); 3]);
        assert!(words(&frames(100)).ends_with("; reliable: medians of 3 runs within 0.0 %."));
        assert!(words(&frames(99)).ends_with("too few frames: use --frames 1000."));
        assert!(
            words(&of(&[10, 10, 11])).ends_with("; reliable: medians of 3 runs within 10.0 %.")
        );
        assert!(
            words(&of(&[50, 50, 56]))
                .ends_with("unreliable: runs differ by 12.0 %: close other programs.")
        );
        let debug = BenchResult { debug_build: true, ..of(&[5; 3]) };
        assert!(words(&debug).ends_with("debug build: build with --release."));
        let resized = FrameSample { status: FrameStatus::Resized, ..sim_frame(10_000_000) };
        let samples = [vec![resized; 60], vec![sim_frame(10_000_000); 50]].concat();
        let words = words(&result(vec![run(samples)]));
        assert!(words.ends_with("most frames do not count: leave the window visible."), "{words}");
    }
}

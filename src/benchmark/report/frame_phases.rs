//! Frame phases: a stacked area chart of the time of the main thread in one run.

use maud::{Markup, html};

use super::chart::{Axis, area_path, chart, step_path, time_bins};
use super::elements::legend;
use crate::benchmark::quantile::total;
use crate::benchmark::{FramePhase, FrameSample, RunResult, SortedTimes};
use crate::units::{MILLISECOND, ms, percent};

/// Few bins, so that each is a mean of many frames.
const BINS: usize = 160;

const HEIGHT: f64 = 220.0;

/// The area of a phase. Times are mean times of each bin, in ns.
struct Layer {
    name: &'static str,
    /// Mean and share of the time of the run.
    text: String,
    /// Time of the phases below.
    lower: Vec<f64>,
    /// The same with this phase.
    upper: Vec<f64>,
}

/// Charts the run whose median is in the middle.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let mut measured: Vec<_> =
        (1..).zip(runs).filter_map(|(number, run)| Some((run.median()?, number, run))).collect();
    measured.sort_by(|one, other| one.0.nanoseconds().total_cmp(&other.0.nanoseconds()));
    let Some(&(_, number, run)) = measured.get(measured.len() / 2) else {
        return html! {};
    };
    let samples: Vec<_> = run.valid_samples().collect();
    let frames = run.frame_times();
    let (bins, duration) = (time_bins(&frames, BINS), total(&frames) as f64);
    let means = |time: &dyn Fn(&FrameSample) -> Option<u64>| -> Vec<f64> {
        let samples = bins.iter().map(|bin| samples[bin.clone()].iter());
        samples.map(|samples| mean(samples.filter_map(|sample| time(sample)))).collect()
    };
    let mut sums = vec![0.0; bins.len()];
    let mut layers = Vec::new();
    for phase in FramePhase::ALL {
        let lower = sums.clone();
        for (sum, time) in sums.iter_mut().zip(means(&|sample| Some(sample.phase(phase)))) {
            *sum += time;
        }
        let mean = mean(samples.iter().map(|sample| sample.phase(phase)));
        let share = mean * samples.len() as f64 / duration;
        if share > 0.0 {
            let (name, text) = (phase.name(), summary(phase, mean, share));
            layers.push(Layer { name, text, lower, upper: sums.clone() });
        }
    }
    if layers.is_empty() {
        return html! {};
    }
    let gpu = SortedTimes::of(&samples.iter().filter_map(|sample| sample.gpu).collect::<Vec<_>>());
    let gpu = gpu.median().map(|median| (median, means(&|sample| sample.gpu)));
    let gpu_means = gpu.iter().flat_map(|(_, means)| means);
    // Ignores NaN.
    let max = sums.iter().chain(gpu_means).copied().fold(0.0, f64::max);
    let axes = [
        &Axis::horizontal([0.0, duration], 1e9, "time of frames that count, s"),
        &Axis::vertical([0.0, max * 1.08], HEIGHT, MILLISECOND, "mean frame time, ms"),
    ];
    let edges: Vec<_> = (0..=BINS).map(|i| duration * i as f64 / BINS as f64).collect();
    let marks = html! {
        @for Layer { name, text, lower, upper } in &layers {
            @let area = area_path(axes, &edges, upper, lower);
            path class={ "phase " (name) } d=(area) { title { (text) } }
        }
        @if let Some((_, means)) = &gpu {
            @let line = step_path(axes, &edges, means);
            // The halo separates the line from all colors, light and dark.
            path.halo d=(line) {}
            path.gpu d=(line) { title { "gpu" } }
        }
    };
    let texts: Vec<_> = layers.iter().map(|layer| layer.text.as_str()).collect();
    let description = format!("Mean time of each frame phase, run {number}: {}.", texts.join(", "));
    // From top to bottom, as they are stacked.
    let entries = gpu.iter().map(|(median, _)| ("gpu", format!("gpu, median {}", ms(*median))));
    let phases = layers.iter().rev().map(|layer| (layer.name, layer.text.clone()));
    html! {
        section {
            h2 { "Frame phases" }
            p {
                "What the main thread does or waits for, in run " (number) ", whose median is closest to that over the runs.
                Each column is a mean over its frames, and the phases add up to the frame time."
                @if gpu.is_some() {
                    " The dashed line is the GPU time of the same frames. The GPU works in parallel, so its
                    time is not part of the sum."
                }
            }
            (chart(axes, &description, marks, html! {}))
            (legend(&entries.chain(phases).collect::<Vec<_>>()))
        }
    }
}

fn summary(phase: FramePhase, mean: f64, share: f64) -> String {
    let waits = matches!(phase, FramePhase::Acquire | FramePhase::Present | FramePhase::GpuWait);
    let waits = if waits { " (waits)" } else { "" };
    format!("{}{waits} {}, {}", phase.name(), ms(mean), percent(share))
}

/// Returns the mean; NaN without times.
fn mean(times: impl Iterator<Item = u64>) -> f64 {
    let times: Vec<_> = times.collect();
    total(&times) as f64 / times.len() as f64
}

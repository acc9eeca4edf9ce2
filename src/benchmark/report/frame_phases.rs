//! Frame phases: a stacked area chart of the CPU time of one run.

use std::ops::Range;

use maud::{Markup, html};

use super::chart::{Axis, Chart, PLOT_WIDTH, PathData, time_bins};
use super::elements::legend;
use crate::benchmark::quantile::total;
use crate::benchmark::{FramePhase, FrameSample, RunResult, SortedTimes};
use crate::units::{MILLISECOND, ms, percent};

/// Few bins, so that each is a mean of many frames.
const BINS: usize = 160;

const HEIGHT: f64 = 220.0;

/// Charts the run whose median is in the middle.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let mut measured: Vec<_> =
        (1..).zip(runs).filter_map(|(number, run)| Some((run.median()?, number, run))).collect();
    measured.sort_by(|one, other| one.0.nanoseconds().total_cmp(&other.0.nanoseconds()));
    let Some(&(_, number, run)) = measured.get(measured.len() / 2) else {
        return html! {};
    };
    let samples: Vec<_> = run.valid_samples().copied().collect();
    let stack = PhaseStack::of(&samples);
    if stack.layers.is_empty() {
        return html! {};
    }
    let x = Axis::horizontal([0.0, stack.duration], PLOT_WIDTH, "time, s").in_units_of(1e9);
    let y = Axis::vertical([0.0, stack.max() * 1.08], HEIGHT, "mean frame time, ms")
        .in_units_of(MILLISECOND);
    let phases: Vec<_> = stack.layers.iter().map(Layer::summary).collect();
    let description =
        format!("Mean time of each frame phase, run {number}: {}.", phases.join(", "));
    html! {
        section {
            h2 { "Frame phases" }
            p {
                "What the main thread does or waits for, in run " (number) ", whose median is closest to that over the runs.
                Each column is a mean over its frames, and the phases add up to the frame time."
                @if stack.gpu.is_some() {
                    " The dashed line is the GPU time of the same frames. The GPU works in parallel, so its
                    time is not part of the sum."
                }
            }
            (Chart { x: &x, y: &y, description: &description }.draw(&stack.draw(&x, &y)))
            (stack.legend())
        }
    }
}

/// The phases of a run by time bins, from bottom to top. Times are in ns.
struct PhaseStack {
    duration: f64,
    layers: Vec<Layer>,
    gpu: Option<GpuLine>,
}

struct Layer {
    phase: FramePhase,
    /// Mean time in each bin.
    bins: Vec<f64>,
    /// Mean time over the run.
    mean: f64,
    /// Share of the duration of the run.
    share: f64,
}

struct GpuLine {
    /// Mean time in each bin, where known.
    bins: Vec<Option<f64>>,
    median: f64,
}

impl PhaseStack {
    fn of(samples: &[FrameSample]) -> Self {
        let frames: Vec<_> = samples.iter().map(|sample| sample.frame).collect();
        let bins = time_bins(&frames, BINS);
        let duration = total(&frames) as f64;
        let means = |times: &dyn Fn(&FrameSample) -> Option<u64>| -> Vec<Option<f64>> {
            bins.iter()
                .map(|bin: &Range<usize>| mean(samples[bin.clone()].iter().filter_map(times)))
                .collect()
        };
        let layer = |phase: FramePhase| {
            let mean = mean(samples.iter().map(|sample| sample.phase(phase)))?;
            let bins = means(&|sample| Some(sample.phase(phase))).into_iter().flatten().collect();
            let share = mean * samples.len() as f64 / duration;
            (share > 0.0).then_some(Layer { phase, bins, mean, share })
        };
        let gpu_times: Vec<_> = samples.iter().filter_map(|sample| sample.gpu).collect();
        let gpu_line = |median| GpuLine { bins: means(&|sample| sample.gpu), median };
        Self {
            duration,
            layers: FramePhase::ALL.into_iter().filter_map(layer).collect(),
            gpu: SortedTimes::of(&gpu_times).median().map(gpu_line),
        }
    }

    /// Returns the height of the highest bin.
    fn max(&self) -> f64 {
        let sums = (0..BINS).map(|i| self.layers.iter().map(|layer| layer.bins[i]).sum());
        let gpu = self.gpu.iter().flat_map(|gpu| gpu.bins.iter().flatten().copied());
        sums.chain(gpu).fold(0.0, f64::max)
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let edges: Vec<_> = (0..=BINS).map(|i| x.length * i as f64 / BINS as f64).collect();
        let mut lower = vec![0.0; BINS];
        let heights =
            |times: &[f64]| times.iter().map(|&time| y.position(time)).collect::<Vec<_>>();
        let areas = self.layers.iter().map(|layer| {
            let upper: Vec<_> =
                lower.iter().zip(&layer.bins).map(|(sum, time)| sum + time).collect();
            let area = PathData::area(&edges, &heights(&upper), &heights(&lower));
            lower = upper;
            (layer, area)
        });
        html! {
            @for (layer, area) in areas {
                path class={ "phase " (layer.phase.name()) } d=(area.as_str()) {
                    title { (layer.summary()) }
                }
            }
            @if let Some(gpu) = &self.gpu {
                @let line = gpu.path(&edges, y);
                // The halo separates the line from all colors, light and dark.
                path.halo d=(line.as_str()) {}
                path.gpu d=(line.as_str()) { title { "gpu" } }
            }
        }
    }

    /// Lists the phases from top to bottom, as they are stacked.
    fn legend(&self) -> Markup {
        let gpu = self
            .gpu
            .iter()
            .map(|gpu| ("gpu".to_owned(), format!("gpu, median {}", ms(gpu.median))));
        let phases = self.layers.iter().rev();
        let phases = phases.map(|layer| (layer.phase.name().to_owned(), layer.summary()));
        legend(&gpu.chain(phases).collect::<Vec<_>>())
    }
}

impl Layer {
    fn summary(&self) -> String {
        let Self { phase, mean, share, .. } = self;
        let waits =
            matches!(phase, FramePhase::Acquire | FramePhase::Present | FramePhase::GpuWait);
        let waits = if waits { " (waits)" } else { "" };
        format!("{}{waits} {}, {}", phase.name(), ms(*mean), percent(*share))
    }
}

impl GpuLine {
    /// Returns a step line with gaps where nothing is known.
    fn path(&self, edges: &[f64], y: &Axis) -> PathData {
        let mut path = PathData::default();
        let mut previous = None;
        for (edges, &time) in edges.windows(2).zip(&self.bins) {
            if let Some(time) = time {
                if previous.is_none() {
                    path.move_to(edges[0], y.position(time));
                }
                path.step_to(edges[1], y.position(time));
            }
            previous = time;
        }
        path
    }
}

fn mean(times: impl Iterator<Item = u64>) -> Option<f64> {
    let (sum, count) = times.fold((0, 0), |(sum, count), time| (sum + u128::from(time), count + 1));
    (count > 0).then(|| sum as f64 / f64::from(count))
}

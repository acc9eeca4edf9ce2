//! Stack: what frames are made of while a run goes on.

use maud::{Markup, html};

use super::axis::Axis;
use super::columns;
use super::plot::{INNER, Plot};
use super::svg::Path;
use crate::benchmark::distribution::total;
use crate::benchmark::{FramePhase, FrameSample, RunResult, SortedTimes};
use crate::units::{MILLISECOND, ms, percent};

/// Columns of the picture: few, so that each is a mean of many frames.
const COLUMNS: usize = 160;

const HEIGHT: f64 = 220.0;

/// The parts of the frames of one run: of the one whose median is in the middle.
pub(super) fn section(runs: &[RunResult]) -> Markup {
    let mut known: Vec<_> =
        (1..).zip(runs).filter_map(|(number, run)| Some((run.median()?, number, run))).collect();
    known.sort_by(|one, other| one.0.nanoseconds().total_cmp(&other.0.nanoseconds()));
    let Some(&(_, number, run)) = known.get(known.len() / 2) else {
        return html! {};
    };
    let samples: Vec<_> = run.valid_samples().copied().collect();
    let stack = Stack::of(&samples);
    if stack.layers.is_empty() {
        return html! {};
    }
    let y = Axis::upward(0.0, stack.height() * 1.08 / MILLISECOND, HEIGHT, "mean frame time, ms");
    let x = Axis::across(0.0, stack.seconds, INNER, "time into the run, s");
    let description = format!(
        "Mean time of each part of a frame in run {number}: {}.",
        stack.layers.iter().map(Layer::words).collect::<Vec<_>>().join(", ")
    );
    html! {
        section {
            h2 { "What a frame is made of" }
            p {
                "Run " (number) ", whose median is in the middle: what the main thread does or waits for,
                as the mean of the frames in each column. The parts add up to the frame."
                @if stack.gpu.is_some() {
                    " The dashed line is what the GPU took for the same frames; it works beside the main
                    thread, so it is no part of the sum."
                }
            }
            (Plot { x: &x, y: &y, description: &description }.draw(&stack.draw(&x, &y)))
            (stack.legend())
        }
    }
}

/// The parts of a run by columns, the first at the bottom.
struct Stack {
    seconds: f64,
    layers: Vec<Layer>,
    /// Mean time of the GPU in each column that knows it.
    gpu: Option<Vec<Option<f64>>>,
    gpu_median: Option<f64>,
}

struct Layer {
    part: FramePhase,
    /// Mean time in each column, in ns.
    means: Vec<f64>,
    /// Mean time over the run, in ns.
    mean: f64,
    /// Share of the run.
    share: f64,
}

impl Stack {
    fn of(samples: &[FrameSample]) -> Self {
        let frames: Vec<_> = samples.iter().map(|sample| sample.frame).collect();
        let columns = columns::of(&frames, COLUMNS);
        let all = total(&frames);
        let layer = |part: FramePhase| {
            let times: Vec<_> = samples.iter().map(|sample| sample.phase(part)).collect();
            let sum = total(&times);
            let means = columns.iter().cloned().map(|column| mean(&times[column])).collect();
            (sum > 0).then(|| Layer {
                part,
                means,
                mean: mean(&times),
                share: sum as f64 / all as f64,
            })
        };
        let gpu: Vec<_> = samples.iter().filter_map(|sample| sample.gpu).collect();
        let gpu_means = columns.iter().cloned().map(|column| {
            let known: Vec<_> = samples[column].iter().filter_map(|sample| sample.gpu).collect();
            (!known.is_empty()).then(|| mean(&known))
        });
        let layers = if columns.is_empty() {
            Vec::new()
        } else {
            FramePhase::ALL.into_iter().filter_map(layer).collect()
        };
        Self {
            seconds: all as f64 / 1e9,
            layers,
            gpu: (!gpu.is_empty()).then(|| gpu_means.collect()),
            gpu_median: SortedTimes::of(&gpu).median(),
        }
    }

    /// The highest column, in ns.
    fn height(&self) -> f64 {
        let parts = (0..COLUMNS).map(|i| self.layers.iter().map(|layer| layer.means[i]).sum());
        let gpu = self.gpu.iter().flatten().map(|gpu| gpu.unwrap_or(0.0));
        parts.chain(gpu).fold(0.0, f64::max)
    }

    fn draw(&self, x: &Axis, y: &Axis) -> Markup {
        let edges: Vec<_> = (0..=COLUMNS).map(|i| x.length * i as f64 / COLUMNS as f64).collect();
        let mut below = vec![0.0; COLUMNS];
        let height = |time: &f64| y.at(time / MILLISECOND);
        let areas = self.layers.iter().map(|layer| {
            let above: Vec<_> =
                below.iter().zip(&layer.means).map(|(below, mean)| below + mean).collect();
            let lines = [&above, &below].map(|line| line.iter().map(height).collect::<Vec<_>>());
            below = above;
            (layer, Path::between(&edges, &lines[0], &lines[1]))
        });
        html! {
            @for (layer, area) in areas {
                path class=(format!("part {}", layer.part.name())) d=(area.data()) {
                    title { (layer.words()) }
                }
            }
            @if let Some(gpu) = &self.gpu {
                @let line = gpu_line(gpu, &edges, y);
                // On all colours, light and dark.
                path.halo d=(line) {}
                path.gpu d=(line) { title { "gpu" } }
            }
        }
    }

    /// The last part first, as it lies on top.
    fn legend(&self) -> Markup {
        html! {
            ul.legend {
                @if let Some(median) = self.gpu_median {
                    li { span.swatch.gpu {} "gpu, median " (ms(median)) }
                }
                @for layer in self.layers.iter().rev() {
                    li { span class=(format!("swatch {}", layer.part.name())) {} (layer.words()) }
                }
            }
        }
    }
}

impl Layer {
    fn words(&self) -> String {
        let Self { part, mean, share, .. } = self;
        let waits = matches!(part, FramePhase::Acquire | FramePhase::Present | FramePhase::GpuWait);
        let waits = if waits { " (waits)" } else { "" };
        format!("{}{waits} {}, {}", part.name(), ms(*mean), percent(*share))
    }
}

/// Steps, broken off where nothing is known.
fn gpu_line(means: &[Option<f64>], edges: &[f64], y: &Axis) -> String {
    let mut path = Path::default();
    let mut is_on = false;
    for (i, mean) in means.iter().enumerate() {
        if let Some(mean) = mean {
            let height = y.at(mean / MILLISECOND);
            if !is_on {
                path.begin(edges[i], height);
            }
            path.step(edges[i + 1], height);
        }
        is_on = mean.is_some();
    }
    path.data().to_owned()
}

fn mean(times: &[u64]) -> f64 {
    total(times) as f64 / times.len().max(1) as f64
}

//! Overhead of the [`Recorder`]: identical frames with and without it.
//!
//! One process, one scene, one device. Blocks of frames alternate A B, B A, A B and so on: A records
//! nothing, B everything. Only differences within pairs count.

use std::time::{Duration, Instant};

use cubefall::benchmark::{Comparison, FramePhase, Recorder, RunMedian, Threshold};
use cubefall::frame;
use cubefall::render::{
    Culling, DrawHooks, Geometry, Gpu, GpuSettings, OffscreenTarget, Quality, RenderSettings,
    Renderer, Size,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};

/// Frames per block; few, so that other load affects both blocks of a pair alike.
const BLOCK: usize = 4;
const PAIRS: usize = 1000;

/// Few cubes and a small target: the shorter the frame, the larger the relative overhead.
const CUBES: u32 = 1_000;
const SIZE: (u32, u32) = (160, 120);

/// A recorder, or none.
trait Phases: DrawHooks {
    fn end_phase(&mut self, phase: FramePhase);
}

impl Phases for () {
    fn end_phase(&mut self, _: FramePhase) {}
}

impl Phases for Recorder {
    fn end_phase(&mut self, phase: FramePhase) {
        Self::end_phase(self, phase);
    }
}

struct Bench {
    simulation: Simulation,
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Bench {
    fn new() -> Self {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default()))
            .expect("an adapter; ./setup.sh installs a software one");
        let size = Size::new(SIZE.0, SIZE.1).expect("a valid size");
        let graphics = RenderSettings {
            effects: Quality::Low.effects(),
            geometry: Geometry::Pulled,
            culling: Culling::ON,
        };
        let settings = SceneSettings { cubes: CUBES, seed: 1 };
        Self {
            simulation: Simulation::new(settings, FallMode::Cubes).expect("a small scene"),
            renderer: Renderer::new(&gpu, OffscreenTarget::FORMAT, graphics).expect("a renderer"),
            target: OffscreenTarget::new(&gpu, size).expect("a small target"),
            gpu,
        }
    }

    /// Runs a frame as a benchmark run does.
    fn frame(&mut self, phases: &mut impl Phases) {
        let Self { simulation, renderer, target, gpu } = self;
        simulation.step(TimeStep::default()).expect("the simulation runs");
        phases.end_phase(FramePhase::Sim);
        let scene = frame::scene_view(simulation);
        let submitted =
            renderer.draw_with(gpu, &scene, target.target(), phases).expect("memory for the cubes");
        gpu.wait_for(submitted).expect("the GPU finishes");
        phases.end_phase(FramePhase::GpuWait);
    }

    fn block_without(&mut self) -> Duration {
        let start = Instant::now();
        for _ in 0..BLOCK {
            self.frame(&mut ());
        }
        start.elapsed()
    }

    fn block_with(&mut self, recorder: &mut Recorder) -> Duration {
        let start = Instant::now();
        for _ in 0..BLOCK {
            self.frame(recorder);
            recorder.end_frame();
        }
        start.elapsed()
    }
}

fn main() {
    // `cargo test --benches` checks that it runs, not how fast.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let pairs = if is_test { 1 } else { PAIRS };
    let mut bench = Bench::new();
    let mut recorder = Recorder::new((pairs + 1) * BLOCK);
    bench.block_without();
    bench.block_with(&mut recorder);

    let per_frame = |block: Duration| {
        RunMedian::new(block.as_nanos() as f64 / BLOCK as f64).expect("a time above 0")
    };
    let blocks: Vec<_> = (0..pairs)
        .map(|pair| {
            let (a, b) = if pair % 2 == 0 {
                let a = bench.block_without();
                (a, bench.block_with(&mut recorder))
            } else {
                let b = bench.block_with(&mut recorder);
                (bench.block_without(), b)
            };
            (per_frame(a), per_frame(b))
        })
        .collect();

    let threshold = Threshold::new(0.01).expect("1 %");
    let comparison = Comparison::of_pairs(&blocks, threshold);
    let mut frames: Vec<_> = blocks.iter().map(|(a, _)| a.nanoseconds() / 1e6).collect();
    frames.sort_unstable_by(f64::total_cmp);
    println!("{} on {}", env!("CARGO_PKG_NAME"), bench.gpu.summary());
    println!("{CUBES} cubes, {pairs} pairs of {BLOCK} frames of {:.3} ms", frames[pairs / 2]);
    let percent = |share: f64| share * 100.0;
    match (comparison.estimate, comparison.test) {
        (Some(estimate), Some(test)) => println!(
            "recording adds {:+.3} % (95 % interval {:+.3} % to {:+.3} %, p = {:.3}): {:?} within 1 %",
            percent(estimate.change()),
            percent(test.low.change()),
            percent(test.high.change()),
            test.p,
            comparison.verdict,
        ),
        _ => println!("too few pairs for a verdict"),
    }
    // The cost of the recorder alone, independent of the frame.
    let mut alone = Recorder::new(100_000);
    let start = Instant::now();
    for _ in 0..100_000 {
        for phase in FramePhase::ALL {
            alone.end_phase(phase);
        }
        alone.end_frame();
    }
    println!("recording alone takes {:.0} ns a frame", start.elapsed().as_nanos() as f64 / 1e5);
}

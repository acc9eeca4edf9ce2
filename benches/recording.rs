//! What recording adds to a frame: the same frames with and without a [`Recorder`], in turns.
//!
//! One process, one scene, one device: blocks of frames A B, B A, A B and so on, of which A records
//! nothing and B everything, and only the differences within pairs count.

use std::time::{Duration, Instant};

use cubefall::benchmark::{Comparison, FramePhase, Recorder, RunMedian, Threshold};
use cubefall::frame;
use cubefall::render::{
    Culling, DrawHooks, Geometry, Gpu, GpuSettings, OffscreenTarget, Quality, RenderSettings,
    Renderer, Size,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};

/// Frames to a block: few, so that what else the machine does meets both of a pair alike.
const BLOCK: usize = 4;
const PAIRS: usize = 1000;

/// Few cubes and a small picture: the shorter a frame, the more recording shows.
const CUBES: u32 = 1_000;
const SIZE: (u32, u32) = (160, 120);

/// What takes the times of a frame, or nothing at all.
trait Watch: DrawHooks {
    fn lap(&mut self, part: FramePhase);
}

impl Watch for () {
    fn lap(&mut self, _: FramePhase) {}
}

impl Watch for Recorder {
    fn lap(&mut self, part: FramePhase) {
        Self::lap(self, part);
    }
}

struct Stage {
    simulation: Simulation,
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Stage {
    fn open() -> Self {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default()))
            .expect("an adapter; ./setup.sh installs one that draws on the CPU");
        let size = Size::new(SIZE.0, SIZE.1).expect("a size");
        let picture = RenderSettings {
            effects: Quality::Low.effects(),
            geometry: Geometry::Pulled,
            culling: Culling::ON,
        };
        let settings = SceneSettings { cubes: CUBES, seed: 1 };
        Self {
            simulation: Simulation::new(settings, FallMode::Cubes).expect("a small scene"),
            renderer: Renderer::new(&gpu, OffscreenTarget::FORMAT, picture).expect("a renderer"),
            target: OffscreenTarget::new(&gpu, size).expect("a small target"),
            gpu,
        }
    }

    /// The frame of a benchmark run.
    fn frame(&mut self, watch: &mut impl Watch) {
        let Self { simulation, renderer, target, gpu } = self;
        simulation.step(TimeStep::default()).expect("a step");
        watch.lap(FramePhase::Sim);
        let scene = frame::scene_view(simulation);
        let submitted =
            renderer.draw_with(gpu, &scene, target.target(), watch).expect("room for the cubes");
        gpu.wait_for(submitted).expect("the GPU finishes");
        watch.lap(FramePhase::GpuWait);
    }

    fn without(&mut self) -> Duration {
        let start = Instant::now();
        for _ in 0..BLOCK {
            self.frame(&mut ());
        }
        start.elapsed()
    }

    fn with(&mut self, recorder: &mut Recorder) -> Duration {
        let start = Instant::now();
        for _ in 0..BLOCK {
            self.frame(recorder);
            recorder.end_frame();
        }
        start.elapsed()
    }
}

fn main() {
    // Cargo's test runs are to see that it works, not how fast.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    let pairs = if is_test { 1 } else { PAIRS };
    let mut stage = Stage::open();
    let mut recorder = Recorder::start((pairs + 1) * BLOCK);
    stage.without();
    stage.with(&mut recorder);

    let per_frame = |block: Duration| {
        RunMedian::new(block.as_nanos() as f64 / BLOCK as f64).expect("time goes by")
    };
    let blocks: Vec<_> = (0..pairs)
        .map(|pair| {
            let (a, b) = if pair % 2 == 0 {
                let a = stage.without();
                (a, stage.with(&mut recorder))
            } else {
                let b = stage.with(&mut recorder);
                (stage.without(), b)
            };
            (per_frame(a), per_frame(b))
        })
        .collect();

    let threshold = Threshold::new(0.01).expect("1 %");
    let comparison = Comparison::of_pairs(&blocks, threshold);
    let mut frames: Vec<_> = blocks.iter().map(|(a, _)| a.nanoseconds() / 1e6).collect();
    frames.sort_unstable_by(f64::total_cmp);
    println!("{} on {}", env!("CARGO_PKG_NAME"), stage.gpu.summary());
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
    // The recorder alone: what it costs, whatever the frame.
    let mut alone = Recorder::start(100_000);
    let start = Instant::now();
    for _ in 0..100_000 {
        for part in FramePhase::ALL {
            alone.lap(part);
        }
        alone.end_frame();
    }
    println!("recording alone takes {:.0} ns a frame", start.elapsed().as_nanos() as f64 / 1e5);
}

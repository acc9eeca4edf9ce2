//! What the HUD adds to a frame: hidden, beside the same frames without one, in turns; and shown, what
//! the CPU does for one look at it.
//!
//! Blocks of frames A B, B A, A B and so on, of which A has no HUD and B a hidden one: only the
//! differences within pairs count. A look that is shown is laid out, made into triangles, brought to
//! the GPU and recorded; the window does so twenty times a second while nobody touches anything, but
//! in every other frame at most, and records the same triangles again in between.

use std::time::{Duration, Instant};

use cubefall::benchmark::{Comparison, FrameSample, RunMedian, SortedTimes, Threshold};
use cubefall::frame;
use cubefall::hud::{GraphicsInfo, History, Hud, HudOutput, HudRenderer, LiveFrame, Model, Panels};
use cubefall::render::{
    Culling, Geometry, Gpu, GpuSettings, OffscreenTarget, Quality, RenderSettings, RenderTarget,
    Renderer, Size,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use egui::{Pos2, RawInput, Rect, Vec2};

const COUNTS: [u32; 3] = [10_000, 100_000, 1_000_000];
const LOOKS: usize = 300;

/// Few cubes and a small picture: the shorter a frame, the more a hidden HUD would show.
const HIDDEN_CUBES: u32 = 1_000;
const HIDDEN_SIZE: (u32, u32) = (160, 120);
const BLOCK: usize = 4;
const PAIRS: usize = 1000;

/// The size for which panels are laid out.
const WINDOW: (u32, u32) = (1280, 720);

struct Stage {
    simulation: Simulation,
    renderer: Renderer,
    target: OffscreenTarget,
    hud: Hud,
    painter: HudRenderer,
    history: History,
    graphics: GraphicsInfo,
    looks: u32,
    shown: Option<HudOutput>,
    gpu: Gpu,
}

impl Stage {
    fn open(cubes: u32, size: (u32, u32), panels: Panels) -> Self {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default()))
            .expect("an adapter; ./setup.sh installs one that draws on the CPU");
        let size = Size::new(size.0, size.1).expect("a size");
        let picture = RenderSettings {
            effects: Quality::Low.effects(),
            geometry: Geometry::Pulled,
            culling: Culling::ON,
        };
        let settings = SceneSettings { cubes, seed: 1 };
        Self {
            simulation: Simulation::new(settings, FallMode::Cubes).expect("memory for the cubes"),
            renderer: Renderer::new(&gpu, OffscreenTarget::FORMAT, picture).expect("a renderer"),
            target: OffscreenTarget::new(&gpu, size).expect("a target"),
            hud: Hud::new(panels),
            painter: HudRenderer::new(&gpu, OffscreenTarget::FORMAT).expect("a painter"),
            history: History::new(),
            graphics: GraphicsInfo {
                max_cubes: 10_000_000,
                can_cull: true,
                ..GraphicsInfo::default()
            },
            looks: 0,
            shown: None,
            gpu,
        }
    }

    fn frame(&mut self) {
        let Self { simulation, renderer, target, gpu, .. } = self;
        simulation.step(TimeStep::default()).expect("a step");
        let submitted = renderer
            .draw(gpu, &frame::scene_view(simulation), target.target())
            .expect("room for cubes");
        gpu.wait_for(submitted).expect("the GPU finishes");
    }

    /// What the window does for the HUD in a frame with a look at it; the time of it.
    fn look(&mut self) -> Duration {
        let start = Instant::now();
        self.looks += 1;
        let time = f64::from(self.looks) / 60.0;
        // Frames of uneven length, so that the graph has something to draw.
        let frame = 15_000_000 + u64::from(self.looks % 7) * 500_000;
        let sample = FrameSample { frame, ..FrameSample::default() };
        self.history.push(&LiveFrame { sample, ..LiveFrame::default() });
        if !self.hud.is_active() {
            return start.elapsed();
        }
        let points = Vec2::new(WINDOW.0 as f32, WINDOW.1 as f32);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            time: Some(time),
            focused: true,
            ..RawInput::default()
        };
        let model = Model {
            simulation: &self.simulation,
            scene: "classic",
            seed: 1,
            history: &self.history,
            graphics: &self.graphics,
            selected: None,
            hovered: None,
            gamepad: "none",
            idle: false,
        };
        let mut shown = self.hud.show(input, &model);
        let size = self.target.size();
        self.painter.prepare(&self.gpu, &mut shown, size).expect("room for the HUD");
        let spent = start.elapsed();
        self.shown = Some(shown);
        spent + self.paint()
    }

    /// What it does in a frame without one; the time of it.
    fn paint(&mut self) -> Duration {
        let start = Instant::now();
        let shown = self.shown.as_ref().expect("there was a look before");
        let RenderTarget { view, size } = self.target.target();
        let painted = self.painter.encode(&self.gpu, shown, view, size);
        let spent = start.elapsed();
        let submitted = self.gpu.queue().submit([painted]);
        self.gpu.wait_for(submitted).expect("the GPU finishes");
        spent
    }
}

fn main() {
    // Cargo's test runs are to see that it works, not how fast.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    hidden(if is_test { 1 } else { PAIRS });
    let (counts, looks) = if is_test { (&COUNTS[..1], 3) } else { (&COUNTS[..], LOOKS) };
    println!("shown, in ms of CPU time; a frame is the mean of one with a look and one without:");
    println!("{:>24}{:>10}{:>14}{:>10}{:>10}", "panels", "cubes", "look, median", "p95", "frame");
    for inspector in [false, true] {
        let panels = Panels { inspector, ..Panels::default() };
        let name = if inspector { "and the inspector" } else { "figures and controls" };
        for &cubes in counts {
            let [median, p95, frame] = shown(cubes, panels, looks);
            println!("{name:>24}{cubes:>10}{median:>14.3}{p95:>10.3}{frame:>10.3}");
        }
    }
}

/// Frames with a hidden HUD beside frames without one.
fn hidden(pairs: usize) {
    let panels = Panels { shown: false, ..Panels::default() };
    let mut stage = Stage::open(HIDDEN_CUBES, HIDDEN_SIZE, panels);
    let mut block = |hud: bool| {
        let start = Instant::now();
        for _ in 0..BLOCK {
            stage.frame();
            if hud {
                stage.look();
            }
        }
        RunMedian::new(start.elapsed().as_nanos() as f64 / BLOCK as f64).expect("time goes by")
    };
    block(false);
    let blocks: Vec<_> = (0..pairs)
        .map(|pair| {
            if pair % 2 == 0 {
                let without = block(false);
                (without, block(true))
            } else {
                let with = block(true);
                (block(false), with)
            }
        })
        .collect();
    let comparison = Comparison::of_pairs(&blocks, Threshold::new(0.01).expect("1 %"));
    println!("drawn by {}", stage.gpu.summary());
    match (comparison.estimate, comparison.test) {
        (Some(estimate), Some(test)) => println!(
            "hidden it adds {:+.3} % (95 % interval {:+.3} % to {:+.3} %) in {pairs} pairs: {:?} within 1 %",
            estimate.change() * 100.0,
            test.low.change() * 100.0,
            test.high.change() * 100.0,
            comparison.verdict,
        ),
        _ => println!("too few pairs for a verdict"),
    }
    let start = Instant::now();
    for _ in 0..100_000 {
        stage.look();
    }
    println!("hidden it takes {:.0} ns a frame", start.elapsed().as_nanos() as f64 / 1e5);
}

/// Median and 95th percentile of a look, and the mean of frames of which every other one has a look, the
/// most at any frame rate; in ms.
fn shown(cubes: u32, panels: Panels, looks: usize) -> [f64; 3] {
    let mut stage = Stage::open(cubes, WINDOW, panels);
    let step = |stage: &mut Stage| stage.simulation.step(TimeStep::default()).expect("a step");
    for _ in 0..20 {
        step(&mut stage);
        stage.look();
    }
    let mut times = Vec::with_capacity(looks);
    let mut total = Duration::ZERO;
    for _ in 0..looks {
        step(&mut stage);
        let look = stage.look();
        times.push(look.as_nanos() as u64);
        total += look;
        step(&mut stage);
        total += stage.paint();
    }
    let sorted = SortedTimes::of(&times);
    let quantile = |per_mille| sorted.quantile(per_mille).unwrap_or_default() / 1e6;
    [quantile(500), quantile(950), total.as_secs_f64() * 1e3 / (2 * looks) as f64]
}

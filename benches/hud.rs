//! Cost of the HUD: of a hidden one, beside the same frames without a HUD; and of a visible one, in CPU
//! time per layout.
//!
//! The hidden HUD is measured in interleaved blocks of frames (A B, B A, A B, ...); only differences
//! within pairs count. A visible HUD is laid out, tessellated, uploaded and recorded. The window does so
//! at most twenty times a second without input, and at most every other frame. In between it records the
//! same triangles again.

use std::time::{Duration, Instant};

use cubefall::benchmark::{Comparison, FrameSample, RunMedian, SortedTimes, Threshold};
use cubefall::frame;
use cubefall::hud::{
    GraphicsInfo, History, Hud, HudOutput, HudRenderer, LiveFrame, Model, Panels, SaveSlots,
};
use cubefall::render::{
    Culling, Geometry, Gpu, GpuSettings, OffscreenTarget, Quality, RenderSettings, RenderTarget,
    Renderer, Size,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};
use egui::{Pos2, RawInput, Rect, Vec2};

const COUNTS: [u32; 3] = [10_000, 100_000, 1_000_000];
const LAYOUTS: usize = 300;

/// Few cubes and a small target: in a short frame the cost of a hidden HUD is largest.
const HIDDEN_CUBES: u32 = 1_000;
const HIDDEN_SIZE: (u32, u32) = (160, 120);
const BLOCK: usize = 4;
const PAIRS: usize = 1000;

/// Size of the window with a visible HUD, in pixels.
const WINDOW: (u32, u32) = (1280, 720);

struct Fixture {
    simulation: Simulation,
    renderer: Renderer,
    target: OffscreenTarget,
    hud: Hud,
    hud_renderer: HudRenderer,
    history: History,
    graphics: GraphicsInfo,
    layouts: u32,
    output: Option<HudOutput>,
    gpu: Gpu,
}

impl Fixture {
    fn open(cubes: u32, size: (u32, u32), panels: Panels) -> Self {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default()))
            .expect("an adapter; ./setup.sh installs one that draws on the CPU");
        let size = Size::new(size.0, size.1).expect("a size");
        let render_settings = RenderSettings {
            effects: Quality::Low.effects(),
            geometry: Geometry::Pulled,
            culling: Culling::ON,
        };
        let settings = SceneSettings { cubes, seed: 1 };
        Self {
            simulation: Simulation::new(settings, FallMode::Cubes).expect("memory for the cubes"),
            renderer: Renderer::new(&gpu, OffscreenTarget::FORMAT, render_settings)
                .expect("a renderer"),
            target: OffscreenTarget::new(&gpu, size).expect("a target"),
            hud: Hud::new(panels),
            hud_renderer: HudRenderer::new(&gpu, OffscreenTarget::FORMAT).expect("a hud_renderer"),
            history: History::default(),
            graphics: GraphicsInfo {
                max_cubes: 10_000_000,
                comfortable_cubes: 1_000_000,
                can_cull: true,
                ..GraphicsInfo::default()
            },
            layouts: 0,
            output: None,
            gpu,
        }
    }

    fn frame(&mut self) {
        let Self { simulation, renderer, target, gpu, .. } = self;
        simulation.step(TimeStep::default()).expect("a step");
        let submitted = renderer
            .draw(gpu, &frame::scene_view(simulation), target.target())
            .expect("memory for the cubes");
        gpu.wait_for(submitted).expect("the GPU finishes");
    }

    /// Does what the window does in a frame with a HUD layout. Returns the CPU time.
    fn lay_out(&mut self) -> Duration {
        let start = Instant::now();
        self.layouts += 1;
        let time = f64::from(self.layouts) / 60.0;
        // Uneven frame times give the graph a line to draw.
        let frame = 15_000_000 + u64::from(self.layouts % 7) * 500_000;
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
            attract: true,
            simulation: &self.simulation,
            scene: "classic",
            seed: 1,
            history: &self.history,
            graphics: &self.graphics,
            selected: None,
            hovered: None,
            gamepad: "none",
            suite: None,
            idle: false,
            progress: None,
            slots: SaveSlots { current: 1, saved: [false; 9] },
            recent: &[],
            ui_scale: 100,
        };
        let mut output = self.hud.show(input, &model);
        let size = self.target.size();
        self.hud_renderer.prepare(&self.gpu, &mut output, size).expect("memory for the HUD");
        let spent = start.elapsed();
        self.output = Some(output);
        spent + self.record()
    }

    /// Does what the window does in a frame without a layout. Returns the CPU time.
    fn record(&mut self) -> Duration {
        let start = Instant::now();
        let output = self.output.as_ref().expect("lay_out runs first");
        let RenderTarget { view, size } = self.target.target();
        let commands = self.hud_renderer.encode(&self.gpu, output, view, size);
        let spent = start.elapsed();
        let submitted = self.gpu.queue().submit([commands]);
        self.gpu.wait_for(submitted).expect("the GPU finishes");
        spent
    }
}

fn main() {
    // `cargo test --benches` checks that it runs, not how fast.
    let is_test = !std::env::args().any(|argument| argument == "--bench");
    hidden(if is_test { 1 } else { PAIRS });
    let (counts, layouts) = if is_test { (&COUNTS[..1], 3) } else { (&COUNTS[..], LAYOUTS) };
    println!("visible HUD, CPU time in ms; frame: mean of a frame with a layout and one without");
    println!("{:>24}{:>10}{:>14}{:>10}{:>10}", "panels", "cubes", "layout, median", "p95", "frame");
    for inspector in [false, true] {
        let panels = Panels { inspector, ..Panels::default() };
        let name = if inspector { "and the inspector" } else { "statistics and controls" };
        for &cubes in counts {
            let [median, p95, frame] = visible(cubes, panels, layouts);
            println!("{name:>24}{cubes:>10}{median:>14.3}{p95:>10.3}{frame:>10.3}");
        }
    }
}

/// Compares frames with a hidden HUD to frames without one.
fn hidden(pairs: usize) {
    let panels = Panels { shown: false, ..Panels::default() };
    let mut fixture = Fixture::open(HIDDEN_CUBES, HIDDEN_SIZE, panels);
    let mut block = |hud: bool| {
        let start = Instant::now();
        for _ in 0..BLOCK {
            fixture.frame();
            if hud {
                fixture.lay_out();
            }
        }
        RunMedian::new(start.elapsed().as_nanos() as f64 / BLOCK as f64)
            .expect("a block takes time")
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
    println!("adapter: {}", fixture.gpu.summary());
    match (comparison.estimate, comparison.test) {
        (Some(estimate), Some(test)) => println!(
            "a hidden HUD adds {:+.3} % (95 % interval {:+.3} % to {:+.3} %) in {pairs} pairs: {:?} within 1 %",
            estimate.change() * 100.0,
            test.low.change() * 100.0,
            test.high.change() * 100.0,
            comparison.verdict,
        ),
        _ => println!("too few pairs for a verdict"),
    }
    let start = Instant::now();
    for _ in 0..100_000 {
        fixture.lay_out();
    }
    println!("a hidden HUD takes {:.0} ns per frame", start.elapsed().as_nanos() as f64 / 1e5);
}

/// Returns median and 95th percentile of a layout, and the mean of frames of which every other one has a
/// layout (the largest share that the window allows), in ms.
fn visible(cubes: u32, panels: Panels, layouts: usize) -> [f64; 3] {
    let mut fixture = Fixture::open(cubes, WINDOW, panels);
    let step =
        |fixture: &mut Fixture| fixture.simulation.step(TimeStep::default()).expect("a step");
    for _ in 0..20 {
        step(&mut fixture);
        fixture.lay_out();
    }
    let mut times = Vec::with_capacity(layouts);
    let mut total = Duration::ZERO;
    for _ in 0..layouts {
        step(&mut fixture);
        let time = fixture.lay_out();
        times.push(time.as_nanos() as u64);
        total += time;
        step(&mut fixture);
        total += fixture.record();
    }
    let sorted = SortedTimes::of(&times);
    let quantile = |per_mille| sorted.quantile(per_mille).unwrap_or_default() / 1e6;
    [quantile(500), quantile(950), total.as_secs_f64() * 1e3 / (2 * layouts) as f64]
}

//! Evaluated motion: CPU time of complete uploads and of frames with new cubes at random places, and whole frames
//! compared with integrated motion.
//!
//! Prints medians. For the CPU times the target is tiny and the camera looks away, so that a software
//! adapter spends little time on pixels.

use std::time::{Duration, Instant};

use cubefall::components::{
    Acceleration, AngularVelocity, Color, Epoch, EvaluatedMotion, Gravity, Position, Rotation,
    Scale, Velocity,
};
use cubefall::frame;
use cubefall::render::{
    ChangeTracked, Culling, DrawHooks, DrawPhase, Geometry, Gpu, GpuSettings, OffscreenTarget,
    Quality, RenderSettings, Renderer, SceneView, Size,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation};
use glam::{Quat, Vec3};

const COUNTS: [usize; 3] = [100_000, 1_000_000, 10_000_000];
const SPAWNED: [usize; 4] = [0, 50, 1_500, 15_000];
const FRAMES: usize = 7;

/// Cubes of whole frames.
const FRAME_COUNTS: [u32; 3] = [10_000, 100_000, 1_000_000];

const SETTINGS: RenderSettings = RenderSettings {
    effects: Quality::Low.effects(),
    geometry: Geometry::Pulled,
    culling: Culling::OFF,
};

/// Cubes far behind the camera.
struct Cubes {
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    scales: Vec<Scale>,
    colors: Vec<Color>,
    velocities: Vec<Velocity>,
    accelerations: Vec<Acceleration>,
    gravities: Vec<Gravity>,
    angular_velocities: Vec<AngularVelocity>,
    epochs: Vec<Epoch>,
    /// Indices of cubes that were spawned, in order.
    spawned: Vec<u32>,
}

impl Cubes {
    fn new(count: usize) -> Self {
        Self {
            positions: vec![Position(Vec3::new(0.0, 0.0, 100.0)); count],
            rotations: vec![Rotation(Quat::IDENTITY); count],
            scales: vec![Scale(1.0); count],
            colors: vec![Color::srgb(200, 100, 50); count],
            velocities: vec![Velocity::default(); count],
            accelerations: vec![Acceleration::default(); count],
            gravities: vec![Gravity::STANDARD; count],
            angular_velocities: vec![AngularVelocity(Vec3::X); count],
            epochs: vec![Epoch(0); count],
            spawned: Vec::new(),
        }
    }

    fn view(&self) -> SceneView<'_> {
        SceneView {
            ground_height: -1e4,
            shadow_half_extent: 1.0,
            box_half_extent: 1.0,
            positions: self.tracked(&self.positions),
            rotations: self.tracked(&self.rotations),
            scales: self.tracked(&self.scales),
            colors: self.tracked(&self.colors),
            motion: Some(EvaluatedMotion {
                velocities: &self.velocities,
                accelerations: &self.accelerations,
                gravities: &self.gravities,
                angular_velocities: &self.angular_velocities,
                epochs: &self.epochs,
                gravity_factor: 1.0,
                spin_factor: 1.0,
                now: self.spawned.len() as u32,
            }),
            ..SceneView::default()
        }
    }

    fn tracked<'a, T>(&'a self, values: &'a [T]) -> ChangeTracked<'a, T> {
        ChangeTracked { values, latest: 1 + self.spawned.len() as u64, recent: &self.spawned }
    }
}

/// Ends of the phases of a frame.
struct Phases(Vec<Instant>);

impl DrawHooks for Phases {
    fn phase_ended(&mut self, _: DrawPhase) {
        self.0.push(Instant::now());
    }
}

struct Bench {
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Bench {
    /// Draws a frame. Returns the times of upload, encoding and submission.
    fn draw(&mut self, cubes: &Cubes) -> [Duration; 3] {
        let mut phases = Phases(vec![Instant::now()]);
        let target = self.target.target();
        let drawn = self.renderer.draw_with(&self.gpu, &cubes.view(), target, &mut phases);
        self.gpu.wait_for(drawn.expect("a frame")).expect("a finished frame");
        std::array::from_fn(|i| phases.0[i + 1] - phases.0[i])
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Prints the time from the start of a frame until the GPU has finished it, at 1280x720: with integrated
/// motion all positions are uploaded.
fn whole_frames(gpu: &Gpu) {
    println!("{:>10} {:>8} {:>13} {:>13}", "cubes", "culling", "integrated", "evaluated");
    let target = OffscreenTarget::new(gpu, Size::default()).expect("a target");
    for count in FRAME_COUNTS {
        let settings = SceneSettings { cubes: count, seed: 1 };
        let simulation = Simulation::new(settings, FallMode::Cubes).expect("a scene");
        let cubes = Cubes::new(count as usize);
        for culling in [Culling::OFF, Culling::ON] {
            let settings = RenderSettings { culling, ..SETTINGS };
            let [integrated, evaluated] = [false, true].map(|evaluated| {
                let mut renderer =
                    Renderer::new(gpu, OffscreenTarget::FORMAT, settings).expect("a renderer");
                let frames = (0..=FRAMES as u64).map(|frame| {
                    let start = Instant::now();
                    let scene = frame::scene_view(&simulation);
                    let positions = ChangeTracked::new(scene.positions.values, frame + 1);
                    let motion = cubes.view().motion.map(|motion| EvaluatedMotion {
                        gravity_factor: 0.0,
                        now: frame as u32 * 1000,
                        ..motion
                    });
                    let scene = if evaluated {
                        SceneView { motion, ..scene }
                    } else {
                        SceneView { positions, ..scene }
                    };
                    let drawn = renderer.draw(gpu, &scene, target.target());
                    gpu.wait_for(drawn.expect("a frame")).expect("a finished frame");
                    start.elapsed()
                });
                // The first frame uploads everything.
                median(frames.skip(1).collect())
            });
            let name = if culling == Culling::ON { "on" } else { "off" };
            println!("{count:>10} {name:>8} {integrated:>10.2} ms {evaluated:>10.2} ms");
        }
    }
}

fn main() {
    let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default())).expect("an adapter");
    println!("{}", gpu.summary());
    println!(
        "{:>10} {:>7} {:>9} {:>9} {:>9} {:>8}",
        "cubes", "spawned", "upload", "encode", "submit", "MB"
    );
    let target = OffscreenTarget::new(&gpu, Size::new(8, 8).expect("a size")).expect("a target");
    let renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, SETTINGS).expect("a renderer");
    let mut bench = Bench { renderer, target, gpu };
    let mut state = 1_u32;
    for count in COUNTS {
        let mut cubes = Cubes::new(count);
        let print = |spawned: &str, times: Vec<[Duration; 3]>, bytes: u64| {
            let [upload, encode, submit] =
                std::array::from_fn(|i| median(times.iter().map(|times| times[i]).collect()));
            let megabytes = bytes as f64 / 1e6;
            println!(
                "{count:>10} {spawned:>7} {upload:>6.2} ms {encode:>6.2} ms {submit:>6.2} ms {megabytes:>8.2}"
            );
        };
        let whole = bench.draw(&cubes);
        print("all", vec![whole], bench.renderer.uploaded_bytes());
        for spawned in SPAWNED {
            let mut times = Vec::new();
            for _ in 0..FRAMES {
                let before = cubes.spawned.len();
                cubes.spawned.extend((0..spawned).map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    ((u64::from(state) * count as u64) >> 32) as u32
                }));
                // As cubes respawn.
                cubes.spawned[before..].sort_unstable();
                times.push(bench.draw(&cubes));
            }
            print(&spawned.to_string(), times, bench.renderer.uploaded_bytes());
        }
    }
    whole_frames(&bench.gpu);
}

//! Cubefall through its library: simulation, scene view, renderer.
//!
//! Draws at quality low, like the floor but with sky, ground and tone mapping. Physics and culling run
//! on all cores.
//!
//! With `--culled` the camera looks away. `--exact` switches culling off, the default of integrated motion
//! on a GPU. With both, the adapter itself clips every cube, which shows in `wait`.

use std::f32::consts::PI;
use std::process::ExitCode;
use std::sync::Arc;

use cubefall::components::{Motion, Rotation};
use cubefall::frame;
use cubefall::render::{
    Acquired, Culling, DrawHooks, DrawPhase, Geometry, Gpu, GpuSettings, OffscreenTarget,
    PresentMode, Quality, RenderSettings, RenderTarget, Renderer, Streaming, WindowSurface,
};
use cubefall::sim::{FallMode, Simulation, TimeStep};
use frames::{Contestant, Mode, Options, Outcome, Part, STEP, Stopwatch, run_in_window};
use glam::Quat;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

fn main() -> ExitCode {
    // As in the program, the main thread takes part in work on all cores.
    let pool = rayon::ThreadPoolBuilder::new().use_current_thread();
    pool.build_global().expect("threads can be started");
    frames::run(Contestant::Cubefall, |options| match options.mode() {
        Mode::Headless => headless(options),
        Mode::Window => {
            run_in_window(options, |window, display| in_window(options, window, display))
        }
    })
}

fn headless(options: &Options) -> Outcome<Stopwatch> {
    let gpu = pollster::block_on(Gpu::headless(&gpu_settings(options)))?;
    let target = OffscreenTarget::new(&gpu, options.size)?;
    let mut demo = Demo::new(&gpu, OffscreenTarget::FORMAT, options)?;
    let mut watch = Stopwatch::start(options);
    loop {
        demo.draw(&gpu, target.target(), &mut watch)?;
        gpu.wait()?;
        watch.lap(Part::Wait);
        if !watch.next_frame() {
            return Ok(watch);
        }
    }
}

fn in_window(
    options: &Options,
    window: Arc<Window>,
    display: OwnedDisplayHandle,
) -> Outcome<impl FnMut(&mut Stopwatch) -> Outcome<()>> {
    let settings = gpu_settings(options);
    let opened =
        WindowSurface::open(window, display, options.size, &settings, PresentMode::NoVsync);
    let (gpu, mut surface) = pollster::block_on(opened)?;
    let mut demo = Demo::new(&gpu, surface.format(), options)?;
    Ok(move |watch: &mut Stopwatch| {
        let Acquired::Frame(texture) = surface.acquire(&gpu)? else {
            return Err("the window gave no texture".into());
        };
        watch.lap(Part::Acquire);
        let view = surface.view(&texture);
        demo.draw(&gpu, RenderTarget { view: &view, size: surface.size() }, watch)?;
        surface.present(&gpu, texture);
        watch.lap(Part::Present);
        gpu.check()?;
        Ok(())
    })
}

fn gpu_settings(options: &Options) -> GpuSettings {
    GpuSettings { streaming: options.staged.then_some(Streaming::Staged), ..Default::default() }
}

struct Demo {
    simulation: Simulation,
    renderer: Renderer,
    step: TimeStep,
    culled: bool,
}

impl Demo {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, options: &Options) -> Outcome<Self> {
        let motion = if options.evaluated { Motion::Evaluated } else { Motion::Integrated };
        gpu.check_capacity(options.cubes as usize, motion)?;
        let mode = if options.still { FallMode::Camera } else { FallMode::Cubes };
        let settings = RenderSettings {
            effects: Quality::Low.effects(),
            geometry: if options.instanced { Geometry::Instanced } else { Geometry::Pulled },
            culling: if options.exact { Culling::OFF } else { Culling::ON },
        };
        Ok(Self {
            simulation: frames::simulation(options.cubes, mode, motion, options.spin)?,
            renderer: Renderer::new(gpu, format, settings)?,
            step: TimeStep::fixed(STEP)?,
            culled: options.culled,
        })
    }

    fn draw(&mut self, gpu: &Gpu, target: RenderTarget<'_>, watch: &mut Stopwatch) -> Outcome<()> {
        self.simulation.step(self.step)?;
        watch.lap(Part::Simulate);
        let mut scene = frame::scene_view(&self.simulation);
        if self.culled {
            scene.camera_rotation = Rotation(scene.camera_rotation.0 * Quat::from_rotation_y(PI));
        }
        self.renderer.draw_with(gpu, &scene, target, &mut Phases(watch))?;
        Ok(())
    }
}

/// Times the phases of the renderer.
struct Phases<'a>(&'a mut Stopwatch);

impl DrawHooks for Phases<'_> {
    fn phase_ended(&mut self, phase: DrawPhase) {
        self.0.lap(match phase {
            DrawPhase::Upload => Part::Upload,
            DrawPhase::Encode => Part::Encode,
            DrawPhase::Submit => Part::Submit,
        });
    }
}

//! Cubefall, through its library: the simulation, its arrays as a scene, the renderer.
//!
//! Drawn as in the demo, so with fog and sky, and with physics on all cores from 16,384 cubes on.
//!
//! The library records, submits and presents in one call, which is booked as `submit`. Off screen
//! it also reads the picture back before it returns, and that call is booked as `wait`; so compare
//! it with others in a window. With `--culled` a second, empty scene is prepared after the one that
//! is uploaded, which leaves the renderer nothing to draw but the sky.

use std::process::ExitCode;
use std::sync::Arc;

use cubefall::frame;
use cubefall::render::{Acquired, Gpu, OffscreenTarget, Renderer, Scene, Size, WindowSurface};
use cubefall::sim::{Simulation, TimeStep};
use frames::{Contestant, Mode, Options, Outcome, Part, STEP, Stopwatch, run_in_window};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

fn main() -> ExitCode {
    frames::run(Contestant::Cubefall, |options| match options.mode() {
        Mode::Headless => headless(options),
        Mode::Window => {
            run_in_window(options, |window, display| in_window(options, window, display))
        }
    })
}

fn headless(options: &Options) -> Outcome<Stopwatch> {
    let gpu = pollster::block_on(Gpu::headless())?;
    let target = OffscreenTarget::new(&gpu, options.size)?;
    let mut demo = Demo::new(&gpu, OffscreenTarget::FORMAT, options)?;
    let mut watch = Stopwatch::start(options);
    loop {
        demo.prepare(&gpu, options.size, &mut watch)?;
        target.draw(&gpu, &demo.renderer)?;
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
    let opened = WindowSurface::open(window, display, options.size, false);
    let (gpu, mut surface) = pollster::block_on(opened)?;
    let mut demo = Demo::new(&gpu, surface.format(), options)?;
    Ok(move |watch: &mut Stopwatch| {
        demo.prepare(&gpu, surface.size(), watch)?;
        let Acquired::Frame(texture) = surface.acquire(&gpu)? else {
            return Err("the window gave no texture".into());
        };
        watch.lap(Part::Acquire);
        surface.present(&gpu, &demo.renderer, texture);
        watch.lap(Part::Submit);
        gpu.check()?;
        Ok(())
    })
}

struct Demo {
    simulation: Simulation,
    renderer: Renderer,
    step: TimeStep,
    culled: bool,
}

impl Demo {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, options: &Options) -> Outcome<Self> {
        gpu.check_capacity(options.cubes as usize)?;
        Ok(Self {
            simulation: frames::simulation(options.cubes)?,
            renderer: Renderer::new(gpu, format),
            step: TimeStep::fixed(STEP)?,
            culled: options.culled,
        })
    }

    fn prepare(&mut self, gpu: &Gpu, size: Size, watch: &mut Stopwatch) -> Outcome<()> {
        self.simulation.step(self.step)?;
        watch.lap(Part::Simulate);
        let scene = frame::scene(&self.simulation);
        self.renderer.prepare(gpu, &scene, size)?;
        if self.culled {
            let nothing = Scene { transforms: &[], colors: &[], ..scene };
            self.renderer.prepare(gpu, &nothing, size)?;
        }
        watch.lap(Part::Upload);
        Ok(())
    }
}

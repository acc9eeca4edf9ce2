//! The floor: a baseline in bare wgpu with plain arrays, about an afternoon of work.
//!
//! A frame moves the cubes on one thread, passes the transforms unconverted to `Queue::write_buffer`,
//! and draws all cubes with one instanced, indexed call of 24 corners and 36 indices. Colors and
//! camera are written once. Light and reversed depth are those of Cubefall.
//!
//! There is no fog, sky, multisampling, resizing, input or recovery. With
//! `--culled` everything is simulated and uploaded, and the one call draws no instances.

mod gpu;
mod painter;

use std::process::ExitCode;
use std::sync::Arc;

use frames::{Contestant, Mode, Options, Outcome, Part, Scene, Stopwatch, run_in_window};
use winit::window::Window;

use gpu::Gpu;
use painter::Painter;

fn main() -> ExitCode {
    frames::run(Contestant::Floor, |options| match options.mode() {
        Mode::Headless => headless(options),
        Mode::Window => run_in_window(options, |window, display| {
            in_window(
                options,
                window,
                wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display)),
            )
        }),
    })
}

fn headless(options: &Options) -> Outcome<Stopwatch> {
    const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let gpu = Gpu::open(&instance, None)?;
    let target = gpu.attachment(options.size, FORMAT);
    let mut painter = Painter::new(&gpu, FORMAT, Scene::new(options.cubes)?, options);
    let mut watch = Stopwatch::start(options);
    loop {
        painter.prepare(&gpu, &mut watch);
        painter.draw(&gpu, &target, &mut watch);
        gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        watch.lap(Part::Wait);
        if !watch.next_frame() {
            return Ok(watch);
        }
    }
}

fn in_window(
    options: &Options,
    window: Arc<Window>,
    descriptor: wgpu::InstanceDescriptor,
) -> Outcome<impl FnMut(&mut Stopwatch) -> Outcome<()>> {
    let instance = wgpu::Instance::new(descriptor);
    let surface = instance.create_surface(window)?;
    let gpu = Gpu::open(&instance, Some(&surface))?;
    let config = gpu.configure(&surface, options.size)?;
    let mut painter = Painter::new(&gpu, config.format, Scene::new(options.cubes)?, options);
    Ok(move |watch: &mut Stopwatch| {
        painter.prepare(&gpu, watch);
        let texture = match surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture)
            | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            refused => return Err(format!("the window gave no texture: {refused:?}").into()),
        };
        watch.lap(Part::Acquire);
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        painter.draw(&gpu, &view, watch);
        gpu.queue.present(texture);
        watch.lap(Part::Present);
        Ok(())
    })
}

//! `cubefall render`: a picture without a window.

use super::{Failure, text};
use crate::cli::RenderArgs;
use crate::frame;
use crate::render::{Gpu, ImageFile, OffscreenTarget, Renderer};
use crate::sim::Simulation;

pub(super) fn run(args: &RenderArgs) -> Result<(), Failure> {
    // All that can be refused is asked for before any work is done.
    let file = ImageFile::create(&args.out)?;
    let gpu = pollster::block_on(Gpu::headless())?;
    let target = OffscreenTarget::new(&gpu, args.size)?;
    gpu.check_capacity(args.scene.cubes as usize)?;

    let mut simulation = Simulation::new(args.scene.settings(), args.scene.mode)?;
    for _ in 0..args.run.frames {
        simulation.step(args.run.dt)?;
    }
    let mut renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT);
    renderer.prepare(&gpu, &frame::scene(&simulation), args.size)?;
    file.write(&target.draw(&gpu, &renderer)?)?;
    text::print(&format!(
        "wrote {}: {} pixels, {} cubes, {} after {} steps of {:.2} ms\ndrawn by {}\n",
        args.out.display(),
        args.size,
        text::grouped(simulation.cubes()),
        args.scene.mode,
        text::grouped(args.run.frames as usize),
        args.run.dt.seconds() * 1e3,
        gpu.summary(),
    ))
}

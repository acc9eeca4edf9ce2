//! `cubefall render`: a picture without a window.

use std::time::Instant;

use super::{Failure, text};
use crate::cli::{Injection, RenderArgs};
use crate::frame;
use crate::render::{Gpu, Image, Losses, OffscreenTarget, OutputFile, RenderError, Renderer};
use crate::sim::Simulation;

pub(super) fn run(args: &RenderArgs) -> Result<(), Failure> {
    // All that can be refused is asked for before any work is done.
    let file = OutputFile::create(&args.out)?;
    let mut canvas = Canvas::open(args)?;
    canvas.gpu.check_capacity(args.scene.cubes as usize)?;

    let mut simulation = Simulation::new(args.scene.settings(), args.scene.mode)?;
    for _ in 0..args.run.frames {
        simulation.step(args.run.dt)?;
    }
    let mut losses = Losses::default();
    let faults = args.faults.inject.iter();
    let mut to_lose: u64 = faults
        .map(|&(Injection::DeviceLoss(attempts) | Injection::DeviceLossAcquired(attempts))| {
            attempts
        })
        .sum();
    let image = loop {
        if to_lose > 0 {
            to_lose -= 1;
            canvas.gpu.inject_loss();
        }
        match canvas.draw(&simulation) {
            // All that is drawn is in the simulation, so another device can draw it, too.
            Err(RenderError::DeviceLost(_)) if losses.bear(Instant::now()) => {
                canvas = Canvas::open(args)?;
            }
            drawn => break drawn?,
        }
    };
    file.write(|to| image.write_png(to))?;
    text::print(&format!(
        "wrote {}: {} pixels, {} cubes, {} after {} steps of {:.2} ms\ndrawn by {}\n",
        args.out.display(),
        args.size,
        text::grouped(simulation.cubes()),
        args.scene.mode,
        text::grouped(args.run.frames as usize),
        args.run.dt.seconds() * 1e3,
        canvas.gpu.summary(),
    ))
}

/// A device and what is drawn on.
struct Canvas {
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Canvas {
    fn open(args: &RenderArgs) -> Result<Self, RenderError> {
        let gpu = pollster::block_on(Gpu::headless(&args.picture.gpu()))?;
        let target = OffscreenTarget::new(&gpu, args.size)?;
        let renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, args.picture.still())?;
        Ok(Self { renderer, target, gpu })
    }

    fn draw(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        let Self { renderer, target, gpu } = self;
        let copies = renderer.prepare(gpu, &frame::scene(simulation), target.size())?;
        let frame = renderer.encode(gpu, target.view());
        gpu.submit(copies.into_iter().chain([frame]));
        target.read(gpu)
    }
}

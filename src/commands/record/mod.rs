//! `cubefall record`: videos, animations and image sequences without a window.
//!
//! One thread simulates and renders, another one encodes and writes. A short queue connects them. Each
//! format is a [`FrameSink`] in a file of its own.

mod apng;
mod error;
mod frame_sink;
mod gif;
mod image_sequence;
mod video;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub use self::error::RecordError;
use self::frame_sink::{FrameSink, Frames, RecordSettings};
use super::offscreen_renderer::OffscreenRenderer;
use super::progress::Progress;
use super::simulation_source::SimulationSource;
use super::{CommandError, interrupt};
use crate::cli::{Injection, RecordArgs, RecordOutput};
use crate::output;
use crate::render::Image;
use crate::sim::Simulation;
use crate::units;

/// How rendering ended.
enum RenderEnd {
    AllFrames,
    /// By Ctrl-C.
    Interrupted,
    /// The sink failed; it returns the error.
    SinkFailed,
}

pub(super) fn run(args: &RecordArgs) -> Result<ExitCode, CommandError> {
    // Everything that can be refused is checked before the work begins.
    let settings = RecordSettings { size: args.size, frames: args.frames, fps: args.fps() };
    let sink = sink(&args.out, settings)?;
    let source = SimulationSource::open(&args.simulation)?;
    let mut renderer = OffscreenRenderer::new(&args.graphics, args.size)?;
    renderer.check_capacity(source.cubes())?;
    let interrupted = interrupt::listen().map_err(RecordError::from)?;

    let mut simulation = source.into_simulation()?;
    let (queue, frames) = Frames::queue(settings);
    let (end, written) = thread::scope(|scope| {
        let writer = scope.spawn(move || sink.write(frames));
        let send = |image| queue.send(image).is_ok();
        let end = render(args, &mut simulation, &mut renderer, &interrupted, send);
        drop(queue);
        (end, writer.join())
    });
    let written = written.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    if let RenderEnd::Interrupted = end? {
        output::status("interrupted");
        return Ok(ExitCode::from(130));
    }
    written?;
    let RecordSettings { size, frames, fps } = settings;
    output::print(&format!(
        "wrote {}: {} frames of {size} pixels, {fps} per second, {:.2} s; {} cubes, {}\nadapter: {}\n",
        args.out,
        units::count(frames),
        f64::from(frames) / f64::from(fps),
        units::count(simulation.cubes().count()),
        simulation.mode(),
        renderer.adapter(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn sink(out: &RecordOutput, settings: RecordSettings) -> Result<Box<dyn FrameSink>, RecordError> {
    Ok(match out {
        RecordOutput::Video(container, path) => {
            Box::new(video::VideoEncoder::new(*container, path, settings)?)
        }
        RecordOutput::Gif(path) => Box::new(gif::GifEncoder::new(path, settings)?),
        RecordOutput::Apng(path) => Box::new(apng::ApngEncoder::new(path, settings)?),
        RecordOutput::ImageSequence(pattern) => {
            Box::new(image_sequence::ImageSequence::new(pattern, settings)?)
        }
    })
}

/// Renders all frames and passes each to `send`, which returns `false` if the sink failed.
fn render(
    args: &RecordArgs,
    simulation: &mut Simulation,
    renderer: &mut OffscreenRenderer,
    interrupted: &AtomicBool,
    send: impl Fn(Image) -> bool,
) -> Result<RenderEnd, CommandError> {
    let dt = args.dt();
    let progress = Progress::new(args.frames.into());
    progress.begin(&format!("recording {}", args.out));
    for step in 0..args.warmup + args.frames {
        if interrupted.load(Ordering::Acquire) {
            return Ok(RenderEnd::Interrupted);
        }
        if step > 0 {
            simulation.step(dt)?;
        }
        let Some(frame) = step.checked_sub(args.warmup) else { continue };
        let losses = args.faults.inject.iter().filter(|fault| {
            let (Injection::DeviceLoss(at) | Injection::DeviceLossAcquired(at)) = fault;
            *at == u64::from(frame)
        });
        renderer.inject_losses(losses.count() as u64);
        if !send(renderer.render(simulation)?) {
            return Ok(RenderEnd::SinkFailed);
        }
        progress.done();
    }
    Ok(RenderEnd::AllFrames)
}

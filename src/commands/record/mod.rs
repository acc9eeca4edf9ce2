//! `cubefall record`: videos, animations and image sequences without a window.
//!
//! One thread simulates and renders, another one encodes and writes. A short queue connects them. Each
//! format has a file of its own.

mod apng;
mod error;
mod frames;
mod gif;
mod image_sequence;
mod shutter;
mod video;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

pub use self::error::RecordError;
use self::frames::{Frames, RecordSettings};
use self::image_sequence::ImageSequence;
use self::shutter::Shutter;
use self::video::VideoEncoder;
use super::CommandError;
use super::offscreen_renderer::OffscreenRenderer;
use super::open_simulation::open_simulation;
use super::progress::Progress;
use crate::cli::{RecordArgs, RecordOutput};
use crate::interrupt;
use crate::output::{self, OutputFile};
use crate::render::{Exposure, FramesInFlight, Image};
use crate::sim::Simulation;
use crate::units;

/// Encodes and writes all frames. If they end early, an unfinished file is discarded.
type FrameSink = Box<dyn FnOnce(Frames) -> Result<(), RecordError> + Send>;

pub(super) fn run(args: &RecordArgs) -> Result<ExitCode, CommandError> {
    let settings = RecordSettings { size: args.size, frames: args.frames, fps: args.fps() };
    let sink = sink(&args.out, &args.simulation.files(), settings)?;
    let gpu = args.faults.refuse(args.graphics.gpu());
    let still = args.graphics.still();
    let exposed = if args.shutter_samples > 1 { Exposure::BYTES_PER_PIXEL } else { 0 };
    let mut renderer =
        OffscreenRenderer::new(gpu, still, args.size, FramesInFlight::Many, exposed)?;
    let check = |cubes, motion| Ok(renderer.check_capacity(cubes, motion)?);
    let mut simulation = open_simulation(&args.simulation, renderer.memory(), check)?;
    if args.attract {
        simulation.camera_mut().start_drift();
    }
    interrupt::listen(video::kill_ffmpeg).map_err(RecordError::Signal)?;

    let (queue, frames) = Frames::queue(settings);
    let (end, written) = thread::scope(|scope| {
        let builder = thread::Builder::new().name("encoder".to_owned());
        let writer = builder.spawn_scoped(scope, move || sink(frames))?;
        let send = |image| queue.send(image).is_ok();
        let end = render(args, &mut simulation, &mut renderer, send);
        drop(queue);
        Ok((end, writer.join()))
    })
    .map_err(RecordError::Thread)?;
    let written = written.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    // Missing frames make `written` an error, as does a signal that ends ffmpeg while it writes the rest.
    if let Some(code) = interrupt::received().filter(|_| written.is_err()) {
        let kept = match &args.out {
            RecordOutput::ImageSequence(_) => "; images finished before are kept",
            _ => "",
        };
        output::status(&format!("interrupted{kept}"));
        return Ok(code.into());
    }
    end?;
    written?;
    let RecordSettings { size, frames, fps } = settings;
    let padded = match &args.out {
        RecordOutput::Video(..) => video::padding(size),
        _ => String::new(),
    };
    output::print(&format!(
        "wrote {}: {} of {size} pixels{padded}, {fps} per second, {:.3} s; {}, {}\nadapter: {}\n",
        args.out,
        units::counted(frames, "frame"),
        f64::from(frames) / fps.per_second(),
        units::counted(simulation.cubes().count(), "cube"),
        simulation.mode(),
        renderer.adapter(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the sink of a format. Fails if the files cannot be written, are among those that are `read`, or an encoder is missing.
fn sink(
    out: &RecordOutput,
    read: &[PathBuf],
    settings: RecordSettings,
) -> Result<FrameSink, RecordError> {
    let file = |path: &Path| {
        let file = OutputFile::create(path)?;
        file.require_other_than(read)?;
        Ok::<_, RecordError>(file)
    };
    Ok(match out {
        RecordOutput::Video(container, path) => {
            let encoder = VideoEncoder::new(*container, file(path)?, settings)?;
            Box::new(move |frames| encoder.write(frames))
        }
        RecordOutput::Gif(path) => {
            gif::check(settings)?;
            let file = file(path)?;
            file.require_space(settings.least_gif_bytes())?;
            Box::new(move |frames| Ok(file.write(|to| gif::encode(settings, frames, to))?))
        }
        RecordOutput::Apng(path) => {
            let file = file(path)?;
            file.require_space(settings.least_png_bytes())?;
            Box::new(move |frames| Ok(file.write(|to| apng::encode(settings, frames, to))?))
        }
        RecordOutput::ImageSequence(pattern) => {
            let sequence = ImageSequence::new(pattern, settings)?;
            Box::new(move |frames| sequence.write(frames))
        }
    })
}

/// Renders all frames and passes each to `send`, until a signal arrives or `send` returns `false`: then the sink failed,
/// and returns the error.
fn render(
    args: &RecordArgs,
    simulation: &mut Simulation,
    renderer: &mut OffscreenRenderer,
    send: impl Fn(Image) -> bool,
) -> Result<(), CommandError> {
    let dt = args.dt();
    let mut shutter = Shutter::new(args)?;
    let progress = Progress::new(args.frames.into());
    if args.warmup > 0 {
        progress.begin(&format!("warming up: {}", units::counted(args.warmup, "step")));
    }
    for _ in 0..args.warmup {
        if interrupt::received().is_some() {
            return Ok(());
        }
        simulation.step(dt)?;
    }
    for frame in 0..args.frames {
        if interrupt::received().is_some() {
            return Ok(());
        }
        if frame == 0 {
            progress.begin(&format!("recording {}", args.out));
        } else {
            shutter.close(simulation)?;
        }
        let losses = args.faults.device_losses().filter(|at| *at == u64::from(frame));
        renderer.inject_losses(losses.count() as u64);
        let image = shutter.expose(simulation, renderer)?;
        if interrupt::received().is_some() || !send(image) {
            return Ok(());
        }
        progress.done();
    }
    Ok(())
}

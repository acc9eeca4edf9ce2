//! `cubefall record`: moving pictures without a window.
//!
//! One thread steps and draws, the other encodes and writes; between them lies a short queue. A
//! [`Format`] takes the pictures from there, one file of this folder to each.

mod apng;
mod error;
mod frames;
mod gif;
mod movie;
mod pictures;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

pub use self::error::RecordError;
use self::frames::{Frames, Reel};
use super::painter::Painter;
use super::progress::Progress;
use super::start::Start;
use super::{CommandError, interrupt};
use crate::cli::{Injection, RecordArgs, Recording};
use crate::output;
use crate::render::Image;
use crate::sim::Simulation;
use crate::units;

/// A way to keep pictures that follow each other. What can be refused is refused when it is made.
trait Format: Send {
    /// Takes the pictures to their end and keeps them; if they end too early, nothing is left but
    /// what is whole.
    fn keep(&self, frames: Frames) -> Result<(), RecordError>;
}

/// How the drawing ended.
enum Drawn {
    All,
    /// By Ctrl-C.
    Interrupted,
    /// Nobody takes pictures any more, and says why.
    NotTaken,
}

pub(super) fn run(args: &RecordArgs) -> Result<ExitCode, CommandError> {
    // All that can be refused is asked for before any work is done.
    let reel = Reel { size: args.size, frames: args.frames, fps: args.fps() };
    let format: Box<dyn Format> = match &args.out {
        Recording::Movie(container, path) => Box::new(movie::Movie::new(*container, path, reel)?),
        Recording::Gif(path) => Box::new(gif::Gif::new(path, reel)?),
        Recording::Apng(path) => Box::new(apng::Apng::new(path, reel)?),
        Recording::Pictures(names) => Box::new(pictures::Pictures::new(names, reel)?),
    };
    let start = Start::of(&args.scene, &args.load)?;
    let mut painter = Painter::open(&args.graphics, args.size)?;
    painter.check_capacity(start.cubes())?;
    let interrupted = interrupt::listen().map_err(RecordError::from)?;

    let mut simulation = start.simulation()?;
    let (queue, frames) = Frames::queue(reel);
    let (drawn, kept) = thread::scope(|scope| {
        let encoding = scope.spawn(move || format.keep(frames));
        let drawn = draw(args, &mut simulation, &mut painter, &interrupted, |image| {
            queue.send(image).is_ok()
        });
        drop(queue);
        (drawn, encoding.join())
    });
    let kept = kept.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    if let Drawn::Interrupted = drawn? {
        output::status("interrupted");
        return Ok(ExitCode::from(130));
    }
    kept?;
    let Reel { size, frames, fps } = reel;
    output::print(&format!(
        "wrote {}: {} pictures of {size} pixels, {fps} a second, {:.2} s; {} cubes, {}\ndrawn by {}\n",
        args.out,
        units::count(frames),
        f64::from(frames) / f64::from(fps),
        units::count(simulation.cubes().count()),
        simulation.mode(),
        painter.summary(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Draws all pictures and hands each to `take`, which says whether it wants more.
fn draw(
    args: &RecordArgs,
    simulation: &mut Simulation,
    painter: &mut Painter<'_>,
    interrupted: &AtomicBool,
    take: impl Fn(Image) -> bool,
) -> Result<Drawn, CommandError> {
    let dt = args.dt();
    let progress = Progress::new(u64::from(args.frames));
    progress.begin(&format!("recording {}", args.out));
    for _ in 0..args.warmup {
        if interrupted.load(Ordering::Acquire) {
            return Ok(Drawn::Interrupted);
        }
        simulation.step(dt)?;
    }
    for number in 0..args.frames {
        if interrupted.load(Ordering::Acquire) {
            return Ok(Drawn::Interrupted);
        }
        if number > 0 {
            simulation.step(dt)?;
        }
        let faults = args.faults.inject.iter();
        let lost = faults.filter(|fault| {
            let (Injection::DeviceLoss(at) | Injection::DeviceLossAcquired(at)) = fault;
            *at == u64::from(number)
        });
        painter.lose(lost.count() as u64);
        if !take(painter.draw(simulation)?) {
            return Ok(Drawn::NotTaken);
        }
        progress.done();
    }
    Ok(Drawn::All)
}

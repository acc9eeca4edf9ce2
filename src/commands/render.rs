//! `cubefall render`: a picture without a window.

use super::CommandError;
use super::painter::Painter;
use super::start::Start;
use crate::cli::{Injection, RenderArgs};
use crate::output;
use crate::output::OutputFile;
use crate::units;

pub(super) fn run(args: &RenderArgs) -> Result<(), CommandError> {
    // All that can be refused is asked for before any work is done.
    let start = Start::of(&args.scene, &args.load)?;
    let file = OutputFile::create(&args.out)?;
    let mut painter = Painter::open(&args.graphics, args.size)?;
    painter.check_capacity(start.cubes())?;

    let mut simulation = start.simulation()?;
    for _ in 0..args.steps.frames {
        simulation.step(args.steps.dt)?;
    }
    for &fault in &args.faults.inject {
        let (Injection::DeviceLoss(attempts) | Injection::DeviceLossAcquired(attempts)) = fault;
        painter.lose(attempts);
    }
    let image = painter.draw(&simulation)?;
    file.write(|to| image.write_png(to))?;
    Ok(output::print(&format!(
        "wrote {}: {} pixels, {} cubes, {} after {} steps of {:.2} ms\ndrawn by {}\n",
        args.out.display(),
        args.size,
        units::count(simulation.cubes().count()),
        simulation.mode(),
        units::count(args.steps.frames),
        args.steps.dt.seconds() * 1e3,
        painter.summary(),
    ))?)
}

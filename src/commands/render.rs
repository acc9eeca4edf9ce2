//! `cubefall render`: one frame as an image file.

use super::CommandError;
use super::offscreen_renderer::OffscreenRenderer;
use super::simulation_source::SimulationSource;
use crate::cli::{Injection, RenderArgs};
use crate::output::{self, OutputFile};
use crate::units;

pub(super) fn run(args: &RenderArgs) -> Result<(), CommandError> {
    // Everything that can be refused is checked before the work begins.
    let source = SimulationSource::open(&args.simulation)?;
    let file = OutputFile::create(&args.out)?;
    let mut renderer = OffscreenRenderer::new(&args.graphics, args.size)?;
    renderer.check_capacity(source.cubes())?;

    let mut simulation = source.into_simulation()?;
    for _ in 0..args.steps.frames {
        simulation.step(args.steps.dt)?;
    }
    for &fault in &args.faults.inject {
        let (Injection::DeviceLoss(attempts) | Injection::DeviceLossAcquired(attempts)) = fault;
        renderer.inject_losses(attempts);
    }
    let image = renderer.render(&simulation)?;
    file.write(|to| image.write_png(to))?;
    output::print(&format!(
        "wrote {}: {} pixels, {} cubes, {} after {} steps of {:.2} ms\nadapter: {}\n",
        args.out.display(),
        args.size,
        units::count(simulation.cubes().count()),
        simulation.mode(),
        units::count(args.steps.frames),
        args.steps.dt.seconds() * 1e3,
        renderer.adapter(),
    ))?;
    Ok(())
}

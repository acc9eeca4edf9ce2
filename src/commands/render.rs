//! `cubefall render`: one frame as an image file.

use std::io::{self, IsTerminal};

use super::CommandError;
use super::offscreen_renderer::OffscreenRenderer;
use super::open_simulation::open_simulation;
use crate::cli::{ImageOutput, RenderArgs};
use crate::output::{self, OutputFile};
use crate::render::FramesInFlight;
use crate::units;

pub(super) fn run(args: &RenderArgs) -> Result<(), CommandError> {
    let file = match &args.out {
        ImageOutput::File(path) => Some(OutputFile::create(path)?),
        ImageOutput::StandardOutput if io::stdout().is_terminal() => {
            return Err(CommandError::ImageToTerminal);
        }
        ImageOutput::StandardOutput => None,
    };
    let gpu = args.faults.refuse(args.graphics.gpu());
    let still = args.graphics.still();
    let mut renderer = OffscreenRenderer::new(gpu, still, args.size, FramesInFlight::One, 0)?;
    let check = |cubes, motion| Ok(renderer.check_capacity(cubes, motion)?);
    let mut simulation = open_simulation(&args.simulation, renderer.memory(), check)?;
    if args.attract {
        simulation.camera_mut().start_drift();
    }
    for _ in 0..args.steps.frames {
        simulation.step(args.steps.dt)?;
    }
    args.faults.device_losses().for_each(|attempts| renderer.inject_losses(attempts));
    let image = renderer.render(&simulation)?;
    let Some(file) = file else {
        let mut png = Vec::new();
        image.write_png(&mut png).expect("writing to memory does not fail");
        return Ok(output::print_bytes(&png)?);
    };
    file.write(|to| image.write_png(to))?;
    output::print(&format!(
        "wrote {}: {} pixels, {}, {} after {} of {:.2} ms\nadapter: {}\n",
        args.out,
        args.size,
        units::counted(simulation.cubes().count(), "cube"),
        simulation.mode(),
        units::counted(args.steps.frames, "step"),
        args.steps.dt.seconds() * 1e3,
        renderer.adapter(),
    ))?;
    Ok(())
}

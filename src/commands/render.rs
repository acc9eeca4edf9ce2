//! `cubefall render`: one frame as an image file.

use std::io::{self, IsTerminal};

use super::CommandError;
use super::offscreen_renderer::OffscreenRenderer;
use super::open_simulation::open_simulation;
use crate::cli::{ImageOutput, RenderArgs};
use crate::output::{self, OutputFile};
use crate::render::{FramesInFlight, Image};
use crate::units;

pub(super) fn run(args: &RenderArgs) -> Result<(), CommandError> {
    let file = match &args.out {
        ImageOutput::File(path) => Some(OutputFile::create(path)?),
        ImageOutput::StandardOutput if io::stdout().is_terminal() => {
            return Err(CommandError::ImageToTerminal);
        }
        ImageOutput::StandardOutput => None,
    };
    file.iter().try_for_each(|file| file.require_other_than(args.simulation.files()))?;
    let (image, summary) = draw(args)?;
    let Some(file) = file else {
        let mut png = Vec::new();
        image.write_png(&mut png).expect("writing to memory does not fail");
        return Ok(output::print_bytes(&png)?);
    };
    file.write(|to| image.write_png(to))?;
    Ok(output::print(&format!("wrote {}: {summary}", args.out))?)
}

/// Returns the image, and lines that say what it shows.
pub(super) fn draw(args: &RenderArgs) -> Result<(Image, String), CommandError> {
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
    let summary = format!(
        "{} pixels, {}, {} after {} of {}\nadapter: {}\n",
        args.size,
        units::counted(simulation.cubes().count(), "cube"),
        simulation.mode(),
        units::counted(args.steps.frames, "step"),
        units::ms(f64::from(args.steps.dt.seconds()) * 1e9),
        renderer.adapter(),
    );
    Ok((image, summary))
}

//! Shutter: motion blur as the average of images at times of a frame.

use crate::cli::RecordArgs;
use crate::commands::CommandError;
use crate::commands::offscreen_renderer::OffscreenRenderer;
use crate::render::{Exposure, Image, RenderError};
use crate::sim::{Simulation, TimeStep};
use crate::{ecs, interrupt};

pub(super) struct Shutter {
    /// Times between the images of a frame.
    between: Vec<TimeStep>,
    /// Time from the last image of a frame to the next frame.
    rest: TimeStep,
    /// `None` for one image per frame.
    exposure: Option<Exposure>,
}

impl Shutter {
    pub(super) fn new(args: &RecordArgs) -> Result<Self, CommandError> {
        let mut between = args.exposure_steps();
        let rest = between.pop().expect("a time step has a part");
        let exposure = (!between.is_empty()).then(|| Exposure::new(args.size)).transpose();
        let exposure = exposure.map_err(|error| RenderError::NotAllocated {
            what: format!("average of images of {} pixels", args.size),
            why: error.to_string(),
        })?;
        Ok(Self { between, rest, exposure })
    }

    /// Renders a frame. The shutter opens at the current time. A signal closes it early.
    pub(super) fn expose(
        &mut self,
        simulation: &mut Simulation,
        renderer: &mut OffscreenRenderer,
    ) -> Result<Image, CommandError> {
        let image = renderer.render(simulation)?;
        let Some(exposure) = &mut self.exposure else { return Ok(image) };
        exposure.add(&image);
        for &step in &self.between {
            if interrupt::received().is_some() {
                break;
            }
            simulation.step(step)?;
            exposure.add(&renderer.render(simulation)?);
        }
        Ok(exposure.finish())
    }

    /// Advances to the next frame.
    pub(super) fn close(&self, simulation: &mut Simulation) -> Result<(), ecs::Error> {
        simulation.step(self.rest)
    }
}

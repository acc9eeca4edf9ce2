//! Headless: a run without a window.

use super::{Run, RunError, RunOutcome, RunSettings};
use crate::render::{Gpu, OffscreenTarget, RenderSettings, Size};

/// Runs a course onto a texture. The GPU may be [`RunSettings::latency`] frames behind and no
/// more: without that bound the loop would time how fast frames can be queued.
///
/// # Errors
/// There are more cubes than can be held, or the device failed or was lost.
pub fn run_headless(
    gpu: &Gpu,
    size: Size,
    settings: RunSettings,
    picture: RenderSettings,
) -> Result<RunOutcome, RunError> {
    let target = OffscreenTarget::new(gpu, size)?;
    let mut course = Run::new(gpu, OffscreenTarget::FORMAT, size, settings, picture)?;
    loop {
        course.advance()?;
        course.draw(gpu, target.target())?;
        course.bound_latency(gpu)?;
        if !course.end_frame() {
            return Ok(course.finish(gpu)?);
        }
    }
}

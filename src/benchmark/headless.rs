//! Benchmark runs without a window.

use std::collections::VecDeque;

use super::{FramePhase, Run, RunError, RunResult, RunSettings};
use crate::frame;
use crate::render::{FrameCount, Gpu, OffscreenTarget, RenderSettings, Size};

/// Runs a benchmark on an off-screen target. Blocks, except in a page.
///
/// At most [`RunSettings::latency`] frames are in flight. Without that bound, the loop would measure how
/// fast frames are queued.
///
/// # Errors
/// Memory or the device cannot hold the cubes, or the device failed.
pub async fn run_headless(
    gpu: &Gpu,
    size: Size,
    settings: RunSettings,
    graphics: RenderSettings,
) -> Result<RunResult, RunError> {
    // No image is read back.
    frame::check_size(gpu, size, graphics.effects, FrameCount::One)?;
    let target = OffscreenTarget::new(gpu, size)?;
    let latency = settings.latency as usize;
    let mut in_flight = VecDeque::with_capacity(latency + 1);
    let mut run = Run::new(gpu, OffscreenTarget::FORMAT, size, settings, graphics)?;
    loop {
        run.step()?;
        in_flight.push_back(gpu.observe(run.draw(gpu, target.target())?));
        while in_flight.len() > latency
            && let Some(oldest) = in_flight.pop_front()
        {
            gpu.finished(oldest).await?;
        }
        run.recorder().end_phase(FramePhase::GpuWait);
        if !run.end_frame() {
            break;
        }
    }
    for work in in_flight {
        gpu.finished(work).await?;
    }
    Ok(run.finish(gpu, None)?)
}

//! Main memory of a simulation that is drawn, compared with what is available.

use crate::memory::{self, CubeMemory};
use crate::render::{Effects, FramesInFlight, Gpu, RenderError, Size};
use crate::sim::BYTES_PER_CUBE;
use crate::units;

/// Returns the main memory of cubes that are simulated and drawn.
pub fn cube_memory(gpu: &Gpu, frames: FramesInFlight) -> CubeMemory {
    CubeMemory::new(BYTES_PER_CUBE + gpu.memory_per_cube(frames))
}

/// Checks that images of a size fit into the available memory, together with `others` bytes per pixel for their use. The
/// limits that software adapters report are far above that memory. Accepts every size if the available memory is unknown.
///
/// # Errors
/// The images do not fit. The error names the largest size of this shape that fits, if there is one.
pub fn check_size(
    gpu: &Gpu,
    size: Size,
    effects: Effects,
    frames: FramesInFlight,
    others: u64,
) -> Result<(), RenderError> {
    let Some(usable) = memory::usable() else { return Ok(()) };
    let needed = |size: Size| gpu.memory_of_images(size, effects, frames) + others * size.pixels();
    if needed(size) <= usable {
        return Ok(());
    }
    let [needed_text, usable_text] = [needed(size), usable].map(|bytes| units::bytes(bytes as f64));
    let largest = size.largest_that(|smaller| needed(smaller) <= usable);
    let advice = if needed(largest) <= usable {
        format!("the largest size of this shape that fits is {largest}")
    } else {
        "no size fits".to_owned()
    };
    Err(RenderError::NotAllocated {
        what: format!("image of {size} pixels"),
        why: format!(
            "not enough memory: it needs {needed_text}, and {usable_text} can be used; {advice}"
        ),
    })
}

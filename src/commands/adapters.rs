//! `cubefall adapters`: the graphics adapters of this machine.

use super::CommandError;
use crate::output;
use crate::render::{self, Gpu, GpuSettings};

pub(super) fn run() -> Result<(), CommandError> {
    let mut adapters = pollster::block_on(render::adapters());
    if adapters.is_empty() {
        // Opening one fails with the reason of each backend.
        adapters.push(pollster::block_on(Gpu::headless(&GpuSettings::default()))?.summary());
    }
    let lines: Vec<_> = adapters.iter().map(ToString::to_string).collect();
    Ok(output::print(&format!("{}\n", lines.join("\n")))?)
}

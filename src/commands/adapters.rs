//! `cubefall adapters`: what wgpu sees on this machine.

use super::CommandError;
use crate::output;
use crate::render;

pub(super) fn run() -> Result<(), CommandError> {
    let adapters = pollster::block_on(render::adapters());
    if adapters.is_empty() {
        // Opening one says for each backend why there is none.
        let gpu = pollster::block_on(render::Gpu::headless(&render::GpuSettings::default()))?;
        return Ok(output::print(&format!("{}\n", gpu.summary()))?);
    }
    let lines: Vec<_> = adapters.iter().map(ToString::to_string).collect();
    Ok(output::print(&format!("{}\n", lines.join("\n")))?)
}

//! `cubefall adapters`: what wgpu sees on this machine.

use super::{Failure, text};
use crate::render;

pub(super) fn run() -> Result<(), Failure> {
    let adapters = pollster::block_on(render::adapters());
    if adapters.is_empty() {
        // Opening one says for each backend why there is none.
        let gpu = pollster::block_on(render::Gpu::headless(&render::GpuSettings::default()))?;
        return text::print(&format!("{}\n", gpu.summary()));
    }
    let lines: Vec<_> = adapters.iter().map(ToString::to_string).collect();
    text::print(&format!("{}\n", lines.join("\n")))
}

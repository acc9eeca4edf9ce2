//! `cubefall adapters`: the graphics adapters of this machine.

use super::CommandError;
use crate::cli::AdaptersArgs;
use crate::output;
use crate::render::{self, Gpu, GpuSettings};

pub(super) fn run(args: &AdaptersArgs) -> Result<(), CommandError> {
    let mut adapters = pollster::block_on(render::adapters());
    if adapters.is_empty() {
        // Opening one fails with the reason of each backend.
        adapters.push(pollster::block_on(Gpu::headless(&GpuSettings::default()))?.summary());
    }
    if args.json {
        let json = serde_json::to_string_pretty(&adapters).expect("texts become JSON");
        return Ok(output::print(&format!("{json}\n"))?);
    }
    let lines: Vec<_> = adapters.iter().map(ToString::to_string).collect();
    Ok(output::print(&format!("{}\n", lines.join("\n")))?)
}

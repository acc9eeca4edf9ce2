//! `MangoHud`: the log its overlay writes, one line to a frame.

use std::io::{self, Write};

use super::plain::plain;
use super::timeline;
use crate::benchmark::BenchResult;

/// The first line, by which the file is known.
const SYSTEM: &str = "os,cpu,gpu,ram,kernel,driver,cpuscheduler";

/// What follows the frame time up to `elapsed` is not known of single frames. `MangoHud` would write 0
/// there; an empty cell is read just as well and does not say that a GPU was idle at 0 degrees.
const FRAMES: &str = "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,\
                      gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed";

/// The cells between the frame time and `elapsed`, with the commas around them.
const UNKNOWN: &str = ",,,,,,,,,,,,,,";

/// Writes one run: frame times in ms, and the end of each frame in ns since the first began.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let machine = &result.machine;
    let run = &result.runs[run];
    // Its readers split at every comma.
    let word = |text: &str| plain(text, &[(',', ';'), ('"', '\'')]);
    writeln!(to, "{SYSTEM}")?;
    writeln!(
        to,
        "{},{},{},{},{},,",
        word(&machine.os),
        word(&machine.cpu),
        word(&run.adapter),
        // In KiB, as /proc/meminfo has it.
        machine.memory_bytes / 1024,
        word(&machine.kernel),
    )?;
    writeln!(to, "{FRAMES}")?;
    // A frame of no time has no rate.
    for placed in timeline::valid_samples(run).filter(|placed| placed.sample.frame > 0) {
        let fps = 1e9 / placed.sample.frame as f64;
        writeln!(to, "{fps},{}{UNKNOWN}{}", timeline::ms(placed.sample.frame), placed.end())?;
    }
    Ok(())
}

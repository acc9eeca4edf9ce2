//! `MangoHud`: the log of its overlay, one row per frame.

use std::io::{self, Write};

use super::text::{ms, sanitize, valid};
use crate::benchmark::{BenchResult, Readings, RunResult, Sensors};

/// The first line, which identifies the format.
const SYSTEM: &str = "os,cpu,gpu,ram,kernel,driver,cpuscheduler";

/// The columns after the frame time, up to `elapsed`, are those of the run or unknown. `MangoHud` itself writes
/// 0; an empty cell is read just as well and does not claim an idle GPU at 0 degrees.
const FRAMES: &str = "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,\
                      gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed";

/// Writes one run: frame times in ms, and the end of each frame in ns since the start of the first.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let machine = &result.machine;
    let run = &result.runs[run];
    // Readers split at every comma. Programs for spreadsheets take a text for a formula that begins in one of these ways.
    let cell = |text: &str| {
        let text = sanitize(text, &[(',', ';'), ('"', '\'')]);
        text.trim_start_matches(['=', '+', '-', '@']).to_owned()
    };
    // In KiB, as in /proc/meminfo.
    let memory = machine.memory_bytes.map(|bytes| bytes / 1024);
    writeln!(to, "{SYSTEM}")?;
    writeln!(
        to,
        "{},{},{},{},{},,",
        cell(&machine.os),
        cell(&machine.cpu),
        cell(&run.adapter),
        memory.map(|kib| kib.to_string()).unwrap_or_default(),
        cell(&machine.kernel),
    )?;
    writeln!(to, "{FRAMES}")?;
    let sensors = sensors(run);
    // A frame of 0 ns has no rate.
    for (end, frame) in valid(run).map(|(end, sample)| (end, sample.frame)).filter(|it| it.1 > 0) {
        writeln!(to, "{},{},{sensors},{end}", 1e9 / frame as f64, ms(frame))?;
    }
    Ok(())
}

/// Returns the cells between the frame time and `elapsed`: the mean clock rates and powers and the highest
/// temperatures of the run. `MangoHud` gives clock rates and temperatures without decimals.
fn sensors(run: &RunResult) -> String {
    let rounded = |value: Option<f64>| value.map(|value| format!("{value:.0}")).unwrap_or_default();
    let watts = |watts: Option<f64>| watts.map(|watts| format!("{watts:.1}")).unwrap_or_default();
    let mhz = |readings: &Readings| rounded(readings.clock.map(|clock| clock.mean_mhz));
    let Sensors { cpu, gpu } = &run.sensors;
    format!(
        ",{},,{},{},{},,,{},,,,{}",
        watts(cpu.watts),
        rounded(cpu.celsius),
        rounded(gpu.celsius),
        mhz(gpu),
        watts(gpu.watts),
        mhz(cpu),
    )
}

//! `CapFrameX`: the table of `PresentMon` 1.x, one row per frame, below lines about the machine.

use std::io::{self, Write};

use super::text::{ms, sanitize, valid};
use crate::benchmark::facts::utc;
use crate::benchmark::{BenchResult, FramePhase, RunResult};
use crate::render::PresentMode;
use crate::units::bytes;

const COLUMNS: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,\
                       AllowsTearing,PresentMode,Dropped,TimeInSeconds,MsBetweenPresents,\
                       MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed,\
                       MsCPUBusy,MsGPUBusy";

/// Writes one run.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    header(to, result, run)?;
    writeln!(to, "{COLUMNS}")?;
    let run = &result.runs[run];
    let tearing = tearing(run);
    for (end, &sample) in valid(run) {
        let sample = if run.software { sample.with_submit_as_wait() } else { sample };
        let present = run.presentation.map(|_| sample.phase(FramePhase::Present));
        writeln!(
            to,
            // `Dropped` must be a number: CapFrameX reads anything else as a dropped frame.
            "cubefall,NA,NA,NA,NA,NA,{tearing},NA,0,{},{},NA,{},NA,NA,{},{}",
            end as f64 / 1e9,
            ms(sample.frame),
            or_na(present),
            ms(sample.cpu_work()),
            or_na(sample.gpu),
        )?;
    }
    Ok(())
}

/// Writes lines of the form `//key=value`: every key that the user of `CapFrameX` can edit, and `GPU` before
/// any other line that contains these letters.
fn header(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let BenchResult { name, machine, settings, started_unix_s, .. } = result;
    let started = utc(*started_unix_s);
    let [width, height] = result.runs[run].size;
    let comment = format!(
        "{} cubes; {}; {width}x{height}; run {} of {}",
        settings.cubes,
        settings.mode_and_motion(),
        run + 1,
        settings.runs
    );
    let memory = machine.memory_bytes.map_or("NA".to_owned(), |known| bytes(known as f64));
    let lines = [
        ("GameName", name.as_str()),
        ("ProcessName", "cubefall"),
        ("CreationDate", &started.strftime("%Y-%m-%d").to_string()),
        ("CreationTime", &started.strftime("%H:%M:%SZ").to_string()),
        ("Processor", &machine.cpu),
        ("System RAM", &memory),
        ("GPU", &result.runs[run].adapter),
        ("OS", &machine.os),
        ("Comment", &comment),
    ];
    for (key, value) in lines {
        // A value ends at the next `=`, and `//` marks header lines.
        let value = sanitize(value, &[('=', ':'), (',', ';'), ('"', '\'')]);
        let value = value.split('/').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("/");
        writeln!(to, "//{key}={value}")?;
    }
    Ok(())
}

fn tearing(run: &RunResult) -> &'static str {
    match run.present_mode() {
        Some(PresentMode::Immediate | PresentMode::FifoRelaxed) => "1",
        Some(PresentMode::Fifo | PresentMode::Mailbox) => "0",
        _ => "NA",
    }
}

fn or_na(nanoseconds: Option<u64>) -> String {
    nanoseconds.map_or_else(|| "NA".to_owned(), |time| ms(time).to_string())
}

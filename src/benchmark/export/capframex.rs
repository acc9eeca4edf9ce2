//! `CapFrameX`: the table of `PresentMon` 1.x, one line to a frame, below lines about the machine.

use std::io::{self, Write};

use super::date;
use super::plain::plain;
use super::timeline::{self, ms};
use crate::benchmark::{BenchResult, FramePhase, FrameSample, RunResult};
use crate::render::PresentMode;
use crate::units::main_memory;

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
    for placed in timeline::valid_samples(run) {
        let sample = placed.sample;
        writeln!(
            to,
            // Who presents, and how the system handles it, is not known. Dropped has to be a number:
            // anything else is read as a frame that was dropped, and no frame here was given up.
            "cubefall,NA,NA,NA,NA,NA,{tearing},NA,0,{},{},NA,{},NA,NA,{},{}",
            placed.end() as f64 / 1e9,
            ms(sample.frame),
            known(run.presentation.map(|_| sample.phase(FramePhase::Present))),
            ms(busy(sample)),
            known(sample.gpu),
        )?;
    }
    Ok(())
}

/// Lines of the form `//key=value`. All keys that `CapFrameX` lets its user edit have to be there, and
/// `GPU` before whatever else has these letters in it.
fn header(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let BenchResult { name, machine, settings, started_unix_s, .. } = result;
    let began = date::utc(*started_unix_s);
    let (date, time) = began.split_once('T').unwrap_or((&began, ""));
    let [width, height] = result.runs[run].size;
    let comment = format!(
        "{} cubes; {}; {width}x{height}; run {} of {}",
        settings.cubes,
        settings.mode,
        run + 1,
        settings.runs
    );
    let memory = match machine.memory_bytes {
        0 => "NA".to_owned(),
        bytes => main_memory(bytes),
    };
    let lines = [
        ("GameName", name.as_str()),
        ("ProcessName", "cubefall"),
        ("CreationDate", date),
        ("CreationTime", time),
        ("Processor", &machine.cpu),
        ("System RAM", &memory),
        ("GPU", &result.runs[run].adapter),
        ("OS", &machine.os),
        ("Comment", &comment),
    ];
    for (key, value) in lines {
        // A value ends at the next `=`, and `//` belongs to the header alone.
        let value = plain(value, &[('=', ':'), (',', ';'), ('"', '\'')]);
        let value = value.split('/').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("/");
        writeln!(to, "//{key}={value}")?;
    }
    Ok(())
}

/// Whether the display may show parts of two pictures at once.
fn tearing(run: &RunResult) -> &'static str {
    match run.present_mode() {
        Some(PresentMode::Immediate | PresentMode::FifoRelaxed) => "1",
        Some(PresentMode::Fifo | PresentMode::Mailbox) => "0",
        _ => "NA",
    }
}

/// The frame without what the main thread waited for.
fn busy(sample: &FrameSample) -> u64 {
    let waits = [FramePhase::Acquire, FramePhase::Present, FramePhase::GpuWait]
        .map(|part| sample.phase(part));
    sample.frame.saturating_sub(waits.iter().sum())
}

fn known(nanoseconds: Option<u64>) -> String {
    nanoseconds.map_or_else(|| "NA".to_owned(), |time| ms(time).to_string())
}

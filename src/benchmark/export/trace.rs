//! Trace: the frames of a run as trace events, for Perfetto and Chrome.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::benchmark::{BenchResult, FramePhase, FrameSample, FrameStatus, RunResult};

const PROCESS: u32 = 1;
const MAIN: u32 = 1;
const GPU: u32 = 2;

/// A trace event. Times are in microseconds.
#[derive(Serialize)]
struct Event<'a> {
    /// `X` is a slice with start and duration, `C` a counter value, `M` metadata such as names.
    ph: char,
    name: &'a str,
    pid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    tid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    #[serde(skip_serializing_if = "Value::is_null")]
    args: Value,
}

impl<'a> Event<'a> {
    fn slice(name: &'a str, thread: u32, start: u64, duration: u64, args: Value) -> Self {
        let (tid, dur) = (Some(thread), Some(us(duration)));
        Self { ph: 'X', tid, dur, ..Self::counter(name, start, args) }
    }

    fn counter(name: &'a str, at: u64, args: Value) -> Self {
        Self { ph: 'C', ts: Some(us(at)), ..Self::metadata(name, None, args) }
    }

    fn metadata(name: &'a str, thread: Option<u32>, args: Value) -> Self {
        Self { ph: 'M', name, pid: PROCESS, tid: thread, ts: None, dur: None, args }
    }
}

fn us(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// Writes one run, starting at its first measured frame.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let number = run + 1;
    let run = &result.runs[run];
    write!(to, "{{\"traceEvents\":[")?;
    let process = format!("{}, run {number} of {}", result.name, result.settings.runs);
    let gpu = "GPU, aligned to submit (its start is unknown)";
    let process = Event::metadata("process_name", None, json!({ "name": process }));
    serde_json::to_writer(&mut *to, &process)?;
    event(to, &Event::metadata("process_labels", None, json!({ "labels": run.adapter })))?;
    event(to, &Event::metadata("thread_name", Some(MAIN), json!({ "name": "main thread" })))?;
    if run.samples.iter().any(|sample| sample.gpu.is_some()) {
        event(to, &Event::metadata("thread_name", Some(GPU), json!({ "name": gpu })))?;
    }
    frames(to, run)?;
    let about = json!({
        "version": format!("cubefall {}", result.version),
        "cpu": result.machine.cpu,
        "os": result.machine.os,
        "adapter": run.adapter,
        "phases": "a phase that occurs more than once in a frame is one slice of the sum",
    });
    writeln!(to, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{about}}}")
}

fn frames(to: &mut dyn Write, run: &RunResult) -> io::Result<()> {
    // In order of time: a window provides its texture before draws are recorded.
    let mut phases = FramePhase::ALL;
    phases.swap(FramePhase::Acquire as usize, FramePhase::Encode as usize);
    let (mut start, mut gpu_free) = (0, 0);
    for (number, sample) in run.samples.iter().enumerate() {
        let args = json!({ "number": number, "status": sample.status, "cubes": sample.cubes });
        let name = match sample.status {
            FrameStatus::Valid => "frame",
            FrameStatus::Resized => "frame (resized)",
            FrameStatus::Hidden => "frame (hidden)",
            FrameStatus::Suspended => "frame (suspended)",
        };
        event(to, &Event::slice(name, MAIN, start, sample.frame, args))?;
        event(to, &Event::counter("cubes", start, json!({ "drawn": sample.drawn })))?;
        event(to, &Event::counter("upload", start, json!({ "bytes": sample.upload_bytes })))?;
        let mut at = start;
        for phase in phases {
            let duration = sample.phase(phase);
            if phase == FramePhase::Submit
                && let Some(time) = sample.gpu
            {
                // Frames follow one another: a GPU that is behind starts later than submit.
                let gpu_start = gpu_free.max(at);
                event(to, &Event::slice("gpu", GPU, gpu_start, time, json!({ "frame": number })))?;
                gpu_free = gpu_start + time;
                gpu_passes(to, sample, gpu_start, gpu_free)?;
            }
            if duration > 0 {
                event(to, &Event::slice(phase.name(), MAIN, at, duration, Value::Null))?;
            }
            at += duration;
        }
        start += sample.frame;
    }
    Ok(())
}

/// Writes the GPU passes between `start` and `end`: the shadow map first, the scene last. Leaves both out if
/// they are longer than the whole.
fn gpu_passes(to: &mut dyn Write, sample: &FrameSample, start: u64, end: u64) -> io::Result<()> {
    let [shadow, scene] = [sample.gpu_shadow, sample.gpu_scene].map(Option::unwrap_or_default);
    if shadow.saturating_add(scene) > end - start {
        return Ok(());
    }
    for (name, at, duration) in [("shadow", start, shadow), ("scene", end - scene, scene)] {
        if duration > 0 {
            event(to, &Event::slice(name, GPU, at, duration, Value::Null))?;
        }
    }
    Ok(())
}

/// Writes a further event on a line of its own.
fn event(to: &mut dyn Write, event: &Event<'_>) -> io::Result<()> {
    writeln!(to, ",")?;
    Ok(serde_json::to_writer(to, event)?)
}

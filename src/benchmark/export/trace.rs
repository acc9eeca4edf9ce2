//! Trace: the frames of a run as trace events, which Perfetto and Chrome draw.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::timeline::{self, Placed};
use crate::benchmark::{BenchResult, FramePhase, FrameSample, FrameStatus, RunResult};

const PROCESS: u32 = 1;
const MAIN: u32 = 1;
const GPU: u32 = 2;

/// The parts of a frame in the order of time: a window gives its texture before anything is drawn
/// onto it.
const IN_TIME: [FramePhase; FramePhase::ALL.len()] = [
    FramePhase::Sim,
    FramePhase::Upload,
    FramePhase::Acquire,
    FramePhase::Encode,
    FramePhase::Submit,
    FramePhase::Present,
    FramePhase::GpuWait,
    FramePhase::Other,
];

/// One event. Times are microseconds.
#[derive(Serialize)]
struct Event<'a> {
    /// `X` has a beginning and a length, `C` is a value from now on, `M` says what something is called.
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
    fn slice(name: &'a str, thread: u32, begin: u64, length: u64, args: Value) -> Self {
        let (ts, dur) = (Some(us(begin)), Some(us(length)));
        Self { ph: 'X', name, pid: PROCESS, tid: Some(thread), ts, dur, args }
    }

    fn counter(name: &'a str, at: u64, args: Value) -> Self {
        Self { ph: 'C', name, pid: PROCESS, tid: None, ts: Some(us(at)), dur: None, args }
    }

    fn meta(name: &'a str, thread: Option<u32>, args: Value) -> Self {
        Self { ph: 'M', name, pid: PROCESS, tid: thread, ts: None, dur: None, args }
    }
}

fn us(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

/// Writes one run, from its first frame that counts on.
pub(super) fn write(to: &mut dyn Write, result: &BenchResult, run: usize) -> io::Result<()> {
    let number = run + 1;
    let run = &result.runs[run];
    write!(to, "{{\"traceEvents\":[")?;
    let process = format!("{}, run {number} of {}", result.name, result.settings.runs);
    let gpu = "GPU, aligned to submit (when it began is not known)";
    let first = Event::meta("process_name", None, json!({ "name": process }));
    serde_json::to_writer(&mut *to, &first)?;
    event(to, &Event::meta("process_labels", None, json!({ "labels": run.adapter })))?;
    event(to, &Event::meta("thread_name", Some(MAIN), json!({ "name": "main thread" })))?;
    if run.samples.iter().any(|sample| sample.gpu.is_some()) {
        event(to, &Event::meta("thread_name", Some(GPU), json!({ "name": gpu })))?;
    }
    frames(to, run)?;
    let about = json!({
        "version": format!("cubefall {}", result.version),
        "cpu": result.machine.cpu,
        "os": result.machine.os,
        "adapter": run.adapter,
        "parts": "a part that comes more than once in a frame is one slice of their sum",
    });
    writeln!(to, "\n],\"displayTimeUnit\":\"ms\",\"otherData\":{about}}}")
}

fn frames(to: &mut dyn Write, run: &RunResult) -> io::Result<()> {
    let mut gpu_free = 0;
    for (number, placed) in timeline::all(run).enumerate() {
        let Placed { begin, sample } = placed;
        let args = json!({ "number": number, "status": sample.status, "cubes": sample.cubes });
        let name = match sample.status {
            FrameStatus::Valid => "frame",
            FrameStatus::Resized => "frame (resized)",
            FrameStatus::Hidden => "frame (hidden)",
        };
        event(to, &Event::slice(name, MAIN, begin, sample.frame, args))?;
        event(to, &Event::counter("cubes", begin, json!({ "drawn": sample.drawn })))?;
        event(to, &Event::counter("upload", begin, json!({ "bytes": sample.upload_bytes })))?;
        let mut at = begin;
        for part in IN_TIME {
            let length = sample.phase(part);
            if part == FramePhase::Submit
                && let Some(time) = sample.gpu
            {
                // One frame after the other: a GPU that is behind starts later than it was told.
                let start = gpu_free.max(at);
                event(to, &Event::slice("gpu", GPU, start, time, json!({ "frame": number })))?;
                gpu_free = start + time;
                passes(to, sample, start, gpu_free)?;
            }
            if length > 0 {
                event(to, &Event::slice(part.name(), MAIN, at, length, Value::Null))?;
            }
            at += length;
        }
    }
    Ok(())
}

/// What the GPU did from `begin` to `end`: the shadow map comes first and the picture last. Passes
/// whose times contradict one another, or are longer than the whole, are left out.
fn passes(to: &mut dyn Write, sample: &FrameSample, begin: u64, end: u64) -> io::Result<()> {
    let [shadow, scene] = [sample.gpu_shadow, sample.gpu_scene].map(Option::unwrap_or_default);
    if shadow.saturating_add(scene) > end - begin {
        return Ok(());
    }
    for (name, at, length) in [("shadow", begin, shadow), ("scene", end - scene, scene)] {
        if length > 0 {
            event(to, &Event::slice(name, GPU, at, length, Value::Null))?;
        }
    }
    Ok(())
}

/// Another event, on a line of its own.
fn event(to: &mut dyn Write, event: &Event<'_>) -> io::Result<()> {
    writeln!(to, ",")?;
    Ok(serde_json::to_writer(to, event)?)
}

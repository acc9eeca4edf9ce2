//! Trace: the frames of a run as trace events, for Perfetto and Chrome.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::benchmark::{BenchResult, FramePhase, FrameSample, FrameStatus, RunResult};

const PROCESS: u32 = 1;
const MAIN: u32 = 1;
const GPU: u32 = 2;

/// Returns a slice of a thread, with start and duration.
fn slice(name: &str, thread: u32, start: u64, duration: u64, args: &Value) -> Value {
    let [ts, dur] = [start, duration].map(us);
    json!({ "ph": "X", "name": name, "pid": PROCESS, "tid": thread, "ts": ts, "dur": dur, "args": args })
}

/// Returns the value of a counter from a time on.
fn counter(name: &str, at: u64, args: &Value) -> Value {
    json!({ "ph": "C", "name": name, "pid": PROCESS, "ts": us(at), "args": args })
}

/// Returns metadata of the process or of a thread, such as a name.
fn metadata(name: &str, thread: u32, args: &Value) -> Value {
    json!({ "ph": "M", "name": name, "pid": PROCESS, "tid": thread, "args": args })
}

/// Times are in microseconds.
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
    let process = metadata("process_name", MAIN, &json!({ "name": process }));
    serde_json::to_writer(&mut *to, &process)?;
    event(to, &metadata("process_labels", MAIN, &json!({ "labels": run.adapter })))?;
    event(to, &metadata("thread_name", MAIN, &json!({ "name": "main thread" })))?;
    if run.samples.iter().any(|sample| sample.gpu.is_some()) {
        event(to, &metadata("thread_name", GPU, &json!({ "name": gpu })))?;
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
    // In order of time: a window provides its texture before anything is uploaded for it, and most of `other` passes before
    // the step.
    let mut phases = FramePhase::ALL;
    phases[FramePhase::Upload as usize..=FramePhase::Acquire as usize].rotate_right(1);
    phases.rotate_right(1);
    let (mut start, mut gpu_free) = (0, 0);
    for (number, sample) in run.samples.iter().enumerate() {
        let args = json!({ "frame": number, "status": sample.status, "cubes": sample.cubes });
        let name = match sample.status {
            FrameStatus::Valid => "frame",
            FrameStatus::Resized => "frame (resized)",
            FrameStatus::Hidden => "frame (hidden)",
            FrameStatus::Suspended => "frame (suspended)",
        };
        event(to, &slice(name, MAIN, start, sample.frame, &args))?;
        event(to, &counter("cubes", start, &json!({ "drawn": sample.drawn })))?;
        event(to, &counter("upload", start, &json!({ "bytes": sample.upload_bytes })))?;
        let mut at = start;
        for phase in phases {
            let duration = sample.phase(phase);
            if phase == FramePhase::Submit
                && let Some(time) = sample.gpu
            {
                // Frames follow one another: a GPU that is behind starts later than submit.
                let gpu_start = gpu_free.max(at);
                event(to, &slice("gpu", GPU, gpu_start, time, &json!({ "frame": number })))?;
                gpu_free = gpu_start + time;
                gpu_passes(to, sample, gpu_start, gpu_free)?;
            }
            if duration > 0 {
                event(to, &slice(phase.name(), MAIN, at, duration, &json!({})))?;
            }
            at += duration;
        }
        start += sample.frame;
    }
    Ok(())
}

/// Writes the GPU passes that end at `end`, one after the other. Copies, which are before them, have no slice.
/// Leaves all out if they are longer than the whole.
fn gpu_passes(to: &mut dyn Write, sample: &FrameSample, start: u64, end: u64) -> io::Result<()> {
    let passes = [sample.gpu_culling, sample.gpu_shadow, sample.gpu_scene, sample.gpu_post];
    let passes = passes.map(Option::unwrap_or_default);
    let whole = passes.into_iter().fold(0, u64::saturating_add);
    let Some(mut at) = end.checked_sub(whole).filter(|at| *at >= start) else { return Ok(()) };
    for (name, duration) in ["culling", "shadow", "scene", "post"].into_iter().zip(passes) {
        if duration > 0 {
            event(to, &slice(name, GPU, at, duration, &json!({})))?;
        }
        at += duration;
    }
    Ok(())
}

/// Writes a further event on a line of its own.
fn event(to: &mut dyn Write, event: &Value) -> io::Result<()> {
    writeln!(to, ",")?;
    Ok(serde_json::to_writer(to, event)?)
}

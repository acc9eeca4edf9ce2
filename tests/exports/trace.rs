//! The trace, read by the rules of trace events: slices of a thread nest or follow one another.

use cubefall::benchmark::{BenchResult, ExportFormat, FrameSample, FrameStatus};
use serde::Deserialize;
use serde_json::Value;

use crate::fixtures::{exported, first, frame, result, run, varied_run, whole};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct File {
    trace_events: Vec<Event>,
    display_time_unit: String,
    other_data: Value,
}

#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Event {
    ph: char,
    name: String,
    pid: u64,
    tid: Option<u64>,
    ts: Option<f64>,
    dur: Option<f64>,
    #[serde(default)]
    args: Value,
}

/// A slice in whole nanoseconds, into which Perfetto converts microseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Slice {
    name: String,
    begin: u64,
    end: u64,
}

fn read(result: &BenchResult) -> Vec<Event> {
    let trace: File = serde_json::from_str(&first(ExportFormat::Trace, result)).unwrap();
    assert!(["ms", "ns"].contains(&trace.display_time_unit.as_str()));
    assert!(trace.other_data.is_object());
    trace.trace_events
}

fn slices(events: &[Event], thread: u64) -> Vec<Slice> {
    let nanoseconds = |us: f64| whole(us * 1000.0);
    let of_thread = events.iter().filter(|event| event.ph == 'X' && event.tid == Some(thread));
    let slice = |event: &Event| {
        let begin = nanoseconds(event.ts.unwrap());
        Slice { name: event.name.clone(), begin, end: begin + nanoseconds(event.dur.unwrap()) }
    };
    of_thread.map(slice).collect()
}

/// Returns the slices of a thread with their depth. Panics where two overlap without nesting, or the order
/// is not that of time.
fn nested(slices: &[Slice]) -> Vec<(usize, Slice)> {
    let mut open: Vec<Slice> = Vec::new();
    let mut depth = Vec::new();
    let mut last = 0;
    for slice in slices {
        assert!(slice.begin >= last, "time goes backwards: {slice:?}");
        last = slice.begin;
        open.retain(|outer| outer.end > slice.begin);
        assert!(open.iter().all(|outer| outer.end >= slice.end), "{open:?} and {slice:?} overlap");
        depth.push((open.len(), slice.clone()));
        open.push(slice.clone());
    }
    depth
}

fn top(slices: &[(usize, Slice)]) -> Vec<Slice> {
    slices.iter().filter(|(depth, _)| *depth == 0).map(|(_, slice)| slice.clone()).collect()
}

#[test]
fn frames_are_contiguous_and_filled_by_their_phases() {
    let varied = varied_run();
    let events = read(&result(vec![varied.clone()]));
    let main = nested(&slices(&events, 1));
    let frames = top(&main);
    assert_eq!(frames.len(), varied.samples.len(), "invalid frames are included");
    let mut clock = 0;
    for (slice, sample) in frames.iter().zip(&varied.samples) {
        assert_eq!((slice.begin, slice.end), (clock, clock + sample.frame));
        let expected = match sample.status {
            FrameStatus::Valid => "frame",
            FrameStatus::Resized => "frame (resized)",
            FrameStatus::Hidden => "frame (hidden)",
            FrameStatus::Suspended => "frame (suspended)",
        };
        assert_eq!(slice.name, expected);
        let phases = main.iter().filter(|(depth, phase)| {
            *depth == 1 && phase.begin >= slice.begin && phase.end <= slice.end
        });
        let mut at = clock;
        for (_, phase) in phases {
            assert_eq!(phase.begin, at, "a gap before {phase:?}");
            at = phase.end;
        }
        clock += sample.frame;
        assert_eq!(at, clock, "a gap at the end of {slice:?}");
    }
    assert!(main.iter().all(|(depth, _)| *depth < 2));
}

#[test]
fn phases_are_in_order_of_time_without_those_of_no_time() {
    // A window provides its texture before anything is uploaded for it. Most of `other` passes before the step.
    let names = |sample: FrameSample| {
        let slices = slices(&read(&result(vec![run(vec![sample])])), 1);
        slices.into_iter().map(|slice| slice.name).collect::<Vec<_>>()
    };
    let windowed = names(frame([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 0, 7_000]));
    assert_eq!(
        windowed,
        ["frame", "other", "sim", "acquire", "upload", "encode", "submit", "present"]
    );
    let off_screen = names(frame([1_000, 2_000, 3_000, 0, 5_000, 0, 6_000, 7_000]));
    assert_eq!(off_screen, ["frame", "other", "sim", "upload", "encode", "submit", "gpu_wait"]);
}

#[test]
fn gpu_slices_start_at_submit_or_after_the_previous_frame() {
    let varied = varied_run();
    let events = read(&result(vec![varied.clone()]));
    let gpu = nested(&slices(&events, 2));
    let frames = top(&gpu);
    let known: Vec<_> = varied.samples.iter().filter(|sample| sample.gpu.is_some()).collect();
    assert_eq!(frames.len(), known.len());
    let submits: Vec<_> =
        slices(&events, 1).into_iter().filter(|part| part.name == "submit").collect();
    let mut free = 0;
    let mut waited = 0;
    for (slice, sample) in frames.iter().zip(known) {
        assert_eq!(slice.end - slice.begin, sample.gpu.unwrap());
        let aligned = submits.iter().any(|submit| submit.begin == slice.begin);
        assert!(aligned || slice.begin == free, "{slice:?}");
        waited += usize::from(!aligned);
        free = slice.end;
        let passes: Vec<_> = gpu
            .iter()
            .filter(|(depth, pass)| {
                *depth == 1 && pass.begin >= slice.begin && pass.end <= slice.end
            })
            .map(|(_, pass)| (pass.name.as_str(), pass.end - pass.begin))
            .collect();
        let culling = sample.gpu_culling.map(|time| ("culling", time));
        let shadow = sample.gpu_shadow.map(|time| ("shadow", time));
        let scene = sample.gpu_scene.map(|time| ("scene", time));
        let post = sample.gpu_post.map(|time| ("post", time));
        assert_eq!(
            passes,
            [culling, shadow, scene, post].into_iter().flatten().collect::<Vec<_>>()
        );
    }
    assert!(waited > 0, "the GPU was never behind");
    let named = events.iter().find(|event| event.name == "thread_name" && event.tid == Some(2));
    assert!(named.unwrap().args["name"].as_str().unwrap().contains("aligned to submit"));
}

#[test]
fn counters_hold_the_drawn_cubes_and_uploaded_bytes_of_each_frame() {
    let varied = varied_run();
    let events = read(&result(vec![varied.clone()]));
    for (name, of) in [
        ("cubes", (|sample| u64::from(sample.drawn)) as fn(&FrameSample) -> u64),
        ("upload", |sample| sample.upload_bytes),
    ] {
        let counters: Vec<_> =
            events.iter().filter(|event| event.ph == 'C' && event.name == name).collect();
        let values = counters.iter().map(|event| {
            let values: Vec<_> = event.args.as_object().unwrap().values().collect();
            assert_eq!((values.len(), event.dur), (1, None));
            values[0].as_u64().unwrap()
        });
        assert!(values.eq(varied.samples.iter().map(of)), "{name}");
        assert!(counters.is_sorted_by_key(|event| event.ts));
    }
}

#[test]
fn all_events_belong_to_one_named_process() {
    let both = result(vec![varied_run(), run(vec![frame([5; 8])])]);
    let files = exported(ExportFormat::Trace, &both);
    for (i, (name, text)) in files.iter().enumerate() {
        assert_eq!(*name, format!("trace-{}.json", i + 1));
        let trace: File = serde_json::from_str(text).unwrap();
        assert!(trace.trace_events.iter().all(|event| event.pid == 1));
        let kinds: String = trace.trace_events.iter().map(|event| event.ph).collect();
        assert!(kinds.trim_start_matches('M').chars().all(|kind| "XC".contains(kind)), "{kinds}");
        let process = trace.trace_events.iter().find(|event| event.name == "process_name").unwrap();
        assert!(process.args["name"].as_str().unwrap().ends_with(&format!("run {} of 2", i + 1)));
        let has_gpu = trace.trace_events.iter().any(|event| event.tid == Some(2));
        assert_eq!(has_gpu, i == 0, "no GPU track without GPU times");
    }
}

#[test]
fn the_passes_before_and_after_the_scene_are_beside_it() {
    let sample = FrameSample {
        gpu: Some(100),
        gpu_culling: Some(5),
        gpu_shadow: Some(10),
        gpu_scene: Some(60),
        gpu_post: Some(20),
        ..frame([10_000; 8])
    };
    let gpu = slices(&read(&result(vec![run(vec![sample])])), 2);
    let start = gpu[0].begin;
    let places: Vec<_> = gpu[1..]
        .iter()
        .map(|slice| (slice.name.as_str(), slice.begin - start, slice.end - start))
        .collect();
    assert_eq!(
        places,
        [("culling", 5, 10), ("shadow", 10, 20), ("scene", 20, 80), ("post", 80, 100)]
    );
}

#[test]
fn passes_longer_than_the_gpu_frame_are_left_out() {
    let sample = FrameSample {
        gpu: Some(100),
        gpu_shadow: Some(60),
        gpu_scene: Some(60),
        ..frame([10_000; 8])
    };
    let events = read(&result(vec![run(vec![sample])]));
    let gpu: Vec<_> = slices(&events, 2).into_iter().map(|slice| slice.name).collect();
    assert_eq!(gpu, ["gpu"]);
}

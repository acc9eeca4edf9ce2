//! The trace, read by the rules of trace events: complete slices of a thread lie within one another
//! or beside one another.

use cubefall::benchmark::{BenchResult, ExportFormat, FrameSample, FrameStatus};
use serde::Deserialize;
use serde_json::Value;

use crate::result::{eventful_run, exported, first, frame, result, run, whole};

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

/// A slice, in the whole nanoseconds that Perfetto makes of its microseconds.
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

/// The slices of a thread with how deep each lies; panics where two overlap without nesting, or one
/// begins before the one that was written before it.
fn nested(slices: &[Slice]) -> Vec<(usize, Slice)> {
    let mut open: Vec<Slice> = Vec::new();
    let mut deep = Vec::new();
    let mut last = 0;
    for slice in slices {
        assert!(slice.begin >= last, "time goes backwards: {slice:?}");
        last = slice.begin;
        open.retain(|outer| outer.end > slice.begin);
        assert!(open.iter().all(|outer| outer.end >= slice.end), "{open:?} and {slice:?} overlap");
        deep.push((open.len(), slice.clone()));
        open.push(slice.clone());
    }
    deep
}

fn top(slices: &[(usize, Slice)]) -> Vec<Slice> {
    slices.iter().filter(|(deep, _)| *deep == 0).map(|(_, slice)| slice.clone()).collect()
}

#[test]
fn frames_follow_one_another_and_their_parts_fill_them() {
    let eventful = eventful_run();
    let events = read(&result(vec![eventful.clone()]));
    let main = nested(&slices(&events, 1));
    let frames = top(&main);
    assert_eq!(frames.len(), eventful.samples.len(), "those that may not be compared as well");
    let mut clock = 0;
    for (slice, sample) in frames.iter().zip(&eventful.samples) {
        assert_eq!((slice.begin, slice.end), (clock, clock + sample.frame));
        let expected = match sample.status {
            FrameStatus::Valid => "frame",
            FrameStatus::Resized => "frame (resized)",
            FrameStatus::Hidden => "frame (hidden)",
        };
        assert_eq!(slice.name, expected);
        let parts = main.iter().filter(|(deep, part)| {
            *deep == 1 && part.begin >= slice.begin && part.end <= slice.end
        });
        let mut at = clock;
        for (_, part) in parts {
            assert_eq!(part.begin, at, "a gap before {part:?}");
            at = part.end;
        }
        clock += sample.frame;
        assert_eq!(at, clock, "a gap at the end of {slice:?}");
    }
    assert!(main.iter().all(|(deep, _)| *deep < 2));
}

#[test]
fn parts_come_in_the_order_of_time_and_those_that_took_none_are_left_out() {
    // By the loops: the texture of a window is there before anything is recorded onto it.
    let names = |sample: FrameSample| {
        let slices = slices(&read(&result(vec![run(vec![sample])])), 1);
        slices.into_iter().map(|slice| slice.name).collect::<Vec<_>>()
    };
    let windowed = names(frame([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 0, 7_000]));
    assert_eq!(
        windowed,
        ["frame", "sim", "upload", "acquire", "encode", "submit", "present", "other"]
    );
    let off_screen = names(frame([1_000, 2_000, 3_000, 0, 5_000, 0, 6_000, 7_000]));
    assert_eq!(off_screen, ["frame", "sim", "upload", "encode", "submit", "gpu_wait", "other"]);
}

#[test]
fn the_gpu_begins_at_submit_or_after_the_frame_before() {
    let eventful = eventful_run();
    let events = read(&result(vec![eventful.clone()]));
    let gpu = nested(&slices(&events, 2));
    let frames = top(&gpu);
    let known: Vec<_> = eventful.samples.iter().filter(|sample| sample.gpu.is_some()).collect();
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
            .filter(|(deep, pass)| *deep == 1 && pass.begin >= slice.begin && pass.end <= slice.end)
            .map(|(_, pass)| (pass.name.as_str(), pass.end - pass.begin))
            .collect();
        let shadow = sample.gpu_shadow.map(|time| ("shadow", time));
        let scene = sample.gpu_scene.map(|time| ("scene", time));
        assert_eq!(passes, shadow.into_iter().chain(scene).collect::<Vec<_>>());
    }
    assert!(waited > 0, "the GPU was never behind");
    let named = events.iter().find(|event| event.name == "thread_name" && event.tid == Some(2));
    assert!(named.unwrap().args["name"].as_str().unwrap().contains("aligned to submit"));
}

#[test]
fn counters_say_what_each_frame_drew_and_sent() {
    let eventful = eventful_run();
    let events = read(&result(vec![eventful.clone()]));
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
        assert!(values.eq(eventful.samples.iter().map(of)), "{name}");
        assert!(counters.is_sorted_by_key(|event| event.ts));
    }
}

#[test]
fn all_events_are_of_one_process_that_has_a_name() {
    let both = result(vec![eventful_run(), run(vec![frame([5; 8])])]);
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
        assert_eq!(has_gpu, i == 0, "there is no track of a GPU that did not say anything");
    }
}

#[test]
fn passes_that_are_longer_than_the_whole_are_left_out() {
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

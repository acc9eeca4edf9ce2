//! Videos of the canvas by the browser's recorder.

use std::cell::RefCell;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    BlobEvent, MediaRecorder, MediaRecorderOptions, MediaStream, MediaStreamTrack, RecordingState,
};

use super::{notices, page};
use crate::hud::Tone;

/// Types of video with the ends of their file names, the best first.
const TYPES: [(&str, &str); 3] =
    [("video/webm;codecs=vp9", "webm"), ("video/webm", "webm"), ("video/mp4", "mp4")];

/// Bits per second. The default of browsers, 2.5 million, blurs thousands of moving edges.
const BIT_RATE: u32 = 16_000_000;

/// Size of a video without a frame, in bytes, at most.
const EMPTY: f64 = 1000.0;

thread_local! {
    /// The recorder, until its video has arrived.
    static LATEST: RefCell<Option<MediaRecorder>> = const { RefCell::new(None) };
}

/// Returns whether a video would be lost with the page.
pub(super) fn is_unsaved() -> bool {
    LATEST.with_borrow(Option::is_some)
}

/// Returns whether the canvas is recorded.
pub(in crate::app) fn is_recording() -> bool {
    running().is_some()
}

/// The browser ends a recording by itself if it fails.
fn running() -> Option<MediaRecorder> {
    let latest = LATEST.with_borrow(Clone::clone);
    latest.filter(|recorder| recorder.state() == RecordingState::Recording)
}

/// Starts a recording, or ends it, which downloads it. Returns whether it records now.
pub(in crate::app) fn toggle_video() -> Result<bool, String> {
    let done = match running() {
        Some(recorder) => recorder.stop().map(|()| false),
        None => start().map(|()| true),
    };
    done.map_err(|error| page::reason(&error))
}

/// Ends a recording, which downloads it.
pub fn end() {
    if let Some(recorder) = running() {
        // Fails if it has ended meanwhile.
        let _ = recorder.stop();
    }
}

/// Starts a recording. It is downloaded when it ends, for whichever reason.
fn start() -> Result<(), JsValue> {
    let canvas = page::canvas().ok_or("the page has no canvas")?;
    if !page::has(&page::window(), "MediaRecorder") || !page::has(&canvas, "captureStream") {
        return Err("this browser cannot record".into());
    }
    // Safari writes WebM, which other programs of Apple do not open. No other browser has the event.
    let first = if page::has(&page::window(), "GestureEvent") { 2 } else { 0 };
    let mut types =
        TYPES[first..].iter().filter(|(kind, _)| MediaRecorder::is_type_supported(kind));
    let &(kind, end) = types.next().ok_or("this browser records no known type of video")?;
    let options = MediaRecorderOptions::new();
    options.set_mime_type(kind);
    options.set_video_bits_per_second(BIT_RATE);
    let stream = canvas.capture_stream()?;
    let recording = record(&stream, &options, end);
    if recording.is_err() {
        end_capture(&stream);
    }
    LATEST.set(Some(recording?));
    Ok(())
}

/// Records a stream, which is no longer captured after the end.
fn record(
    stream: &MediaStream,
    options: &MediaRecorderOptions,
    end: &'static str,
) -> Result<MediaRecorder, JsValue> {
    let recorder =
        MediaRecorder::new_with_media_stream_and_media_recorder_options(stream, options)?;
    let captured = stream.clone();
    // Comes once, at the end.
    let at_the_end = Closure::once_into_js(move |event: BlobEvent| {
        // Another recording may have started meanwhile.
        let recorder = event.target().map(JsValue::from);
        let is_this = |it: &mut MediaRecorder| recorder.as_ref() == Some(it.as_ref());
        LATEST.with_borrow_mut(|latest| latest.take_if(is_this));
        end_capture(&captured);
        let Some(video) = event.data().filter(|video| video.size() > EMPTY) else {
            notices::notify(Tone::Failed, "No video: it ended before the first frame".into());
            return;
        };
        let name = format!("cubefall.{end}");
        match page::download_blob(&name, &video) {
            Ok(()) => notices::notify(Tone::Done, format!("Saved the download {name}")),
            Err(error) => {
                let reason = page::reason(&error);
                notices::notify(Tone::Failed, format!("The video is lost: {reason}"));
            }
        }
    });
    recorder.set_ondataavailable(Some(at_the_end.unchecked_ref()));
    // What was recorded before still arrives.
    let failed = Closure::once_into_js(|| {
        let message = "The browser ended the video, which it may do if the page changes its size";
        notices::notify(Tone::Failed, message.into());
    });
    recorder.set_onerror(Some(failed.unchecked_ref()));
    recorder.start()?;
    Ok(recorder)
}

/// Lets the browser no longer copy each frame of the canvas.
fn end_capture(stream: &MediaStream) {
    for track in stream.get_tracks() {
        track.unchecked_into::<MediaStreamTrack>().stop();
    }
}

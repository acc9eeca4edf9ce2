//! Videos of the canvas by the browser's recorder.

use wasm_bindgen::JsCast;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use web_sys::{BlobEvent, MediaRecorder, MediaRecorderOptions, RecordingState};

use super::page;

/// Types of video with the ends of their file names, the best first. Some browsers write no WebM.
const TYPES: [(&str, &str); 3] =
    [("video/webm;codecs=vp9", "webm"), ("video/webm", "webm"), ("video/mp4", "mp4")];

/// Bits per second. The default of browsers, 2.5 million, blurs thousands of moving edges.
const BIT_RATE: u32 = 16_000_000;

/// Records what the canvas shows.
#[derive(Default)]
pub(in crate::app) struct VideoRecorder {
    /// The latest recording, and the name of its file.
    latest: Option<(MediaRecorder, String)>,
}

impl VideoRecorder {
    pub(in crate::app) fn is_recording(&self) -> bool {
        self.running().is_some()
    }

    /// Starts a recording, or ends it, which downloads it. Returns a message that says so.
    pub(in crate::app) fn toggle(&mut self) -> Result<String, String> {
        if let Some((recorder, name)) = self.running() {
            recorder.stop().map_err(|error| page::reason(&error))?;
            return Ok(format!("Saved the download {name}"));
        }
        self.latest = Some(start().map_err(|error| page::reason(&error))?);
        Ok("Recording a video; F2 ends it".into())
    }

    /// The browser ends a recording by itself if it fails.
    fn running(&self) -> Option<&(MediaRecorder, String)> {
        let latest = self.latest.as_ref();
        latest.filter(|(recorder, _)| recorder.state() == RecordingState::Recording)
    }
}

/// Starts a recording. It is downloaded when it ends, for whichever reason.
fn start() -> Result<(MediaRecorder, String), JsValue> {
    let canvas = page::canvas().ok_or("the page has no canvas")?;
    if !page::has(&page::window(), "MediaRecorder") || !page::has(&canvas, "captureStream") {
        return Err("this browser cannot record".into());
    }
    let mut types = TYPES.iter().filter(|(kind, _)| MediaRecorder::is_type_supported(kind));
    let &(kind, end) = types.next().ok_or("this browser records no known type of video")?;
    let name = format!("cubefall.{end}");
    let options = MediaRecorderOptions::new();
    options.set_mime_type(kind);
    options.set_video_bits_per_second(BIT_RATE);
    let stream = canvas.capture_stream()?;
    let recorder =
        MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options)?;
    let file = name.clone();
    // Comes once, at the end.
    let recorded = Closure::once_into_js(move |event: BlobEvent| {
        let downloaded = event.data().map_or(Ok(()), |video| page::download_blob(&file, &video));
        if let Err(error) = downloaded {
            page::announce(&format!("The video is lost: {}", page::reason(&error)));
        }
    });
    recorder.set_ondataavailable(Some(recorded.unchecked_ref()));
    recorder.start()?;
    Ok((recorder, name))
}

//! Flags of `cubefall record`.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{ArgAction, Args};
use clap_lex::OsStrExt;

use super::{FaultArgs, FrameRate, GraphicsArgs, SimulationArgs, values};
use crate::error_text;
use crate::names::names;
use crate::render::{Exposure, Size};
use crate::sim::TimeStep;

/// Highest frame rate of a GIF: viewers slow down frames shorter than 2/100 s.
pub const GIF_MAX_FPS: FrameRate = FrameRate::whole(50);

/// Frames per second of other formats if `--fps` is not given.
const DEFAULT_FPS: FrameRate = FrameRate::whole(60);

/// Most digits of a frame number.
const MAX_DIGITS: usize = 9;

const FORMATS: &str = "\
Formats:
  fall.mp4, fall.webm      Video (4:2:0 chroma); requires ffmpeg, pads odd edges
  fall.gif                 GIF animation: 256 colors per frame, so that still
                           parts flicker a little; at most 50 frames per second
  fall.png                 PNG animation: lossless, exact frame times, large
  fall-%04d.png, frames/   Image sequence, numbered from 1

Examples:
  cubefall record --frames 600 --out fall.mp4
  cubefall record --scene galaxy --fps 25 --size 640x360 --out galaxy.gif

Ctrl-C, SIGTERM and SIGHUP stop recording. An unfinished file is discarded,
finished images of a sequence are kept.

Exit codes:
  0    success
  1    failure while running
  2    invalid usage or input file
  3    no graphics adapter
  4    the graphics device was lost repeatedly
  5    a file cannot be written
  101  a defect of Cubefall
  129  stopped by SIGHUP
  130  stopped by Ctrl-C
  143  stopped by SIGTERM";

/// `cubefall record`.
#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub struct RecordArgs {
    /// Initial state.
    #[command(flatten)]
    pub simulation: SimulationArgs,
    /// Number of frames, from 1 to 1,000,000
    #[arg(long, value_name = "N", default_value_t = 600)]
    #[arg(value_parser = values::whole::<u32>(1..=1_000_000))]
    pub frames: u32,
    /// Frames per second, from 4 to 240, such as 29.97 or 30000/1001, with one simulation step per frame,
    /// or per image of --shutter-samples [default: 60; 50 for GIF]
    #[arg(long, value_name = "N")]
    pub fps: Option<FrameRate>,
    /// Simulation steps before the first frame, from 0 to 10,000,000
    #[arg(long, value_name = "N", default_value_t = 0)]
    #[arg(value_parser = values::whole::<u32>(0..=10_000_000))]
    pub warmup: u32,
    /// Let the camera drift around the cubes, as the window does before the first input; no effect on a camera that
    /// falls, orbits or follows a path
    #[arg(long, value_name = "on|off", action = ArgAction::Set)]
    #[arg(value_parser = values::on_or_off(), default_value = "off")]
    pub attract: bool,
    /// Frame size in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Number of images to average per frame for motion blur, from 1 to 256; 1 is no blur. Recording takes
    /// that many times as long, and 16 bytes of memory per pixel
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = values::whole::<u32>(1..=Exposure::MAX_SAMPLES))]
    pub shutter_samples: u32,
    /// Angle of the shutter in degrees of a frame, from 1: it is open for half of it at 180, for all of it
    /// at 360; requires --shutter-samples, and has no effect with 1 sample
    #[arg(long, value_name = "DEGREES", default_value_t = 180.0, requires = "shutter_samples")]
    #[arg(value_parser = shutter_angle)]
    pub shutter_angle: f64,
    /// Output file, pattern or folder; its name selects the format, see below
    #[arg(long, value_name = "FILE")]
    #[arg(value_parser = OsStringValueParser::new().try_map(|text| parse(&text)))]
    pub out: RecordOutput,
    /// Adapter and render settings.
    #[command(flatten)]
    pub graphics: GraphicsArgs,
    /// Faults to inject.
    #[command(flatten)]
    pub faults: FaultArgs,
}

impl RecordArgs {
    /// Returns the frames per second.
    pub fn fps(&self) -> FrameRate {
        let is_gif = matches!(self.out, RecordOutput::Gif(_));
        self.fps.unwrap_or(if is_gif { GIF_MAX_FPS } else { DEFAULT_FPS })
    }

    /// Returns the simulated time between two frames.
    pub fn dt(&self) -> TimeStep {
        let (frames, seconds) = self.fps().fraction();
        let dt = f32::from(seconds) / f32::from(frames);
        TimeStep::fixed(dt).expect("at least 4 frames per second")
    }

    /// Returns the simulated times between the images of a frame, and from the last of them to the next
    /// frame. They sum to [`dt`](Self::dt) exactly.
    pub fn exposure_steps(&self) -> Vec<TimeStep> {
        let sample = self.shutter_angle / 360.0 / f64::from(self.shutter_samples);
        self.dt().split((1..self.shutter_samples).map(|number| sample * f64::from(number)))
    }
}

/// Parses the angle of an open shutter.
fn shutter_angle(text: &str) -> Result<f64, String> {
    values::number(text, 1.0..=360.0, "degrees")
}

/// A video container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VideoContainer {
    /// MPEG-4, the most widely supported.
    Mp4,
    /// `WebM`, for web pages.
    Webm,
}

// Each name is the file extension and the name used by ffmpeg.
names!(VideoContainer { Mp4 => "mp4", Webm => "webm" });

/// Format and path of a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordOutput {
    /// A video.
    Video(VideoContainer, PathBuf),
    /// A GIF animation.
    Gif(PathBuf),
    /// A PNG animation.
    Apng(PathBuf),
    /// A PNG image for each frame.
    ImageSequence(FilePattern),
}

/// Prints the value of `--out`.
impl fmt::Display for RecordOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Video(_, path) | Self::Gif(path) | Self::Apng(path) => {
                f.write_str(&error_text::path(path))
            }
            Self::ImageSequence(pattern) => pattern.fmt(f),
        }
    }
}

/// A file name with a place for a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilePattern {
    prefix: OsString,
    /// Least number of digits.
    digits: usize,
    suffix: OsString,
}

impl FilePattern {
    /// Returns the file name with `number` in it.
    pub fn path(&self, number: u32) -> PathBuf {
        let Self { prefix, digits, suffix } = self;
        let mut path = prefix.clone();
        path.push(format!("{number:0digits$}"));
        path.push(suffix);
        path.into()
    }

    /// Parses a path with one `%d` or `%04d` in its last component.
    fn parse(text: &OsStr) -> Option<Self> {
        let path = Path::new(text);
        let (prefix, rest) = path.file_name()?.split_once("%")?;
        let (digits, suffix) = rest.split_once("d")?;
        let digits = if digits.is_empty() { Some(1) } else { digits.to_str()?.parse().ok() }?;
        let is_valid = !suffix.contains("%") && digits <= MAX_DIGITS;
        let prefix = path.parent()?.join(prefix).into_os_string();
        is_valid.then(|| Self { prefix, digits, suffix: suffix.into() })
    }
}

/// Prints the pattern, as in `fall-%04d.png`.
impl fmt::Display for FilePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [prefix, suffix] =
            [&self.prefix, &self.suffix].map(|part| error_text::path(part.as_ref()));
        match self.digits {
            0 | 1 => write!(f, "{prefix}%d{suffix}"),
            digits => write!(f, "{prefix}%0{digits}d{suffix}"),
        }
    }
}

/// Parses a file name, a pattern or a folder.
fn parse(text: &OsStr) -> Result<RecordOutput, String> {
    let printed = text.to_string_lossy();
    if printed.ends_with(std::path::is_separator) {
        let (prefix, suffix) = (text.to_owned(), ".png".into());
        return Ok(RecordOutput::ImageSequence(FilePattern { prefix, digits: 5, suffix }));
    }
    let path = PathBuf::from(text);
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    match (FilePattern::parse(text), extension.as_deref()) {
        (Some(pattern), Some("png")) => Ok(RecordOutput::ImageSequence(pattern)),
        // A percent sign without a number is a typing error.
        _ if path.file_name().is_some_and(|name| name.contains("%")) => {
            Err("expected a .png name with one number, such as fall-%04d.png".into())
        }
        (_, Some("mp4")) => Ok(RecordOutput::Video(VideoContainer::Mp4, path)),
        (_, Some("webm")) => Ok(RecordOutput::Video(VideoContainer::Webm, path)),
        (_, Some("gif")) => Ok(RecordOutput::Gif(path)),
        (_, Some("png")) => Ok(RecordOutput::Apng(path)),
        _ => Err("expected a name that ends in .mp4, .webm, .gif or .png, a pattern such as \
                  fall-%04d.png, or a folder such as frames/"
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_selects_the_format() {
        let parse = |name: &str| parse(OsStr::new(name));
        let path = |name: &str| PathBuf::from(name);
        let video = |container, name| Ok(RecordOutput::Video(container, path(name)));
        assert_eq!(parse("a/b.mp4"), video(VideoContainer::Mp4, "a/b.mp4"));
        assert_eq!(parse("b.WebM"), video(VideoContainer::Webm, "b.WebM"));
        assert_eq!(parse("50% done/b.mp4"), video(VideoContainer::Mp4, "50% done/b.mp4"));
        assert_eq!(parse("b.gif"), Ok(RecordOutput::Gif(path("b.gif"))));
        assert_eq!(parse("b.png"), Ok(RecordOutput::Apng(path("b.png"))));
        for (pattern, first, later) in [
            ("a/b-%04d.png", "a/b-0001.png", "a/b-12345.png"),
            ("%d.png", "1.png", "12345.png"),
            ("50% done/%d.png", "50% done/1.png", "50% done/12345.png"),
            ("frames/", "frames/00001.png", "frames/12345.png"),
        ] {
            let Ok(RecordOutput::ImageSequence(names)) = parse(pattern) else {
                panic!("{pattern}")
            };
            assert_eq!((names.path(1), names.path(12_345)), (path(first), path(later)));
            let shown = if pattern == "frames/" { "frames/%05d.png" } else { pattern };
            // As paths: Windows has another separator.
            assert_eq!(path(&names.to_string()), path(shown));
        }
    }

    #[test]
    fn other_names_are_refused() {
        for wrong in [
            "",
            "fall",
            "fall.avi",
            "mp4",
            ".mp4",
            ".png",
            "a-%04d.gif",
            "a-%04d-%04d.png",
            "a-%99d.png",
            "a%.png",
        ] {
            assert!(parse(OsStr::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_unicode_keeps_its_bytes() {
        use std::os::unix::ffi::OsStrExt;

        for (given, expected) in [
            (&b"\xff/\xe9%03d\xe9.png"[..], &b"\xff/\xe9007\xe9.png"[..]),
            (b"\xff/", b"\xff/00007.png"),
        ] {
            let Ok(RecordOutput::ImageSequence(names)) = parse(OsStr::from_bytes(given)) else {
                panic!("{given:?}")
            };
            assert_eq!(names.path(7).as_os_str().as_bytes(), expected);
        }
        let gif = parse(OsStr::from_bytes(b"\xff.gif"));
        assert_eq!(gif, Ok(RecordOutput::Gif(OsStr::from_bytes(b"\xff.gif").into())));
    }
}

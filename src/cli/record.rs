//! Record: the flags of `cubefall record`.

use std::fmt;
use std::path::PathBuf;

use clap::Args;

use super::{FaultArgs, GraphicsArgs, LoadArgs, SceneArgs};
use crate::render::Size;
use crate::sim::TimeStep;

/// Fastest GIF: viewers slow down what is faster than two hundredths of a second.
pub const GIF_FPS: u16 = 50;

/// Pictures a second, unless told otherwise.
const FPS: u16 = 60;

/// Most digits of the number of a picture.
const MOST_DIGITS: usize = 9;

const FORMATS: &str = "\
What is made follows from the name given with --out:
  fall.mp4, fall.webm        a film; needs the program ffmpeg
  fall.gif                   an animation of 256 colours a picture, at most 50 pictures a second; the
                             times of single pictures are rounded to 1/100 s, that of the whole is not
  fall.png                   an animated PNG: exact colours, exact times, large
  fall-%04d.png, pictures/   one PNG for each picture, numbered from 1

Ctrl-C ends it: a file is not kept then, pictures that are done are. Exit codes: 0 done, 1 failed
while running, 2 wrong usage, 3 no graphics adapter, 4 the graphics device was lost again and again,
5 a file cannot be written, 130 interrupted";

/// `cubefall record`.
#[derive(Args, Debug)]
#[command(after_help = FORMATS)]
pub struct RecordArgs {
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub scene: SceneArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub load: LoadArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub graphics: GraphicsArgs,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it as help")]
    pub faults: FaultArgs,
    /// How many pictures, from 1 to 1,000,000
    #[arg(long, value_name = "N", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub frames: u32,
    /// Pictures a second, from 4 to 240; each is one step of the simulation [default: 60; 50 for GIF]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(4..=240))]
    pub fps: Option<u16>,
    /// Steps before the first picture, from 0 to 10,000,000
    #[arg(long, value_name = "N", default_value_t = 0, visible_alias = "skip")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=10_000_000))]
    pub warmup: u32,
    /// Width and height of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Where it goes: a name that ends in .mp4, .webm, .gif or .png, a name with a number such as
    /// %04d.png, or a folder that ends in /
    #[arg(long, value_name = "FILE", value_parser = parse)]
    pub out: Recording,
}

impl RecordArgs {
    /// Pictures a second.
    #[must_use]
    pub fn fps(&self) -> u16 {
        self.fps.unwrap_or(if matches!(self.out, Recording::Gif(_)) { GIF_FPS } else { FPS })
    }

    /// Simulated time from one picture to the next.
    #[must_use]
    pub fn dt(&self) -> TimeStep {
        TimeStep::fixed(1.0 / f32::from(self.fps())).expect("4 or more a second were asked for")
    }
}

/// A film format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// MPEG-4, which everything plays.
    Mp4,
    /// `WebM`, for web pages.
    Webm,
}

impl Container {
    /// The end of file names, and what ffmpeg calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mp4 => "mp4",
            Self::Webm => "webm",
        }
    }
}

/// What is recorded to, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recording {
    /// A film.
    Movie(Container, PathBuf),
    /// An animated GIF.
    Gif(PathBuf),
    /// An animated PNG.
    Apng(PathBuf),
    /// One PNG for each picture.
    Pictures(Numbered),
}

/// Prints what was given with `--out`.
impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Movie(_, path) | Self::Gif(path) | Self::Apng(path) => path.display().fmt(f),
            Self::Pictures(names) => names.fmt(f),
        }
    }
}

/// File names that differ by a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Numbered {
    before: String,
    digits: usize,
    after: String,
}

impl Numbered {
    /// The name of one of the files.
    #[must_use]
    pub fn path(&self, number: u32) -> PathBuf {
        let Self { before, digits, after } = self;
        format!("{before}{number:0digits$}{after}").into()
    }
}

/// Prints the pattern.
impl fmt::Display for Numbered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%0{}d{}", self.before, self.digits, self.after)
    }
}

/// Reads a file name, a pattern or a folder.
fn parse(text: &str) -> Result<Recording, String> {
    if text.ends_with(std::path::is_separator) {
        let (before, after) = (text.to_owned(), ".png".to_owned());
        return Ok(Recording::Pictures(Numbered { before, digits: 5, after }));
    }
    let end = text.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    let path = PathBuf::from(text);
    match (numbered(text), end.as_deref()) {
        (Some(names), Some("png")) => Ok(Recording::Pictures(names)),
        // A per cent sign that begins no number is a slip.
        _ if text.contains('%') => {
            Err("a pattern is a name with one number, such as fall-%04d.png".into())
        }
        (_, Some("mp4")) => Ok(Recording::Movie(Container::Mp4, path)),
        (_, Some("webm")) => Ok(Recording::Movie(Container::Webm, path)),
        (_, Some("gif")) => Ok(Recording::Gif(path)),
        (_, Some("png")) => Ok(Recording::Apng(path)),
        _ => {
            Err("the name says what is made: a film (.mp4, .webm), an animation (.gif, .png), or \
                  numbered pictures (such as fall-%04d.png, or a folder that ends in /)"
                .into())
        }
    }
}

/// The names of a pattern with one `%d` or `%04d`; `None` for a name without.
fn numbered(text: &str) -> Option<Numbered> {
    let (before, rest) = text.split_once('%')?;
    let (digits, after) = rest.split_once('d')?;
    let digits = if digits.is_empty() { Some(1) } else { digits.parse().ok() }?;
    // Numbered folders are not made.
    let plain =
        !after.contains('%') && !after.contains(std::path::is_separator) && digits <= MOST_DIGITS;
    plain.then(|| Numbered { before: before.into(), digits, after: after.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_made() {
        let path = |name: &str| PathBuf::from(name);
        assert_eq!(parse("a/b.mp4"), Ok(Recording::Movie(Container::Mp4, path("a/b.mp4"))));
        assert_eq!(parse("b.WebM"), Ok(Recording::Movie(Container::Webm, path("b.WebM"))));
        assert_eq!(parse("b.gif"), Ok(Recording::Gif(path("b.gif"))));
        assert_eq!(parse("b.png"), Ok(Recording::Apng(path("b.png"))));
        for (pattern, first, later) in [
            ("a/b-%04d.png", "a/b-0001.png", "a/b-12345.png"),
            ("%d.png", "1.png", "12345.png"),
            ("pictures/", "pictures/00001.png", "pictures/12345.png"),
        ] {
            let Ok(Recording::Pictures(names)) = parse(pattern) else { panic!("{pattern}") };
            assert_eq!((names.path(1), names.path(12_345)), (path(first), path(later)));
        }
    }

    #[test]
    fn other_names_are_refused() {
        for wrong in
            ["", "fall", "fall.avi", "mp4", "a-%04d.gif", "a-%04d-%04d.png", "a-%99d.png", "a%.png"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

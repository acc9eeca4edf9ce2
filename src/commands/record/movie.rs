//! Movie: a film, encoded by the program ffmpeg.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::{Format, Frames, RecordError, Reel};
use crate::cli::Container;
use crate::output::{OutputError, OutputFile};

/// An encoder of ffmpeg, and how it is asked for pictures that look like the ones it is given.
type Codec = (&'static str, &'static [&'static str]);

/// The best first.
const MP4: &[Codec] =
    &[("libx264", &["-crf", "18"]), ("libopenh264", &["-b:v", "16M"]), ("mpeg4", &["-q:v", "2"])];
const WEBM: &[Codec] = &[
    ("libvpx-vp9", &["-crf", "24", "-b:v", "0", "-row-mt", "1", "-cpu-used", "4"]),
    ("libvpx", &["-crf", "8", "-b:v", "16M"]),
];

/// Films keep colours at half the size, so edges are made even; and they are what players take them
/// for: BT.709, not full range.
const FILTER: &str = "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int,\
                      format=yuv420p";
const COLORS: &[&str] = &[
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-color_range",
    "tv",
];

pub(super) struct Movie {
    file: OutputFile,
    container: Container,
    codec: Codec,
    reel: Reel,
}

impl Movie {
    pub(super) fn new(container: Container, path: &Path, reel: Reel) -> Result<Self, RecordError> {
        let file = OutputFile::create(path)?;
        let mut list = Command::new("ffmpeg");
        list.args(["-hide_banner", "-encoders"]).stdin(Stdio::null()).stderr(Stdio::null());
        let listed = list.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => RecordError::NoFfmpeg(container),
            _ => RecordError::Ffmpeg(error.to_string()),
        })?;
        let listed = String::from_utf8_lossy(&listed.stdout);
        let codecs = match container {
            Container::Mp4 => MP4,
            Container::Webm => WEBM,
        };
        // Each line holds flags, the name of an encoder, and what it is.
        let has = |name| listed.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
        let Some(&codec) = codecs.iter().find(|(name, _)| has(*name)) else {
            let wanted: Vec<_> = codecs.iter().map(|(name, _)| *name).collect();
            return Err(RecordError::NoEncoder { container, wanted: wanted.join(", ") });
        };
        Ok(Self { file, container, codec, reel })
    }

    /// ffmpeg, which reads pictures from its standard input and says what is wrong in `said`.
    fn start(&self, path: &Path, said: &File) -> io::Result<Child> {
        let Reel { size, fps, .. } = self.reel;
        let mut to = OsString::from("file:");
        to.push(path);
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg
            .args(["-hide_banner", "-nostdin", "-loglevel", "error", "-y"])
            .args(["-f", "rawvideo", "-pix_fmt", "rgba", "-s", &size.to_string()])
            .args(["-framerate", &fps.to_string(), "-i", "pipe:0"])
            .args(["-an", "-vf", FILTER, "-c:v", self.codec.0])
            .args(self.codec.1)
            .args(COLORS)
            .args(["-movflags", "+faststart"].iter().filter(|_| self.container == Container::Mp4))
            .args(["-f", self.container.name()])
            .arg(to)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(said.try_clone()?);
        // Ctrl-C is for this program, which ends the other one when it has to.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut ffmpeg, 0);
        ffmpeg.spawn()
    }

    fn encode(&self, frames: Frames, path: &Path) -> Result<(), RecordError> {
        let mut said = tempfile::tempfile().map_err(RecordError::Pipe)?;
        let mut ffmpeg = Running(self.start(path, &said).map_err(RecordError::Pipe)?);
        let pipe = ffmpeg.0.stdin.take().expect("it was asked for");
        let handed = hand_over(frames, pipe);
        if matches!(handed, Err(Broken::NotDrawn(_))) {
            // A film that is not whole is not wanted, however well it would end.
            return handed.map_err(RecordError::from);
        }
        let status = ffmpeg.0.wait().map_err(RecordError::Pipe)?;
        if status.success() {
            return handed.map_err(RecordError::from);
        }
        let mut text = String::new();
        let read = said.rewind().and_then(|()| said.read_to_string(&mut text));
        let line = text.lines().rev().find(|line| !line.trim().is_empty());
        let line = read.ok().and(line).map_or_else(|| status.to_string(), str::to_owned);
        if text.contains("No space left on device") || text.contains("File too large") {
            let reason = io::Error::new(io::ErrorKind::StorageFull, line);
            return Err(OutputError::new(self.file.path(), reason).into());
        }
        Err(RecordError::Ffmpeg(line))
    }
}

impl Format for Movie {
    fn keep(&self, frames: Frames) -> Result<(), RecordError> {
        self.file.make(|path| self.encode(frames, path))
    }
}

/// Why ffmpeg did not get all pictures.
enum Broken {
    NotDrawn(io::Error),
    NotTaken(io::Error),
}

impl From<Broken> for RecordError {
    fn from((Broken::NotDrawn(error) | Broken::NotTaken(error)): Broken) -> Self {
        Self::Pipe(error)
    }
}

/// Writes all pictures; ffmpeg knows by the closed pipe that these were all.
fn hand_over(frames: Frames, mut pipe: ChildStdin) -> Result<(), Broken> {
    for image in frames {
        let image = image.map_err(Broken::NotDrawn)?;
        pipe.write_all(image.rgba()).map_err(Broken::NotTaken)?;
    }
    Ok(())
}

/// A process that does not outlive who wants its result.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if it has ended, which is as well.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

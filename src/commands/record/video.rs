//! Video encoder: pipes raw frames to ffmpeg.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::RecordError;
use super::frames::{Frames, RecordSettings};
use crate::cli::VideoContainer;
use crate::output::{OutputError, OutputFile, TemporaryFile};
use crate::render::Size;
use crate::{error_text, interrupt};

/// Name and options of an ffmpeg encoder. The options are visually lossless, apart from 4:2:0 chroma subsampling.
type Codec = (&'static str, &'static str);

/// In order of preference.
const MP4: &[Codec] = &[("libx264", "-crf 18"), ("libopenh264", "-b:v 16M"), ("mpeg4", "-q:v 2")];
const WEBM: &[Codec] =
    &[("libvpx-vp9", "-crf 24 -b:v 0 -row-mt 1 -cpu-used 4"), ("libvpx", "-crf 8 -b:v 16M")];

/// Converts to limited-range BT.709, which players assume, with chroma samples at the left of their pixels, where the
/// standards of video have them. Light stays encoded as in the images, by the curve of sRGB.
const FILTER: &str = "scale=out_color_matrix=bt709:out_range=tv:out_h_chr_pos=0:out_v_chr_pos=128:\
                      flags=accurate_rnd+full_chroma_inp,format=yuv420p";
const COLORS: &str = "-colorspace bt709 -color_primaries bt709 -color_trc iec61966-2-1 -color_range tv \
                      -chroma_sample_location left";

/// Messages of ffmpeg about a disk or a file that holds no more.
const FULL: &[&str] = &["No space left on device", "File too large", "Disk quota exceeded"];

/// Smallest size of a frame that equals the one before.
const FRAME_BYTES: u64 = 8;

/// The process that encodes, while there is one.
static FFMPEG: Mutex<Option<Child>> = Mutex::new(None);

/// Time between two looks at whether ffmpeg has ended.
const POLL: Duration = Duration::from_millis(5);

pub(super) struct VideoEncoder {
    file: OutputFile,
    /// Messages of ffmpeg.
    log: File,
    container: VideoContainer,
    codec: Codec,
    settings: RecordSettings,
}

impl VideoEncoder {
    pub(super) fn new(
        container: VideoContainer,
        file: OutputFile,
        settings: RecordSettings,
    ) -> Result<Self, RecordError> {
        file.require_space(u64::from(settings.frames) * FRAME_BYTES)?;
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-encoders"]).stdin(Stdio::null());
        let listed = command.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => RecordError::NoFfmpeg(container),
            _ => RecordError::Ffmpeg(error_text::io(&error)),
        })?;
        if !listed.status.success() {
            let messages = String::from_utf8_lossy(&listed.stderr);
            let last = messages.lines().rfind(|line| !line.trim().is_empty());
            let reason = last.map_or_else(|| listed.status.to_string(), str::to_owned);
            return Err(RecordError::Ffmpeg(reason));
        }
        let listed = String::from_utf8_lossy(&listed.stdout);
        let codecs = match container {
            VideoContainer::Mp4 => MP4,
            VideoContainer::Webm => WEBM,
        };
        // Each line consists of flags, the name of an encoder, and its description.
        let has = |name| listed.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
        let Some(&codec) = codecs.iter().find(|(name, _)| has(*name)) else {
            let encoders: Vec<_> = codecs.iter().map(|(name, _)| *name).collect();
            return Err(RecordError::NoEncoder { container, encoders: encoders.join(", ") });
        };
        let log = tempfile::tempfile().map_err(|error| {
            let variable = if cfg!(windows) { "TEMP" } else { "TMPDIR" };
            let reason = error_text::io(&error);
            let advice = format!("{reason}; set {variable} to a folder for temporary files");
            OutputError::new(&env::temp_dir(), io::Error::other(advice))
        })?;
        Ok(Self { file, log, container, codec, settings })
    }

    /// Starts ffmpeg, which reads frames from its standard input and writes messages to the log.
    fn start(&self, file: &mut TemporaryFile) -> io::Result<Child> {
        let RecordSettings { size, fps, .. } = self.settings;
        let (path, stdout) = file.for_child()?;
        let mut to = OsString::from("file:");
        to.push(path);
        let (name, options) = self.codec;
        let faststart = match self.container {
            VideoContainer::Mp4 => "-movflags +faststart",
            VideoContainer::Webm => "",
        };
        // `bitexact` leaves out random identifiers. With `-framerate` in place of `-r`, ffmpeg would replace a rate by a
        // common one nearby, and drop or repeat frames.
        let flags = format!(
            "-hide_banner -nostdin -loglevel error -y \
             -f rawvideo -pix_fmt rgba -s {size} -r {fps} -i pipe:0 \
             -an -vf {}{FILTER} -c:v {name} {options} {COLORS} {faststart} -fflags +bitexact -f {}",
            repeated_edges(size),
            self.container.name()
        );
        let mut ffmpeg = ffmpeg();
        ffmpeg
            .args(flags.split_whitespace())
            .arg(to)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(self.log.try_clone()?);
        ffmpeg.spawn()
    }

    /// Writes all frames. If they end early, the unfinished file is discarded.
    pub(super) fn write(&self, frames: Frames) -> Result<(), RecordError> {
        self.file.make(|file| self.encode(frames, file))
    }

    fn encode(&self, frames: Frames, file: &mut TemporaryFile) -> Result<(), RecordError> {
        let mut child = self.start(file).map_err(RecordError::Pipe)?;
        let mut pipe = child.stdin.take().expect("standard input is piped");
        let _killed_on_return = Ffmpeg::of(child);
        let mut written = Ok(());
        for frame in frames {
            // If rendering ended early, this returns and kills ffmpeg.
            let frame = frame.map_err(RecordError::Pipe)?;
            written = pipe.write_all(frame.rgba());
            if written.is_err() {
                break;
            }
        }
        // The closed pipe tells ffmpeg that there are no more frames.
        drop(pipe);
        let status = Ffmpeg::wait().map_err(RecordError::Pipe)?;
        let (mut log, mut messages) = (&self.log, Vec::new());
        log.rewind().and_then(|()| log.read_to_end(&mut messages)).map_err(RecordError::Pipe)?;
        self.check(status, &String::from_utf8_lossy(&messages), file)?;
        written.map_err(RecordError::Pipe)
    }

    /// Returns an error if ffmpeg failed, or wrote another number of frames than it read: the writer of `WebM` files
    /// reports a full disk in a message only.
    fn check(
        &self,
        status: ExitStatus,
        messages: &str,
        file: &mut TemporaryFile,
    ) -> Result<(), RecordError> {
        let not_written = |reason: String| {
            RecordError::from(OutputError::new(self.file.path(), io::Error::other(reason)))
        };
        if let Some(full) = FULL.iter().find(|full| messages.contains(**full)) {
            return Err(not_written((*full).to_owned()));
        }
        // It ends ffmpeg, but not this process.
        #[cfg(unix)]
        if status.signal() == Some(signal_hook::consts::SIGXFSZ) {
            return Err(not_written(FULL[1].to_owned()));
        }
        if !status.success() {
            // Later messages follow from the first ones.
            let first: Vec<_> =
                messages.lines().filter(|it| !it.trim().is_empty()).take(2).collect();
            let message = if first.is_empty() { status.to_string() } else { first.join("; ") };
            return Err(RecordError::Ffmpeg(message));
        }
        let (written, frames) = (count_frames(file)?, self.settings.frames);
        if written != frames {
            let advice = if written < frames { "; is the disk full?" } else { "" };
            return Err(not_written(format!("ffmpeg wrote {written} of {frames} frames{advice}")));
        }
        Ok(())
    }
}

/// Returns the filter that pads edges to even lengths, which 4:2:0 chroma subsampling requires: the last column and row
/// are repeated, as others would color them.
fn repeated_edges(size: Size) -> String {
    let [right, bottom] = [size.width(), size.height()].map(|edge| edge % 2);
    if right + bottom == 0 {
        return String::new();
    }
    format!(
        "pad=iw+{right}:ih+{bottom},format=gbrp,fillborders=right={right}:bottom={bottom}:mode=smear,"
    )
}

/// Returns a remark about a size that is padded; empty for a size with even edges.
pub(super) fn padding(size: Size) -> String {
    let [width, height] = [size.width(), size.height()].map(|edge| edge.next_multiple_of(2));
    if (width, height) == (size.width(), size.height()) {
        return String::new();
    }
    format!(" (padded to {width}x{height}, since videos need even edges)")
}

/// Returns a command of ffmpeg, without arguments. Ctrl-C reaches this process only, which stops ffmpeg if necessary.
fn ffmpeg() -> Command {
    let mut ffmpeg = Command::new("ffmpeg");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut ffmpeg, 0);
    // CREATE_NEW_PROCESS_GROUP.
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(&mut ffmpeg, 0x200);
    ffmpeg
}

/// Returns the number of frames in a video, without decoding them.
fn count_frames(file: &mut TemporaryFile) -> Result<u32, RecordError> {
    let (path, stdout) = file.for_child().map_err(RecordError::Pipe)?;
    let mut from = OsString::from("file:");
    from.push(path);
    let mut ffmpeg = ffmpeg();
    ffmpeg.args("-hide_banner -nostdin -loglevel error -progress pipe:2 -i".split(' ')).arg(from);
    ffmpeg.args("-map 0:v -c copy -f null -".split(' '));
    ffmpeg.stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
    let mut child = ffmpeg.spawn().map_err(RecordError::Pipe)?;
    let mut pipe = child.stderr.take().expect("standard error is piped");
    // The process that encodes has ended: a signal kills this one in its place.
    let _killed_on_return = Ffmpeg::of(child);
    let mut progress = Vec::new();
    pipe.read_to_end(&mut progress).map_err(RecordError::Pipe)?;
    let status = Ffmpeg::wait().map_err(RecordError::Pipe)?;
    let progress = String::from_utf8_lossy(&progress);
    if !status.success() {
        let reason = progress.lines().find(|line| !line.contains('=')).map(str::to_owned);
        return Err(RecordError::Ffmpeg(reason.unwrap_or_else(|| status.to_string())));
    }
    let last = progress.lines().rev().find_map(|line| line.strip_prefix("frame="));
    Ok(last.and_then(|frames| frames.trim().parse().ok()).unwrap_or(0))
}

fn running() -> MutexGuard<'static, Option<Child>> {
    FFMPEG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process that encodes or counts frames, if there is one.
pub(super) fn kill_ffmpeg() {
    if let Some(ffmpeg) = running().as_mut() {
        // Fails if the process has ended, which is fine.
        let _ = ffmpeg.kill();
    }
}

/// The process that encodes or, after it, that which counts frames; killed when its owner returns early.
struct Ffmpeg;

impl Ffmpeg {
    fn of(child: Child) -> Self {
        *running() = Some(child);
        if interrupt::received().is_some() {
            kill_ffmpeg();
        }
        Self
    }

    /// Waits for the end of the process, without the lock that [`kill_ffmpeg`] needs.
    fn wait() -> io::Result<ExitStatus> {
        loop {
            let status = running().as_mut().expect("it is running").try_wait()?;
            match status {
                Some(status) => return Ok(status),
                None => thread::sleep(POLL),
            }
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        kill_ffmpeg();
        if let Some(mut ffmpeg) = running().take() {
            let _ = ffmpeg.wait();
        }
    }
}

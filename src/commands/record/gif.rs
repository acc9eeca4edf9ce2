//! GIF: an animation that everything shows, in 256 colours a picture.

use std::io::{self, Write};
use std::path::Path;

use ::gif::{Encoder, EncodingError, Frame, Repeat};

use super::{Format, Frames, RecordError, Reel};
use crate::cli::GIF_FPS;
use crate::output::OutputFile;

/// How colours are chosen, from 1 (best) to 30 (fastest); `NeuQuant`'s own middle.
const SPEED: i32 = 10;

pub(super) struct Gif {
    file: OutputFile,
    reel: Reel,
}

impl Gif {
    pub(super) fn new(path: &Path, reel: Reel) -> Result<Self, RecordError> {
        if reel.fps > GIF_FPS {
            return Err(RecordError::TooFastForGif(reel.fps));
        }
        Ok(Self { file: OutputFile::create(path)?, reel })
    }

    fn encode(&self, frames: Frames, to: &mut dyn Write) -> Result<(), EncodingError> {
        let Reel { size, fps, .. } = self.reel;
        let edge = |pixels| u16::try_from(pixels).expect("sizes end at 16,384");
        let (width, height) = (edge(size.width()), edge(size.height()));
        let mut encoder = Encoder::new(to, width, height, &[])?;
        encoder.set_repeat(Repeat::Infinite)?;
        let mut pixels = Vec::new();
        for (image, delay) in frames.zip(delays(fps)) {
            pixels.clear();
            pixels.extend_from_slice(image?.rgba());
            let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, SPEED);
            frame.delay = delay;
            encoder.write_frame(&frame)?;
        }
        encoder.into_inner()?;
        Ok(())
    }
}

impl Format for Gif {
    fn keep(&self, frames: Frames) -> Result<(), RecordError> {
        let written = self.file.write(|to| {
            self.encode(frames, to).map_err(|error| match error {
                EncodingError::Io(error) => error,
                other => io::Error::other(other),
            })
        });
        Ok(written?)
    }
}

/// How long each picture is shown, in 1/100 s: what is rounded off one is given to the next, so that
/// every picture comes at the nearest hundredth and the whole takes as long as it should.
fn delays(fps: u16) -> impl Iterator<Item = u16> {
    let fps = u64::from(fps);
    let begin = move |number: u64| (number * 200 + fps) / (2 * fps);
    (0..).map(move |number| (begin(number + 1) - begin(number)) as u16)
}

#[cfg(test)]
mod tests {
    use super::delays;

    #[test]
    fn rounding_of_delays_never_adds_up() {
        assert_eq!(delays(50).take(4).collect::<Vec<_>>(), [2; 4]);
        assert_eq!(delays(30).take(6).collect::<Vec<_>>(), [3, 4, 3, 3, 4, 3]);
        for fps in 4..=50 {
            let second: u16 = delays(fps).take(fps.into()).sum();
            let minutes: u64 = delays(fps).take(usize::from(fps) * 600).map(u64::from).sum();
            assert_eq!((second, minutes), (100, 60_000), "{fps}");
            assert!(delays(fps).take(1000).all(|delay| delay.abs_diff(100 / fps) <= 1), "{fps}");
        }
    }
}

//! GIF: animations of 256 colors per frame.

use std::io::{self, Write};

use ::gif::{Encoder, EncodingError, Frame, Repeat};

use super::RecordError;
use super::frames::{Frames, RecordSettings};
use crate::cli::{FrameRate, GIF_MAX_FPS};

/// Speed of the color quantization, from 1 (best quality) to 30 (fastest).
const QUANTIZATION_SPEED: i32 = 10;

/// Returns an error if the frame rate is too high for a GIF.
pub(super) fn check(settings: RecordSettings) -> Result<(), RecordError> {
    let fits = settings.fps.per_second() <= GIF_MAX_FPS.per_second();
    fits.then_some(()).ok_or(RecordError::TooFastForGif(settings.fps))
}

/// Writes all frames.
pub(super) fn encode(
    settings: RecordSettings,
    frames: Frames,
    to: &mut dyn Write,
) -> io::Result<()> {
    try_encode(settings, frames, to).map_err(|error| match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    })
}

fn try_encode(
    settings: RecordSettings,
    frames: Frames,
    to: &mut dyn Write,
) -> Result<(), EncodingError> {
    let RecordSettings { size, fps, .. } = settings;
    let edge = |pixels| u16::try_from(pixels).expect("sizes end at 16,384");
    let (width, height) = (edge(size.width()), edge(size.height()));
    let mut encoder = Encoder::new(to, width, height, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    let mut pixels = Vec::new();
    for (image, delay) in frames.zip(delays(fps)) {
        pixels.clear();
        pixels.extend_from_slice(image?.rgba());
        let mut frame = Frame::from_rgba_speed(width, height, &mut pixels, QUANTIZATION_SPEED);
        frame.delay = delay;
        encoder.write_frame(&frame)?;
    }
    encoder.into_inner()?;
    Ok(())
}

/// Returns how long each frame is shown, in 1/100 s.
///
/// The start of each frame is rounded, not its length, so that rounding errors do not accumulate.
fn delays(fps: FrameRate) -> impl Iterator<Item = u16> {
    let (frames, seconds) = fps.fraction();
    let (frames, seconds) = (u64::from(frames), u64::from(seconds));
    let start = move |frame: u64| (frame * 200 * seconds + frames) / (2 * frames);
    (0..).map(move |frame| (start(frame + 1) - start(frame)) as u16)
}

#[cfg(test)]
mod tests {
    use super::delays;

    #[test]
    fn rounding_errors_of_delays_do_not_accumulate() {
        let delays = |fps: &str| delays(fps.parse().unwrap());
        assert_eq!(delays("50").take(4).collect::<Vec<_>>(), [2; 4]);
        assert_eq!(delays("30").take(6).collect::<Vec<_>>(), [3, 4, 3, 3, 4, 3]);
        for fps in 4..=50 {
            let delays = || delays(&fps.to_string());
            let second: u16 = delays().take(fps.into()).sum();
            let minutes: u64 = delays().take(usize::from(fps) * 600).map(u64::from).sum();
            assert_eq!((second, minutes), (100, 60_000), "{fps}");
            assert!(delays().take(1000).all(|delay| delay.abs_diff(100 / fps) <= 1), "{fps}");
        }
        // 30,000 frames last 1001 s.
        assert_eq!(delays("30000/1001").take(30_000).map(u64::from).sum::<u64>(), 100_100);
    }
}

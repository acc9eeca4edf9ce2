//! The flags of every contestant.

use clap::error::ErrorKind;
use clap::{Args, Command, FromArgMatches};
use cubefall::render::Size;

use crate::Contestant;

/// Where a contestant draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Onto a texture, waiting for every frame.
    Headless,
    /// In a window, without vsync.
    Window,
}

impl Mode {
    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Headless => "headless",
            Self::Window => "window",
        }
    }
}

/// The flags of a contestant.
#[derive(Args, Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Options {
    /// Number of cubes
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub cubes: u32,
    /// Size of a frame in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    pub size: Size,
    /// Measured frames
    #[arg(long, value_name = "K", default_value_t = 60)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub frames: u32,
    /// Warm-up frames
    #[arg(long, value_name = "W", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub warmup: u32,
    /// Idle time after each frame in ms, as of a program that waits for a display
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub idle: u32,
    /// Draw onto a texture and wait for every frame, instead of in a window without vsync
    #[arg(long)]
    headless: bool,
    /// Do the work of a frame without visible cubes
    #[arg(long)]
    pub culled: bool,
    /// Switch culling off
    #[arg(long)]
    pub exact: bool,
    /// Static cubes; in Cubefall the camera falls past them
    #[arg(long)]
    pub still: bool,
    /// Cubefall evaluates motion on the GPU instead of integrating it
    #[arg(long)]
    pub evaluated: bool,
    /// Cubefall's cubes spin, as in the demo; those of the others never do
    #[arg(long)]
    pub spin: bool,
    /// Cubefall uses instanced geometry instead of vertex pulling
    #[arg(long)]
    pub instanced: bool,
    /// Cubefall uses staging buffers even where memory is shared
    #[arg(long)]
    pub staged: bool,
}

impl Options {
    /// Parses the command line. Ends the process with code 2 if it is invalid or the contestant does not
    /// support it.
    pub(crate) fn parse(contestant: Contestant) -> Self {
        let about =
            format!("Draws the scene with {} and prints one line of JSON", contestant.name());
        let mut command = Self::augment_args(Command::new(contestant.program()).about(about));
        let matches = command.get_matches_mut();
        let options = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let refused = if options.headless && !contestant.can_be_headless() {
            "has no headless mode"
        } else if options.culled && !contestant.can_cull() {
            "cannot leave out the drawing alone"
        } else if options.idle > 0 && contestant == Contestant::Bevy {
            "draws while it idles, and cannot be measured with --idle"
        } else {
            return options;
        };
        let message = format!("{} {refused}", contestant.name());
        command.error(ErrorKind::ArgumentConflict, message).exit()
    }

    /// Where to draw.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        if self.headless { Mode::Headless } else { Mode::Window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Options::augment_args(Command::new("frames-floor")).debug_assert();
    }
}

//! Present mode: how pictures get to the display.

use std::fmt;

use super::RenderError;

/// How pictures get to the display.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "benchmark", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "benchmark", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "benchmark", serde(rename_all = "kebab-case"))]
pub enum PresentMode {
    /// Without tearing, at most one picture to a refresh, whatever the display can do for that.
    Vsync,
    /// As many pictures as can be drawn: immediate, mailbox or fifo, the first the display can do.
    NoVsync,
    /// In a queue, one picture to a refresh.
    Fifo,
    /// As `Fifo`, but a picture that comes late is shown at once and may tear.
    FifoRelaxed,
    /// At each refresh the latest picture; those before it are dropped.
    Mailbox,
    /// At once; may tear.
    Immediate,
}

impl PresentMode {
    /// All that may be asked for.
    pub const ALL: [Self; 6] =
        [Self::Vsync, Self::NoVsync, Self::Fifo, Self::FifoRelaxed, Self::Mailbox, Self::Immediate];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vsync => "vsync",
            Self::NoVsync => "no-vsync",
            Self::Fifo => "fifo",
            Self::FifoRelaxed => "fifo-relaxed",
            Self::Mailbox => "mailbox",
            Self::Immediate => "immediate",
        }
    }

    /// Whether a picture waits for the display before the next one can be shown.
    #[must_use]
    pub const fn waits_for_vblank(self) -> bool {
        matches!(self, Self::Vsync | Self::Fifo | Self::FifoRelaxed)
    }

    /// The one to use on a surface that can do `supported`, which always includes fifo.
    pub(super) fn among(
        self,
        supported: &[wgpu::PresentMode],
    ) -> Result<wgpu::PresentMode, RenderError> {
        use wgpu::PresentMode::{Fifo, FifoRelaxed, Immediate, Mailbox};
        let wanted: &[wgpu::PresentMode] = match self {
            Self::Vsync | Self::Fifo => &[Fifo],
            Self::NoVsync => &[Immediate, Mailbox, Fifo],
            Self::FifoRelaxed => &[FifoRelaxed],
            Self::Mailbox => &[Mailbox],
            Self::Immediate => &[Immediate],
        };
        let found = wanted.iter().find(|mode| supported.contains(mode));
        found.copied().ok_or_else(|| RenderError::NoSuchPresentMode {
            asked: self.name(),
            choices: supported.iter().map(|&mode| Self::of(mode).name()).collect(),
        })
    }

    /// The name for one of wgpu's modes.
    pub(super) fn of(mode: wgpu::PresentMode) -> Self {
        match mode {
            wgpu::PresentMode::AutoVsync => Self::Vsync,
            wgpu::PresentMode::AutoNoVsync => Self::NoVsync,
            wgpu::PresentMode::Fifo => Self::Fifo,
            wgpu::PresentMode::FifoRelaxed => Self::FifoRelaxed,
            wgpu::PresentMode::Immediate => Self::Immediate,
            wgpu::PresentMode::Mailbox => Self::Mailbox,
        }
    }
}

/// Prints the word.
impl fmt::Display for PresentMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_display_cannot_do_is_refused_with_what_it_can() {
        let supported = [wgpu::PresentMode::Fifo, wgpu::PresentMode::Mailbox];
        let used = |mode: PresentMode| mode.among(&supported).map(PresentMode::of);
        assert_eq!(used(PresentMode::Vsync).ok(), Some(PresentMode::Fifo));
        assert_eq!(used(PresentMode::NoVsync).ok(), Some(PresentMode::Mailbox));
        let refused = used(PresentMode::Immediate).unwrap_err().to_string();
        assert_eq!(refused, "this window has no present mode immediate; there are fifo, mailbox");
    }
}

//! Present mode: when a finished frame reaches the display.

use super::RenderError;
use crate::names::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a finished frame reaches the display.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PresentMode {
    /// At most one frame per refresh, without tearing; supported everywhere.
    #[default]
    Vsync,
    /// No limit: the first supported of immediate, mailbox and fifo.
    NoVsync,
    /// Frames wait in a queue, one per refresh.
    Fifo,
    /// As fifo, but a late frame is shown at once and may tear.
    FifoRelaxed,
    /// Each refresh shows the latest frame; earlier ones are dropped.
    Mailbox,
    /// Frames are shown at once and may tear.
    Immediate,
}

names!(PresentMode {
    Vsync => "vsync",
    NoVsync => "no-vsync",
    Fifo => "fifo",
    FifoRelaxed => "fifo-relaxed",
    Mailbox => "mailbox",
    Immediate => "immediate",
});

impl PresentMode {
    /// Returns `true` if frames wait for the vertical blank of the display.
    pub const fn waits_for_vblank(self) -> bool {
        matches!(self, Self::Vsync | Self::Fifo | Self::FifoRelaxed)
    }

    /// Chooses among the `supported` modes of a surface, which always include fifo.
    pub(super) fn choose(
        self,
        supported: &[wgpu::PresentMode],
    ) -> Result<wgpu::PresentMode, RenderError> {
        use wgpu::PresentMode::{Fifo, FifoRelaxed, Immediate, Mailbox};
        let preferred: &[wgpu::PresentMode] = match self {
            Self::Vsync | Self::Fifo => &[Fifo],
            Self::NoVsync => &[Immediate, Mailbox, Fifo],
            Self::FifoRelaxed => &[FifoRelaxed],
            Self::Mailbox => &[Mailbox],
            Self::Immediate => &[Immediate],
        };
        let found = preferred.iter().find(|mode| supported.contains(mode));
        found.copied().ok_or_else(|| RenderError::NoSuchPresentMode {
            requested: self.name(),
            available: supported.iter().map(|&mode| Self::from(mode).name()).collect(),
        })
    }
}

impl From<wgpu::PresentMode> for PresentMode {
    fn from(mode: wgpu::PresentMode) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsupported_mode_is_refused_with_the_supported_ones() {
        let supported = [wgpu::PresentMode::Fifo, wgpu::PresentMode::Mailbox];
        let chosen = |mode: PresentMode| mode.choose(&supported).map(PresentMode::from);
        assert_eq!(chosen(PresentMode::Vsync).ok(), Some(PresentMode::Fifo));
        assert_eq!(chosen(PresentMode::NoVsync).ok(), Some(PresentMode::Mailbox));
        let refused = chosen(PresentMode::Immediate).unwrap_err().to_string();
        assert_eq!(
            refused,
            "this window does not support present mode immediate; choose one of fifo, mailbox"
        );
    }

    #[test]
    fn without_vsync_the_first_supported_of_immediate_mailbox_and_fifo_is_used() {
        let all =
            [wgpu::PresentMode::Fifo, wgpu::PresentMode::Mailbox, wgpu::PresentMode::Immediate];
        let chosen = [3, 2, 1]
            .map(|count| PresentMode::NoVsync.choose(&all[..count]).ok().map(PresentMode::from));
        let expected = [PresentMode::Immediate, PresentMode::Mailbox, PresentMode::Fifo];
        assert_eq!(chosen, expected.map(Some));
    }
}

//! How frames reach the display.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::render::PresentMode;

/// Capabilities of a display, as reported by the window system.
#[derive(Clone, PartialEq, Debug)]
pub struct DisplayInfo {
    /// Refresh rate in Hz, if known.
    pub refresh_hz: Option<f64>,
    /// Supported present modes.
    pub present_modes: Vec<PresentMode>,
}

/// How the frames of a windowed run reached the display.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Presentation {
    /// Present mode in use, which may differ from the requested one.
    pub present_mode: PresentMode,
    /// Refresh rate of the display in Hz, if known.
    pub refresh_hz: Option<f64>,
}

//! Display: what a window's pictures are shown by.

use crate::render::PresentMode;

/// What a display can do, as far as the window system says.
#[derive(Clone, PartialEq, Debug)]
pub struct DisplayInfo {
    /// Pictures it shows in a second.
    pub refresh_hz: Option<f64>,
    /// How pictures can get to it.
    pub present_modes: Vec<PresentMode>,
}

/// How the pictures of a run got to the display.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Presentation {
    /// The present mode really used.
    pub present_mode: PresentMode,
    /// Pictures the display shows in a second, if the window system says.
    pub refresh_hz: Option<f64>,
}

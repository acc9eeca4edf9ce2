//! Errors of opening a device and drawing with it.

use super::Size;
#[cfg(web)]
use super::platform;
use crate::units::{count, counted};

/// Why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No adapter of the requested backends is usable, not even a software adapter.
    #[error("no graphics adapter found ({}); {advice}", reasons.join("; "))]
    NoAdapter {
        /// Why each backend has no adapter.
        reasons: Vec<String>,
        /// What to do on this platform.
        advice: String,
    },
    /// No adapter can be opened; the reason of each.
    #[error("cannot open a graphics adapter ({}); update its driver, or free memory", _0.join("; "))]
    NoDevice(Vec<String>),
    /// No adapter has this name.
    #[error(
        "no graphics adapter has {requested:?} in its name; available: {}",
        available.join(", ")
    )]
    NoSuchAdapter {
        /// The requested name.
        requested: String,
        /// Names of the available adapters, at least one.
        available: Vec<String>,
    },
    /// A GPU is required, and there is only a software adapter.
    #[error(
        "no GPU found with these settings, only {0}, which draws on the CPU; omit --require-gpu to use it"
    )]
    SoftwareOnly(String),
    /// The adapter cannot map buffers that shaders read.
    #[error("this graphics adapter does not support mapped streaming; use --streaming staged")]
    NotMappable,
    /// The surface does not support this present mode.
    #[error(
        "this window does not support present mode {requested}; choose one of {}",
        available.join(", ")
    )]
    NoSuchPresentMode {
        /// The requested mode.
        requested: &'static str,
        /// The supported modes.
        available: Vec<&'static str>,
    },
    /// A buffer, a texture, a surface, or an image in main memory cannot be allocated.
    #[error("cannot allocate the {what}: {why}")]
    NotAllocated {
        /// Name and size.
        what: String,
        /// Reason, such as the device's message.
        why: String,
    },
    /// The window system refused a surface.
    #[cfg_attr(not(web), error("cannot draw on this window: {0}"))]
    #[cfg_attr(
        web,
        error(
            "the browser does not draw with this backend; {}",
            platform::advice(wgpu::Backends::all())
        )
    )]
    NoSurface(#[from] wgpu::CreateSurfaceError),
    /// The adapter cannot draw on this window, or its surface keeps failing.
    #[error("the graphics adapter cannot draw on this window")]
    UnsupportedSurface,
    /// There are more cubes than the [capacity](crate::render::Gpu::capacity) of the device.
    #[error(
        "{} exceed this graphics adapter's limit of {}",
        counted(requested, "cube"),
        count(largest)
    )]
    TooManyCubes {
        /// Number of cubes to draw.
        requested: usize,
        /// Number that fits.
        largest: u64,
    },
    /// The size exceeds the largest texture of the device.
    #[error(
        "an image of {requested} pixels exceeds this graphics adapter's limit of {largest} pixels per edge"
    )]
    TooLarge {
        /// The requested size.
        requested: Size,
        /// Longest edge of a texture, in pixels.
        largest: u32,
    },
    /// The device was lost: the driver crashed, or the GPU was removed.
    #[error("the graphics device was lost: {0}")]
    DeviceLost(String),
    /// wgpu refused a call.
    #[error("the graphics driver reported an error: {0}")]
    Driver(String),
    /// The GPU did not finish its work.
    #[error("the graphics device did not finish its work: {0}")]
    Unfinished(#[from] wgpu::PollError),
    /// The pixels of an image could not be read back.
    #[error("cannot read the image back: {0}")]
    Readback(#[from] wgpu::MapRangeError),
}

impl RenderError {
    /// Exit code of a process that ends with this error, as listed by `cubefall --help`.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoSuchPresentMode { .. } | Self::NotMappable => 2,
            Self::NoAdapter { .. }
            | Self::NoDevice(_)
            | Self::NoSuchAdapter { .. }
            | Self::SoftwareOnly(_) => 3,
            Self::DeviceLost(_) => 4,
            _ => 1,
        }
    }
}

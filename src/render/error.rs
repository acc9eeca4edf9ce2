//! Error: why nothing can be drawn.

use super::Size;

/// Why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No GPU and no software driver answered.
    #[error(
        "no graphics adapter found ({0}); install a Vulkan driver: mesa-vulkan-drivers (Debian, Ubuntu, Fedora) or \
         vulkan-swrast (Arch) draws on the CPU where there is no GPU"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The adapter is there, but refused to be used.
    #[error("the graphics adapter refused to be used: {0}")]
    NoDevice(#[from] wgpu::RequestDeviceError),
    /// None of the adapters has that name.
    #[error(
        "no graphics adapter has {asked:?} in its name; there {}",
        match &choices[..] {
            [one] => format!("is only {one:?}"),
            several => format!("are {several:?}"),
        }
    )]
    NoSuchAdapter {
        /// The name asked for.
        asked: String,
        /// The names there are, at least one.
        choices: Vec<String>,
    },
    /// A GPU is required, and there is only software.
    #[error("there is no GPU, only {0}, which draws on the CPU; leave out --require-gpu to use it")]
    SoftwareOnly(String),
    /// The adapter cannot map what shaders read.
    #[error("this graphics adapter cannot stream by mapped buffers; use staged")]
    NotMappable,
    /// The window cannot be presented to in this way.
    #[error("this window has no present mode {asked}; there are {}", choices.join(", "))]
    NoSuchPresentMode {
        /// The mode asked for.
        asked: &'static str,
        /// The modes there are.
        choices: Vec<&'static str>,
    },
    /// There is not enough memory for a buffer or a texture, or the device refused it.
    #[error("the graphics adapter cannot hold the {what}: {why}")]
    NotAllocated {
        /// Name and size.
        what: String,
        /// What the device said.
        why: String,
    },
    /// The window system refused a surface to draw on.
    #[error("the window cannot be drawn on: {0}")]
    NoSurface(#[from] wgpu::CreateSurfaceError),
    /// The adapter cannot draw on this window.
    #[error("the graphics adapter cannot draw on this window")]
    UnsupportedSurface,
    /// More cubes than fit into one buffer of the device.
    #[error("{asked} cubes are more than this graphics adapter can hold: at most {largest} fit")]
    TooManyCubes {
        /// How many were to be drawn.
        asked: usize,
        /// How many fit.
        largest: u64,
    },
    /// A picture larger than a texture of the device.
    #[error(
        "a picture of {asked} is larger than this graphics adapter allows: at most {largest} pixels a side"
    )]
    TooLarge {
        /// The size asked for.
        asked: Size,
        /// Longest edge of a texture, in pixels.
        largest: u32,
    },
    /// The device was lost: the driver crashed, or the GPU was taken away.
    #[error("the graphics device was lost: {0}")]
    DeviceLost(String),
    /// wgpu refused a call.
    #[error("the graphics driver reported an error: {0}")]
    Driver(String),
    /// The GPU did not finish.
    #[error("the graphics device did not finish its work: {0}")]
    Unfinished(#[from] wgpu::PollError),
    /// A finished picture could not be read back.
    #[error("the picture could not be read back: {0}")]
    Readback(#[from] wgpu::BufferAsyncError),
    /// The device said it was done, but the picture is not there.
    #[error("the picture could not be read back: the graphics device left it unfinished")]
    NotReadBack,
}

impl RenderError {
    /// The exit code of a process that ends because of it, as `cubefall --help` lists them.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoSuchAdapter { .. } | Self::NoSuchPresentMode { .. } | Self::NotMappable => 2,
            Self::NoAdapter(_) | Self::SoftwareOnly(_) => 3,
            Self::DeviceLost(_) => 4,
            _ => 1,
        }
    }
}

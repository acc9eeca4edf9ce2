//! Adapter: which graphics devices this machine has, and which one is wanted.

use std::fmt;

use super::Streaming;

/// An interface through which wgpu reaches an adapter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Backend {
    /// Linux, Windows, Android.
    Vulkan,
    /// macOS, iOS.
    Metal,
    /// Windows.
    Dx12,
    /// OpenGL, where there is nothing else.
    Gl,
}

impl Backend {
    /// All of them, on whatever system.
    pub const ALL: [Self; 4] = [Self::Vulkan, Self::Metal, Self::Dx12, Self::Gl];

    /// As wgpu calls it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vulkan => "vulkan",
            Self::Metal => "metal",
            Self::Dx12 => "dx12",
            Self::Gl => "gl",
        }
    }

    pub(super) const fn bits(self) -> wgpu::Backends {
        match self {
            Self::Vulkan => wgpu::Backends::VULKAN,
            Self::Metal => wgpu::Backends::METAL,
            Self::Dx12 => wgpu::Backends::DX12,
            Self::Gl => wgpu::Backends::GL,
        }
    }
}

/// Prints the name.
impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which adapter to open, and how to use it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GpuSettings {
    /// Only through this interface.
    pub backend: Option<Backend>,
    /// Only one with this in its name, in upper or lower case.
    pub adapter: Option<String>,
    /// None that draws on the CPU.
    pub require_gpu: bool,
    /// How data gets there; what suits the adapter if none.
    pub streaming: Option<Streaming>,
}

/// What an adapter is called and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdapterSummary {
    /// Name of the GPU, or of the software that stands in for one.
    pub name: String,
    /// `discrete GPU`, `integrated GPU`, `virtual GPU`, `software (CPU)` or `unknown`.
    pub kind: &'static str,
    /// The interface wgpu uses: `vulkan`, `gl`, `metal`, `dx12`.
    pub backend: String,
    /// Name and version of the driver.
    pub driver: String,
}

impl AdapterSummary {
    pub(super) fn new(info: wgpu::AdapterInfo) -> Self {
        Self {
            name: info.name,
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete GPU",
                wgpu::DeviceType::IntegratedGpu => "integrated GPU",
                wgpu::DeviceType::VirtualGpu => "virtual GPU",
                wgpu::DeviceType::Cpu => "software (CPU)",
                wgpu::DeviceType::Other => "unknown",
            },
            backend: info.backend.to_string(),
            driver: match [info.driver, info.driver_info].join(" ").trim() {
                "" => "driver not named".to_owned(),
                driver => driver.to_owned(),
            },
        }
    }
}

/// Prints `NAME (KIND, BACKEND, DRIVER)`.
impl fmt::Display for AdapterSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {}, {})", self.name, self.kind, self.backend, self.driver)
    }
}

/// All adapters wgpu sees on this machine.
pub async fn adapters() -> Vec<AdapterSummary> {
    let backends = named_by_environment().unwrap_or(wgpu::Backends::all());
    let adapters = instance(backends, None).enumerate_adapters(backends).await;
    adapters.iter().map(|adapter| AdapterSummary::new(adapter.get_info())).collect()
}

/// The backends that `WGPU_BACKEND` names, if there are such; wgpu warns of those it does not know.
pub(super) fn named_by_environment() -> Option<wgpu::Backends> {
    wgpu::Backends::from_env().filter(|named| !named.is_empty())
}

/// An instance for some of wgpu's backends.
pub(super) fn instance(
    backends: wgpu::Backends,
    display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
) -> wgpu::Instance {
    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle().with_env();
    wgpu::Instance::new(wgpu::InstanceDescriptor { backends, display, ..descriptor })
}

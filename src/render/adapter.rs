//! Adapters: the graphics devices of this machine, and the choice among them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Once;
use std::{env, fmt};

use crate::names::names;

/// A graphics API that wgpu drives an adapter with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Backend {
    /// Linux, Windows, Android.
    Vulkan,
    /// macOS, iOS.
    Metal,
    /// Windows.
    Dx12,
    /// OpenGL, where nothing else is available; WebGL2 in browsers.
    #[cfg_attr(feature = "cli", value(alias = "webgl"))]
    Gl,
    /// Browsers.
    #[cfg_attr(feature = "cli", value(name = "webgpu"))]
    WebGpu,
}

names!(Backend { Vulkan => "vulkan", Metal => "metal", Dx12 => "dx12", Gl => "gl", WebGpu => "webgpu" });

impl Backend {
    pub(super) const fn bits(self) -> wgpu::Backends {
        match self {
            Self::Vulkan => wgpu::Backends::VULKAN,
            Self::Metal => wgpu::Backends::METAL,
            Self::Dx12 => wgpu::Backends::DX12,
            Self::Gl => wgpu::Backends::GL,
            Self::WebGpu => wgpu::Backends::BROWSER_WEBGPU,
        }
    }
}

/// How array data reaches the memory that shaders read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Streaming {
    /// Written directly into mapped buffers, where CPU and GPU share memory.
    Mapped,
    /// Written into staging buffers and copied, where the GPU has its own memory.
    Staged,
}

names!(Streaming { Mapped => "mapped", Staged => "staged" });

/// Which adapter to open, and how to use it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GpuSettings {
    /// Only adapters of this backend. `None` means the backends that the environment variable `WGPU_BACKEND` names, or else all.
    pub backend: Option<Backend>,
    /// Only adapters with this text in their name, ignoring case.
    pub adapter: Option<String>,
    /// No adapters that draw on the CPU; ignored in browsers.
    pub require_gpu: bool,
    /// `None` chooses by the type of the adapter.
    pub streaming: Option<Streaming>,
    /// Size of the largest buffer, in bytes, at least 1 MiB, which uploads need; `None` for the limit of the adapter.
    pub max_buffer_size: Option<u64>,
    /// Adapters that refuse to open, to test the choice of the next one.
    pub inject_refusals: u64,
    /// Size of the largest buffer that is allocated, in bytes, to test what follows a refusal.
    pub inject_largest_buffer: Option<u64>,
}

impl GpuSettings {
    /// Backends named by a flag or by `WGPU_BACKEND`.
    pub(super) fn backends(&self) -> Option<wgpu::Backends> {
        self.backend.map(Backend::bits).or_else(backends_of_environment)
    }
}

/// Returns the backends that `WGPU_BACKEND` names. A value that names no backend is reported once.
fn backends_of_environment() -> Option<wgpu::Backends> {
    static REPORTED: Once = Once::new();
    let text = env::var("WGPU_BACKEND").ok().filter(|text| !text.trim().is_empty())?;
    let named = wgpu::Backends::from_env().filter(|named| !named.is_empty());
    if named.is_none() {
        REPORTED.call_once(|| {
            log::warn!("WGPU_BACKEND={text} is ignored, expected vulkan, metal, dx12 or gl");
        });
    }
    named
}

/// Description of an adapter.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct AdapterSummary {
    /// Name of the GPU or of the software renderer.
    pub name: String,
    /// `discrete GPU`, `integrated GPU`, `virtual GPU`, `software (CPU)` or `unknown`.
    pub kind: &'static str,
    /// Name of the wgpu backend, such as `vulkan`.
    pub backend: String,
    /// Name and version of the driver.
    pub driver: String,
}

impl AdapterSummary {
    pub(super) fn new(info: wgpu::AdapterInfo) -> Self {
        Self {
            // Some browsers do not reveal it, so that it cannot identify users.
            name: if info.name.is_empty() { "unnamed".to_owned() } else { info.name },
            kind: match info.device_type {
                wgpu::DeviceType::DiscreteGpu => "discrete GPU",
                wgpu::DeviceType::IntegratedGpu => "integrated GPU",
                wgpu::DeviceType::VirtualGpu => "virtual GPU",
                wgpu::DeviceType::Cpu => "software (CPU)",
                wgpu::DeviceType::Other => "unknown",
            },
            backend: info.backend.to_string(),
            driver: match [info.driver, info.driver_info].join(" ").trim() {
                "" => "unknown driver".to_owned(),
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

/// Returns all adapters of this machine, or those of the backends in `WGPU_BACKEND`.
pub async fn adapters() -> Vec<AdapterSummary> {
    let backends = GpuSettings::default().backends().unwrap_or(wgpu::Backends::all());
    let adapters = instance(backends, None).enumerate_adapters(backends).await;
    adapters.iter().map(|adapter| AdapterSummary::new(adapter.get_info())).collect()
}

/// Creates a wgpu instance; `display` is needed for windows only.
pub(super) fn instance(
    backends: wgpu::Backends,
    display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    if !cfg!(windows) || backends == wgpu::Backends::GL {
        // The arguments of indirect draw calls come from a shader of this crate only, and checking them costs a
        // compute pass per frame. D3D12 counts vertices wrongly without it. With OpenGL no draw call is indirect, and the
        // shader that checks them does not compile with version 3.3, which is what NVIDIA's driver gives.
        descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
    }
    let mut descriptor = descriptor.with_env();
    let checks = wgpu::InstanceFlags::VALIDATION | wgpu::InstanceFlags::GPU_BASED_VALIDATION;
    if descriptor.flags.intersects(checks) && env::var_os("WGPU_DEBUG").is_none() {
        // Otherwise Vulkan's validation layer prints its messages on standard output, between what commands print there.
        descriptor.flags.insert(wgpu::InstanceFlags::DEBUG);
    }
    wgpu::Instance::new(wgpu::InstanceDescriptor { backends, display, ..descriptor })
}

/// Returns `true` if buffers and textures of an adapter are in main memory.
pub(super) fn shares_memory(info: &wgpu::AdapterInfo) -> bool {
    !matches!(info.device_type, wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other)
}

//! The device and its queue.

use super::adapter::{backends_from_environment, instance};
use super::device_errors::DeviceErrors;
use super::{AdapterSummary, GpuSettings, Quality, RenderError, Streaming};
use crate::components::Rotation;

/// An open graphics device.
pub struct Gpu {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    streaming: Streaming,
    errors: DeviceErrors,
}

impl Gpu {
    /// Opens the fastest suitable adapter for drawing without a window.
    ///
    /// # Errors
    /// There is no such adapter, or it cannot be opened.
    pub async fn headless(settings: &GpuSettings) -> Result<Self, RenderError> {
        let open =
            async |backends| Ok((Self::open(instance(backends, None), None, settings).await?, ()));
        Ok(Self::fastest(settings, open).await?.0)
    }

    /// Tries Vulkan, Metal and DX12 (`PRIMARY`) first. Falls back to all backends if these have only
    /// software or nothing: an old or virtual GPU may support only OpenGL. OpenGL is no first choice
    /// because opening it is slow, and its libraries print errors where there is no display.
    pub(super) async fn fastest<T>(
        settings: &GpuSettings,
        open: impl AsyncFn(wgpu::Backends) -> Result<(Self, T), RenderError>,
    ) -> Result<(Self, T), RenderError> {
        if let Some(backend) = settings.backend {
            return open(backend.bits()).await;
        }
        if let Some(named) = backends_from_environment() {
            return open(named).await;
        }
        let first = open(wgpu::Backends::PRIMARY).await;
        if first.as_ref().is_ok_and(|(gpu, _)| !gpu.is_software()) {
            return first;
        }
        match (first, open(wgpu::Backends::all()).await) {
            (Ok(software), Ok((gpu, _))) if gpu.is_software() => Ok(software),
            (Ok(software), Err(_)) => Ok(software),
            (_, second) => second,
        }
    }

    /// Returns `true` if the adapter draws on the CPU.
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Opens the fastest suitable adapter that can draw on `surface`.
    pub(super) async fn open(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        settings: &GpuSettings,
    ) -> Result<Self, RenderError> {
        let adapter = match &settings.adapter {
            Some(name) => Self::adapter_named(&instance, surface, name).await?,
            None => Self::any_adapter(&instance, surface).await?,
        };
        let info = adapter.get_info();
        if settings.require_gpu && info.device_type == wgpu::DeviceType::Cpu {
            return Err(RenderError::SoftwareOnly(AdapterSummary::new(info).to_string()));
        }
        let wanted = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS | wgpu::Features::TIMESTAMP_QUERY;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("cubefall"),
                required_features: adapter.features() & wanted,
                // The default limits cap a buffer at 256 MiB.
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await?;
        let errors = DeviceErrors::collect(&device);
        let mappable = device.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS);
        let shares_memory =
            !matches!(info.device_type, wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other);
        let streaming = match settings.streaming {
            Some(Streaming::Mapped) if !mappable => return Err(RenderError::NotMappable),
            Some(streaming) => streaming,
            None if mappable && shares_memory => Streaming::Mapped,
            None => Streaming::Staged,
        };
        Ok(Self { instance, adapter, device, queue, streaming, errors })
    }

    async fn any_adapter(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<wgpu::Adapter, RenderError> {
        let adapter = instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        });
        Ok(adapter.await?)
    }

    /// The first adapter with `name` in its name, ignoring case.
    async fn adapter_named(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        name: &str,
    ) -> Result<wgpu::Adapter, RenderError> {
        let mut adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
        adapters
            .retain(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)));
        let name_of = |adapter: &wgpu::Adapter| adapter.get_info().name;
        let mut available: Vec<_> = adapters.iter().map(name_of).collect();
        // One GPU may have several backends.
        available.sort();
        available.dedup();
        if available.is_empty() {
            // Returns an error that says for each backend why there is no adapter.
            return Self::any_adapter(instance, surface).await;
        }
        let lowercase = name.to_lowercase();
        let found = adapters
            .into_iter()
            .find(|adapter| name_of(adapter).to_lowercase().contains(&lowercase));
        found.ok_or_else(|| RenderError::NoSuchAdapter { requested: name.to_owned(), available })
    }

    /// The wgpu device, for drawing an overlay.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The wgpu queue, for drawing an overlay.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Description of the adapter in use.
    pub fn summary(&self) -> AdapterSummary {
        AdapterSummary::new(self.adapter.get_info())
    }

    /// Returns `true` if the device can measure GPU times.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// The quality at which this type of adapter usually reaches the refresh rate of a display.
    pub fn recommended_quality(&self) -> Quality {
        match self.adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => Quality::Low,
            wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => Quality::Medium,
            wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other => Quality::High,
        }
    }

    /// How array data reaches the memory that shaders read.
    pub fn streaming(&self) -> Streaming {
        self.streaming
    }

    /// Returns `true` if the device supports [`Geometry::Pulled`](super::Geometry::Pulled).
    pub(super) fn can_pull(&self) -> bool {
        let needed = wgpu::DownlevelFlags::VERTEX_STORAGE | wgpu::DownlevelFlags::BASE_VERTEX;
        self.adapter.get_downlevel_capabilities().flags.contains(needed)
            && self.adapter.get_info().backend != wgpu::Backend::Gl
            && self.device.limits().max_storage_buffers_per_shader_stage >= 5
    }

    /// Returns `true` if the largest array of `cubes` fits into a storage buffer binding.
    pub(super) fn can_pull_many(&self, cubes: u32) -> bool {
        let largest = self.device.limits().max_storage_buffer_binding_size;
        u64::from(cubes.next_power_of_two()) * size_of::<Rotation>() as u64 <= largest
    }

    /// The largest number of cubes that the device can hold: that of its largest buffer.
    pub fn capacity(&self) -> u64 {
        let largest = self.device.limits().max_buffer_size / size_of::<Rotation>() as u64;
        largest.min(u32::MAX.into())
    }

    /// Checks `cubes` against [`capacity`](Self::capacity).
    ///
    /// # Errors
    /// There are more cubes than the device can hold.
    pub fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        let largest = self.capacity();
        let fits = cubes as u64 <= largest;
        fits.then_some(()).ok_or(RenderError::TooManyCubes { requested: cubes, largest })
    }

    /// Waits until the GPU has finished `submission` and everything before it.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), RenderError> {
        self.device
            .poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })?;
        self.check()
    }

    /// Waits until the GPU has finished all submitted work.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub fn wait(&self) -> Result<(), RenderError> {
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        self.check()
    }

    /// Polls the device, so that it runs its callbacks, and returns what they reported. Calls on a lost
    /// device succeed silently: only this function tells.
    ///
    /// # Errors
    /// The device was lost, or it has refused a call since it was opened.
    pub fn check(&self) -> Result<(), RenderError> {
        self.device.poll(wgpu::PollType::Poll)?;
        self.errors.check()
    }

    /// Destroys the device, to test recovery from a loss.
    pub fn inject_loss(&self) {
        self.device.destroy();
    }

    /// Returns the reported error that explains a failure, or else an error with `message`.
    pub(super) fn failure(&self, message: &str) -> RenderError {
        self.check().err().unwrap_or_else(|| RenderError::Driver(message.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpu() -> Gpu {
        pollster::block_on(Gpu::headless(&GpuSettings::default())).unwrap()
    }

    #[test]
    fn check_returns_the_first_error_of_the_device() {
        let gpu = gpu();
        gpu.check().unwrap();
        for source in ["fn nonsense(", "fn later("] {
            drop(gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(source),
                source: wgpu::ShaderSource::Wgsl(source.into()),
            }));
        }
        let error = gpu.check().unwrap_err();
        assert!(error.to_string().contains("nonsense"), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
}

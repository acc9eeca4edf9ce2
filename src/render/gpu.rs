//! GPU: device and queue, and what they complained about.

use super::adapter::{instance, named_by_environment};
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
    /// Opens the fastest adapter that suits, for drawing off screen.
    ///
    /// # Errors
    /// There is no such adapter, or it refuses.
    pub async fn headless(settings: &GpuSettings) -> Result<Self, RenderError> {
        let open =
            async |backends| Ok((Self::open(instance(backends, None), None, settings).await?, ()));
        Ok(Self::fastest(settings, open).await?.0)
    }

    /// Tries Vulkan, Metal and DX12 (`PRIMARY`) first, and all backends where these bring nothing
    /// or only software: an old or virtual GPU may be reached through OpenGL alone. OpenGL is not
    /// asked otherwise, because that takes longer and its libraries complain on standard error
    /// where there is no display.
    pub(super) async fn fastest<T>(
        settings: &GpuSettings,
        open: impl AsyncFn(wgpu::Backends) -> Result<(Self, T), RenderError>,
    ) -> Result<(Self, T), RenderError> {
        if let Some(backend) = settings.backend {
            return open(backend.bits()).await;
        }
        if let Some(named) = named_by_environment() {
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

    /// Whether it draws on the CPU.
    #[must_use]
    pub fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Opens the fastest adapter that suits and can draw on `surface`.
    pub(super) async fn open(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        settings: &GpuSettings,
    ) -> Result<Self, RenderError> {
        let adapter = match &settings.adapter {
            Some(name) => Self::named(&instance, surface, name).await?,
            None => Self::any(&instance, surface).await?,
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
                // All that the adapter has: the default caps a buffer at 256 MiB.
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await?;
        let errors = DeviceErrors::of(&device);
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

    /// The fastest adapter.
    async fn any(
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

    /// The first adapter with `name` in its name.
    async fn named(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        name: &str,
    ) -> Result<wgpu::Adapter, RenderError> {
        let mut adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
        adapters
            .retain(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)));
        let name_of = |adapter: &wgpu::Adapter| adapter.get_info().name;
        let wanted = name.to_lowercase();
        let mut choices: Vec<_> = adapters.iter().map(name_of).collect();
        // One GPU may be reached through several backends.
        choices.sort();
        choices.dedup();
        if choices.is_empty() {
            // The name is not what is wrong: this says for each backend why there is no adapter.
            return Self::any(instance, surface).await;
        }
        let found =
            adapters.into_iter().find(|adapter| name_of(adapter).to_lowercase().contains(&wanted));
        found.ok_or_else(|| RenderError::NoSuchAdapter { asked: name.to_owned(), choices })
    }

    /// The device, for whoever draws over the picture.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// What the device is sent work through, for whoever draws over the picture.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The adapter in use.
    #[must_use]
    pub fn summary(&self) -> AdapterSummary {
        AdapterSummary::new(self.adapter.get_info())
    }

    /// Whether the adapter can say how long it took.
    #[must_use]
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// The quality at which the adapter can be expected to keep up with a display.
    #[must_use]
    pub fn recommended_quality(&self) -> Quality {
        match self.adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => Quality::Low,
            wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => Quality::Medium,
            wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other => Quality::High,
        }
    }

    /// How data gets to the adapter.
    #[must_use]
    pub fn streaming(&self) -> Streaming {
        self.streaming
    }

    /// Whether vertex shaders can fetch cubes from storage buffers, and flat values come from the
    /// first vertex of a triangle.
    pub(super) fn can_pull(&self) -> bool {
        let needed = wgpu::DownlevelFlags::VERTEX_STORAGE | wgpu::DownlevelFlags::BASE_VERTEX;
        self.adapter.get_downlevel_capabilities().flags.contains(needed)
            && self.adapter.get_info().backend != wgpu::Backend::Gl
            && self.device.limits().max_storage_buffers_per_shader_stage >= 5
    }

    /// Whether the largest of the arrays fits into what can be bound of a storage buffer.
    pub(super) fn can_pull_many(&self, cubes: u32) -> bool {
        let bound = self.device.limits().max_storage_buffer_binding_size;
        u64::from(cubes.next_power_of_two()) * size_of::<Rotation>() as u64 <= bound
    }

    /// How many cubes one instance buffer of the device can hold.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        let largest = self.device.limits().max_buffer_size / size_of::<Rotation>() as u64;
        largest.min(u32::MAX.into())
    }

    /// Refuses more cubes than one instance buffer of the device can hold.
    ///
    /// # Errors
    /// `cubes` is above that; the error says how many fit.
    pub fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        let largest = self.capacity();
        let fits = cubes as u64 <= largest;
        fits.then_some(()).ok_or(RenderError::TooManyCubes { asked: cubes, largest })
    }

    /// Waits until the GPU has done what was submitted, but not for what came after it.
    ///
    /// # Errors
    /// It does not finish, or was lost.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), RenderError> {
        self.device
            .poll(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None })?;
        self.check()
    }

    /// Waits until the GPU has done all that was submitted.
    ///
    /// # Errors
    /// It does not finish, or was lost.
    pub fn wait(&self) -> Result<(), RenderError> {
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        self.check()
    }

    /// Lets the device report, which it only does when it is asked, and passes on what it reported.
    ///
    /// # Errors
    /// The device was lost, or a call since the device was opened was refused.
    pub fn check(&self) -> Result<(), RenderError> {
        self.device.poll(wgpu::PollType::Poll)?;
        self.errors.check()
    }

    /// Loses the device, as a driver that crashes would; for tests of what follows.
    pub fn inject_loss(&self) {
        self.device.destroy();
    }

    /// Why something failed: the device was lost, or else what is said here.
    pub(super) fn failure(&self, what: &str) -> RenderError {
        self.check().err().unwrap_or_else(|| RenderError::Driver(what.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gpu() -> Gpu {
        pollster::block_on(Gpu::headless(&GpuSettings::default())).unwrap()
    }

    #[test]
    fn a_shader_with_an_error_is_the_devices_first_complaint() {
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

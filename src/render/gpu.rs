//! GPU: device and queue, and what they complained about.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use super::adapter::{instance, named_by_environment};
use super::{AdapterSummary, GpuSettings, Quality, RenderError};
use crate::components::Rotation;

/// How a frame's data gets from the CPU's memory to where shaders read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Streaming {
    /// Written straight into the buffers that shaders read; where CPU and GPU share memory.
    Mapped,
    /// Written into staging buffers and copied from there; where the GPU has memory of its own.
    Staged,
}

impl Streaming {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Mapped, Self::Staged];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mapped => "mapped",
            Self::Staged => "staged",
        }
    }
}

/// What the device said when nobody was asking.
#[derive(Default)]
struct Complaints {
    first: Option<String>,
    lost: Option<String>,
}

/// An open graphics device.
pub struct Gpu {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    streaming: Streaming,
    complaints: Arc<Mutex<Complaints>>,
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
        let complaints = listen(&device);
        let mappable = device.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS);
        let shares_memory =
            !matches!(info.device_type, wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other);
        let streaming = match settings.streaming {
            Some(Streaming::Mapped) if !mappable => return Err(RenderError::NotMappable),
            Some(streaming) => streaming,
            None if mappable && shares_memory => Streaming::Mapped,
            None => Streaming::Staged,
        };
        Ok(Self { instance, adapter, device, queue, streaming, complaints })
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

    /// The adapter in use.
    #[must_use]
    pub fn summary(&self) -> AdapterSummary {
        AdapterSummary::new(self.adapter.get_info())
    }

    /// Whether the adapter can say how long it took.
    #[must_use]
    pub fn keeps_time(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// The quality at which the adapter can be expected to keep up with a display.
    #[must_use]
    pub fn live_quality(&self) -> Quality {
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

    /// Refuses more cubes than one instance buffer of the device can hold.
    ///
    /// # Errors
    /// `cubes` is above that; the error says how many fit.
    pub fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        let largest = self.device.limits().max_buffer_size / size_of::<Rotation>() as u64;
        let largest = largest.min(u32::MAX.into());
        let fits = cubes as u64 <= largest;
        fits.then_some(()).ok_or(RenderError::TooManyCubes { asked: cubes, largest })
    }

    /// Submits what [`Renderer::prepare`](super::Renderer::prepare) and
    /// [`Renderer::encode`](super::Renderer::encode) returned; what comes back can be
    /// [waited for](Self::wait_for).
    pub fn submit(
        &self,
        commands: impl IntoIterator<Item = wgpu::CommandBuffer>,
    ) -> wgpu::SubmissionIndex {
        self.queue.submit(commands)
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
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        match (&complaints.lost, &complaints.first) {
            (Some(message), _) => Err(RenderError::DeviceLost(message.clone())),
            (None, Some(message)) => Err(RenderError::Driver(message.clone())),
            (None, None) => Ok(()),
        }
    }

    /// Loses the device, as a driver that crashes would; for tests of what follows.
    pub fn inject_loss(&self) {
        self.device.destroy();
    }

    /// Why something failed: the device was lost, or else what is said here.
    pub(super) fn failure(&self, what: &str) -> RenderError {
        self.check().err().unwrap_or_else(|| RenderError::Driver(what.to_owned()))
    }

    pub(super) fn create_buffer(
        &self,
        descriptor: &wgpu::BufferDescriptor<'_>,
    ) -> Result<wgpu::Buffer, RenderError> {
        let what = || format!("{} of {} bytes", descriptor.label.unwrap_or(""), descriptor.size);
        self.attempt(|| self.device.create_buffer(descriptor))
            .map_err(|error| RenderError::NotAllocated { what: what(), why: error.to_string() })
    }

    /// A buffer that holds `contents`, a multiple of four bytes, for good. On a device that was
    /// lost, or has no room, it holds nothing, and the device has a complaint; a buffer that is
    /// mapped when it is created would panic instead.
    pub(super) fn filled_buffer(
        &self,
        label: &str,
        contents: &[u8],
        usage: wgpu::BufferUsages,
    ) -> wgpu::Buffer {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: contents.len() as u64,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, contents);
        buffer
    }

    pub(super) fn create_texture(
        &self,
        descriptor: &wgpu::TextureDescriptor<'_>,
    ) -> Result<wgpu::Texture, RenderError> {
        let wgpu::Extent3d { width, height, .. } = descriptor.size;
        let what = || format!("{} of {width}x{height} pixels", descriptor.label.unwrap_or(""));
        self.attempt(|| self.device.create_texture(descriptor))
            .map_err(|error| RenderError::NotAllocated { what: what(), why: error.to_string() })
    }

    /// Does something that may be refused without that being held against the device.
    pub(super) fn attempt<R>(&self, work: impl FnOnce() -> R) -> Result<R, wgpu::Error> {
        let scopes = [
            wgpu::ErrorFilter::Validation,
            wgpu::ErrorFilter::Internal,
            wgpu::ErrorFilter::OutOfMemory,
        ]
        .map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let mut refused = None;
        for scope in scopes.into_iter().rev() {
            // Outside of a browser the answer is there at once.
            let mut answer = pin!(scope.pop());
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(Some(error)) = answer.as_mut().poll(&mut context) {
                log::warn!("{error}");
                refused = Some(error);
            }
        }
        refused.map_or(Ok(result), Err)
    }
}

/// Takes note of what the device complains about.
fn listen(device: &wgpu::Device) -> Arc<Mutex<Complaints>> {
    let complaints = Arc::new(Mutex::new(Complaints::default()));
    let heard = Arc::clone(&complaints);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        log::error!("{error}");
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.first.get_or_insert_with(|| error.to_string());
    }));
    let heard = Arc::clone(&complaints);
    device.set_device_lost_callback(move |reason, message| {
        // A device that is dropped at the end of the program also calls this.
        if reason != wgpu::DeviceLostReason::Destroyed {
            log::error!("device lost: {message}");
        }
        let message = if message.is_empty() { "no reason was given".to_owned() } else { message };
        heard.lock().unwrap_or_else(PoisonError::into_inner).lost = Some(message);
    });
    complaints
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

    #[test]
    fn a_buffer_that_is_refused_is_named_and_not_held_against_the_device() {
        let gpu = gpu();
        let descriptor = wgpu::BufferDescriptor {
            label: Some("heap of cubes"),
            size: u64::MAX / 8 * 4,
            usage: wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        };
        let error = gpu.create_buffer(&descriptor).unwrap_err();
        let says = format!("cannot hold the heap of cubes of {} bytes", descriptor.size);
        assert!(error.to_string().contains(&says), "{error}");
        assert_eq!(error.exit_code(), 1);
        gpu.check().unwrap();
    }

    #[test]
    fn a_buffer_is_filled_and_a_lost_device_fills_none_without_a_panic() {
        let gpu = gpu();
        let usage = wgpu::BufferUsages::MAP_READ;
        let buffer = gpu.filled_buffer("numbers", &[1, 2, 3, 4], usage);
        gpu.submit([]);
        buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.unwrap());
        gpu.wait().unwrap();
        assert_eq!(&buffer.get_mapped_range(..).unwrap()[..], [1, 2, 3, 4]);
        gpu.inject_loss();
        gpu.filled_buffer("numbers", &[1, 2, 3, 4], usage);
        assert!(matches!(gpu.check(), Err(RenderError::DeviceLost(_))));
    }
}

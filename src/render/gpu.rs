//! The device and its queue.

use std::fmt;

use super::adapter::{instance, shares_memory};
use super::adapter_choice::{Candidate, NOT_ON_THIS_WINDOW, open_fastest};
use super::caught::caught;
use super::device_errors::DeviceErrors;
use super::{AdapterSummary, Backend, GpuSettings, Quality, RenderError, Streaming, platform};

/// A surface, or why the window system refuses it.
pub(super) type NewSurface = Result<wgpu::Surface<'static>, wgpu::CreateSurfaceError>;

/// An open graphics device. Clones share it. It is always opened here: a program that draws something else, too, does so with
/// [`device`](Self::device) and [`queue`](Self::queue), for instance in an [overlay](super::DrawHooks::overlay).
#[derive(Clone)]
pub struct Gpu {
    pub(super) instance: wgpu::Instance,
    pub(super) adapter: wgpu::Adapter,
    pub(super) info: wgpu::AdapterInfo,
    pub(super) downlevel: wgpu::DownlevelFlags,
    pub(super) device: wgpu::Device,
    /// Those of the device: to ask a browser for them takes long.
    pub(super) limits: wgpu::Limits,
    pub(super) queue: wgpu::Queue,
    streaming: Streaming,
    pub(super) inject_largest_buffer: Option<u64>,
    errors: DeviceErrors,
}

/// Prints the adapter.
impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("adapter", &self.info).finish_non_exhaustive()
    }
}

impl Gpu {
    /// Opens the fastest suitable adapter for drawing without a window.
    ///
    /// # Errors
    /// There is no such adapter, all of them refuse to open, or the streaming is [`Mapped`](Streaming::Mapped) and the
    /// adapter cannot map its buffers.
    pub async fn headless(settings: &GpuSettings) -> Result<Self, RenderError> {
        Ok(Self::open(settings, |backends| instance(backends, None), |_| None).await?.0)
    }

    /// Opens the fastest suitable adapter. `connect` creates an instance, `new_surface` its surface for
    /// drawing on a window.
    pub(super) async fn open(
        settings: &GpuSettings,
        connect: impl Fn(wgpu::Backends) -> wgpu::Instance,
        new_surface: impl Fn(&wgpu::Instance) -> Option<NewSurface>,
    ) -> Result<(Self, Option<wgpu::Surface<'static>>), RenderError> {
        // OpenGL is the last choice, for old and virtual GPUs: opening it is slow, and its libraries
        // print errors where there is no display.
        let all =
            [wgpu::Backends::PRIMARY, wgpu::Backends::GL].map(|one| one & platform::backends());
        let groups = settings.backends().map_or(all.to_vec(), |named| vec![named]);
        let mut connections = Vec::new();
        let mut surface_error = None;
        let find = async |group, reasons: &mut Vec<String>| {
            let instance = connect(group);
            let mut adapters = list_adapters(&instance, group).await;
            let mut surface = None;
            if cfg!(web) && group == wgpu::Backends::GL {
                // The adapter of WebGL is that of a canvas.
                surface = new_surface(&instance);
                let of_canvas = wgpu::RequestAdapterOptions {
                    compatible_surface: surface.as_ref().and_then(|surface| surface.as_ref().ok()),
                    ..Default::default()
                };
                adapters.extend(instance.request_adapter(&of_canvas).await);
            } else if !adapters.is_empty() && cfg!(not(web)) {
                // After the adapters, which take time: some drivers crash if the window is gone when they
                // are asked about its surface.
                surface = new_surface(&instance);
            }
            let has_adapter = |backend: &Backend| {
                adapters.iter().any(|one| backend.bits() == one.get_info().backend.into())
            };
            let requested = |backend: &Backend| group.contains(backend.bits());
            let without =
                Backend::ALL.into_iter().filter(|one| requested(one) && !has_adapter(one));
            reasons.extend(without.map(platform::reason));
            let surface = match surface.transpose() {
                Ok(surface) => surface,
                Err(error) => {
                    surface_error.get_or_insert(error);
                    adapters.clear();
                    None
                }
            };
            if let Some(surface) = &surface {
                adapters.retain(|adapter| {
                    let compatible = !surface.get_capabilities(adapter).formats.is_empty();
                    if !compatible {
                        let adapter = AdapterSummary::new(adapter.get_info());
                        reasons.push(format!("{adapter}: {NOT_ON_THIS_WINDOW}"));
                    }
                    compatible
                });
            }
            let connection = connections.len();
            connections.push((instance, surface));
            let candidate = |adapter: wgpu::Adapter| Candidate {
                info: adapter.get_info(),
                adapter: (connection, adapter),
            };
            adapters.into_iter().map(candidate).collect()
        };
        let opened = open_fastest(settings, groups, find, async |(_, adapter)| {
            let requested = request_device(adapter, settings.max_buffer_size);
            #[cfg(web)]
            let opened = requested.await;
            // Some failures of a driver are panics of wgpu.
            #[cfg(not(web))]
            let opened = caught(|| pollster::block_on(requested)).map_err(|why| why.to_string())?;
            opened.map_err(|error| error.to_string())
        });
        let ((connection, adapter), (device, queue)) = opened.await.map_err(|error| {
            let surface_error =
                surface_error.filter(|_| matches!(error, RenderError::NoAdapter { .. }));
            surface_error.map_or(error, RenderError::from)
        })?;
        let (instance, mut surface) = connections.swap_remove(connection);
        if cfg!(web) && surface.is_none() {
            // A canvas that had a surface of WebGPU cannot get one of WebGL, so it gets the first one that is
            // used.
            surface = new_surface(&instance).transpose()?;
        }
        let errors = DeviceErrors::collect(&device);
        let mappable = device.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS);
        let (info, limits) = (adapter.get_info(), device.limits());
        #[cfg(web)]
        let info = with_name(info, &device);
        let downlevel = adapter.get_downlevel_capabilities().flags;
        let shares_memory = shares_memory(&info);
        let streaming = match settings.streaming {
            Some(Streaming::Mapped) if !mappable => return Err(RenderError::NotMappable),
            Some(streaming) => streaming,
            None if mappable && shares_memory => Streaming::Mapped,
            None => Streaming::Staged,
        };
        let gpu = Self {
            instance,
            adapter,
            info,
            downlevel,
            device,
            limits,
            queue,
            streaming,
            inject_largest_buffer: settings.inject_largest_buffer,
            errors,
        };
        Ok((gpu, surface))
    }

    /// Returns `true` if the adapter draws on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// The wgpu device, for drawing an overlay. An error of a call on it outside of an error scope counts as one of the device:
    /// [`check`](Self::check) returns it from then on.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The wgpu instance. The driver stays loaded as long as a clone of it is held. Hold one to open devices again and
    /// again: NVIDIA's driver cannot be loaded often in one process.
    pub fn instance(&self) -> &wgpu::Instance {
        &self.instance
    }

    /// The wgpu queue, for drawing an overlay.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Description of the adapter in use.
    pub fn summary(&self) -> AdapterSummary {
        AdapterSummary::new(self.info.clone())
    }

    /// Returns `true` if the device can measure GPU times.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// The quality at which this type of adapter usually reaches the refresh rate of a display.
    pub fn recommended_quality(&self) -> Quality {
        recommended_quality(self.info.device_type)
    }

    /// How array data reaches the memory that shaders read.
    pub fn streaming(&self) -> Streaming {
        self.streaming
    }

    /// Waits until the GPU has finished `submission` and everything before it. In a page it returns at once; use
    /// [`finished`](Self::finished) there.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), RenderError> {
        // A page cannot wait; the browser limits the work that it queues.
        if cfg!(not(web)) {
            let submission_index = Some(submission);
            self.poll(wgpu::PollType::Wait { submission_index, timeout: None })?;
        }
        self.check()
    }

    /// Waits until the GPU has finished all submitted work. In a page it returns at once.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub fn wait(&self) -> Result<(), RenderError> {
        // A page cannot wait.
        if cfg!(not(web)) {
            self.poll(wgpu::PollType::wait_indefinitely())?;
        }
        self.check()
    }

    /// Polls the device, so that it runs its callbacks, and returns what they reported. Calls on a lost
    /// device succeed silently: this function, or one that waits for the GPU, returns the loss.
    ///
    /// # Errors
    /// The device was lost, or it has refused a call since it was opened.
    pub fn check(&self) -> Result<(), RenderError> {
        self.poll(wgpu::PollType::Poll)?;
        self.errors.check()
    }

    /// Polls the device. wgpu panics if a poll is the first call to notice a loss.
    ///
    /// # Errors
    /// The device failed or was lost.
    pub(super) fn poll(&self, poll: wgpu::PollType) -> Result<(), RenderError> {
        let polled = self.guard(|| self.device.poll(poll))?;
        polled.map(drop).or_else(|error| {
            // The first error is the cause: it may have kept a submission from the device.
            self.errors.check()?;
            Err(error.into())
        })
    }

    /// Makes calls that panic if the device fails or is lost.
    ///
    /// # Errors
    /// The calls panicked, and the device has failed or was lost.
    ///
    /// # Panics
    /// The calls panicked for another reason.
    pub(crate) fn guard<R>(&self, calls: impl FnOnce() -> R) -> Result<R, RenderError> {
        caught(calls).or_else(|panic| {
            self.errors.check()?;
            panic.panic()
        })
    }

    /// Returns `true` if a loss of the device was reported.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self.errors.check(), Err(RenderError::DeviceLost(_)))
    }

    /// Calls `callback` when the device is lost. Only the first callback counts.
    #[cfg(web)]
    pub fn on_loss(&self, callback: impl Fn() + Send + Sync + 'static) {
        self.errors.on_loss(Box::new(callback));
    }

    /// Destroys the device, to test recovery from a loss.
    pub fn inject_loss(&self) {
        self.device.destroy();
    }

    /// Returns the reported error that explains a failure, or else an error with `message`.
    pub(super) fn failure(&self, message: &str) -> RenderError {
        // Browsers report a loss later than calls fail that are the first to notice it.
        let unexplained = if cfg!(web) { RenderError::DeviceLost } else { RenderError::Driver };
        self.check().err().unwrap_or_else(|| unexplained(message.to_owned()))
    }
}

/// Describes a GPU without a name by its maker and its architecture, which browsers reveal instead.
#[cfg(web)]
fn with_name(mut info: wgpu::AdapterInfo, device: &wgpu::Device) -> wgpu::AdapterInfo {
    if let Some(device) = device.as_webgpu().filter(|_| info.name.is_empty()) {
        let text = |key: &str| {
            // Browsers before 2025 do not have it.
            let info = js_sys::Reflect::get(device.as_ref(), &"adapterInfo".into()).ok()?;
            js_sys::Reflect::get(&info, &key.into()).ok()?.as_string()
        };
        let texts = ["vendor", "architecture"].map(|key| text(key).unwrap_or_default());
        texts.join(" ").trim().clone_into(&mut info.name);
    }
    info
}

/// Returns the adapters of a group of backends.
async fn list_adapters(instance: &wgpu::Instance, group: wgpu::Backends) -> Vec<wgpu::Adapter> {
    if cfg!(not(web)) || group != wgpu::Backends::BROWSER_WEBGPU {
        return instance.enumerate_adapters(group).await;
    }
    // A list has one adapter there, which need not be the fastest.
    let fastest = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::HighPerformance,
        ..Default::default()
    };
    instance.request_adapter(&fastest).await.into_iter().collect()
}

/// Opens a device with the limits of the adapter and the optional features that help.
async fn request_device(
    adapter: &wgpu::Adapter,
    max_buffer_size: Option<u64>,
) -> Result<(wgpu::Device, wgpu::Queue), wgpu::RequestDeviceError> {
    let wanted = wgpu::Features::MAPPABLE_PRIMARY_BUFFERS | wgpu::Features::TIMESTAMP_QUERY;
    let mut limits = adapter.limits();
    if let Some(largest) = max_buffer_size {
        limits.max_buffer_size = limits.max_buffer_size.min(largest);
        let binding = &mut limits.max_storage_buffer_binding_size;
        *binding = (*binding).min(largest);
    }
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("cubefall"),
        required_features: adapter.features() & wanted,
        // The default limits cap a buffer at 256 MiB.
        required_limits: limits,
        ..Default::default()
    };
    adapter.request_device(&descriptor).await
}

fn recommended_quality(device_type: wgpu::DeviceType) -> Quality {
    match device_type {
        // Browsers do not tell the type.
        wgpu::DeviceType::Other if cfg!(web) => Quality::Medium,
        wgpu::DeviceType::Cpu => Quality::Low,
        wgpu::DeviceType::IntegratedGpu | wgpu::DeviceType::VirtualGpu => Quality::Medium,
        wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::Other => Quality::High,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faster_types_of_adapters_get_a_higher_quality() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu, Other, VirtualGpu};
        let qualities =
            [Cpu, IntegratedGpu, VirtualGpu, DiscreteGpu, Other].map(recommended_quality);
        let [low, medium, high] = [Quality::Low, Quality::Medium, Quality::High];
        assert_eq!(qualities, [low, medium, medium, high, high]);
    }

    #[test]
    fn check_returns_the_first_error_of_the_device() {
        let gpu = pollster::block_on(Gpu::headless(&GpuSettings::default())).unwrap();
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

//! GPU: adapter, device and queue, and what they complained about.

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use super::RenderError;
use crate::components::Transform;

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
    fn new(info: wgpu::AdapterInfo) -> Self {
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
    let instance = instance(wgpu::Backends::all(), None);
    let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
    adapters.iter().map(|adapter| AdapterSummary::new(adapter.get_info())).collect()
}

/// An instance for some of wgpu's backends, unless `WGPU_BACKEND` names others.
pub(super) fn instance(
    backends: wgpu::Backends,
    display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
) -> wgpu::Instance {
    let descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    wgpu::Instance::new(wgpu::InstanceDescriptor { backends, display, ..descriptor }.with_env())
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
    complaints: Arc<Mutex<Complaints>>,
}

impl Gpu {
    /// Opens the fastest adapter, for drawing off screen.
    ///
    /// # Errors
    /// There is no adapter, or it refuses.
    pub async fn headless() -> Result<Self, RenderError> {
        let open = async |backends| Ok((Self::open(instance(backends, None), None).await?, ()));
        Ok(Self::fastest(open).await?.0)
    }

    /// Tries Vulkan, Metal and DX12 (`PRIMARY`) first, and all backends where these bring nothing
    /// or only software: an old or virtual GPU may be reached through OpenGL alone. OpenGL is not
    /// asked otherwise, because that takes longer and its libraries complain on standard error
    /// where there is no display.
    pub(super) async fn fastest<T>(
        open: impl AsyncFn(wgpu::Backends) -> Result<(Self, T), RenderError>,
    ) -> Result<(Self, T), RenderError> {
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

    fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Opens the fastest adapter that can draw on `surface`.
    pub(super) async fn open(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, RenderError> {
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                compatible_surface: surface,
                ..Default::default()
            })
            .await?;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("cubefall"),
                // All that the adapter has: the default caps a buffer at 256 MiB, 8 million cubes.
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await?;

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
            heard.lock().unwrap_or_else(PoisonError::into_inner).lost = Some(message);
        });
        Ok(Self { instance, adapter, device, queue, complaints })
    }

    /// The adapter in use.
    #[must_use]
    pub fn summary(&self) -> AdapterSummary {
        AdapterSummary::new(self.adapter.get_info())
    }

    /// Refuses more cubes than one instance buffer of the device can hold.
    ///
    /// # Errors
    /// `cubes` is above that; the error says how many fit.
    pub fn check_capacity(&self, cubes: usize) -> Result<(), RenderError> {
        let largest = self.device.limits().max_buffer_size / size_of::<Transform>() as u64;
        let fits = cubes as u64 <= largest;
        fits.then_some(()).ok_or(RenderError::TooManyCubes { asked: cubes, largest })
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

    /// Does something that may be refused without that being held against the device; says whether
    /// it was refused.
    pub(super) fn attempt<R>(&self, work: impl FnOnce() -> R) -> (R, bool) {
        let scopes = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let result = work();
        let mut refused = false;
        for scope in scopes.into_iter().rev() {
            // Outside of a browser the answer is there at once.
            let mut answer = pin!(scope.pop());
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(Some(error)) = answer.as_mut().poll(&mut context) {
                log::warn!("{error}");
                refused = true;
            }
        }
        (result, refused)
    }
}

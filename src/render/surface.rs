//! Window surface: acquires and presents frames, and handles resizes and losses.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::adapter::instance;
use super::device_errors::one_line;
use super::{Gpu, GpuSettings, PresentMode, RenderError, Size};

/// Consecutive failures after which the surface counts as unusable. The app waits between them.
const MAX_FAILURES: u32 = 20;

/// Number of frames that the GPU may lag behind, except with mailbox.
pub const FRAMES_IN_FLIGHT: usize = 2;

/// Result of [`WindowSurface::acquire`].
#[derive(Debug)]
pub enum Acquired {
    /// A texture to draw onto and present.
    Frame(wgpu::SurfaceTexture),
    /// No texture this time. Try again at the next redraw.
    Skip,
    /// The window is not visible, or its surface failed. Try again after a while.
    Later,
}

/// The surface of a window.
///
/// Call [`Gpu::check`] before you drop it: wgpu panics if nothing noticed a loss of the device before.
pub struct WindowSurface {
    /// Returns the window. Called before drivers use it, because some crash if the window is gone: the
    /// conversion of the window can check that.
    target: Box<dyn Fn() -> wgpu::SurfaceTarget<'static>>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    size: Size,
    view_format: wgpu::TextureFormat,
    supported_modes: Vec<wgpu::PresentMode>,
    /// The configuration has yet to be applied.
    stale: bool,
    /// Failures since the last success.
    failures: u32,
}

/// Prints the configuration.
impl fmt::Debug for WindowSurface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WindowSurface").field("config", &self.config).finish_non_exhaustive()
    }
}

impl WindowSurface {
    /// Opens the fastest suitable adapter that can draw on `window`, and a surface of `size`. The
    /// window is kept to create the surface again after a loss. `display` is its connection to the
    /// window system.
    ///
    /// # Errors
    /// As for [`Gpu::headless`]; or there is no surface, or the adapter does not support the present mode.
    pub async fn open<W>(
        window: W,
        display: impl wgpu::wgt::WgpuHasDisplayHandle + Clone,
        size: Size,
        settings: &GpuSettings,
        present_mode: PresentMode,
    ) -> Result<(Gpu, Self), RenderError>
    where
        W: Into<wgpu::SurfaceTarget<'static>> + Clone + 'static,
    {
        let target = Box::new(move || window.clone().into());
        let connect = |backends| {
            drop(target());
            instance(backends, Some(Box::new(display.clone())))
        };
        let new_surface = |instance: &wgpu::Instance| Some(instance.create_surface(target()));
        let (gpu, surface) = Gpu::open(settings, connect, new_surface).await?;
        let surface = surface.ok_or(RenderError::UnsupportedSurface)?;
        drop(target());
        let size = size.clamped(gpu.limits.max_texture_dimension_2d);
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width(), size.height())
            .ok_or(RenderError::UnsupportedSurface)?;
        // Shaders output linear light: the view must encode sRGB even if the surface itself cannot.
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let srgb = capabilities.formats.into_iter().find(wgpu::TextureFormat::is_srgb);
        config.format = srgb.unwrap_or(config.format);
        let view_format = config.format.add_srgb_suffix();
        config.view_formats = vec![view_format];
        let mut surface = Self {
            target,
            surface,
            config,
            size,
            view_format,
            supported_modes: capabilities.present_modes,
            stale: true,
            failures: 0,
        };
        surface.set_present_mode(present_mode)?;
        Ok((gpu, surface))
    }

    /// Texture format, for [`Renderer::new`](super::Renderer::new).
    pub fn format(&self) -> wgpu::TextureFormat {
        self.view_format
    }

    /// Size in pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Sets the size, clamped to the device's largest texture. Takes effect at the next acquire.
    pub fn resize(&mut self, gpu: &Gpu, size: Size) {
        let size = size.clamped(gpu.limits.max_texture_dimension_2d);
        if size != self.size {
            self.size = size;
            (self.config.width, self.config.height) = (size.width(), size.height());
            self.stale = true;
        }
    }

    /// Sets the present mode. Takes effect at the next acquire.
    ///
    /// # Errors
    /// The surface does not support the mode; nothing changes.
    pub fn set_present_mode(&mut self, mode: PresentMode) -> Result<(), RenderError> {
        self.config.present_mode = mode.choose(&self.supported_modes)?;
        self.config.desired_maximum_frame_latency = match self.present_mode() {
            // With 2 images in flight, mailbox draws at most two frames per refresh.
            PresentMode::Mailbox => 3,
            _ => FRAMES_IN_FLIGHT as u32,
        };
        self.stale = true;
        Ok(())
    }

    /// The present modes that the surface supports.
    pub fn present_modes(&self) -> Vec<PresentMode> {
        self.supported_modes.iter().map(|&mode| mode.into()).collect()
    }

    /// The present mode in use, such as `Fifo` for a requested `Vsync`.
    pub fn present_mode(&self) -> PresentMode {
        self.config.present_mode.into()
    }

    /// Acquires the texture of the next frame, after the last one was [presented](Self::present) or
    /// [discarded](Self::discard). May wait for the display.
    ///
    /// # Errors
    /// The device failed, was lost or is out of memory; or the surface cannot be created again after a failure, or keeps
    /// failing.
    pub fn acquire(&mut self, gpu: &Gpu) -> Result<Acquired, RenderError> {
        if self.stale {
            let configured = self.configure(gpu);
            if let Err(error @ wgpu::Error::OutOfMemory { .. }) = &configured {
                // The device is lost, too, but this error has the reason.
                let (what, why) = (format!("surface of {} pixels", self.size), one_line(error));
                return Err(RenderError::NotAllocated { what, why });
            }
            // A loss is reported there only, and acquiring from a surface that is not configured panics.
            gpu.check()?;
            if configured.is_err() {
                return self.recreate(gpu);
            }
        }
        let texture = gpu.attempt(|| self.surface.get_current_texture());
        let acquired = match texture.unwrap_or(wgpu::CurrentSurfaceTexture::Validation) {
            wgpu::CurrentSurfaceTexture::Success(texture) => Acquired::Frame(texture),
            wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                // Good enough for this frame; configured again before the next.
                self.stale = true;
                Acquired::Frame(texture)
            }
            wgpu::CurrentSurfaceTexture::Outdated => {
                self.stale = true;
                Acquired::Skip
            }
            wgpu::CurrentSurfaceTexture::Timeout => Acquired::Skip,
            wgpu::CurrentSurfaceTexture::Occluded => Acquired::Later,
            wgpu::CurrentSurfaceTexture::Lost | wgpu::CurrentSurfaceTexture::Validation => {
                return self.recreate(gpu);
            }
        };
        self.failures = 0;
        Ok(acquired)
    }

    /// Creates the view to draw onto of an acquired texture.
    pub fn view(&self, texture: &wgpu::SurfaceTexture) -> wgpu::TextureView {
        texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        })
    }

    /// Presents a texture whose frame is submitted.
    pub fn present(&self, gpu: &Gpu, texture: wgpu::SurfaceTexture) {
        if gpu.is_lost() {
            release(texture);
        } else {
            gpu.queue.present(texture);
        }
    }

    /// Drops a texture whose frame failed. The surface is configured again before the next frame, because some drivers
    /// wait for a texture that is never presented.
    pub fn discard(&mut self, gpu: &Gpu, texture: wgpu::SurfaceTexture) {
        if gpu.is_lost() {
            release(texture);
        } else {
            drop(texture);
        }
        self.stale = true;
    }

    /// Applies the configuration, while no texture of the surface exists. Acquiring from a surface that
    /// is not configured panics.
    fn configure(&mut self, gpu: &Gpu) -> Result<(), wgpu::Error> {
        drop((self.target)());
        let configured = gpu.attempt(|| self.surface.configure(&gpu.device, &self.config));
        self.stale = configured.is_err();
        configured
    }

    /// Creates the surface again after a failure.
    fn recreate(&mut self, gpu: &Gpu) -> Result<Acquired, RenderError> {
        self.failures += 1;
        if self.failures >= MAX_FAILURES {
            gpu.check()?;
            return Err(RenderError::UnsupportedSurface);
        }
        self.surface = gpu.instance.create_surface((self.target)())?;
        self.stale = true;
        Ok(Acquired::Later)
    }
}

/// Drops a texture of a lost device. Until a release has <https://github.com/gfx-rs/wgpu/pull/10230>, wgpu keeps such a
/// texture, and then panics when the surface is dropped. But it releases one that is dropped by a panic.
fn release(texture: wgpu::SurfaceTexture) {
    // A page does not unwind, and has no such surfaces.
    if cfg!(not(web)) {
        // No panic hook is called.
        let dropped = move || {
            let _texture = texture;
            resume_unwind(Box::new(()));
        };
        let _ = catch_unwind(AssertUnwindSafe(dropped));
    }
}

//! Window surface: the part of a window that is drawn on, through all that a desktop does to it.

use super::adapter::instance;
use super::{Gpu, GpuSettings, PresentMode, RenderError, Size};

/// Refusals in a row after which it is no passing trouble any more; the app waits between them.
const PATIENCE: u32 = 20;

/// What came of asking for the next frame.
#[derive(Debug)]
pub enum Acquired {
    /// A texture to draw on and present.
    Frame(wgpu::SurfaceTexture),
    /// Nothing to draw on this time; ask again at the next redraw.
    Skip,
    /// The window cannot be seen or drawn on for now; ask again after a while.
    Later,
}

/// A window's surface.
pub struct WindowSurface {
    target: Box<dyn Fn() -> wgpu::SurfaceTarget<'static>>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    size: Size,
    view_format: wgpu::TextureFormat,
    /// The modes in which the surface can be presented to.
    present_modes: Vec<wgpu::PresentMode>,
    /// The configuration has changed since it was last applied, or never was.
    stale: bool,
    refused: u32,
}

impl WindowSurface {
    /// Opens the fastest adapter that suits and can draw on the window, and a surface of `size` on
    /// it.
    ///
    /// `target` gives the window, again if the surface must be made anew; `display` is what the
    /// window belongs to.
    ///
    /// # Errors
    /// There is no such adapter, it refuses, or it has no such present mode.
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
        let open = async |backends| {
            let instance = instance(backends, Some(Box::new(display.clone())));
            let surface = instance.create_surface(target())?;
            Ok((Gpu::open(instance, Some(&surface), settings).await?, surface))
        };
        let (gpu, surface) = Gpu::fastest(settings, open).await?;
        let size = size.cut_to(gpu.device.limits().max_texture_dimension_2d);
        let mut config = surface
            .get_default_config(&gpu.adapter, size.width(), size.height())
            .ok_or(RenderError::UnsupportedSurface)?;
        // Shaders put out linear light: the view must encode sRGB even where the surface itself
        // cannot.
        let capabilities = surface.get_capabilities(&gpu.adapter);
        config.format = capabilities
            .formats
            .into_iter()
            .find(wgpu::TextureFormat::is_srgb)
            .unwrap_or(config.format);
        let view_format = config.format.add_srgb_suffix();
        config.view_formats = vec![view_format];
        let mut surface = Self {
            target,
            surface,
            config,
            size,
            view_format,
            present_modes: capabilities.present_modes,
            stale: true,
            refused: 0,
        };
        surface.set_present_mode(present_mode)?;
        Ok((gpu, surface))
    }

    /// What [`Renderer::new`](super::Renderer::new) is given for this surface.
    #[must_use]
    pub fn format(&self) -> wgpu::TextureFormat {
        self.view_format
    }

    /// In pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Follows the window to a new size, cut to what the device can draw on; takes effect at the
    /// next acquire.
    pub fn resize(&mut self, gpu: &Gpu, size: Size) {
        let size = size.cut_to(gpu.device.limits().max_texture_dimension_2d);
        if size != self.size {
            self.size = size;
            (self.config.width, self.config.height) = (size.width(), size.height());
            self.stale = true;
        }
    }

    /// How pictures get to the display from now on; takes effect at the next acquire.
    ///
    /// # Errors
    /// The surface has no such mode; nothing is changed then.
    pub fn set_present_mode(&mut self, mode: PresentMode) -> Result<(), RenderError> {
        self.config.present_mode = mode.among(&self.present_modes)?;
        self.stale = true;
        Ok(())
    }

    /// The modes in which pictures can get to the display.
    #[must_use]
    pub fn present_modes(&self) -> Vec<PresentMode> {
        self.present_modes.iter().map(|&mode| PresentMode::of(mode)).collect()
    }

    /// The present mode really in use.
    #[must_use]
    pub fn present_mode(&self) -> PresentMode {
        PresentMode::of(self.config.present_mode)
    }

    /// Asks for the texture of the next frame.
    ///
    /// # Errors
    /// The surface cannot be made again after it was lost, or keeps being refused.
    pub fn acquire(&mut self, gpu: &Gpu) -> Result<Acquired, RenderError> {
        if self.stale && !self.configure(gpu) {
            return self.refuse(gpu);
        }
        // What is refused comes as one of the cases below, too.
        let texture = gpu.attempt(|| self.surface.get_current_texture());
        let acquired = match texture.unwrap_or(wgpu::CurrentSurfaceTexture::Validation) {
            wgpu::CurrentSurfaceTexture::Success(texture) => Acquired::Frame(texture),
            wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                // Good enough for this frame; configured anew before the next one.
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
                return self.refuse(gpu);
            }
        };
        self.refused = 0;
        Ok(acquired)
    }

    /// What to draw on to fill an acquired texture.
    #[must_use]
    pub fn view(&self, texture: &wgpu::SurfaceTexture) -> wgpu::TextureView {
        texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(self.view_format),
            ..Default::default()
        })
    }

    /// Hands a picture whose commands are submitted to the display.
    pub fn present(&self, gpu: &Gpu, texture: wgpu::SurfaceTexture) {
        gpu.queue.present(texture);
    }

    /// Applies the configuration; no texture of the surface is alive here. Acquiring before this
    /// has succeeded would panic.
    fn configure(&mut self, gpu: &Gpu) -> bool {
        let configured = gpu.attempt(|| self.surface.configure(&gpu.device, &self.config));
        self.stale = configured.is_err();
        configured.is_ok()
    }

    /// The surface is lost or does not let itself be used: makes a new one for the next try.
    fn refuse(&mut self, gpu: &Gpu) -> Result<Acquired, RenderError> {
        self.refused += 1;
        if self.refused >= PATIENCE {
            gpu.check()?;
            return Err(RenderError::UnsupportedSurface);
        }
        self.surface = gpu.instance.create_surface((self.target)())?;
        self.stale = true;
        Ok(Acquired::Later)
    }
}

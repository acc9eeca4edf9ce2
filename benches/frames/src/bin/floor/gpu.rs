//! Device, queue and textures.

use cubefall::render::Size;
use frames::Outcome;

/// An open graphics device.
pub(crate) struct Gpu {
    adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

impl Gpu {
    /// Opens the fastest adapter that can draw on `surface`.
    pub(crate) fn open(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Outcome<Self> {
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        }))?;
        let (device, queue) =
            pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
                required_limits: adapter.limits(),
                ..Default::default()
            }))?;
        Ok(Self { adapter, device, queue })
    }

    /// Configures `surface` without vsync.
    pub(crate) fn configure(
        &self,
        surface: &wgpu::Surface<'_>,
        size: Size,
    ) -> Outcome<wgpu::SurfaceConfiguration> {
        let mut config = surface
            .get_default_config(&self.adapter, size.width(), size.height())
            .ok_or("the graphics adapter cannot draw on this window")?;
        let formats = surface.get_capabilities(&self.adapter).formats;
        config.format = formats
            .into_iter()
            .find(wgpu::TextureFormat::is_srgb)
            .ok_or("the window has no sRGB format")?;
        config.present_mode = wgpu::PresentMode::AutoNoVsync;
        surface.configure(&self.device, &config);
        Ok(config)
    }

    /// Creates a texture to draw onto.
    pub(crate) fn attachment(&self, size: Size, format: wgpu::TextureFormat) -> wgpu::TextureView {
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: size.width(),
                height: size.height(),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        texture.create_view(&wgpu::TextureViewDescriptor::default())
    }
}

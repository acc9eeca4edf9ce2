//! Painter: triangles onto the picture.

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use super::HudOutput;
use crate::render::{Gpu, RenderError, Size};

/// Paints on targets of one format, on one device.
pub struct HudRenderer {
    renderer: Renderer,
}

impl HudRenderer {
    /// For targets of `format`.
    ///
    /// # Errors
    /// The device was lost or has complained.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        // What follows would panic on a device that was lost.
        gpu.check()?;
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        Ok(Self { renderer: Renderer::new(gpu.device(), format, options) })
    }

    /// Brings to the GPU what has changed of the textures, and the triangles.
    ///
    /// # Errors
    /// The device was lost or has complained.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        shown: &mut HudOutput,
        size: Size,
    ) -> Result<(), RenderError> {
        gpu.check()?;
        let (device, queue) = (gpu.device(), gpu.queue());
        for (&id, changes) in &shown.textures.set {
            for change in changes {
                self.renderer.update_texture(device, queue, id, change);
            }
        }
        for id in &shown.textures.free {
            self.renderer.free_texture(id);
        }
        shown.textures.clear();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // What comes back is asked for by paint callbacks, of which there are none.
        let screen = screen(shown, size);
        self.renderer.update_buffers(device, queue, &mut encoder, &shown.triangles, &screen);
        Ok(())
    }

    /// Records the triangles that were prepared over what is in `target`.
    #[must_use]
    pub fn encode(
        &self,
        gpu: &Gpu,
        shown: &HudOutput,
        target: &wgpu::TextureView,
        size: Size,
    ) -> wgpu::CommandBuffer {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("HUD") };
        let mut encoder = gpu.device().create_command_encoder(&descriptor);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("HUD"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        let mut pass = pass.forget_lifetime();
        self.renderer.render(&mut pass, &shown.triangles, &screen(shown, size));
        drop(pass);
        encoder.finish()
    }
}

fn screen(shown: &HudOutput, size: Size) -> ScreenDescriptor {
    ScreenDescriptor {
        size_in_pixels: [size.width(), size.height()],
        pixels_per_point: shown.scale,
    }
}

impl HudOutput {
    /// Takes over what a newer look brought; what is to become of the textures adds up.
    pub fn replace(&mut self, mut newer: Self) {
        let mut textures = std::mem::take(&mut self.textures);
        textures.append(std::mem::take(&mut newer.textures));
        *self = newer;
        self.textures = textures;
    }
}

impl Drop for HudOutput {
    fn drop(&mut self) {
        // egui takes it for a mistake if changes are lost; here the device is lost, or the program
        // ends.
        self.textures.clear();
    }
}

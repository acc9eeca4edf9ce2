//! HUD renderer: draws the HUD's triangles over a frame.

use std::fmt;

use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};

use super::HudOutput;
use crate::render::{Gpu, RenderError, Size};

/// Draws the HUD on targets of one format, on one device.
pub struct HudRenderer {
    renderer: Renderer,
}

/// Prints the name only: the renderer of egui has no `Debug`.
impl fmt::Debug for HudRenderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HudRenderer").finish_non_exhaustive()
    }
}

impl HudRenderer {
    /// Creates a renderer for targets of `format`.
    ///
    /// # Errors
    /// The device was lost or reported an error.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Self, RenderError> {
        // egui_wgpu panics on a lost device, and without memory.
        gpu.check()?;
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let renderer = gpu.guard(|| Renderer::new(gpu.device(), format, options))?;
        Ok(Self { renderer })
    }

    /// Uploads changed textures and the triangles.
    ///
    /// # Errors
    /// The device was lost or reported an error.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        output: &mut HudOutput,
        size: Size,
    ) -> Result<(), RenderError> {
        gpu.check()?;
        gpu.guard(|| self.upload(gpu, output, size))
    }

    fn upload(&mut self, gpu: &Gpu, output: &mut HudOutput, size: Size) {
        let (device, queue) = (gpu.device(), gpu.queue());
        for (&id, changes) in &output.textures.set {
            for change in changes {
                self.renderer.update_texture(device, queue, id, change);
            }
        }
        for id in &output.textures.free {
            self.renderer.free_texture(id);
        }
        output.textures.clear();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        // The result holds command buffers of paint callbacks, which the HUD does not use.
        let screen = screen(output, size);
        self.renderer.update_buffers(device, queue, &mut encoder, &output.triangles, &screen);
    }

    /// Records a pass that draws the prepared triangles over the contents of `target`.
    ///
    /// # Panics
    /// `output` was not [prepared](Self::prepare) before.
    #[must_use]
    pub fn encode(
        &self,
        gpu: &Gpu,
        output: &HudOutput,
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
        self.renderer.render(&mut pass, &output.triangles, &screen(output, size));
        drop(pass);
        encoder.finish()
    }
}

fn screen(output: &HudOutput, size: Size) -> ScreenDescriptor {
    ScreenDescriptor {
        size_in_pixels: [size.width(), size.height()],
        pixels_per_point: output.scale,
    }
}

impl HudOutput {
    /// Replaces this output by a newer one and keeps the texture changes of both.
    pub fn replace(&mut self, mut newer: Self) {
        let mut textures = std::mem::take(&mut self.textures);
        textures.append(std::mem::take(&mut newer.textures));
        *self = newer;
        self.textures = textures;
    }
}

impl Drop for HudOutput {
    fn drop(&mut self) {
        // egui logs dropped texture changes as an error; here the device is lost or the program ends.
        self.textures.clear();
    }
}

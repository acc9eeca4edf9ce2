//! Attachments: what a picture is drawn into beside the texture that shows it.

use super::{Effects, Gpu, RenderError, Size};

const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Samples to a pixel where edges are smooth; every adapter can do four.
const MSAA_SAMPLES: u32 = 4;

/// Samples to a pixel.
pub(super) fn samples(effects: Effects) -> u32 {
    if effects.msaa { MSAA_SAMPLES } else { 1 }
}

/// Draws what is nearer than, or as near as, all before it. Depth is reversed, so that precision is
/// spread evenly over distance: 1 at the near plane, 0 at infinity.
pub(super) fn depth_test(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Draws only what is hidden behind something drawn before, and of several such things that are as
/// far away one: what was drawn there then is as near as all further ones.
pub(super) fn hidden_test() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState { depth_compare: Some(wgpu::CompareFunction::Less), ..depth_test(true) }
}

/// Depth, and all samples of the colour where there are several to a pixel; of one size.
pub(super) struct Attachments {
    size: Size,
    format: wgpu::TextureFormat,
    depth: wgpu::TextureView,
    samples: Option<wgpu::TextureView>,
}

impl Attachments {
    pub(super) fn new(
        gpu: &Gpu,
        size: Size,
        format: wgpu::TextureFormat,
        effects: Effects,
    ) -> Result<Self, RenderError> {
        let samples = samples(effects);
        let create = |label, format| {
            let texture = gpu.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: size.extent(),
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            })?;
            Ok::<_, RenderError>(texture.create_view(&wgpu::TextureViewDescriptor::default()))
        };
        Ok(Self {
            size,
            format,
            depth: create("depth", DEPTH_FORMAT)?,
            samples: (samples > 1).then(|| create("samples", format)).transpose()?,
        })
    }

    /// Follows the picture to another size.
    pub(super) fn resize(
        &mut self,
        gpu: &Gpu,
        size: Size,
        effects: Effects,
    ) -> Result<(), RenderError> {
        if self.size != size {
            *self = Self::new(gpu, size, self.format, effects)?;
        }
        Ok(())
    }

    /// The colour attachment of a pass that ends with the picture in `target`.
    pub(super) fn color<'a>(
        &'a self,
        target: &'a wgpu::TextureView,
    ) -> wgpu::RenderPassColorAttachment<'a> {
        let resolved = self.samples.is_some();
        wgpu::RenderPassColorAttachment {
            view: self.samples.as_ref().unwrap_or(target),
            depth_slice: None,
            resolve_target: resolved.then_some(target),
            ops: wgpu::Operations {
                // The sky covers all that the cubes leave.
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: if resolved { wgpu::StoreOp::Discard } else { wgpu::StoreOp::Store },
            },
        }
    }

    /// The depth attachment of a pass that starts with nothing drawn and keeps no depth afterwards.
    pub(super) fn depth(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }
    }
}

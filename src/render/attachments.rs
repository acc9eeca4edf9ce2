//! Depth buffer and multisampled color of a frame.

use super::{AmbientOcclusion, Effects, Gpu, RenderError, Size};

const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Every adapter supports four.
const MSAA_SAMPLES: u32 = 4;

/// Samples per pixel.
pub(super) fn samples(effects: Effects) -> u32 {
    if effects.msaa { MSAA_SAMPLES } else { 1 }
}

/// Passes fragments at least as near as everything before. Depth is reversed, 1 at the near plane and
/// 0 at infinity, which spreads precision evenly over distance.
pub(super) fn depth_state(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH_FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Passes fragments behind something drawn before. Of several at the same depth only the first
/// passes, because it writes its depth.
pub(super) fn hidden_depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        depth_compare: Some(wgpu::CompareFunction::Less),
        ..depth_state(true)
    }
}

/// Depth texture and, with multisampling, the color texture that is resolved into the target.
pub(super) struct Attachments {
    size: Size,
    format: wgpu::TextureFormat,
    depth: wgpu::TextureView,
    /// A later pass reads the depth.
    keeps_depth: bool,
    multisampled: Option<wgpu::TextureView>,
}

/// A browser frees textures only with its garbage.
#[cfg(web)]
impl Drop for Attachments {
    fn drop(&mut self) {
        let views = [Some(&self.depth), self.multisampled.as_ref()].into_iter().flatten();
        views.for_each(|view| view.texture().destroy());
    }
}

impl Attachments {
    pub(super) fn new(
        gpu: &Gpu,
        size: Size,
        format: wgpu::TextureFormat,
        effects: Effects,
    ) -> Result<Self, RenderError> {
        let sample_count = samples(effects);
        let keeps_depth = effects.ao == AmbientOcclusion::Screen;
        let bound = wgpu::TextureUsages::TEXTURE_BINDING;
        // What no later pass reads needs no memory on GPUs that draw in tiles.
        let unread = if cfg!(web) {
            wgpu::TextureUsages::empty()
        } else {
            wgpu::TextureUsages::TRANSIENT_ATTACHMENT
        };
        let create = |label, format, usage| {
            let texture = gpu.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: size.extent(),
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | usage,
                view_formats: &[],
            })?;
            Ok::<_, RenderError>(texture.create_view(&wgpu::TextureViewDescriptor::default()))
        };
        Ok(Self {
            size,
            format,
            depth: create("depth", DEPTH_FORMAT, if keeps_depth { bound } else { unread })?,
            keeps_depth,
            multisampled: effects
                .msaa
                .then(|| create("multisampled", format, unread))
                .transpose()?,
        })
    }

    /// Reallocates the textures if the size has changed.
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

    /// Color attachment of a pass whose result ends up in `target`.
    pub(super) fn color<'a>(
        &'a self,
        target: &'a wgpu::TextureView,
    ) -> wgpu::RenderPassColorAttachment<'a> {
        let (view, resolve_target, store) = match &self.multisampled {
            Some(multisampled) => (multisampled, Some(target), wgpu::StoreOp::Discard),
            None => (target, None, wgpu::StoreOp::Store),
        };
        // The sky covers every pixel that nothing else does.
        let load = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        let ops = wgpu::Operations { load, store };
        wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target, ops }
    }

    /// The depth texture.
    pub(super) fn depth_view(&self) -> &wgpu::TextureView {
        &self.depth
    }

    /// Depth attachment, cleared to infinity, and discarded after the pass unless another one reads it.
    pub(super) fn depth(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: if self.keeps_depth { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard },
            }),
            stencil_ops: None,
        }
    }
}

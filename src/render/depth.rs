//! Depth: which surface is nearest. Reversed, so that precision is spread evenly over distance: 1
//! at the near plane, 0 at infinity.

use super::{Gpu, Size};

pub(super) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// A depth buffer of the size of the picture.
pub(super) fn create(gpu: &Gpu, size: Size) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("depth"),
        size: size.extent(),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// Draws what is nearer than, or as near as, all before it.
pub(super) fn test(write: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: FORMAT,
        depth_write_enabled: Some(write),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// The attachment of a pass that starts with nothing drawn and keeps no depth afterwards.
pub(super) fn attachment(view: &wgpu::TextureView) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations {
            load: wgpu::LoadOp::Clear(0.0),
            store: wgpu::StoreOp::Discard,
        }),
        stencil_ops: None,
    }
}

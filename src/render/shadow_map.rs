//! Shadow map: how far the key light reaches.

use glam::{Mat4, Vec3};

use super::{Gpu, RenderError};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Texels along an edge of the map.
const EDGE: u32 = 2048;

/// The binding group of the shaders that ask who is in shadow.
pub(super) fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    };
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("shadow map"),
        entries: &[
            entry(
                0,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Depth,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            entry(1, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison)),
        ],
    })
}

/// Keeps what is nearest to the light.
pub(super) fn depth_test() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Less),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// The matrix that brings the ball of a radius about the origin into the map, seen from the
/// direction of the light, and what lies behind it for another radius: from so high does the light
/// come that all shadows have met the ground before.
pub(super) fn light_projection(to_light: Vec3, radius: f32) -> Mat4 {
    // Which way is up in the map does not matter, as long as it is not where the map looks.
    let up = if to_light.y.abs() < 0.99 { Vec3::Y } else { Vec3::Z };
    let view = glam::camera::rh::view::look_to_mat4(to_light * radius, -to_light, up);
    let projection = glam::camera::rh::proj::directx::orthographic(
        -radius,
        radius,
        -radius,
        radius,
        0.0,
        3.0 * radius,
    );
    projection * view
}

/// Depth seen from the light, and how shaders look at it.
pub(super) struct ShadowMap {
    view: wgpu::TextureView,
    bindings: wgpu::BindGroup,
}

impl ShadowMap {
    /// The map; a single texel that nobody looks at if it is not `wanted`.
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        wanted: bool,
    ) -> Result<Self, RenderError> {
        let edge = if wanted { EDGE } else { 1 };
        let texture = gpu.create_texture(&wgpu::TextureDescriptor {
            label: Some("shadow map"),
            size: wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        })?;
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("shadow map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            compare: Some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        });
        let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("shadow map"),
            layout,
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: wgpu::BindingResource::TextureView(&view),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::Sampler(&sampler),
                },
            ],
        });
        Ok(Self { view, bindings })
    }

    pub(super) fn bindings(&self) -> &wgpu::BindGroup {
        &self.bindings
    }

    /// The depth attachment of the pass that draws the map.
    pub(super) fn attachment(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ball_fills_the_map_and_depth_grows_away_from_the_light() {
        let to_light = Vec3::new(3.0, 5.0, 4.0).normalize();
        let matrix = light_projection(to_light, 50.0);
        let place = |point: Vec3| matrix.project_point3(point);
        assert!((place(Vec3::ZERO) - Vec3::new(0.0, 0.0, 1.0 / 3.0)).length() < 1e-5);
        assert!((place(to_light * 50.0).z).abs() < 1e-5);
        assert!((place(to_light * -100.0).z - 1.0).abs() < 1e-5);
        let across = to_light.any_orthonormal_vector() * 50.0;
        assert!((place(across).truncate().length() - 1.0).abs() < 1e-5);
    }
}

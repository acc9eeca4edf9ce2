//! Shadow map: depth seen from the key light.

use glam::{Mat4, Vec2, Vec3};

use super::{Gpu, RenderError};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Edge of the map, in texels.
const EDGE: u32 = 2048;

/// Texels of the map.
pub(super) const TEXELS: u64 = EDGE as u64 * EDGE as u64;

/// Entries of the map and its sampler in the layout of bind group 0.
pub(super) fn layout_entries() -> [wgpu::BindGroupLayoutEntry; 2] {
    let texture = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Depth,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison);
    [(1, texture), (2, sampler)].map(|(binding, ty)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::FRAGMENT,
        ty,
        count: None,
    })
}

/// Passes what is nearest to the light.
pub(super) fn depth_state() -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: FORMAT,
        depth_write_enabled: Some(true),
        depth_compare: Some(wgpu::CompareFunction::Less),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// Farthest end of the map from its center, in radii: the shadows of a sun at the horizon have no end.
const MAX_RADII: f32 = 30.0;

/// Returns the matrix from the world into the map. It covers the sphere of `radius` around `center`
/// seen from the light, and one more radius behind it, or as much more as the shadows of a low light need to
/// meet the ground at `ground_height`.
///
/// The map moves by whole texels only: the edges of shadows do not shimmer while the center moves.
pub(super) fn light_projection(
    to_light: Vec3,
    center: Vec3,
    radius: f32,
    ground_height: f32,
) -> Mat4 {
    // From the point of the sphere whose shadow ends last: the largest depth, of all points p, of p and the way
    // from there to the ground.
    let across_light = Vec2::new(to_light.x, to_light.z).length();
    let to_ground = (center.y - ground_height + radius * across_light) / to_light.y;
    let behind = if to_light.y > 0.0 { to_ground } else { 0.0 };
    let far = radius + behind.clamp(2.0 * radius, MAX_RADII * radius);
    // Any direction except that of the light.
    let up = if to_light.y.abs() < 0.99 { Vec3::Y } else { Vec3::Z };
    let across = up.cross(to_light).normalize();
    let texel = 2.0 * radius / EDGE as f32;
    let snapped = [across, to_light.cross(across)]
        .map(|axis| axis * ((center.dot(axis) / texel).round() * texel));
    let center = snapped[0] + snapped[1] + to_light * center.dot(to_light);
    let view = glam::camera::rh::view::look_to_mat4(center + to_light * radius, -to_light, up);
    let projection =
        glam::camera::rh::proj::directx::orthographic(-radius, radius, -radius, radius, 0.0, far);
    projection * view
}

/// The map, and bind group 0 of what it shades.
pub(super) struct ShadowMap {
    view: wgpu::TextureView,
    pub(super) bindings: wgpu::BindGroup,
}

impl ShadowMap {
    /// Allocates the map, or a single texel to bind if it is not `enabled`.
    pub(super) fn new(
        gpu: &Gpu,
        layout: &wgpu::BindGroupLayout,
        globals: &wgpu::Buffer,
        enabled: bool,
    ) -> Result<Self, RenderError> {
        let edge = if enabled { EDGE } else { 1 };
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
        let entry = |(binding, resource)| wgpu::BindGroupEntry { binding, resource };
        let resources = [
            (0, globals.as_entire_binding()),
            (1, wgpu::BindingResource::TextureView(&view)),
            (2, wgpu::BindingResource::Sampler(&sampler)),
        ];
        let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("scene"),
            layout,
            entries: &resources.map(entry),
        });
        Ok(Self { view, bindings })
    }

    /// Depth attachment of the pass that draws the map.
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
    fn the_sphere_fills_the_map_and_depth_grows_away_from_the_light() {
        let to_light = Vec3::new(3.0, 5.0, 4.0).normalize();
        let matrix = light_projection(to_light, Vec3::ZERO, 50.0, -20.0);
        let project = |point: Vec3| matrix.project_point3(point);
        assert!((project(Vec3::ZERO) - Vec3::new(0.0, 0.0, 1.0 / 3.0)).length() < 1e-5);
        assert!((project(to_light * 50.0).z).abs() < 1e-5);
        assert!((project(to_light * -100.0).z - 1.0).abs() < 1e-5);
        let across = to_light.any_orthonormal_vector() * 50.0;
        assert!((project(across).truncate().length() - 1.0).abs() < 1e-5);
    }

    #[test]
    fn shadows_of_a_low_light_meet_the_ground_within_the_map() {
        let to_light = Vec3::new(6.0, 1.0, 2.0).normalize();
        let project =
            |point: Vec3| light_projection(to_light, Vec3::ZERO, 50.0, -50.0).project_point3(point);
        let mut deepest = 0.0_f32;
        for step in 0_u8..=200 {
            let (sin, cos) = (f32::from(step) / 200.0 * std::f32::consts::TAU).sin_cos();
            let top = Vec3::new(6.0, 0.0, 2.0).normalize() * (50.0 * cos) + Vec3::Y * (50.0 * sin);
            let shadow = top - to_light * ((top.y + 50.0) / to_light.y);
            deepest = deepest.max(project(shadow).z);
        }
        assert!((0.999..=1.0001).contains(&deepest), "{deepest}");
        let horizon = Vec3::new(1.0, 0.001, 0.0).normalize();
        let map = light_projection(horizon, Vec3::ZERO, 50.0, -1e6);
        assert!((map.project_point3(horizon * -1500.0).z - 1.0).abs() < 1e-4);
    }

    #[test]
    fn the_map_follows_its_center_by_whole_texels() {
        let to_light = Vec3::new(3.0, 5.0, 4.0).normalize();
        let point = Vec3::new(7.0, -3.0, 11.0);
        let texel = |center: Vec3| {
            let projected = light_projection(to_light, center, 50.0, -20.0).project_point3(point);
            projected.truncate() * (EDGE / 2) as f32
        };
        for step in 0_u8..100 {
            let center = Vec3::new(0.31, -0.77, 0.13) * f32::from(step);
            let moved = texel(center) - texel(Vec3::ZERO);
            assert!((moved - moved.round()).abs().max_element() < 0.01, "{moved}");
            let matrix = light_projection(to_light, center, 50.0, -20.0);
            assert!(matrix.project_point3(center).truncate().length() < 0.002);
        }
    }
}

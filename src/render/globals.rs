//! Globals: what is the same for every cube of a frame.

use std::f32::consts::FRAC_1_SQRT_2;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use super::{Gpu, Scene, Size, shadow_map};

/// Direction to the key light, a unit vector; as in `shaders/scene.wgsl`.
pub(super) const KEY_DIRECTION: Vec3 =
    Vec3::new(0.6 * FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.8 * FRAC_1_SQRT_2);

/// How far from the origin shadows are thrown, relative to the half edge of the box: to its corners.
const SHADOWED: f32 = 1.733;

/// The uniform of `shaders/scene.wgsl`, field by field; WGSL aligns a `vec3f` to 16 bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    view_projection: Mat4,
    light_projection: Mat4,
    position: Vec3,
    ground: f32,
    right: Vec3,
    pad_right: f32,
    up: Vec3,
    pad_up: f32,
    forward: Vec3,
    pad_forward: f32,
}

const _: () = assert!(size_of::<Globals>() == 192);

impl Globals {
    /// What the camera of a scene sees on a picture of `size`.
    pub(super) fn new(scene: &Scene<'_>, size: Size) -> Self {
        let (position, lens) = (scene.position.0, scene.lens);
        let [right, up, forward] =
            [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| scene.rotation.0 * axis);
        let view = glam::camera::rh::view::look_to_mat4(position, forward, up);
        let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
            lens.fov_y,
            size.aspect(),
            lens.near,
        );
        let edge = (lens.fov_y / 2.0).tan();
        Self {
            view_projection: projection * view,
            light_projection: shadow_map::light_projection(KEY_DIRECTION, scene.extent * SHADOWED),
            position,
            ground: scene.ground,
            right: right * edge * size.aspect(),
            up: up * edge,
            forward,
            ..Self::zeroed()
        }
    }
}

/// The binding group of the globals.
pub(super) fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("globals"),
        entries: &[wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: wgpu::BufferSize::new(size_of::<Globals>() as u64),
            },
            count: None,
        }],
    })
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use glam::{Quat, Vec4};

    use super::*;
    use crate::components::{Lens, Position, Rotation};
    use crate::render::Tracked;
    use crate::render::shader_check::Shader;

    #[test]
    fn the_shader_reads_the_same_fields_at_the_same_offsets() {
        let expected = [
            ("view_projection", offset_of!(Globals, view_projection)),
            ("light_projection", offset_of!(Globals, light_projection)),
            ("position", offset_of!(Globals, position)),
            ("ground", offset_of!(Globals, ground)),
            ("right", offset_of!(Globals, right)),
            ("up", offset_of!(Globals, up)),
            ("forward", offset_of!(Globals, forward)),
        ];
        let shader = Shader::scene();
        let (members, span) = shader.struct_layout("Globals");
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<Globals>());
        assert_eq!(shader.vector_constant("KEY_DIRECTION"), KEY_DIRECTION.to_array());
        assert!((KEY_DIRECTION.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_edges_of_the_picture_are_where_the_sky_rays_say() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.3);
        let scene = Scene {
            position: Position(Vec3::new(3.0, -2.0, 8.0)),
            rotation: Rotation(rotation),
            lens: Lens::default(),
            ground: 0.0,
            extent: 1.0,
            positions: Tracked::new(&[], 0),
            rotations: Tracked::new(&[], 0),
            scales: Tracked::new(&[], 0),
            colors: Tracked::new(&[], 0),
            outlined: None,
        };
        let globals = Globals::new(&scene, Size::default());
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 1.0)] {
            let ray = globals.forward + globals.right * x + globals.up * y;
            let point = globals.position + ray * 25.0;
            let clip: Vec4 = globals.view_projection * point.extend(1.0);
            assert!((clip.x / clip.w - x).abs() < 1e-5 && (clip.y / clip.w - y).abs() < 1e-5);
            // Reversed depth: near plane over distance.
            assert!((clip.z / clip.w - 0.1 / 25.0).abs() < 1e-6, "{clip}");
        }
    }
}

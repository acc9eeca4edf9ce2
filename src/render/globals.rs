//! Globals: what is the same for every cube of a frame.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use super::{Gpu, SceneView, Size, shadow_map};

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
    sun_direction: Vec3,
    fog_distance: f32,
    sun: Vec3,
    pad_sun: f32,
    ground_ambient: Vec3,
    pad_ground_ambient: f32,
    sky_ambient: Vec3,
    pad_sky_ambient: f32,
    zenith: Vec3,
    pad_zenith: f32,
    horizon: Vec3,
    pad_horizon: f32,
    nadir: Vec3,
    pad_nadir: f32,
    glow: Vec3,
    pad_glow: f32,
}

const _: () = assert!(size_of::<Globals>() == 320);

impl Globals {
    /// What the camera of a scene sees on a picture of `size`.
    pub(super) fn new(scene: &SceneView<'_>, size: Size) -> Self {
        let (position, lens, light) = (scene.camera_position.0, scene.lens, scene.light);
        let [right, up, forward] =
            [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| scene.camera_rotation.0 * axis);
        let view = glam::camera::rh::view::look_to_mat4(position, forward, up);
        let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
            lens.fov_y,
            size.aspect(),
            lens.near,
        );
        let edge = (lens.fov_y / 2.0).tan();
        Self {
            view_projection: projection * view,
            light_projection: shadow_map::light_projection(
                light.sun_direction,
                scene.shadow_extent * SHADOWED,
            ),
            position,
            ground: scene.ground_height,
            right: right * edge * size.aspect(),
            up: up * edge,
            forward,
            sun_direction: light.sun_direction,
            fog_distance: light.fog_distance,
            sun: light.sun,
            ground_ambient: light.ground_ambient,
            sky_ambient: light.sky_ambient,
            zenith: light.zenith,
            horizon: light.horizon,
            nadir: light.nadir,
            glow: light.glow,
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
    use crate::components::{Lens, Light, Position, Rotation};
    use crate::render::ChangeTracked;
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
            ("sun_direction", offset_of!(Globals, sun_direction)),
            ("fog_distance", offset_of!(Globals, fog_distance)),
            ("sun", offset_of!(Globals, sun)),
            ("ground_ambient", offset_of!(Globals, ground_ambient)),
            ("sky_ambient", offset_of!(Globals, sky_ambient)),
            ("zenith", offset_of!(Globals, zenith)),
            ("horizon", offset_of!(Globals, horizon)),
            ("nadir", offset_of!(Globals, nadir)),
            ("glow", offset_of!(Globals, glow)),
        ];
        let shader = Shader::scene();
        let (members, span) = shader.struct_layout("Globals");
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<Globals>());
    }

    #[test]
    fn the_edges_of_the_picture_are_where_the_sky_rays_say() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.3);
        let scene = SceneView {
            camera_position: Position(Vec3::new(3.0, -2.0, 8.0)),
            camera_rotation: Rotation(rotation),
            lens: Lens::default(),
            light: Light::default(),
            ground_height: 0.0,
            shadow_extent: 1.0,
            positions: ChangeTracked::new(&[], 0),
            rotations: ChangeTracked::new(&[], 0),
            scales: ChangeTracked::new(&[], 0),
            colors: ChangeTracked::new(&[], 0),
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

//! The uniform buffer of a frame: camera, light, sky and view volume.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

use super::frustum::{Frustum, FrustumUniform};
use super::{Culling, Gpu, SceneView, Size, shadow_map};
use crate::components::{EndlessField, FieldView};

/// Radius covered by the shadow map, relative to the half edge of the box: up to its corners.
const SHADOW_RADIUS: f32 = 1.733;

/// `Globals` in `shaders/scene.wgsl`, field by field. A `Vec4` is a `vec3f` there with its padding.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    view_projection: Mat4,
    light_projection: Mat4,
    camera_position: Vec3,
    ground_height: f32,
    right: Vec3,
    extinction: f32,
    up: Vec3,
    box_half_extent: f32,
    forward: Vec4,
    sun_direction: Vec3,
    fog_distance: f32,
    sun: Vec4,
    ground_ambient: Vec4,
    sky_ambient: Vec4,
    zenith: Vec4,
    horizon: Vec4,
    nadir: Vec4,
    glow: Vec4,
    displacement: Vec3,
    field_strength: f32,
    inverse_period: Vec3,
    displaced_scale: f32,
    fill: Vec4,
    rim: Vec3,
    now: u32,
    frustum: FrustumUniform,
}

const _: () = assert!(size_of::<Globals>() == 448);

/// Strength of the light from the side of the sun, relative to the ambient light.
const FILL: f32 = 0.3;
/// Strength of the light from behind, relative to the light of the sky.
const RIM: f32 = 0.5;
/// Tangent of the elevation of the light from behind.
const RIM_ELEVATION: f32 = 0.5;

/// Returns fill and rim light for a direction to the sun: across it to the left, and from its other side,
/// slightly above.
fn fill_and_rim(sun: Vec3) -> [Vec3; 2] {
    let fill = Vec3::Y.cross(sun).try_normalize().unwrap_or(Vec3::X);
    let back = Vec3::Y.cross(fill);
    [fill * FILL, (back.with_y(RIM_ELEVATION)).normalize() * RIM]
}

impl Globals {
    /// The globals of a frame of `size`.
    pub(super) fn new(scene: &SceneView<'_>, size: Size, culling: Culling) -> Self {
        let (position, lens, light) = (scene.camera_position.0, scene.lens, scene.light);
        let [right, up, forward] =
            [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| scene.camera_rotation.0 * axis);
        let view = glam::camera::rh::view::look_to_mat4(position, forward, up);
        let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
            lens.fov_y,
            size.aspect(),
            lens.near,
        );
        let shadow_radius = scene.shadow_half_extent * SHADOW_RADIUS;
        let edge = (lens.fov_y / 2.0).tan();
        // Pipelines without a field do not read it.
        let none = EndlessField { period: Vec3::ONE, strength: 0.0 };
        let field = FieldView::new(scene.field.unwrap_or(none), position);
        let padded = |v: Vec3| v.extend(0.0);
        let [fill, rim] = fill_and_rim(light.sun_direction);
        Self {
            view_projection: projection * view,
            light_projection: shadow_map::light_projection(
                light.sun_direction,
                scene.shadow_center.0,
                shadow_radius,
                scene.ground_height,
            ),
            camera_position: position,
            ground_height: scene.ground_height,
            right: right * edge * size.aspect(),
            // In an endless field no place is deeper than another.
            extinction: light.extinction * (1.0 - field.strength),
            up: up * edge,
            box_half_extent: scene.box_half_extent,
            forward: padded(forward),
            sun_direction: light.sun_direction,
            fog_distance: light.fog_distance,
            sun: padded(light.sun),
            ground_ambient: padded(light.ground_ambient),
            sky_ambient: padded(light.sky_ambient),
            zenith: padded(light.zenith),
            horizon: padded(light.horizon),
            nadir: padded(light.nadir),
            glow: padded(light.glow),
            displacement: field.displacement,
            field_strength: field.strength,
            inverse_period: field.inverse_period,
            displaced_scale: field.displaced_scale,
            fill: padded(fill),
            rim,
            now: scene.motion.map_or(0, |motion| motion.now),
            frustum: Frustum::new(scene, size, culling).uniform(),
        }
    }
}

/// Entry of the uniform buffer in layouts of bind group 0.
pub(super) fn layout_entry(gpu: &Gpu) -> wgpu::BindGroupLayoutEntry {
    let mut visibility = wgpu::ShaderStages::VERTEX_FRAGMENT;
    visibility.set(wgpu::ShaderStages::COMPUTE, gpu.can_compute());
    wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: wgpu::BufferSize::new(size_of::<Globals>() as u64),
        },
        count: None,
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use glam::Quat;

    use super::*;
    use crate::components::{Position, Rotation};
    use crate::render::scene_shader::tests::Shader;

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_offsets() {
        let expected = [
            ("view_projection", offset_of!(Globals, view_projection)),
            ("light_projection", offset_of!(Globals, light_projection)),
            ("camera_position", offset_of!(Globals, camera_position)),
            ("ground_height", offset_of!(Globals, ground_height)),
            ("right", offset_of!(Globals, right)),
            ("extinction", offset_of!(Globals, extinction)),
            ("up", offset_of!(Globals, up)),
            ("box_half_extent", offset_of!(Globals, box_half_extent)),
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
            ("displacement", offset_of!(Globals, displacement)),
            ("field_strength", offset_of!(Globals, field_strength)),
            ("inverse_period", offset_of!(Globals, inverse_period)),
            ("displaced_scale", offset_of!(Globals, displaced_scale)),
            ("fill", offset_of!(Globals, fill)),
            ("rim", offset_of!(Globals, rim)),
            ("now", offset_of!(Globals, now)),
            ("frustum", offset_of!(Globals, frustum)),
        ];
        let shader = Shader::scene();
        let (members, span) = shader.struct_layout("Globals");
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<Globals>());
    }

    #[test]
    fn right_and_up_reach_the_edges_of_the_frame() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.3);
        let scene = SceneView {
            camera_position: Position(Vec3::new(3.0, -2.0, 8.0)),
            camera_rotation: Rotation(rotation),
            shadow_half_extent: 1.0,
            ..SceneView::default()
        };
        let globals = Globals::new(&scene, Size::default(), Culling::OFF);
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 1.0)] {
            let ray = globals.forward.truncate() + globals.right * x + globals.up * y;
            let point = globals.camera_position + ray * 25.0;
            let clip: Vec4 = globals.view_projection * point.extend(1.0);
            assert!((clip.x / clip.w - x).abs() < 1e-5 && (clip.y / clip.w - y).abs() < 1e-5);
            // Reversed depth: near plane over distance.
            assert!((clip.z / clip.w - 0.1 / 25.0).abs() < 1e-6, "{clip}");
        }
    }
}

//! Globals: what is the same for every cube of a frame.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use super::Size;
use crate::components::{Lens, Transform};

/// The uniform of `shaders/scene.wgsl`, field by field; WGSL aligns a `vec3f` to 16 bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Globals {
    view_projection: Mat4,
    position: Vec3,
    pad_position: f32,
    right: Vec3,
    pad_right: f32,
    up: Vec3,
    pad_up: f32,
    forward: Vec3,
    pad_forward: f32,
}

const _: () = assert!(size_of::<Globals>() == 128);

impl Globals {
    /// What a camera sees through `lens` on a picture of `size`.
    pub(super) fn new(camera: &Transform, lens: Lens, size: Size) -> Self {
        let [right, up, forward] =
            [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| camera.rotation * axis);
        let view = glam::camera::rh::view::look_to_mat4(camera.position, forward, up);
        let projection = glam::camera::rh::proj::directx::perspective_infinite_reverse(
            lens.fov_y,
            size.aspect(),
            lens.near,
        );
        let edge = (lens.fov_y / 2.0).tan();
        Self {
            view_projection: projection * view,
            position: camera.position,
            right: right * edge * size.aspect(),
            up: up * edge,
            forward,
            ..Self::zeroed()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use glam::{Quat, Vec4};

    use super::*;
    use crate::render::shader_check::Shader;

    #[test]
    fn the_shader_reads_the_same_fields_at_the_same_offsets() {
        let expected = [
            ("view_projection", offset_of!(Globals, view_projection)),
            ("position", offset_of!(Globals, position)),
            ("right", offset_of!(Globals, right)),
            ("up", offset_of!(Globals, up)),
            ("forward", offset_of!(Globals, forward)),
        ];
        let (members, span) = Shader::parse("scene.wgsl").struct_layout("Globals");
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<Globals>());
    }

    #[test]
    fn the_edges_of_the_picture_are_where_the_sky_rays_say() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-0.3);
        let camera = Transform { rotation, ..Transform::at(Vec3::new(3.0, -2.0, 8.0)) };
        let globals = Globals::new(&camera, Lens::default(), Size::default());
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 1.0)] {
            let ray = globals.forward + globals.right * x + globals.up * y;
            let clip: Vec4 = globals.view_projection * (camera.position + ray * 25.0).extend(1.0);
            assert!((clip.x / clip.w - x).abs() < 1e-5 && (clip.y / clip.w - y).abs() < 1e-5);
            // Reversed depth: near plane over distance.
            assert!((clip.z / clip.w - 0.1 / 25.0).abs() < 1e-6, "{clip}");
        }
    }
}

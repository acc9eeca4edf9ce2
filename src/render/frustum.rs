//! The view volume, and the test whether a cube is visible and small.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{Culling, SceneView, Size};
use crate::components::{Position, Scale};

/// Cubes tested together, so that the compiler vectorizes the test.
pub(super) const LANES: usize = 16;

/// Radius of the triangle that replaces a small cube of edge 1 in the center of the frame. The
/// triangle is equilateral and has the area of the cube seen corner on, the square root of 3.
const TRIANGLE_RADIUS: f32 = 1.155;

/// View volume of a camera, for tests in the camera's own axes.
pub(super) struct Frustum {
    eye: Vec3,
    /// Right, up, forward.
    axes: [Vec3; 3],
    near: f32,
    /// Largest radius of a cube of edge 1, drawn either way.
    radius: f32,
    /// Cosine and sine of half the horizontal and half the vertical field of view.
    planes: [[f32; 2]; 2],
    /// A cube is small if its edge is below this times its distance.
    edge_by_distance: f32,
    enabled: bool,
}

#[expect(clippy::needless_bitwise_bool, reason = "vectorized: no branches")]
impl Frustum {
    pub(super) fn new(scene: &SceneView<'_>, size: Size, culling: Culling) -> Self {
        let half_height = (scene.lens.fov_y / 2.0).tan();
        let half_width = half_height * size.aspect();
        let plane = |half: f32| [1.0, half].map(|part| part / (1.0 + half * half).sqrt());
        // Triangles are largest in the corners of the frame.
        let corner = (1.0 + half_width * half_width + half_height * half_height).sqrt();
        let radius =
            if culling.small_below > 0.0 { TRIANGLE_RADIUS * corner.sqrt() } else { Scale::RADIUS };
        let pixel_by_distance = 2.0 * half_height / size.height() as f32;
        Self {
            eye: scene.camera_position.0,
            axes: [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| scene.camera_rotation.0 * axis),
            near: scene.lens.near,
            radius,
            planes: [plane(half_width), plane(half_height)],
            edge_by_distance: culling.small_below * pixel_by_distance,
            enabled: culling.frustum,
        }
    }

    /// Tests cubes where they are drawn.
    #[inline]
    pub(super) fn test(
        &self,
        positions: &[Position; LANES],
        scales: &[Scale; LANES],
    ) -> [Visibility; LANES] {
        let [[cos_x, sin_x], [cos_y, sin_y]] = self.planes;
        std::array::from_fn(|i| {
            let (Position(position), Scale(scale)) = (positions[i], scales[i]);
            let ray = position - self.eye;
            let [x, y, distance] = self.axes.map(|axis| axis.dot(ray));
            let outside_by = (x.abs() * cos_x - distance * sin_x)
                .max(y.abs() * cos_y - distance * sin_y)
                .max(self.near - distance);
            let inside = outside_by <= -scale * self.radius;
            Visibility {
                visible: (outside_by <= scale * Scale::RADIUS) | !self.enabled,
                inside,
                small: inside & (scale < self.edge_by_distance * distance),
            }
        })
    }
}

/// [`Frustum`] for the test in `shaders/culling.wgsl`.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct FrustumUniform {
    right: Vec3,
    near: f32,
    up: Vec3,
    radius: f32,
    planes: [[f32; 2]; 2],
    edge_by_distance: f32,
    enabled: u32,
    padding: [u32; 2],
}

const _: () = assert!(size_of::<FrustumUniform>() == 64);

impl Frustum {
    pub(super) fn uniform(&self) -> FrustumUniform {
        let [right, up, _] = self.axes;
        FrustumUniform {
            right,
            near: self.near,
            up,
            radius: self.radius,
            planes: self.planes,
            edge_by_distance: self.edge_by_distance,
            enabled: self.enabled.into(),
            padding: [0; 2],
        }
    }
}

/// Whether and how a cube is drawn.
#[derive(Clone, Copy)]
pub(super) struct Visibility {
    pub(super) visible: bool,
    /// Entirely inside the frame.
    pub(super) inside: bool,
    pub(super) small: bool,
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;
    use crate::render::scene_shader::tests::Shader;

    #[test]
    fn the_shader_has_the_same_fields_at_the_same_offsets() {
        let (members, span) = Shader::scene().struct_layout("Frustum");
        let expected = [
            ("right", offset_of!(FrustumUniform, right)),
            ("near", offset_of!(FrustumUniform, near)),
            ("up", offset_of!(FrustumUniform, up)),
            ("radius", offset_of!(FrustumUniform, radius)),
            ("planes", offset_of!(FrustumUniform, planes)),
            ("edge_by_distance", offset_of!(FrustumUniform, edge_by_distance)),
            ("enabled", offset_of!(FrustumUniform, enabled)),
        ];
        assert_eq!(members, expected.map(|(name, offset)| (name.to_owned(), offset)));
        assert_eq!(span, size_of::<FrustumUniform>());
    }
}

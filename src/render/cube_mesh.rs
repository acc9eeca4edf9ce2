//! Mesh of the unit cube, for instanced geometry.

use bytemuck::{Pod, Zeroable};

/// A vertex. Each face has four of its own, because normals differ from face to face.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct CubeCorner {
    /// Relative to the center, in edge lengths.
    pub(super) corner: [f32; 3],
    /// Outward unit normal of the face.
    pub(super) normal: [f32; 3],
}

const _: () = assert!(size_of::<CubeCorner>() == 24);

/// Vertices, four per face.
pub(super) fn corners() -> [CubeCorner; 24] {
    std::array::from_fn(|i| {
        let (face, quarter) = (i / 4, i % 4);
        let (axis, sign) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        // Counter-clockwise about +axis, seen from outside; mirrored on the opposite face.
        let u = if matches!(quarter, 1 | 2) { 0.5 } else { -0.5 };
        let v = if quarter >= 2 { 0.5 } else { -0.5 };
        let (mut corner, mut normal) = ([0.0; 3], [0.0; 3]);
        corner[axis] = 0.5 * sign;
        corner[(axis + 1) % 3] = u;
        corner[(axis + 2) % 3] = v * sign;
        normal[axis] = sign;
        CubeCorner { corner, normal }
    })
}

/// Indices of two counter-clockwise triangles per face.
pub(super) fn indices() -> [u16; 36] {
    std::array::from_fn(|i| (i / 6 * 4) as u16 + [0, 1, 2, 0, 2, 3][i % 6])
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn triangles_form_six_faces_counter_clockwise_from_outside() {
        let corners = corners();
        let mut area = 0.0;
        let mut normals = Vec3::ZERO;
        for triangle in indices().chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| corners[usize::from(triangle[i])]);
            let [pa, pb, pc] = [a, b, c].map(|at| Vec3::from(at.corner));
            let cross = (pb - pa).cross(pc - pa);
            assert_eq!(cross.normalize(), Vec3::from(a.normal));
            assert!(
                [a, b, c].iter().all(|at| at.normal == a.normal
                    && Vec3::from(at.corner).dot(at.normal.into()) == 0.5)
            );
            area += cross.length() / 2.0;
            normals += Vec3::from(a.normal);
        }
        assert!((area - 6.0).abs() < 1e-6 && normals == Vec3::ZERO);
    }
}

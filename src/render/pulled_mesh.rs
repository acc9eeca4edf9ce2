//! Indices of pulled cubes: the faces toward the camera of the cubes of one instance.
//!
//! A base vertex or the index of the instance moves them along the cubes.

/// Cubes per instance of a draw call, few enough for 16-bit indices.
pub(super) const CUBES_PER_INSTANCE: u32 = 8192;
/// Visible corners of a cube: `VERTICES_PER_CUBE` in `shaders/cubes.wgsl`.
pub(super) const VERTICES: u32 = 7;
/// Indices of a cube: `INDICES_PER_CUBE` in `shaders/cubes.wgsl`.
pub(super) const INDICES: u32 = 18;
/// Vertices of a small cube.
pub(super) const SMALL_VERTICES: u32 = 3;

/// Two triangles for each of the three faces; both begin at the face's far corner.
const FACES: [u16; INDICES as usize] = [1, 5, 0, 1, 0, 6, 2, 4, 0, 2, 0, 6, 3, 4, 0, 3, 0, 5];

const _: () = assert!(CUBES_PER_INSTANCE * VERTICES <= u16::MAX as u32 + 1);

/// Returns the indices of one instance.
pub(super) fn indices() -> Vec<u16> {
    (0..CUBES_PER_INSTANCE)
        .flat_map(|cube| FACES.map(|vertex| (cube * VERTICES) as u16 + vertex))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_a_face_begin_at_a_corner_no_other_face_has() {
        for (face, triangles) in FACES.chunks_exact(6).enumerate() {
            let own = face as u16 + 1;
            assert!(triangles.chunks_exact(3).all(|triangle| triangle[0] == own));
            assert_eq!(FACES.iter().filter(|&&vertex| vertex == own).count(), 2);
        }
    }

    #[test]
    fn triangles_of_a_face_form_a_square() {
        // Bits of the axes on whose far side a corner is, as in the shader.
        let far_axes = [0, 6, 5, 3, 1, 2, 4];
        for (axis, triangles) in FACES.chunks_exact(6).enumerate() {
            let corners = triangles.iter().map(|&vertex| far_axes[usize::from(vertex)]);
            let mut corners: Vec<i32> = corners.collect();
            assert!(corners.iter().all(|far| far & 1 << axis == 0), "on the near side");
            // Both share the diagonal from the nearest to the far corner.
            assert_eq!((corners[0], corners[2]), (corners[3], corners[4]));
            corners.sort_unstable();
            corners.dedup();
            assert_eq!(corners.len(), 4);
        }
    }
}

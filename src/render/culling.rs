//! Culling: the indices of the cubes to draw, in full or as single triangles.

use super::frustum::{Frustum, LANES, Visibility};
use super::{Culling, SceneView, Size};
use crate::components::{FieldView, Position, Scale};

/// Cubes per task of a thread.
const CHUNK: usize = 16_384;

/// Indices of the cubes to draw: in full and entirely inside the frame, in full across an edge of it, and small. Small
/// ones are in reverse order within a [`CHUNK`], others in array order. The memory is reused from frame to frame.
///
/// Cubes across an edge of the frame are kept apart: a rasterizer clips every batch that contains one
/// of them, which is slower.
#[derive(Default)]
pub(super) struct VisibleCubes {
    /// Per [`CHUNK`]: cubes drawn in full at the front, small ones at the back.
    inside: Vec<u32>,
    /// Per [`CHUNK`]: cubes across an edge of the frame at the front.
    crossing: Vec<u32>,
    /// One per [`CHUNK`].
    counts: Vec<VisibleCounts>,
}

/// Number of visible cubes of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct VisibleCounts {
    /// Drawn in full, entirely inside the frame.
    pub(super) full: u32,
    /// Drawn in full, across an edge of the frame.
    pub(super) crossing: u32,
    /// Drawn as one triangle, entirely inside the frame.
    pub(super) small: u32,
}

impl VisibleCounts {
    /// Cubes drawn in full.
    pub(super) fn in_full(self) -> u32 {
        self.full + self.crossing
    }

    /// Length of the index list.
    pub(super) fn total(self) -> u32 {
        self.in_full() + self.small
    }
}

impl VisibleCubes {
    /// Tests all cubes of a scene. With the `parallel` feature it runs on the current thread pool; the
    /// result does not depend on the number of threads.
    pub(super) fn update(&mut self, scene: &SceneView<'_>, size: Size, culling: Culling) {
        let (frustum, field) = (Frustum::new(scene, size, culling), scene.field_view());
        let (positions, scales) = (scene.positions.values, scene.scales.values);
        let chunks = positions.len().div_ceil(CHUNK);
        self.inside.resize(positions.len(), 0);
        self.crossing.resize(positions.len(), 0);
        self.counts.clear();
        self.counts.resize(chunks, VisibleCounts::default());
        let test_chunk = |chunk: usize, ((inside, crossing), counts): Chunk<'_>| {
            let start = chunk * CHUNK;
            let range = start..start + inside.len();
            let cubes = (&positions[range.clone()], &scales[range]);
            *counts = match &field {
                None => {
                    let test = |positions: &_, scales: &_| frustum.test(positions, scales);
                    test_chunk(test, start, cubes, inside, crossing)
                }
                Some(field) => {
                    let test = |positions: &_, scales: &_| {
                        let (positions, scales) = FieldView::place_all(field, positions, scales);
                        frustum.test(&positions, &scales)
                    };
                    test_chunk(test, start, cubes, inside, crossing)
                }
            };
        };
        #[cfg(parallel)]
        if chunks > 1 {
            use rayon::prelude::*;
            let indices =
                self.inside.par_chunks_mut(CHUNK).zip(self.crossing.par_chunks_mut(CHUNK));
            let chunks = indices.zip(&mut self.counts).enumerate();
            chunks.for_each(|(chunk, output)| test_chunk(chunk, output));
            return;
        }
        let indices = self.inside.chunks_mut(CHUNK).zip(self.crossing.chunks_mut(CHUNK));
        for (chunk, output) in indices.zip(&mut self.counts).enumerate() {
            test_chunk(chunk, output);
        }
    }

    pub(super) fn counts(&self) -> VisibleCounts {
        self.counts.iter().fold(VisibleCounts::default(), |sum, chunk| VisibleCounts {
            full: sum.full + chunk.full,
            crossing: sum.crossing + chunk.crossing,
            small: sum.small + chunk.small,
        })
    }

    /// Slices of indices, in this order: full, crossing, small.
    pub(super) fn indices(&self) -> impl Iterator<Item = &[u32]> {
        let inside = || self.inside.chunks(CHUNK).zip(&self.counts);
        let full = inside().map(|(chunk, counts)| &chunk[..counts.full as usize]);
        let crossing = self.crossing.chunks(CHUNK).zip(&self.counts);
        let crossing = crossing.map(|(chunk, counts)| &chunk[..counts.crossing as usize]);
        let small = inside().map(|(chunk, counts)| &chunk[chunk.len() - counts.small as usize..]);
        full.chain(crossing).chain(small)
    }
}

/// Output of one chunk: indices inside and crossing, and their counts.
type Chunk<'a> = ((&'a mut [u32], &'a mut [u32]), &'a mut VisibleCounts);

/// Writes the indices of a chunk's visible cubes: those drawn in full to the front, in order, small
/// ones to the back of `inside`, in reverse. The first cube has index `start`.
fn test_chunk(
    test: impl Fn(&[Position; LANES], &[Scale; LANES]) -> [Visibility; LANES],
    start: usize,
    (positions, scales): (&[Position], &[Scale]),
    inside: &mut [u32],
    crossing: &mut [u32],
) -> VisibleCounts {
    let mut counts = VisibleCounts::default();
    let mut put = |index: usize, visibility: Visibility| {
        if !visibility.visible {
            return;
        }
        let slot = if visibility.small {
            counts.small += 1;
            let end = inside.len();
            &mut inside[end - counts.small as usize]
        } else if visibility.inside {
            counts.full += 1;
            &mut inside[counts.full as usize - 1]
        } else {
            counts.crossing += 1;
            &mut crossing[counts.crossing as usize - 1]
        };
        *slot = index as u32;
    };
    let (lanes, rest) = positions.as_chunks::<LANES>();
    let (scale_lanes, scales_rest) = scales.as_chunks::<LANES>();
    let mut index = start;
    for (positions, scales) in lanes.iter().zip(scale_lanes) {
        for visibility in test(positions, scales) {
            put(index, visibility);
            index += 1;
        }
    }
    let (mut positions, mut scales) = ([Position::default(); LANES], [Scale::default(); LANES]);
    positions[..rest.len()].copy_from_slice(rest);
    scales[..rest.len()].copy_from_slice(scales_rest);
    for visibility in test(&positions, &scales).into_iter().take(rest.len()) {
        put(index, visibility);
        index += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec3};

    use super::*;
    use crate::components::{Color, Lens, Rotation};
    use crate::render::ChangeTracked;

    fn visible(positions: &[Position], scales: &[Scale], culling: Culling) -> VisibleCubes {
        let rotations = vec![Rotation::default(); positions.len()];
        let colors = vec![Color::srgb(0, 0, 0); positions.len()];
        let scene = SceneView {
            camera_position: Position(Vec3::new(1.0, 2.0, 3.0)),
            camera_rotation: Rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)),
            positions: ChangeTracked::new(positions, 1),
            rotations: ChangeTracked::new(&rotations, 1),
            scales: ChangeTracked::new(scales, 1),
            colors: ChangeTracked::new(&colors, 1),
            ..SceneView::default()
        };
        let mut visible = VisibleCubes::default();
        visible.update(&scene, Size::default(), culling);
        visible
    }

    /// Random cubes on all sides of the camera, the same in every run, from small to large.
    fn cubes() -> (Vec<Position>, Vec<Scale>) {
        let mut state = 1_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 2_f32.powi(24)
        };
        (0..20_000)
            .map(|_| {
                let position = Vec3::new(random(), random(), random()) * 400.0 - 200.0;
                (Position(position), Scale(random() * 3.0))
            })
            .unzip()
    }

    #[test]
    fn each_visible_cube_is_listed_once_and_small_ones_are_below_three_pixels() {
        let (positions, scales) = cubes();
        let visible = visible(&positions, &scales, Culling::ON);
        let mut indices: Vec<u32> = visible.indices().flatten().copied().collect();
        let counts = visible.counts();
        assert_eq!(indices.len(), counts.total() as usize);
        let (full, small) = indices.split_at_mut(counts.in_full() as usize);
        let crossing = full[counts.full as usize..].to_vec();
        full.sort_unstable();
        small.sort_unstable();
        assert!([&*full, &*small].iter().all(|list| list.is_sorted_by(|a, b| a < b)), "each once");
        assert!(full.len() > 1000 && small.len() > 200 && full.len() + small.len() < 8000);

        // The eight corners stand for the cube.
        let eye = Vec3::new(1.0, 2.0, 3.0);
        let to_camera = (Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)).inverse();
        let half = (Lens::default().fov_y / 2.0).tan();
        for (index, (position, scale)) in positions.iter().zip(&scales).enumerate() {
            let corners = (0..8).map(|i| {
                let corner = Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5;
                to_camera * (position.0 + corner * scale.0 - eye)
            });
            let in_view = |p: Vec3| {
                p.z < -0.1 && p.x.abs() < -p.z * half * 16.0 / 9.0 && p.y.abs() < -p.z * half
            };
            let seen = corners.clone().any(in_view);
            let index = index as u32;
            let (is_full, is_small) =
                (full.binary_search(&index).is_ok(), small.binary_search(&index).is_ok());
            assert!(!seen || is_full || is_small, "{index} is in view and not listed");
            assert!(!(is_full && is_small));
            let is_crossing = crossing.contains(&index);
            assert!(!(is_full || is_small) || is_crossing || corners.clone().all(in_view));
            let pixels = scale.0 / -(to_camera * (position.0 - eye)).z * 720.0 / (2.0 * half);
            assert!(!is_small || pixels < 3.001, "{pixels} px is not small");
            assert!(!is_full || is_crossing || pixels > 2.999, "{pixels} px is small");
        }
    }

    #[test]
    fn without_frustum_culling_every_cube_is_listed() {
        let (positions, scales) = cubes();
        let visible = visible(&positions, &scales, Culling { frustum: false, small_below: 2.0 });
        assert_eq!(visible.counts().total(), 20_000);
    }

    #[cfg(parallel)]
    #[test]
    fn the_list_does_not_depend_on_the_number_of_threads() {
        let (positions, scales) = cubes();
        let list = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let visible = visible(&positions, &scales, Culling::ON);
                visible.indices().map(<[u32]>::to_vec).collect::<Vec<_>>()
            })
        };
        assert_eq!(list(1), list(3));
    }
}

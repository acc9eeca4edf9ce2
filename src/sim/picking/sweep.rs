//! Sweep: one pass over all cubes for those a ray may meet.

use super::{Ray, block};
use crate::components::{Position, Rotation, Scale};

/// Cubes that are looked at together: hardly ever does the ray come near one of them, and to find
/// that out takes no branch.
const RUN: usize = 16;

/// Cubes a thread takes at a time.
#[cfg(feature = "parallel")]
const CHUNK: usize = 32_768;

/// Radius of the sphere around a cube of edge 1, a little too large: rounding must lose no cube.
const RADIUS: f32 = 0.866_03;

/// What rounding of distances along the ray adds to the radius, as a share of them.
const ROUNDING: f32 = 4e-6;

/// Which cube is met, and how far along the ray.
#[derive(Clone, Copy)]
struct Candidate {
    index: usize,
    distance: f64,
}

impl Candidate {
    const NONE: Self = Self { index: usize::MAX, distance: f64::INFINITY };

    /// How far along the ray another cube may be met at most to be nearer, in m.
    fn reach(self) -> f32 {
        self.distance as f32 * (1.0 + ROUNDING)
    }

    /// The nearer; of two that are as near the first, so that the order of looking does not matter.
    fn nearer(self, other: Self) -> Self {
        let first = (other.distance, other.index) < (self.distance, self.index);
        if first { other } else { self }
    }
}

/// The index of the cube that the ray meets first, and how far along the ray, in m. The slices have
/// equal length and index `i` is one cube in all of them.
pub(in crate::sim) fn nearest(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
) -> Option<(usize, f32)> {
    let found = search(ray, positions, rotations, scales);
    (found.distance < f64::INFINITY).then_some((found.index, found.distance as f32))
}

#[cfg(feature = "parallel")]
fn search(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
) -> Candidate {
    use rayon::prelude::*;

    if positions.len() <= CHUNK || rayon::current_num_threads() == 1 {
        return sweep(ray, positions, rotations, scales, 0);
    }
    let arrays =
        (positions.par_chunks(CHUNK), rotations.par_chunks(CHUNK), scales.par_chunks(CHUNK));
    let chunks = arrays.into_par_iter().enumerate();
    let found = chunks.map(|(chunk, (positions, rotations, scales))| {
        sweep(ray, positions, rotations, scales, chunk * CHUNK)
    });
    found.reduce(|| Candidate::NONE, Candidate::nearer)
}

#[cfg(not(feature = "parallel"))]
fn search(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
) -> Candidate {
    sweep(ray, positions, rotations, scales, 0)
}

/// The nearest of these cubes, of which the first has the index `first`.
fn sweep(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
    first: usize,
) -> Candidate {
    let mut best = Candidate::NONE;
    let look = |best: Candidate, at: usize| {
        let met = block::entry(ray, positions[at], rotations[at], scales[at]);
        met.map_or(best, |distance| best.nearer(Candidate { index: first + at, distance }))
    };
    let (runs, rest) = positions.as_chunks::<RUN>();
    for (run, (places, edges)) in runs.iter().zip(scales.as_chunks::<RUN>().0).enumerate() {
        let reach = best.reach();
        if (0..RUN).fold(false, |any, at| any | may_meet(ray, places[at], edges[at], reach)) {
            best = (run * RUN..(run + 1) * RUN)
                .filter(|&at| may_meet(ray, positions[at], scales[at], reach))
                .fold(best, look);
        }
    }
    (positions.len() - rest.len()..positions.len())
        .filter(|&at| may_meet(ray, positions[at], scales[at], f32::INFINITY))
        .fold(best, look)
}

/// Whether the ray pierces the sphere around a cube within `reach`, in m. Never false where it meets
/// the cube; no branch, so that several cubes go through at once.
#[inline]
fn may_meet(ray: &Ray, Position(position): Position, Scale(edge): Scale, reach: f32) -> bool {
    let direction = ray.direction();
    let to_center = position - ray.origin();
    let along = to_center.dot(direction);
    let beside = to_center - direction * along;
    let radius = edge * RADIUS + along.abs() * ROUNDING;
    let pierced = beside.length_squared() <= radius * radius;
    let (ahead, within) = (along >= -radius, along - radius <= reach);
    pierced & ahead & within
}

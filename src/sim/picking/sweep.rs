//! The sweep over all cubes for those that a ray may hit.

#[cfg(parallel)]
use rayon::prelude::*;

use super::Ray;
use super::cube_hit::entry_distance;
use crate::components::{Position, Rotation, Scale};

/// Cubes tested together without a branch. The ray is near a cube in few blocks only.
const BLOCK: usize = 16;

/// Cubes per chunk of a thread.
const CHUNK: usize = 32_768;

/// Allowance for rounding, as a fraction of the distance along the ray.
const ROUNDING: f32 = 4e-6;

/// The nearest hit so far.
#[derive(Clone, Copy)]
struct Candidate {
    index: usize,
    distance: f64,
}

impl Candidate {
    const NONE: Self = Self { index: usize::MAX, distance: f64::INFINITY };

    /// Largest distance at which another cube may still be nearer, in m.
    fn reach(self) -> f32 {
        self.distance as f32 * (1.0 + ROUNDING)
    }

    /// Returns the nearer one, or the first in storage order if equally near. The result does not
    /// depend on the order of comparisons.
    fn nearer(self, other: Self) -> Self {
        let first = (other.distance, other.index) < (self.distance, self.index);
        if first { other } else { self }
    }
}

/// Returns the index of the first cube that the ray hits, and the distance along the ray, in m.
/// Index `i` of each slice is the same cube. `place` returns where and how large cube `i` is drawn, `turn` its
/// rotation then. Runs on all threads of the current pool.
pub(in crate::sim) fn nearest(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
    place: impl Fn(usize, Position, Scale) -> (Position, Scale) + Sync,
    turn: impl Fn(usize, Rotation) -> Rotation + Sync,
) -> Option<(usize, f32)> {
    let sweep_chunk = |chunk: usize| {
        let range = chunk * CHUNK..positions.len().min((chunk + 1) * CHUNK);
        let (positions, rotations) = (&positions[range.clone()], &rotations[range.clone()]);
        let first = chunk * CHUNK;
        let place = |at: usize, position, scale| place(first + at, position, scale);
        let turn = |at: usize, rotation| turn(first + at, rotation);
        let found = sweep(ray, positions, rotations, &scales[range], place, turn);
        Candidate { index: found.index.saturating_add(first), ..found }
    };
    let chunks = 0..positions.len().div_ceil(CHUNK);
    #[cfg(parallel)]
    let found =
        chunks.into_par_iter().map(sweep_chunk).reduce(|| Candidate::NONE, Candidate::nearer);
    #[cfg(not(parallel))]
    let found = chunks.map(sweep_chunk).fold(Candidate::NONE, Candidate::nearer);
    (found.distance < f64::INFINITY).then_some((found.index, found.distance as f32))
}

/// Returns the nearest hit among these cubes.
fn sweep(
    ray: &Ray,
    positions: &[Position],
    rotations: &[Rotation],
    scales: &[Scale],
    place: impl Fn(usize, Position, Scale) -> (Position, Scale),
    turn: impl Fn(usize, Rotation) -> Rotation,
) -> Candidate {
    let mut best = Candidate::NONE;
    let test = |best: Candidate, at: usize| {
        let (position, scale) = place(at, positions[at], scales[at]);
        let distance = entry_distance(ray, position, turn(at, rotations[at]), scale);
        distance.map_or(best, |distance| best.nearer(Candidate { index: at, distance }))
    };
    let (blocks, rest) = positions.as_chunks::<BLOCK>();
    for (block, (centers, edges)) in blocks.iter().zip(scales.as_chunks::<BLOCK>().0).enumerate() {
        let reach = best.reach();
        let start = block * BLOCK;
        if (0..BLOCK).fold(false, |any, at| {
            any | may_hit(ray, place(start + at, centers[at], edges[at]), reach)
        }) {
            best = (start..start + BLOCK)
                .filter(|&at| may_hit(ray, place(at, positions[at], scales[at]), reach))
                .fold(best, test);
        }
    }
    (positions.len() - rest.len()..positions.len())
        .filter(|&at| may_hit(ray, place(at, positions[at], scales[at]), f32::INFINITY))
        .fold(best, test)
}

/// Returns `true` if the ray meets the bounding sphere of a cube within `reach`, in m. Never `false`
/// for a hit. Has no branch, so that several cubes are tested at once.
#[inline]
fn may_hit(ray: &Ray, (Position(position), Scale(edge)): (Position, Scale), reach: f32) -> bool {
    let direction = ray.direction();
    let to_center = position - ray.origin();
    let along = to_center.dot(direction);
    let beside = to_center - direction * along;
    let radius = edge * Scale::RADIUS + along.abs() * ROUNDING;
    let meets = beside.length_squared() <= radius * radius;
    let (ahead, within) = (along >= -radius, along - radius <= reach);
    meets & ahead & within
}

//! Which records are out of date.

use std::iter::Peekable;
use std::ops::Range;

use crate::components::EvaluatedMotion;
use crate::render::SceneView;
use crate::render::change_tracked::runs;

/// What the GPU copy of the records was made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RecordRevision {
    positions: u64,
    rotations: u64,
    scales: u64,
    moving: usize,
    spinning: usize,
    gravity_factor: f32,
    spin_factor: f32,
}

impl RecordRevision {
    pub(super) fn new(scene: &SceneView<'_>, motion: &EvaluatedMotion<'_>) -> Self {
        Self {
            positions: scene.positions.latest,
            rotations: scene.rotations.latest,
            scales: scene.scales.latest,
            moving: motion.epochs.len(),
            spinning: motion.angular_velocities.len(),
            gravity_factor: motion.gravity_factor,
            spin_factor: motion.spin_factor,
        }
    }

    /// Returns the index ranges of cubes whose records have changed since `copied`, ascending and disjoint.
    /// `None` stands for no copy.
    pub(super) fn newer_than<'i>(
        self,
        scene: &SceneView<'_>,
        copied: Option<Self>,
        indices: &'i mut Vec<u32>,
    ) -> impl Iterator<Item = Range<usize>> + use<'i> {
        let copied = copied.filter(|copied| {
            [copied.gravity_factor, copied.spin_factor] == [self.gravity_factor, self.spin_factor]
        });
        let [moving, spinning] = copied.map_or([0..0, 0..0], |copied| {
            [between(copied.moving, self.moving), between(copied.spinning, self.spinning)]
        });
        let cubes = scene.positions.values.len();
        let groups = union(within(moving, cubes), within(spinning, cubes));
        let positions = scene.positions.since(copied.map(|copied| copied.positions));
        let rotations = scene.rotations.since(copied.map(|copied| copied.rotations));
        let scales = scene.scales.since(copied.map(|copied| copied.scales));
        indices.clear();
        let mut whole = 0..cubes;
        if let (Some(positions), Some(rotations), Some(scales)) = (positions, rotations, scales) {
            whole = 0..0;
            indices.extend_from_slice(positions);
            // New cubes change all of them, in the same order.
            for others in [rotations, scales].into_iter().filter(|others| *others != positions) {
                indices.extend_from_slice(others);
            }
        }
        union(union(runs(indices, cubes), within(whole, cubes)), groups)
    }
}

fn between(a: usize, b: usize) -> Range<usize> {
    a.min(b)..a.max(b)
}

/// The part of a range below `end`, if there is one.
fn within(range: Range<usize>, end: usize) -> impl Iterator<Item = Range<usize>> {
    let part = range.start..range.end.min(end);
    (!part.is_empty()).then_some(part).into_iter()
}

/// Returns the union of ascending disjoint ranges, ascending and disjoint; adjacent ranges are merged.
pub(super) fn union<A, B>(a: A, b: B) -> Union<A, B>
where
    A: Iterator<Item = Range<usize>>,
    B: Iterator<Item = Range<usize>>,
{
    Union { a: a.peekable(), b: b.peekable() }
}

/// Iterator returned by [`union`].
pub(super) struct Union<A: Iterator, B: Iterator> {
    a: Peekable<A>,
    b: Peekable<B>,
}

impl<A, B> Iterator for Union<A, B>
where
    A: Iterator<Item = Range<usize>>,
    B: Iterator<Item = Range<usize>>,
{
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let a_is_first = match (self.a.peek(), self.b.peek()) {
            (Some(a), Some(b)) => a.start <= b.start,
            (a, _) => a.is_some(),
        };
        let mut union = if a_is_first { self.a.next() } else { self.b.next() }?;
        loop {
            let end = union.end;
            let touches = |next: &Range<usize>| next.start <= end;
            let next = self.a.next_if(touches).or_else(|| self.b.next_if(touches));
            let Some(next) = next else { return Some(union) };
            union.end = end.max(next.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(a: &[[usize; 2]], b: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let ranges = |pairs: &[[usize; 2]]| {
            pairs.iter().map(|&[start, end]| start..end).collect::<Vec<_>>().into_iter()
        };
        union(ranges(a), ranges(b)).map(|range| [range.start, range.end]).collect()
    }

    #[test]
    fn union_of_ranges_is_ascending_and_disjoint() {
        assert!(merged(&[], &[]).is_empty());
        assert_eq!(merged(&[[1, 2]], &[]), [[1, 2]]);
        assert_eq!(merged(&[[4, 6]], &[[1, 2]]), [[1, 2], [4, 6]]);
        assert_eq!(merged(&[[0, 100]], &[[1, 2], [90, 101], [103, 104]]), [[0, 101], [103, 104]]);
        assert_eq!(merged(&[[0, 2], [4, 6], [8, 9]], &[[2, 4], [6, 7]]), [[0, 7], [8, 9]]);
        assert_eq!(merged(&[[5, 6], [7, 8]], &[[5, 6], [7, 8]]), [[5, 6], [7, 8]]);
    }
}

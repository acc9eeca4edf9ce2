//! A change of the number of cubes, in slices, so that no frame takes long. The last slice of a reduction also frees
//! memory: about 0.1 s after ten million cubes.

use std::time::Duration;

/// Time for adding or removing the cubes of one frame.
const BUDGET: Duration = Duration::from_millis(20);

/// Cubes of the first slice: few enough for slow machines.
const FIRST_SLICE: u32 = 8192;

/// Smallest and largest number of cubes of a slice.
const SLICES: [u32; 2] = [1024, 1 << 22];

/// A number of cubes on its way to another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CountChange {
    from: u32,
    /// The requested number of cubes.
    pub(super) target: u32,
    /// Cubes to add or remove in the next frame.
    pub(super) slice: u32,
}

impl CountChange {
    pub(super) fn new(from: u32, target: u32) -> Self {
        Self { from, target, slice: FIRST_SLICE }
    }

    /// Chooses the next slice after the latest one took `time`. It at most doubles or halves.
    pub(super) fn adapt(&mut self, time: Duration) {
        let factor = BUDGET.as_secs_f64() / time.as_secs_f64().max(1e-9);
        let slice = f64::from(self.slice) * factor.clamp(0.5, 2.0);
        self.slice = (slice as u32).clamp(SLICES[0], SLICES[1]);
    }

    /// Returns how much of the change is done at a number of cubes, from 0 to 1.
    pub(super) fn share(&self, cubes: u32) -> f32 {
        let whole = self.from.abs_diff(self.target).max(1);
        (self.from.abs_diff(cubes) as f32 / whole as f32).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{FallMode, SceneSettings, Simulation};

    /// Applies a change on a machine that takes a fixed time per cube. Returns the largest slice.
    fn apply(change: &mut CountChange, simulation: &mut Simulation, ns_per_cube: u64) -> u32 {
        let mut largest = 0;
        loop {
            let before = simulation.cubes().count() as u32;
            let after = simulation.cubes_mut().approach_count(change.target, change.slice).unwrap();
            let moved = before.abs_diff(after);
            assert!(moved <= change.slice, "{moved} cubes in a slice of {}", change.slice);
            largest = largest.max(moved);
            if after == change.target {
                return largest;
            }
            change.adapt(Duration::from_nanos(u64::from(moved) * ns_per_cube));
        }
    }

    #[test]
    fn slices_stay_within_the_budget_of_slow_and_fast_machines() {
        let settings = SceneSettings { cubes: 1000, seed: 3 };
        for (ns_per_cube, expected) in [(2000, 10_000), (200, 100_000)] {
            let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
            let mut change = CountChange::new(1000, 300_000);
            let largest = apply(&mut change, &mut simulation, ns_per_cube);
            // 20 ms at this time per cube.
            assert!((expected / 2..=expected).contains(&largest), "{largest}");
        }
    }

    #[test]
    fn a_slice_has_bounds_whatever_the_clock_says() {
        let mut change = CountChange::new(0, 1_000_000_000);
        (0..50).for_each(|_| change.adapt(Duration::ZERO));
        assert_eq!(change.slice, SLICES[1]);
        (0..50).for_each(|_| change.adapt(Duration::from_hours(1)));
        assert_eq!(change.slice, SLICES[0]);
    }

    #[test]
    fn progress_goes_from_nothing_to_the_whole_in_both_directions() {
        for (from, target) in [(100, 500), (500, 100)] {
            let change = CountChange::new(from, target);
            assert_eq!([from, 300, target].map(|cubes| change.share(cubes)), [0.0, 0.5, 1.0]);
        }
        assert_eq!(CountChange::new(7, 7).share(7), 0.0);
    }
}

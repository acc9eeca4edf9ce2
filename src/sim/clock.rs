//! The clock of evaluated motion: simulated time in whole numbers, so that it never drifts.

use serde::{Deserialize, Serialize};

use crate::components::Epoch;
use crate::ecs::World;

/// Ticks per second of simulated time.
pub(super) const TICKS_PER_SECOND: u32 = 1 << 16;

/// Units of the clock per second.
const UNITS_PER_SECOND: f64 = (1_u64 << 32) as f64;

/// Simulated time in units of 2^-32 s: a resource of the world. It wraps around, and a scene that rewinds
/// takes it back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct MotionClock(u64);

impl MotionClock {
    /// Returns the clock of a world, at 0 without one.
    pub(super) fn of(world: &World) -> Self {
        world.resources().get().copied().unwrap_or_default()
    }

    /// Advances by so many seconds, or goes back.
    pub(super) fn advance(&mut self, seconds: f32) {
        let units = (f64::from(seconds) * UNITS_PER_SECOND).round() as i64;
        self.0 = self.0.wrapping_add_signed(units);
    }

    /// Returns the time in ticks of 2^-16 s, rounded to the nearest one.
    pub(super) fn ticks(self) -> u32 {
        (self.0.wrapping_add(1 << 15) >> 16) as u32
    }

    /// Returns the epoch of values that are stated now.
    pub(super) fn epoch(self) -> Epoch {
        Epoch(self.ticks())
    }

    /// Returns the time in units of 2^-32 s, for hashes.
    pub(super) fn units(self) -> u64 {
        self.0
    }
}

/// Returns the time from an epoch to `now`, in s: negative for an epoch in the future. Exact up to 256 s.
#[inline]
pub(super) fn age(now: u32, Epoch(epoch): Epoch) -> f32 {
    now.wrapping_sub(epoch).cast_signed() as f32 / TICKS_PER_SECOND as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_of_steps_ends_at_the_sum_of_the_steps() {
        let (mut clock, dt) = (MotionClock::default(), 1.0_f32 / 60.0);
        for _ in 0..24 * 3600 * 60 {
            clock.advance(dt);
        }
        // Each step rounds by at most half a unit.
        let expected = f64::from(dt) * 24.0 * 3600.0 * 60.0;
        let difference = clock.0 as f64 / UNITS_PER_SECOND - expected;
        assert!(difference.abs() <= 24.0 * 3600.0 * 60.0 * 0.5 / UNITS_PER_SECOND, "{difference}");
    }

    #[test]
    fn a_clock_that_goes_back_is_where_it_was() {
        let mut clock = MotionClock::default();
        for step in [0.25_f32, 1.0 / 60.0, 0.1] {
            clock.advance(step);
        }
        for step in [0.1_f32, 1.0 / 60.0, 0.25] {
            clock.advance(-step);
        }
        assert_eq!(clock, MotionClock::default());
    }

    #[test]
    fn ages_are_exact_and_survive_the_end_of_the_counter() {
        assert_eq!(age(TICKS_PER_SECOND * 3 / 2, Epoch(0)), 1.5);
        assert_eq!(age(5, Epoch(u32::MAX - 4)), 10.0 / 65_536.0);
        assert_eq!(age(0, Epoch(TICKS_PER_SECOND)), -1.0);
        let ticks = (1 << 23) - 1;
        assert_eq!((age(ticks, Epoch(0)) * 65_536.0) as u32, ticks);
    }
}

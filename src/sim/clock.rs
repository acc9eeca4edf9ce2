//! The clock of motion: simulated time in whole numbers, so that it never drifts.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::components::Epoch;
use crate::ecs::World;

/// Ticks per second of simulated time.
pub(super) const TICKS_PER_SECOND: u32 = 1 << 16;

/// Units of the clock per second.
const UNITS_PER_SECOND: f64 = (1_u64 << 32) as f64;

/// Range of the dither of integrated motion, in units: 1 µs. In this time gravity adds about one last digit to the
/// velocity of a cube that falls at 64 to 128 m/s, and two at half of it.
const DITHER: u64 = 1 << 12;

/// Simulated time in units of 2^-32 s: a resource of the world. It wraps around, and a scene that rewinds
/// takes it back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct MotionClock(u64);

impl MotionClock {
    /// Returns the clock of a world, at 0 without one.
    pub(super) fn of(world: &World) -> Self {
        world.resources().get().copied().unwrap_or_default()
    }

    /// Advances by so many seconds, or goes back. Returns the time step of integrated motion, in s.
    pub(super) fn advance(&mut self, seconds: f32) -> f32 {
        let before = self.dithered();
        let units = (f64::from(seconds) * UNITS_PER_SECOND).round() as i64;
        self.0 = self.0.wrapping_add_signed(units);
        let passed = self.dithered().wrapping_sub(before).cast_signed();
        (passed as f64 / UNITS_PER_SECOND) as f32
    }

    /// Returns the time up to which cubes are integrated, in units: the nearest tick, as for evaluated motion,
    /// and a random part of a microsecond, the same for the same tick. Equal time steps would round the velocity
    /// of a cube the same way every time, and the error would grow with their number. New cubes begin at the tick
    /// itself, so each keeps an offset of less than a microsecond.
    fn dithered(self) -> u64 {
        let tick = self.nearest_tick();
        (tick << 16).wrapping_add(xxh3_64(&tick.to_le_bytes()) % DITHER)
    }

    /// Returns the time in ticks of 2^-16 s, rounded to the nearest one.
    pub(super) fn ticks(self) -> u32 {
        self.nearest_tick() as u32
    }

    fn nearest_tick(self) -> u64 {
        self.0.wrapping_add(1 << 15) >> 16
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
    fn integrated_time_stays_within_a_tick_and_its_steps_vary() {
        let (mut clock, dt) = (MotionClock::default(), 1.0_f32 / 60.0);
        let (mut seconds, mut steps) = (0.0, std::collections::BTreeSet::new());
        for _ in 0..3600 {
            let step = clock.advance(dt);
            seconds += f64::from(step);
            steps.insert(step.to_bits());
            let behind = clock.0 as f64 / UNITS_PER_SECOND - seconds;
            // Half a tick, the dither of now and of the start, and what the sum of steps rounds.
            assert!(behind.abs() < 7.7e-6 + 2.0e-6, "{behind}");
        }
        assert!(steps.len() > 1000, "{} different steps", steps.len());
        assert_eq!(clock.advance(0.0), 0.0);
        assert!((f64::from(clock.advance(-60.0)) + seconds).abs() < 4e-6, "back at the start");
    }

    #[test]
    fn no_step_forward_goes_back_not_even_where_the_clock_wraps_around() {
        let mut clock = MotionClock(u64::MAX - (1 << 20));
        let steps: Vec<_> = (0..10_000).map(|_| clock.advance(1e-6)).collect();
        assert!(steps.iter().all(|step| (0.0..2e-5).contains(step)));
        assert!((steps.iter().sum::<f32>() - 0.01).abs() < 2e-5);
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

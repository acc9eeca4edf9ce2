//! Search for the largest number of cubes that holds 60 frames per second.

use std::time::Duration;

/// Longest median frame time that counts as 60 frames per second: 3 % above, because displays are slightly
/// slower and clocks jitter.
const MAX_FRAME: Duration = Duration::from_micros(17_167);

/// Frames after a change of the number that are not measured.
const SETTLING_FRAMES: u32 = 15;

/// Frames of a measurement.
const FRAMES: usize = 45;

/// A measurement of slow frames ends after this time, with at least [`MIN_FRAMES`].
const MAX_TIME: Duration = Duration::from_millis(1500);
const MIN_FRAMES: usize = 5;

/// The search ends when the first number that does not hold is at most this factor above the one that does.
const PRECISION: f64 = 1.03;

/// Doubles the number of cubes while it holds the frame rate, then bisects.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MaximumSearch {
    /// The number at the start.
    start: u32,
    /// The number that is measured.
    candidate: u32,
    /// Largest number that held the frame rate; 0 for none.
    holds: u32,
    /// Smallest number that did not.
    fails: Option<u32>,
    /// Largest number that fits into memory and into the adapter.
    limit: u32,
    settling: u32,
    frames: Vec<Duration>,
}

/// What follows a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The measurement goes on.
    Measure,
    /// This number of cubes is measured next.
    Try(u32),
    /// The search is over.
    Found(Maximum),
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Maximum {
    /// Largest number that holds the frame rate.
    Holds(u32),
    /// The largest number that fits still holds the frame rate.
    Limit(u32),
    /// Not even one cube holds the frame rate. There were so many at the start.
    Nothing(u32),
}

impl MaximumSearch {
    /// Starts at the current number of cubes; `limit` is the largest one.
    pub(super) fn new(cubes: u32, limit: u32) -> Self {
        let limit = limit.max(1);
        let start = cubes.clamp(1, limit);
        Self {
            start,
            candidate: start,
            holds: 0,
            fails: None,
            limit,
            settling: SETTLING_FRAMES,
            frames: Vec::new(),
        }
    }

    /// Forgets what was measured, since frames may take another time now.
    pub(super) fn forget(&mut self) {
        (self.holds, self.fails) = (0, None);
        self.settling = SETTLING_FRAMES;
        self.frames.clear();
    }

    /// Returns the number to measure.
    pub(super) fn candidate(&self) -> u32 {
        self.candidate
    }

    /// Adds the time of a frame with the candidate.
    pub(super) fn frame(&mut self, time: Duration) -> Next {
        if self.settling > 0 {
            self.settling -= 1;
            return Next::Measure;
        }
        self.frames.push(time);
        let total: Duration = self.frames.iter().sum();
        let enough = total >= MAX_TIME && self.frames.len() >= MIN_FRAMES;
        if self.frames.len() < FRAMES && !enough {
            return Next::Measure;
        }
        self.frames.sort_unstable();
        let median = self.frames[self.frames.len() / 2];
        self.frames.clear();
        self.settling = SETTLING_FRAMES;
        self.decide(median <= MAX_FRAME)
    }

    fn decide(&mut self, holds: bool) -> Next {
        if holds {
            self.holds = self.candidate;
        } else {
            self.fails = Some(self.candidate);
        }
        let holds = self.holds;
        self.candidate = match self.fails {
            None if holds == self.limit => return Next::Found(Maximum::Limit(holds)),
            None => holds.saturating_mul(2).min(self.limit),
            Some(fails)
                if fails - holds <= 1 || f64::from(fails) <= f64::from(holds) * PRECISION =>
            {
                let nothing = Maximum::Nothing(self.start);
                return Next::Found(if holds == 0 { nothing } else { Maximum::Holds(holds) });
            }
            Some(fails) => holds + (fails - holds) / 2,
        };
        Next::Try(self.candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches on a machine that holds 60 frames per second up to `capacity` cubes.
    fn search(start: u32, capacity: u32, limit: u32) -> (Maximum, Vec<u32>) {
        let mut search = MaximumSearch::new(start, limit);
        let mut tried = vec![search.candidate()];
        for frame in 0..100_000_u32 {
            // One frame in eight is a hitch, which a median ignores.
            let hitch = frame.is_multiple_of(8);
            let slow = hitch || search.candidate() > capacity;
            match search.frame(Duration::from_millis(if slow { 34 } else { 16 })) {
                Next::Measure => {}
                Next::Try(cubes) => tried.push(cubes),
                Next::Found(maximum) => return (maximum, tried),
            }
        }
        panic!("the search does not end: {search:?}");
    }

    #[test]
    fn the_number_is_found_from_below_and_from_above() {
        for (start, capacity) in
            [(10_000, 1_234_567), (5_000_000, 1_234_567), (1, 300), (100, 100), (7, 1)]
        {
            let (maximum, tried) = search(start, capacity, 100_000_000);
            let Maximum::Holds(found) = maximum else { panic!("{maximum:?} from {start}") };
            let low = f64::from(capacity) / PRECISION - 1.0;
            assert!(found <= capacity && f64::from(found) >= low, "{found} of {capacity}");
            assert!(tried.len() < 40, "{tried:?}");
        }
    }

    #[test]
    fn no_number_beyond_the_limit_is_tried() {
        let (maximum, tried) = search(10_000, u32::MAX, 1_000_000);
        assert_eq!(maximum, Maximum::Limit(1_000_000));
        assert_eq!(tried.iter().max(), Some(&1_000_000));
        let (maximum, tried) = search(10_000, u32::MAX, 700);
        assert_eq!((maximum, tried), (Maximum::Limit(700), vec![700]));
    }

    #[test]
    fn a_machine_too_slow_for_one_cube_ends_the_search() {
        let (maximum, tried) = search(1000, 0, 1_000_000);
        assert_eq!((maximum, tried.last()), (Maximum::Nothing(1000), Some(&1)));
    }

    #[test]
    fn what_was_measured_before_a_change_of_the_settings_does_not_count() {
        let mut search = MaximumSearch::new(1000, 1_000_000);
        let mut find = |capacity: u32, frames: u32| {
            for _ in 0..frames {
                let slow = search.candidate() > capacity;
                let next = search.frame(Duration::from_millis(if slow { 34 } else { 16 }));
                if let Next::Found(maximum) = next {
                    return Some(maximum);
                }
            }
            search.forget();
            None
        };
        assert_eq!(find(100_000, 400), None);
        let Some(Maximum::Holds(found)) = find(500, 100_000) else { panic!("500 hold") };
        assert!((450..=500).contains(&found), "{found}");
    }

    #[test]
    fn a_measurement_of_slow_frames_is_short() {
        let mut search = MaximumSearch::new(1000, 1_000_000);
        let mut frames = 0;
        while search.frame(Duration::from_secs(1)) == Next::Measure {
            frames += 1;
        }
        assert_eq!(frames + 1, SETTLING_FRAMES as usize + MIN_FRAMES);
    }
}

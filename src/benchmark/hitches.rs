//! Hitches: frames that take much longer than the frames around them.

use super::rolling_median;

/// Minimum excess of a hitch over the rolling median, in ns. Shorter ones are not visible.
const MIN_EXCESS: u128 = 4_000_000;

/// Hitches of one run: frames longer than 2.5 times the rolling median and more than 4 ms above it. The
/// rolling median covers half a second before and after the frame.
#[derive(Clone, PartialEq, Debug)]
pub struct Hitches {
    /// Indices of the frames, in order.
    pub frames: Vec<usize>,
}

impl Hitches {
    /// Finds the hitches among frame times in ns, in frame order. `None` for fewer than two frames.
    /// `O(n log n)`.
    pub fn among(frames: &[u64]) -> Option<Self> {
        if frames.len() < 2 {
            return None;
        }
        let medians = rolling_median::doubled(frames);
        let is_hitch = |&index: &usize| {
            let time = u128::from(frames[index]);
            medians[index].is_some_and(|doubled| {
                4 * time > 5 * doubled && 2 * time > doubled + 2 * MIN_EXCESS
            })
        };
        Some(Self { frames: (0..frames.len()).filter(is_hitch).collect() })
    }

    /// Returns the number of hitches.
    pub fn count(&self) -> usize {
        self.frames.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_hitch_exceeds_the_median_by_factor_and_by_time() {
        let hitches_at = |usual: u64, odd: u64| {
            let mut frames = vec![usual; 1000];
            frames[300] = odd;
            Hitches::among(&frames).unwrap().frames
        };
        assert!(hitches_at(8 * MS, 20 * MS).is_empty());
        assert_eq!(hitches_at(8 * MS, 20 * MS + 1), [300]);
        assert!(hitches_at(MS, 5 * MS).is_empty());
        assert_eq!(hitches_at(MS, 5 * MS + 1), [300]);
    }

    #[test]
    fn hitches_at_the_start_and_the_end_are_found() {
        let mut frames = vec![5 * MS; 1000];
        (frames[10], frames[500], frames[999]) = (25 * MS, 90 * MS, 25 * MS);
        let hitches = Hitches::among(&frames).unwrap();
        assert_eq!(hitches.frames, [10, 500, 999]);
        assert_eq!(hitches.count(), 3);
    }

    #[test]
    fn a_slower_section_is_no_hitch() {
        let mut frames = vec![4 * MS; 1000];
        frames.extend(vec![40 * MS; 1000]);
        // Half a second is 125 fast frames but 12 slow ones, so the first slow ones have mostly
        // fast neighbours; the rest are no hitches.
        let hitches = Hitches::among(&frames).unwrap();
        assert!(hitches.frames.iter().all(|&number| (1000..1013).contains(&number)));
    }

    #[test]
    fn fewer_than_two_frames_have_no_hitch_count() {
        assert_eq!(Hitches::among(&[]), None);
        assert_eq!(Hitches::among(&[5]), None);
        let equal = Hitches::among(&[0, 0]).unwrap();
        assert_eq!(equal.count(), 0);
        let huge = Hitches::among(&[u64::MAX, MS, MS]).unwrap();
        assert_eq!(huge.frames, [0]);
    }
}

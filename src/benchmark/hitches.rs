//! Hitches: frames that take much longer than those around them.

use super::rolling_median;

/// What a hitch takes longer than its neighbours at least, besides two and a half times as long;
/// nanoseconds. Below, nobody sees it.
const NOTICEABLE: u128 = 4_000_000;

/// The hitches of one run: frames that take more than 2.5 times the median of the neighbouring
/// second (half a second before and half a second after), and more than 4 ms over it.
#[derive(Clone, PartialEq, Debug)]
pub struct Hitches {
    /// Which frames, in order.
    pub frames: Vec<usize>,
    /// The frame that takes longest among them.
    pub worst: Option<usize>,
    /// Share of all frames, 0 to 1.
    pub share: f64,
}

impl Hitches {
    /// The hitches among frame times in the order of the frames, in nanoseconds; none (not zero)
    /// if there are fewer than two frames to compare. `O(n log n)`.
    #[must_use]
    pub fn among(frames: &[u64]) -> Option<Self> {
        if frames.len() < 2 {
            return None;
        }
        let medians = rolling_median::doubled_medians(frames);
        let is_hitch = |&number: &usize| {
            let time = u128::from(frames[number]);
            medians[number].is_some_and(|doubled| {
                4 * time > 5 * doubled && 2 * time > doubled + 2 * NOTICEABLE
            })
        };
        let hitches: Vec<_> = (0..frames.len()).filter(is_hitch).collect();
        let worst = hitches.iter().copied().max_by_key(|&number| frames[number]);
        let share = hitches.len() as f64 / frames.len() as f64;
        Some(Self { frames: hitches, worst, share })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.frames.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_hitch_stands_out_by_factor_and_by_time() {
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
    fn the_worst_and_the_share_are_told() {
        let mut frames = vec![5 * MS; 1000];
        (frames[10], frames[500], frames[999]) = (25 * MS, 90 * MS, 25 * MS);
        let hitches = Hitches::among(&frames).unwrap();
        assert_eq!(hitches.frames, [10, 500, 999]);
        assert_eq!((hitches.count(), hitches.worst, hitches.share), (3, Some(500), 0.003));
    }

    #[test]
    fn a_slower_stretch_is_no_hitch() {
        let mut frames = vec![4 * MS; 1000];
        frames.extend(vec![40 * MS; 1000]);
        // Half a second is 125 fast frames but 12 slow ones, so the first slow ones have mostly
        // fast neighbours; nobody would call the rest hitches.
        let hitches = Hitches::among(&frames).unwrap();
        assert!(hitches.frames.iter().all(|&number| (1000..1013).contains(&number)));
    }

    #[test]
    fn nothing_to_compare_is_not_known() {
        assert_eq!(Hitches::among(&[]), None);
        assert_eq!(Hitches::among(&[5]), None);
        let equal = Hitches::among(&[0, 0]).unwrap();
        assert_eq!((equal.count(), equal.worst, equal.share), (0, None, 0.0));
        let huge = Hitches::among(&[u64::MAX, MS, MS]).unwrap();
        assert_eq!(huge.frames, [0]);
    }
}

//! Budget: the time a display leaves for a frame, and how much of a run is spent over it.

use super::distribution::total;

/// The refresh rates against which runs are held, in hertz; the budgets are 16.67, 8.33, 6.94 and
/// 4.17 ms.
pub const REFRESH_RATES: [u32; 4] = [60, 120, 144, 240];

/// Share of the time, 0 to 1, that is spent in frames longer than one refresh of a display at
/// `refresh_rate` hertz; none if no time went by.
///
/// Of the time and not of the frames: ten frames of a tenth of a second are a second of stutter.
#[must_use]
pub fn share_over_budget(frames: &[u64], refresh_rate: u32) -> Option<f64> {
    const SECOND: u128 = 1_000_000_000;
    let is_over = |time: &&u64| u128::from(**time) * u128::from(refresh_rate) > SECOND;
    let all = total(frames);
    (all > 0).then(|| total(frames.iter().filter(is_over)) as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_counts_and_not_frames() {
        let frames = [5_000_000, 5_000_000, 10_000_000, 20_000_000];
        let shares = REFRESH_RATES.map(|rate| share_over_budget(&frames, rate));
        assert_eq!(shares, [Some(0.5), Some(0.75), Some(0.75), Some(1.0)]);
    }

    #[test]
    fn a_frame_is_held_against_the_exact_interval() {
        // A 60th of a second is 16,666,666.67 ns.
        assert_eq!(share_over_budget(&[16_666_666], 60), Some(0.0));
        assert_eq!(share_over_budget(&[16_666_667], 60), Some(1.0));
        assert_eq!(share_over_budget(&[1_000_000_000], 1), Some(0.0));
    }

    #[test]
    fn no_time_has_no_share() {
        assert_eq!((share_over_budget(&[], 60), share_over_budget(&[0], 60)), (None, None));
        assert_eq!(share_over_budget(&[u64::MAX; 3], u32::MAX), Some(1.0));
    }
}

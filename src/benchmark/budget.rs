//! Frame budgets of common displays.

use super::quantile::total;

/// Refresh rates of common displays in Hz. Their frame budgets are 16.67, 8.33, 6.94 and 4.17 ms.
pub const REFRESH_RATES: [u32; 4] = [60, 120, 144, 240];

/// Relative distance from a refresh interval within which a frame time counts as equal to it: frames that wait for the
/// display vary about it, and 60 Hz may be 59.94 Hz.
pub(super) const REFRESH_TOLERANCE: f64 = 0.02;

/// Returns the longest time of a frame within the budget of a display, in ns.
pub(super) fn budget(refresh_rate: u32) -> f64 {
    (1.0 + REFRESH_TOLERANCE) * 1e9 / f64::from(refresh_rate)
}

/// Returns the share of time, from 0 to 1, spent in frames more than 2 % longer than the refresh interval of a display.
/// `None` if the total time is 0.
///
/// A share of time, not of frames: ten frames of 0.1 s are one second of stutter.
pub fn share_over_budget(frames: &[u64], refresh_rate: u32) -> Option<f64> {
    let budget = budget(refresh_rate);
    let is_over = |time: &&u64| **time as f64 > budget;
    let all = total(frames);
    (all > 0).then(|| total(frames.iter().filter(is_over)) as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_weighted_by_time() {
        let frames = [5_000_000, 5_000_000, 10_000_000, 20_000_000];
        let shares = REFRESH_RATES.map(|rate| share_over_budget(&frames, rate));
        assert_eq!(shares, [Some(0.5), Some(0.75), Some(0.75), Some(1.0)]);
    }

    #[test]
    fn frames_that_wait_for_the_display_are_within_its_budget() {
        // A 60th of a second is 16,666,666.67 ns, and 2 % more are 17 ms. A 59.94th is 16,683,350 ns.
        assert_eq!(share_over_budget(&[16_650_000, 16_683_350, 17_000_000], 60), Some(0.0));
        assert_eq!(share_over_budget(&[17_000_001], 60), Some(1.0));
        assert_eq!(share_over_budget(&[0], 60), None);
        assert_eq!(share_over_budget(&[u64::MAX; 3], u32::MAX), Some(1.0));
    }
}

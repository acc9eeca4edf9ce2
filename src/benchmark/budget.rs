//! Frame budgets of common displays.

use super::quantile::total;

/// Refresh rates of common displays in Hz. Their frame budgets are 16.67, 8.33, 6.94 and 4.17 ms.
pub const REFRESH_RATES: [u32; 4] = [60, 120, 144, 240];

/// Returns the share of time, from 0 to 1, spent in frames longer than the refresh interval of a display.
/// `None` if the total time is 0.
///
/// A share of time, not of frames: ten frames of 0.1 s are one second of stutter.
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
    fn the_share_is_weighted_by_time() {
        let frames = [5_000_000, 5_000_000, 10_000_000, 20_000_000];
        let shares = REFRESH_RATES.map(|rate| share_over_budget(&frames, rate));
        assert_eq!(shares, [Some(0.5), Some(0.75), Some(0.75), Some(1.0)]);
    }

    #[test]
    fn the_refresh_interval_is_exact() {
        // A 60th of a second is 16,666,666.67 ns.
        assert_eq!(share_over_budget(&[16_666_666], 60), Some(0.0));
        assert_eq!(share_over_budget(&[16_666_667], 60), Some(1.0));
        assert_eq!(share_over_budget(&[0], 60), None);
        assert_eq!(share_over_budget(&[u64::MAX; 3], u32::MAX), Some(1.0));
    }
}

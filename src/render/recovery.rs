//! RecoveryPolicy: how often a device may be lost before it is no use to go on.

use std::time::{Duration, Instant};

/// So many losses within [`SPAN`] are too many.
const TOO_MANY: usize = 3;
const SPAN: Duration = Duration::from_secs(10);

/// The latest losses of a device.
#[derive(Default, Debug)]
pub struct RecoveryPolicy {
    latest: [Option<Instant>; TOO_MANY],
}

impl RecoveryPolicy {
    /// Takes note of a loss; whether it is worth opening a device again.
    pub fn record_loss(&mut self, now: Instant) -> bool {
        self.latest.rotate_right(1);
        self.latest[0] = Some(now);
        let recent = |at: &Instant| now.saturating_duration_since(*at) < SPAN;
        self.latest.iter().flatten().filter(|at| recent(at)).count() < TOO_MANY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_loss_in_ten_seconds_is_one_too_many() {
        let start = Instant::now();
        let bears = |losses: &mut RecoveryPolicy, second| {
            losses.record_loss(start + Duration::from_secs(second))
        };
        let mut losses = RecoveryPolicy::default();
        assert_eq!([0, 4, 9].map(|second| bears(&mut losses, second)), [true, true, false]);
        let mut losses = RecoveryPolicy::default();
        assert_eq!([0, 9, 11, 20].map(|second| bears(&mut losses, second)), [true; 4]);
        assert!(!bears(&mut losses, 20));
    }
}

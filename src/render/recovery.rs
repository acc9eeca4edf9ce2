//! Recovery from the loss of a device.

use std::time::Duration;

use super::{GpuSettings, RenderError};
use crate::time::Instant;

/// How long a driver that restarts may have no adapter, and how often to look for one.
const MAX_OUTAGE: Duration = Duration::from_secs(10);
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Losses within [`LOSS_WINDOW`] after which recovery is pointless.
const MAX_LOSSES: usize = 3;
const LOSS_WINDOW: Duration = Duration::from_secs(10);

/// Decides whether to open a device again after it was lost.
#[derive(Default, Debug)]
pub struct RecoveryPolicy {
    losses: [Option<Instant>; MAX_LOSSES],
}

impl RecoveryPolicy {
    /// Records a loss, with the reason of the driver.
    ///
    /// # Errors
    /// It is the third within ten seconds: the device should not be opened again.
    pub fn record_loss(&mut self, reason: &str, now: Instant) -> Result<(), RenderError> {
        self.losses.rotate_right(1);
        self.losses[0] = Some(now);
        let recent = |at: &Instant| now.saturating_duration_since(*at) < LOSS_WINDOW;
        if self.losses.iter().flatten().filter(|at| recent(at)).count() < MAX_LOSSES {
            return Ok(());
        }
        // In a page, the browser may be the cause.
        let advice = if cfg!(web) { "" } else { ": update the graphics driver" };
        Err(RenderError::DeviceLost(format!("{reason}; for the third time in ten seconds{advice}")))
    }
}

impl GpuSettings {
    /// Opens a device again with these settings, after the loss of one. A driver that restarts has no GPU for a while, so
    /// `open` is called about twice a second, for ten seconds at most. During this time a software adapter is not accepted in
    /// place of a lost GPU, except in browsers. It is accepted at once if the lost device drew on the CPU (`lost_software`).
    ///
    /// # Errors
    /// The error of the last call of `open`: after ten seconds, or earlier if the program `is_ending`.
    pub async fn reopen<T>(
        &self,
        lost_software: bool,
        open: impl AsyncFn(&Self) -> Result<T, RenderError>,
        sleep: impl AsyncFn(Duration),
        is_ending: impl Fn() -> bool,
    ) -> Result<T, RenderError> {
        let like_the_lost =
            Self { require_gpu: self.require_gpu || !lost_software, ..self.clone() };
        let start = Instant::now();
        while start.elapsed() < MAX_OUTAGE {
            let opened = open(&like_the_lost).await;
            if opened.is_ok() || is_ending() {
                return opened;
            }
            sleep(RETRY_INTERVAL).await;
        }
        open(self).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_loss_in_ten_seconds_ends_recovery() {
        let start = Instant::now();
        let record = |policy: &mut RecoveryPolicy, second| {
            policy.record_loss("no reason", start + Duration::from_secs(second)).is_ok()
        };
        let mut policy = RecoveryPolicy::default();
        assert_eq!([0, 4, 9].map(|second| record(&mut policy, second)), [true, true, false]);
        let mut policy = RecoveryPolicy::default();
        assert_eq!([0, 9, 11, 20].map(|second| record(&mut policy, second)), [true; 4]);
        assert!(!record(&mut policy, 20));
    }
}

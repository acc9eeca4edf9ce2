//! Errors that a device reports outside of any call, and how many losses are worth a recovery.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::RenderError;
use crate::time::Instant;

/// Errors collected from a device's callbacks. Clones share them.
#[derive(Clone, Default)]
pub(super) struct DeviceErrors(Arc<Reported>);

#[derive(Default)]
struct Reported {
    first: OnceLock<String>,
    loss: OnceLock<String>,
    #[cfg(web)]
    on_loss: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl DeviceErrors {
    /// Collects the errors that `device` reports from now on.
    pub(super) fn collect(device: &wgpu::Device) -> Self {
        let errors = Self::default();
        let Self(reported) = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            log::error!("{error}");
            // Later errors are often consequences of the first.
            let _ = reported.first.set(error.to_string());
        }));
        let Self(reported) = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            // Also called when the program drops the device.
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("device lost: {message}");
            }
            let message = if message.is_empty() { "no reason given".to_owned() } else { message };
            let _ = reported.loss.set(message);
            #[cfg(web)]
            if let Some(callback) = reported.on_loss.get() {
                callback();
            }
        });
        errors
    }

    /// Calls `callback` when the device is lost. Only the first callback counts.
    #[cfg(web)]
    pub(super) fn on_loss(&self, callback: Box<dyn Fn() + Send + Sync>) {
        let _ = self.0.on_loss.set(callback);
    }

    /// Returns a loss, or else the first of all other errors.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        match (self.0.loss.get(), self.0.first.get()) {
            (Some(message), _) => Err(RenderError::DeviceLost(message.clone())),
            (None, Some(message)) => Err(RenderError::Driver(message.clone())),
            (None, None) => Ok(()),
        }
    }
}

/// Losses within [`LOSS_WINDOW`] after which recovery is pointless.
const MAX_LOSSES: usize = 3;
const LOSS_WINDOW: Duration = Duration::from_secs(10);

/// Decides whether to open a device again after it was lost.
#[derive(Default, Debug)]
pub struct RecoveryPolicy {
    losses: [Option<Instant>; MAX_LOSSES],
}

impl RecoveryPolicy {
    /// Records a loss. Returns `false` at the third within ten seconds: the device should not be
    /// opened again.
    pub fn record_loss(&mut self, now: Instant) -> bool {
        self.losses.rotate_right(1);
        self.losses[0] = Some(now);
        let recent = |at: &Instant| now.saturating_duration_since(*at) < LOSS_WINDOW;
        self.losses.iter().flatten().filter(|at| recent(at)).count() < MAX_LOSSES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_loss_in_ten_seconds_ends_recovery() {
        let start = Instant::now();
        let record = |policy: &mut RecoveryPolicy, second| {
            policy.record_loss(start + Duration::from_secs(second))
        };
        let mut policy = RecoveryPolicy::default();
        assert_eq!([0, 4, 9].map(|second| record(&mut policy, second)), [true, true, false]);
        let mut policy = RecoveryPolicy::default();
        assert_eq!([0, 9, 11, 20].map(|second| record(&mut policy, second)), [true; 4]);
        assert!(!record(&mut policy, 20));
    }
}

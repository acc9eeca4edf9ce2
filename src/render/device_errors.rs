//! Errors that a device reports outside of any call.

use std::sync::{Arc, OnceLock};

use super::RenderError;

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

/// Returns an error of wgpu, whose causes are on lines of their own, as one line.
pub(super) fn one_line(error: &wgpu::Error) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl DeviceErrors {
    /// Collects the errors that `device` reports from now on.
    pub(super) fn collect(device: &wgpu::Device) -> Self {
        let errors = Self::default();
        let Self(reported) = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            // Later errors are often consequences of the first, or of a loss.
            if reported.loss.get().is_some() {
                log::debug!("{error}");
            } else {
                log::error!("{error}");
            }
            let _ = reported.first.set(one_line(&error));
        }));
        let Self(reported) = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            // Also called when the program drops the device.
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::warn!("device lost: {message}");
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

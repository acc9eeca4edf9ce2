//! DeviceErrors: what the device says when nobody is asking.

use std::sync::{Arc, Mutex, PoisonError};

use super::RenderError;

/// What the device has said; the device and who asks share it.
#[derive(Clone, Default)]
pub(super) struct DeviceErrors(Arc<Mutex<Heard>>);

#[derive(Default)]
struct Heard {
    first: Option<String>,
    lost: Option<String>,
}

impl DeviceErrors {
    /// Takes note of what a device complains about from now on.
    pub(super) fn of(device: &wgpu::Device) -> Self {
        let errors = Self::default();
        let heard = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            log::error!("{error}");
            heard.update(|heard| {
                heard.first.get_or_insert_with(|| error.to_string());
            });
        }));
        let heard = errors.clone();
        device.set_device_lost_callback(move |reason, message| {
            // A device that is dropped at the end of the program also calls this.
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("device lost: {message}");
            }
            let silent = message.is_empty();
            let message = if silent { "no reason was given".to_owned() } else { message };
            heard.update(|heard| heard.lost = Some(message));
        });
        errors
    }

    fn update(&self, note: impl FnOnce(&mut Heard)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Passes on what was said: a loss, or else the first of all other errors.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        let heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match (&heard.lost, &heard.first) {
            (Some(message), _) => Err(RenderError::DeviceLost(message.clone())),
            (None, Some(message)) => Err(RenderError::Driver(message.clone())),
            (None, None) => Ok(()),
        }
    }
}

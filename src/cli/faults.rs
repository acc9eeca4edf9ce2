//! Faults: losses and refusals of GPU devices that are injected to test recovery.

use clap::Args;

use crate::render::GpuSettings;

/// Faults to inject.
#[derive(Args, Clone, Default, Debug)]
pub struct FaultArgs {
    /// Inject a fault, `device-loss@N`; can be repeated
    #[arg(long, hide = true, value_name = "FAULT", value_parser = parse)]
    pub inject: Vec<Injection>,
}

/// An injected fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Injection {
    /// The GPU device is lost before frame N. For a single image: in N attempts.
    DeviceLoss(u64),
    /// The GPU device is lost between acquiring and presenting frame N.
    DeviceLossAcquired(u64),
    /// The GPU device of a window is lost every N seconds.
    DeviceLossEvery(u64),
    /// The first N adapters refuse to open.
    AdapterRefusal(u64),
    /// Buffers of more than N bytes are refused.
    BufferRefusal(u64),
}

impl FaultArgs {
    /// Returns the frames, or the attempts, of the device losses.
    pub fn device_losses(&self) -> impl Iterator<Item = u64> {
        self.inject.iter().filter_map(|fault| match *fault {
            Injection::DeviceLoss(at) | Injection::DeviceLossAcquired(at) => Some(at),
            _ => None,
        })
    }

    /// Adds the refusals to `settings`.
    pub fn refuse(&self, mut settings: GpuSettings) -> GpuSettings {
        for fault in &self.inject {
            match *fault {
                Injection::AdapterRefusal(adapters) => settings.inject_refusals += adapters,
                Injection::BufferRefusal(above) => settings.inject_largest_buffer = Some(above),
                _ => {}
            }
        }
        settings
    }
}

/// Parses a fault and its number, such as `device-loss@N`.
fn parse(text: &str) -> Result<Injection, String> {
    let fault = text.split_once('@').and_then(|(fault, number)| {
        let number = number.parse().ok()?;
        match fault {
            "device-loss" => Some(Injection::DeviceLoss(number)),
            "device-loss-acquired" => Some(Injection::DeviceLossAcquired(number)),
            "adapter-refusal" => Some(Injection::AdapterRefusal(number)),
            "buffer-refusal" => Some(Injection::BufferRefusal(number)),
            "device-loss-every" => Some(Injection::DeviceLossEvery(number)),
            _ => None,
        }
    });
    fault.ok_or_else(|| {
        "expected device-loss@N, device-loss-acquired@N, device-loss-every@N, adapter-refusal@N or \
         buffer-refusal@N"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_parsed_and_others_refused() {
        assert_eq!(parse("device-loss@12"), Ok(Injection::DeviceLoss(12)));
        assert_eq!(parse("device-loss-acquired@0"), Ok(Injection::DeviceLossAcquired(0)));
        assert_eq!(parse("adapter-refusal@1"), Ok(Injection::AdapterRefusal(1)));
        assert_eq!(parse("buffer-refusal@64"), Ok(Injection::BufferRefusal(64)));
        assert_eq!(parse("device-loss-every@7"), Ok(Injection::DeviceLossEvery(7)));
        for wrong in ["", "device-loss", "device-loss@", "device-loss@-1", "fire@3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

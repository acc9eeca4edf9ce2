//! Inject: faults that the program brings about itself, to show that it survives them.

use clap::Args;

/// Faults to try out.
#[derive(Args, Clone, Default, Debug)]
pub struct FaultArgs {
    /// A fault to try out: `device-loss@N`; may be given several times
    #[arg(long, hide = true, value_name = "FAULT", value_parser = parse)]
    pub inject: Vec<Injection>,
}

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Injection {
    /// The graphics device is lost before a frame; for a single picture, in as many attempts.
    DeviceLoss(u64),
    /// The graphics device is lost between the acquisition of a frame and its presentation.
    DeviceLossAcquired(u64),
}

/// Reads `device-loss@N` and `device-loss-acquired@N`.
pub(super) fn parse(text: &str) -> Result<Injection, String> {
    let fault = text.split_once('@').and_then(|(fault, number)| {
        let number = number.parse().ok()?;
        match fault {
            "device-loss" => Some(Injection::DeviceLoss(number)),
            "device-loss-acquired" => Some(Injection::DeviceLossAcquired(number)),
            _ => None,
        }
    });
    fault.ok_or_else(|| "a fault is device-loss@N or device-loss-acquired@N".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_and_others_refused() {
        assert_eq!(parse("device-loss@12"), Ok(Injection::DeviceLoss(12)));
        assert_eq!(parse("device-loss-acquired@0"), Ok(Injection::DeviceLossAcquired(0)));
        for wrong in ["", "device-loss", "device-loss@", "device-loss@-1", "fire@3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

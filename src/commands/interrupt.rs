//! Interrupt: Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a flag that the first Ctrl-C sets. The second one ends the process with exit code 130.
///
/// # Errors
/// The signal handler cannot be installed.
pub(super) fn listen() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::AcqRel) {
            std::process::exit(130);
        }
    })?;
    Ok(interrupted)
}

//! Interrupt: signals that ask the process to end.

use std::io;
use std::sync::OnceLock;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::time::{Duration, Instant};

use crate::output;

/// Exit code for the first signal, and when it came.
static RECEIVED: OnceLock<(u8, Instant)> = OnceLock::new();

/// Signals so soon after the first belong to it: `timeout` sends one to the process and one to its group.
const SAME: Duration = Duration::from_millis(500);

/// Returns the exit code for the first signal since [`listen`]: 128 and the number of the signal.
pub fn received() -> Option<u8> {
    RECEIVED.get().map(|(code, _)| *code)
}

/// Calls `on_first` after the first signal, on another thread. A signal that comes half a second later or more
/// [ends](exit) the process. Call this once: after several calls, only one of the functions runs.
///
/// A hang-up is ignored if it was ignored at the start of the process, as under `nohup`. An interrupt is not, so that scripts, which
/// start background jobs without it, can end these by it.
///
/// # Errors
/// The signal handler or its thread cannot be created.
pub fn listen(on_first: impl Fn() + Send + 'static) -> io::Result<()> {
    handle(move |code| match RECEIVED.set((code, Instant::now())) {
        Ok(()) => on_first(),
        Err(_) if RECEIVED.get().is_some_and(|(_, at)| at.elapsed() < SAME) => {}
        Err((code, _)) => exit(code),
    })
}

/// Makes child processes and files behave alike however the process was started: where the end of child processes is
/// ignored, they could not be waited for, and a file that reaches the limit of `ulimit -f` would end the process
/// instead of failing to grow. Child processes start with the handlers of the system.
///
/// # Errors
/// A signal handler cannot be created.
#[cfg(unix)]
pub fn handle_signals_of_children_and_files() -> io::Result<()> {
    use signal_hook::consts::{SIGCHLD, SIGXFSZ};

    for signal in [SIGCHLD, SIGXFSZ] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))?;
    }
    Ok(())
}

/// Ends the process at once, without a temporary file left.
pub fn exit(code: u8) -> ! {
    output::remove_temporary_files();
    // Exit handlers of graphics drivers can crash while other threads use the driver.
    #[cfg(unix)]
    signal_hook::low_level::exit(code.into());
    #[cfg(not(unix))]
    std::process::exit(code.into())
}

/// Calls `on_signal` with the exit code for each signal that asks the process to end.
#[cfg(unix)]
fn handle(on_signal: impl Fn(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_hang_up_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || {
        for signal in signals.forever() {
            on_signal(128 + signal as u8);
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Returns whether this process ignores SIGHUP. A child process inherits that, and survives the signal.
#[cfg(unix)]
fn is_hang_up_ignored() -> bool {
    let mut shell = std::process::Command::new("sh");
    // It would report a current folder that was removed.
    let shell = shell.args(["-c", "kill -HUP $$"]).stderr(std::process::Stdio::null()).status();
    shell.is_ok_and(|status| status.success())
}

/// As on Unix, where Ctrl-C is signal 2.
#[cfg(not(unix))]
fn handle(on_signal: impl Fn(u8) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || on_signal(130)).map_err(io::Error::other)
}

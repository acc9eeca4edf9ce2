//! Interrupt: signals that ask the process to end.

use std::io;
use std::sync::OnceLock;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use crate::output;

/// The first signal.
static RECEIVED: OnceLock<Signal> = OnceLock::new();

/// A signal that asks the process to end. Other systems than Unix have [`Signal::Interrupt`] only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C, or SIGINT.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal was closed.
    HangUp,
}

impl Signal {
    /// Returns the exit code of a process that ends because of the signal: 128 and its number.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
            Self::HangUp => 129,
        }
    }
}

/// Returns the first signal since [`listen`].
pub fn received() -> Option<Signal> {
    RECEIVED.get().copied()
}

/// Calls `on_first` after the first signal, on another thread. The second one [ends](exit) the process.
///
/// A hang-up is ignored if it was ignored at the start of the process, as under `nohup`.
///
/// # Errors
/// The signal handler or its thread cannot be created.
pub fn listen(on_first: impl Fn() + Send + 'static) -> io::Result<()> {
    handle(move |signal| match RECEIVED.set(signal) {
        Ok(()) => on_first(),
        Err(signal) => exit(signal.exit_code()),
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

#[cfg(unix)]
fn handle(on_signal: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    if !is_hang_up_ignored() {
        signals.add_signal(SIGHUP)?;
    }
    let listen = move || {
        for signal in signals.forever() {
            on_signal(match signal {
                SIGTERM => Signal::Terminate,
                SIGHUP => Signal::HangUp,
                _ => Signal::Interrupt,
            });
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map(drop)
}

/// Returns whether this process ignores SIGHUP. A child process inherits that, and survives the signal.
#[cfg(unix)]
fn is_hang_up_ignored() -> bool {
    let shell = std::process::Command::new("sh").args(["-c", "kill -HUP $$"]).status();
    shell.is_ok_and(|status| status.success())
}

#[cfg(not(unix))]
fn handle(on_signal: impl Fn(Signal) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || on_signal(Signal::Interrupt)).map_err(io::Error::other)
}

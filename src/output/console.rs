//! Console: standard output for results, standard error for everything else.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use crate::error_text;

/// Standard output cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {}", error_text::io(.0))]
pub struct StdoutError(io::Error);

/// Prints `text`, which ends with a line break, to standard output.
///
/// # Errors
/// The output is a full disk, for example. A closed pipe (`cubefall adapters | head -1`) is no error.
pub fn print(text: &str) -> Result<(), StdoutError> {
    print_bytes(text.as_bytes())
}

/// Writes the content of a file to standard output.
///
/// # Errors
/// As for [`print()`].
pub fn print_bytes(bytes: &[u8]) -> Result<(), StdoutError> {
    let mut stdout = io::stdout().lock();
    printed(stdout.write_all(bytes).and_then(|()| stdout.flush()))
}

/// Returns the result of printing to standard output, as [`print()`] does.
///
/// # Errors
/// As for [`print()`].
pub fn printed(written: io::Result<()>) -> Result<(), StdoutError> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(StdoutError(error)),
        _ => Ok(()),
    }
}

/// Prints a line about the progress of a command to standard error. Ignores a closed one.
pub fn status(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints an error or a warning to standard error, after the name of the program.
pub fn diagnostic(message: &dyn Display) {
    let _ = writeln!(io::stderr(), "cubefall: {message}");
}

//! Text: what goes to standard output.

use std::io::{self, ErrorKind, Write};

use super::Failure;

/// Prints one or more whole lines. A reader that went away (`cubefall adapters | head -1`) is no
/// failure.
pub(super) fn print(lines: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(lines.as_bytes()).and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Stdout(error)),
        _ => Ok(()),
    }
}

/// Says how things go, on standard error; if nobody can read it, so be it.
#[cfg(any(feature = "benchmark", feature = "record"))]
pub(super) fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

//! Programs that tests write, and what these print.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(feature = "benchmark")]
use cubefall::benchmark::{RunResult, write_samples};

/// Writes a program, in a process of its own. The system starts no file that is open for writing, as this one
/// would be in a process that another test starts meanwhile.
pub(crate) fn write_script(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path);
    let mut shell = shell.stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}

/// Writes what a child process of a benchmark prints.
#[cfg(feature = "benchmark")]
pub(crate) fn write_run(path: &Path, run: &RunResult) {
    let mut file = std::fs::File::create(path).unwrap();
    writeln!(file, "{}", serde_json::to_string(run).unwrap()).unwrap();
    write_samples(&mut file, [&run.samples[..]]).unwrap();
}

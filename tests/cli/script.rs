//! Programs that tests write.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program, in a process of its own. The system starts no file that is open for writing, as this one
/// would be in a process that another test starts meanwhile.
pub(crate) fn write_script(path: &Path, text: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path);
    let mut shell = shell.stdin(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(shell.wait().unwrap().success());
}

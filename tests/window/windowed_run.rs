//! A benchmark run in a window.

use std::process::{Child, Stdio};
use std::thread::sleep;

use cubefall::benchmark::RunResult;
use tempfile::NamedTempFile;

use super::desktop::{Desktop, POLL};

/// A run of 50 cubes whose window is open.
pub(crate) struct WindowedRun {
    child: Child,
    output: NamedTempFile,
    /// Its number for tools.
    pub(crate) window: String,
}

impl WindowedRun {
    pub(crate) fn start(desktop: &Desktop, flags: &[&str]) -> Self {
        let words = ["bench", "single", "--window", "--cubes", "50"];
        let mut command = desktop.command(&[&words[..], flags].concat());
        // A file, since a full pipe would block the program.
        let output = NamedTempFile::new().unwrap();
        command.stdout(output.reopen().unwrap()).stderr(Stdio::null());
        let mut run = Self { child: command.spawn().unwrap(), output, window: String::new() };
        while run.window.is_empty() {
            assert!(!run.has_ended(), "the run ended without a window");
            sleep(POLL);
            run.window = desktop.tool(&["search", "--onlyvisible", "--name", "Cubefall"]);
        }
        run
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for a successful end.
    pub(crate) fn result(mut self) -> RunResult {
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        // The frames follow the line of JSON.
        let output = std::fs::read(self.output.path()).unwrap();
        let json = output.split(|&byte| byte == b'\n').next().unwrap();
        serde_json::from_slice(json).unwrap()
    }
}

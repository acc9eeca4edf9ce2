//! Desktop: a virtual display, and how the demo is started on it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::demo::Demo;
use super::screenshot::Screenshot;

/// Longest wait for anything; a software renderer on a busy machine is slow.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// Nothing over the picture, and as if no window had been before.
const BARE: [&str; 3] = ["--hud", "off", "--no-preferences"];

/// Width and height of the screen.
pub(crate) const SCREEN: [u32; 2] = [1024, 768];

/// An X server of its own with a black screen.
pub(crate) struct Desktop {
    server: Child,
    /// The window manager, if there is one.
    manager: Option<Child>,
    display: String,
    /// Where programs are started, and where they keep what they remember.
    folder: TempDir,
}

impl Desktop {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp"])
            .args(["-screen", "0", &format!("{}x{}x24", SCREEN[0], SCREEN[1])])
            // Or it is not there for a moment after the last window has closed.
            .arg("-noreset")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("Xvfb: {error}\nSet up this machine with: ./setup.sh --tests")
            });
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        let folder = tempfile::tempdir().unwrap();
        Self { server, manager: None, display: format!(":{}", number.trim()), folder }
    }

    /// The same with a window manager.
    pub(crate) fn start_managed() -> Self {
        let mut desktop = Self::start();
        let ready = desktop.folder().join("managed");
        let mut command = Command::new("openbox");
        // Windows that are opened before it is ready it may forget.
        command.args(["--startup", &format!("touch {}", ready.display())]);
        command.env("DISPLAY", &desktop.display).current_dir(&desktop.folder);
        command.env("HOME", desktop.folder()).env_remove("XDG_CONFIG_HOME");
        let manager = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        desktop.manager = Some(manager.unwrap_or_else(|error| {
            panic!("openbox: {error}\nSet up this machine with: ./setup.sh --tests")
        }));
        let start = Instant::now();
        while !ready.exists() {
            assert!(start.elapsed() < PATIENCE, "openbox does not manage the screen");
            sleep(POLL);
        }
        desktop
    }

    /// The program with this display and no other.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubefall"));
        command.args(args).env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env_remove("RUST_LOG").env_remove("WGPU_BACKEND");
        command.current_dir(&self.folder).env("XDG_CONFIG_HOME", self.folder.path().join("config"));
        command.env("XDG_DATA_HOME", self.folder.path().join("data"));
        // Drivers complain if there is no such folder.
        command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"));
        command
    }

    /// Where programs are started.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Starts the demo and waits for its window. Nothing is shown over the picture.
    pub(crate) fn open(&self, args: &[&str]) -> Demo<'_> {
        self.open_command(self.command(&[args, &BARE].concat()))
    }

    /// The same for a demo that says more of what it does.
    pub(crate) fn open_talking(&self, args: &[&str]) -> Demo<'_> {
        let mut command = self.command(&[args, &BARE].concat());
        command.env("RUST_LOG", "cubefall=info");
        self.open_command(command)
    }

    /// The same for a demo that says where each widget is, and of each picture that it draws it.
    pub(crate) fn open_with_hud(&self, args: &[&str]) -> Demo<'_> {
        self.open_remembering(&[args, &BARE[2..]].concat())
    }

    /// The same for a demo that remembers the one before.
    pub(crate) fn open_remembering(&self, args: &[&str]) -> Demo<'_> {
        let mut command = self.command(args);
        command.env("RUST_LOG", "cubefall=debug,cubefall::app::window=trace");
        self.open_command(command)
    }

    pub(crate) fn open_command(&self, command: Command) -> Demo<'_> {
        Demo::open(self, command)
    }

    /// Its name, for whoever connects to it.
    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    /// Ends the X server at once, as a crash would.
    pub(crate) fn crash(&self) {
        signal(&self.server, "KILL");
    }

    /// What xdotool does and says here.
    pub(crate) fn tool(&self, args: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        let output = command.args(args).env("DISPLAY", &self.display).output();
        let output = output.unwrap_or_else(|error| {
            panic!("xdotool: {error}\nSet up this machine with: ./setup.sh --tests")
        });
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The whole screen.
    pub(crate) fn screenshot(&self) -> Screenshot {
        let mut command = Command::new("import");
        let output = command
            .args(["-window", "root", "-depth", "8", "png24:-"])
            .env("DISPLAY", &self.display)
            .output();
        let output = output.unwrap_or_else(|error| {
            panic!("import (ImageMagick): {error}\nSet up this machine with: ./setup.sh --tests")
        });
        Screenshot::read(output.stdout)
    }

    /// The screen once it no longer changes.
    pub(crate) fn settled(&self) -> Screenshot {
        let start = Instant::now();
        let mut last = self.screenshot();
        loop {
            sleep(POLL * 4);
            let next = self.screenshot();
            if next.difference(&last) == 0.0 {
                return next;
            }
            assert!(start.elapsed() < PATIENCE, "the picture never comes to rest");
            last = next;
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        for child in self.manager.iter_mut().chain([&mut self.server]) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Sends a signal by its name.
pub(crate) fn signal(process: &Child, name: &str) {
    let pid = process.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &pid]).status().unwrap();
    assert!(sent.success());
}

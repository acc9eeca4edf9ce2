//! A virtual display to start the program on.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::demo::Demo;
use super::screenshot::Screenshot;

/// Timeout of every wait. A software renderer on a busy machine is slow.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
pub(crate) const POLL: Duration = Duration::from_millis(50);

/// No HUD and no preferences.
const BARE: [&str; 5] = ["--hud", "off", "--no-preferences", "--attract", "off"];

/// Width and height of the screen.
pub(crate) const SCREEN: [u32; 2] = [1024, 912];

/// An X server of its own with a black screen.
pub(crate) struct Desktop {
    server: Child,
    /// The window manager, if there is one.
    manager: Option<Child>,
    display: String,
    /// Working folder of the program, and its folders for configuration and data.
    folder: TempDir,
}

impl Desktop {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp"])
            .args(["-screen", "0", &format!("{}x{}x24", SCREEN[0], SCREEN[1])])
            // Without this, the server restarts when the last window closes.
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

    /// Starts a display with a window manager.
    pub(crate) fn start_managed() -> Self {
        Self::start_managed_with("")
    }

    /// Starts a display with a window manager that has rules for windows, elements of its configuration.
    pub(crate) fn start_managed_with(rules: &str) -> Self {
        let mut desktop = Self::start();
        let ready = desktop.folder().join("managed");
        let mut command = Command::new("openbox");
        if !rules.is_empty() {
            let file = desktop.folder().join("openbox.xml");
            let start = r#"<openbox_config xmlns="http://openbox.org/3.4/rc"><applications>"#;
            let text = format!("{start}{rules}</applications></openbox_config>");
            std::fs::write(&file, text).unwrap();
            command.arg("--config-file").arg(file);
        }
        // It may miss windows that open before it is ready.
        command.args(["--startup", "touch managed"]);
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

    /// Returns a command that runs the program on this display.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        // Another build, such as an optimized one, can be tested without building the tests again.
        let program = std::env::var_os("CUBEFALL_BINARY");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_cubefall").into());
        let mut command = Command::new(program);
        command.args(args).env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env_remove("RUST_LOG").env_remove("WGPU_BACKEND");
        command.current_dir(&self.folder).env("XDG_CONFIG_HOME", self.folder.path().join("config"));
        command.env("XDG_DATA_HOME", self.folder.path().join("data"));
        // Drivers require this folder.
        command.env("XDG_RUNTIME_DIR", env!("CARGO_TARGET_TMPDIR"));
        // The validation layer of Debian 12 refuses what shaders contain for debuggers.
        command.env("WGPU_DEBUG", "0");
        command
    }

    /// Runs the program on this display, without any graphics driver.
    pub(crate) fn without_drivers(&self, args: &[&str]) -> Output {
        let mut command = self.command(args);
        command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
        command.env("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent");
        command.output().unwrap()
    }

    /// Returns the working folder of the program.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of the preferences.
    pub(crate) fn preferences(&self) -> PathBuf {
        self.folder.path().join("config/cubefall/preferences.json")
    }

    /// Writes the preferences that the next window reads.
    pub(crate) fn write_preferences(&self, text: &str) {
        std::fs::create_dir_all(self.preferences().parent().unwrap()).unwrap();
        std::fs::write(self.preferences(), text).unwrap();
    }

    /// Returns the saved preferences; null if there are none yet.
    pub(crate) fn saved_preferences(&self) -> serde_json::Value {
        let text = std::fs::read_to_string(self.preferences()).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Starts the program without HUD and waits for its window.
    pub(crate) fn open(&self, args: &[&str]) -> Demo<'_> {
        self.open_command(self.command(&[args, &BARE].concat()))
    }

    /// Starts the program without HUD, with a log of what it does.
    pub(crate) fn open_with_log(&self, args: &[&str]) -> Demo<'_> {
        let mut command = self.command(&[args, &BARE].concat());
        command.env("RUST_LOG", "error,cubefall=info");
        self.open_command(command)
    }

    /// Starts the program with HUD, and a log of widgets and frames.
    pub(crate) fn open_with_hud(&self, args: &[&str]) -> Demo<'_> {
        self.open_with_preferences(&[args, &BARE[2..]].concat())
    }

    /// Starts the program with HUD and preferences, and a log of widgets and frames.
    pub(crate) fn open_with_preferences(&self, args: &[&str]) -> Demo<'_> {
        let mut command = self.command(args);
        command.env("RUST_LOG", "error,cubefall=debug,cubefall::app::window=trace");
        self.open_command(command)
    }

    pub(crate) fn open_command(&self, command: Command) -> Demo<'_> {
        Demo::open(self, command)
    }

    /// Returns the name of the display.
    pub(crate) fn display(&self) -> &str {
        &self.display
    }

    /// Kills the X server.
    pub(crate) fn crash(&self) {
        kill_process(Pid::from_child(&self.server), Signal::KILL).unwrap();
    }

    /// Runs xdotool. Returns its output.
    pub(crate) fn tool(&self, args: &[&str]) -> String {
        let mut command = Command::new("xdotool");
        let output = command.args(args).env("DISPLAY", &self.display).output();
        let output = output.unwrap_or_else(|error| {
            panic!("xdotool: {error}\nSet up this machine with: ./setup.sh --tests")
        });
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Returns the content of the screen.
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

    /// Waits until the screen no longer changes. Returns its content.
    pub(crate) fn settled(&self) -> Screenshot {
        let start = Instant::now();
        let mut last = self.screenshot();
        loop {
            sleep(POLL * 4);
            let next = self.screenshot();
            if next.difference(&last) == 0.0 {
                return next;
            }
            assert!(start.elapsed() < PATIENCE, "the screen never stops changing");
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

//! Desktop: a virtual display, the demo on it, and hands and eyes for it.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longest wait for anything; a software renderer on a busy machine is slow.
const PATIENCE: Duration = Duration::from_mins(1);
const POLL: Duration = Duration::from_millis(50);

/// An X server of its own with a black screen of 1024x768.
pub(crate) struct Desktop {
    server: Child,
    display: String,
}

impl Desktop {
    pub(crate) fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("Xvfb: {error}\nSet up this machine with: ./setup.sh --tests")
            });
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self { server, display: format!(":{}", number.trim()) }
    }

    /// The program with this display and no other.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubefall"));
        command.args(args).env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env_remove("RUST_LOG");
        command
    }

    /// Starts the demo and waits for its window.
    pub(crate) fn open(&self, args: &[&str]) -> Demo<'_> {
        let mut command = self.command(args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut demo = Demo { desktop: self, child, window: String::new() };
        let start = Instant::now();
        while demo.window.is_empty() {
            demo.assert_running();
            assert!(start.elapsed() < PATIENCE, "no window");
            sleep(POLL);
            let found = self.tool(&["search", "--onlyvisible", "--name", "Cubefall"]);
            found.lines().next().unwrap_or_default().clone_into(&mut demo.window);
        }
        self.tool(&["windowmove", &demo.window, "0", "0"]);
        demo.take_keyboard();
        demo
    }

    fn tool(&self, args: &[&str]) -> String {
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
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(output.stdout)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Screenshot { width: info.width as usize, pixels: bytes.as_chunks().0.to_vec() }
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
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Pixels of the screen.
pub(crate) struct Screenshot {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Screenshot {
    pub(crate) fn colors(&self) -> usize {
        self.pixels.iter().collect::<HashSet<_>>().len()
    }

    /// Share of what is not black here that is different there.
    pub(crate) fn difference(&self, other: &Self) -> f64 {
        let pairs = self.pixels.iter().zip(&other.pixels);
        let different = pairs.filter(|(a, b)| a != b).count();
        let lit = self.pixels.iter().filter(|pixel| **pixel != [0; 3]).count();
        different as f64 / lit.max(1) as f64
    }

    pub(crate) fn is_lit(&self, x: usize, y: usize) -> bool {
        self.pixels[y * self.width + x] != [0; 3]
    }
}

/// The running program and its window.
pub(crate) struct Demo<'a> {
    desktop: &'a Desktop,
    child: Child,
    window: String,
}

impl Demo<'_> {
    fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!("the demo ended with {status}: {}", self.stderr());
        }
    }

    fn stderr(&mut self) -> String {
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    pub(crate) fn wait_until(&mut self, what: &str, mut done: impl FnMut() -> bool) {
        let start = Instant::now();
        while !done() {
            self.assert_running();
            assert!(start.elapsed() < PATIENCE, "waited in vain: {what}");
            sleep(POLL);
        }
    }

    pub(crate) fn wait_for_title(&mut self, says: &[&str]) {
        let (desktop, window) = (self.desktop, self.window.clone());
        self.wait_until(&format!("the title says {says:?}"), || {
            let title = desktop.tool(&["getwindowname", &window]);
            says.iter().all(|text| title.contains(text))
        });
    }

    /// Gives the window the keyboard and waits until it hears it, which takes longer than being
    /// given it.
    fn take_keyboard(&mut self) {
        self.desktop.tool(&["windowfocus", "--sync", &self.window]);
        for shown in [true, false] {
            let start = Instant::now();
            while self.desktop.tool(&["getwindowname", &self.window]).contains("Esc: quit") != shown
            {
                self.assert_running();
                assert!(start.elapsed() < PATIENCE, "the window hears no key");
                self.key("h");
                sleep(POLL * 6);
            }
        }
    }

    pub(crate) fn key(&self, key: &str) {
        self.desktop.tool(&["key", key]);
    }

    pub(crate) fn hold(&self, key: &str) {
        let tool = |args: &[&str]| self.desktop.tool(args);
        tool(&["keydown", key]);
        sleep(Duration::from_millis(800));
        tool(&["keyup", key]);
    }

    pub(crate) fn drag(&self, right: i32, down: i32) {
        let tool = |args: &[&str]| self.desktop.tool(args);
        tool(&["mousemove", "--window", &self.window, "100", "100"]);
        tool(&["mousedown", "1"]);
        tool(&["mousemove_relative", &right.to_string(), &down.to_string()]);
        tool(&["mouseup", "1"]);
    }

    pub(crate) fn resize(&self, width: usize, height: usize) {
        self.desktop.tool(&["windowsize", &self.window, &width.to_string(), &height.to_string()]);
    }

    pub(crate) fn hide_and_show(&mut self) {
        self.desktop.tool(&["windowunmap", &self.window]);
        sleep(POLL);
        self.desktop.tool(&["windowmap", "--sync", &self.window]);
        self.take_keyboard();
    }

    /// Takes the window away without asking.
    pub(crate) fn destroy(&self) {
        self.desktop.tool(&["windowclose", &self.window]);
    }

    /// Waits for the end, which must be a success; what was printed.
    pub(crate) fn wait_for_exit(&mut self) -> String {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the demo does not end");
            sleep(POLL);
        };
        assert!(status.success(), "{status}: {}", self.stderr());
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Demo<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

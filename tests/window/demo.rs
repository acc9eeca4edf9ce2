//! Demo: the running program and its window, with hands and ears for it.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::NamedTempFile;

use super::desktop::{Desktop, PATIENCE, POLL, signal};
use super::drag_source::DragSource;

/// The running program and its window.
pub(crate) struct Demo<'a> {
    desktop: &'a Desktop,
    child: Child,
    stderr: NamedTempFile,
    window: String,
}

impl<'a> Demo<'a> {
    /// Starts it and waits for its window.
    pub(crate) fn open(desktop: &'a Desktop, mut command: Command) -> Self {
        let stderr = NamedTempFile::new().unwrap();
        command.stdout(Stdio::piped()).stderr(stderr.reopen().unwrap());
        let child = command.spawn().unwrap();
        let mut demo = Self { desktop, child, stderr, window: String::new() };
        let start = Instant::now();
        while demo.window.is_empty() {
            demo.assert_running();
            assert!(start.elapsed() < PATIENCE, "no window");
            sleep(POLL);
            let found = desktop.tool(&["search", "--onlyvisible", "--name", "Cubefall"]);
            found.lines().next().unwrap_or_default().clone_into(&mut demo.window);
        }
        desktop.tool(&["windowmove", &demo.window, "0", "0"]);
        demo.take_keyboard();
        demo
    }

    fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!("the demo ended with {status}: {}", self.stderr());
        }
    }

    /// What it has said so far.
    pub(crate) fn stderr(&self) -> String {
        std::fs::read_to_string(self.stderr.path()).unwrap()
    }

    pub(crate) fn wait_until_said(&mut self, what: &str) {
        let path = self.stderr.path().to_owned();
        self.wait_until(&format!("it says {what:?}"), || {
            std::fs::read_to_string(&path).unwrap().contains(what)
        });
    }

    pub(crate) fn wait_until_said_twice(&mut self, what: &str) {
        let path = self.stderr.path().to_owned();
        self.wait_until(&format!("it says {what:?} twice"), || {
            std::fs::read_to_string(&path).unwrap().matches(what).count() == 2
        });
    }

    /// Bytes in memory.
    pub(crate) fn resident(&self) -> u64 {
        let statm = format!("/proc/{}/statm", self.child.id());
        let statm = std::fs::read_to_string(statm).unwrap();
        statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }

    /// Another program's window, out of which files can be dragged onto this one.
    pub(crate) fn drag_source(&self) -> DragSource {
        DragSource::new(self.desktop.display(), self.window.parse().unwrap())
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.child, name);
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

    /// A key that means nothing, many times: so often something happens.
    pub(crate) fn stir(&self) {
        self.desktop.tool(&["key", "--repeat", "30", "--delay", "4", "F4"]);
    }

    /// How many pictures it has said it drew.
    pub(crate) fn pictures(&self) -> usize {
        self.stderr().matches("] frame ").count()
    }

    pub(crate) fn wait_until_drawn_since(&mut self, pictures: usize) {
        let path = self.stderr.path().to_owned();
        self.wait_until("it draws again", || {
            std::fs::read_to_string(&path).unwrap().matches("] frame ").count() > pictures
        });
    }

    /// Where it has said a widget is, once that no longer changes: left, top, width and height.
    fn place(&mut self, widget: &str) -> [i32; 4] {
        let name = format!("widget {widget:?} at ");
        self.wait_until_said(&name);
        let mut last = [0; 4];
        loop {
            let said = self.stderr();
            let place = said.rsplit(&name).next().unwrap().lines().next().unwrap();
            let numbers = place.split([',', ' ', 'x']).map(|number| number.parse().unwrap());
            let place: [i32; 4] = numbers.collect::<Vec<_>>().try_into().unwrap();
            if place == last {
                return place;
            }
            last = place;
            sleep(POLL * 6);
        }
    }

    /// Moves the pointer onto a widget, so far on the way from its left to its right end.
    pub(crate) fn point_at(&mut self, widget: &str, share: f64) {
        let [x, y, width, height] = self.place(widget);
        let at = [f64::from(x) + f64::from(width) * share, f64::from(y) + f64::from(height) / 2.0];
        let [x, y] = at.map(|at| at.round().to_string());
        self.desktop.tool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    pub(crate) fn click_at(&mut self, widget: &str, share: f64) {
        self.point_at(widget, share);
        self.desktop.tool(&["click", "1"]);
    }

    pub(crate) fn click(&mut self, widget: &str) {
        self.click_at(widget, 0.5);
    }

    /// Clicks on a place of the window.
    pub(crate) fn click_on_picture(&self, x: i32, y: i32) {
        let at = [x, y].map(|at| at.to_string());
        self.desktop.tool(&["mousemove", "--window", &self.window, &at[0], &at[1]]);
        self.desktop.tool(&["click", "1"]);
    }

    /// The same while a key is held.
    pub(crate) fn click_on_picture_with(&self, key: &str, x: i32, y: i32) {
        self.desktop.tool(&["keydown", key]);
        self.click_on_picture(x, y);
        self.desktop.tool(&["keyup", key]);
    }

    /// Turns the wheel by a few notches, away from the hand.
    pub(crate) fn scroll_on_picture(&self, x: i32, y: i32) {
        let at = [x, y].map(|at| at.to_string());
        self.desktop.tool(&["mousemove", "--window", &self.window, &at[0], &at[1]]);
        self.desktop.tool(&["click", "--repeat", "3", "4"]);
    }

    /// Types a number where one stands.
    pub(crate) fn enter(&mut self, widget: &str, text: &str) {
        self.click(widget);
        sleep(Duration::from_millis(500));
        self.key("ctrl+a");
        self.type_text(text);
        self.key("Return");
    }

    /// Clicks here and there in the picture until a cube is selected.
    pub(crate) fn select_a_cube(&mut self) {
        let answers = |said: &str| said.matches("] selected ").count();
        for step in 0..60 {
            let before = answers(&self.stderr());
            self.click_on_picture(320 + step * 37 % 360, 120 + step * 53 % 300);
            let path = self.stderr.path().to_owned();
            self.wait_until("the click is answered", || {
                answers(&std::fs::read_to_string(&path).unwrap()) > before
            });
            if !self.stderr().rsplit("] selected ").next().unwrap().starts_with("none") {
                self.desktop.settled();
                return;
            }
        }
        panic!("no cube is anywhere");
    }

    pub(crate) fn type_text(&self, text: &str) {
        self.desktop.tool(&["type", "--delay", "60", text]);
    }

    pub(crate) fn drag(&self, right: i32, down: i32) {
        self.desktop.tool(&["mousemove", "--window", &self.window, "100", "100"]);
        self.drag_from_here(right, down);
    }

    pub(crate) fn drag_from_here(&self, right: i32, down: i32) {
        let tool = |args: &[&str]| self.desktop.tool(args);
        tool(&["mousedown", "1"]);
        tool(&["mousemove_relative", &right.to_string(), &down.to_string()]);
        tool(&["mouseup", "1"]);
    }

    /// Width and height of its window, without a frame.
    pub(crate) fn size(&self) -> [u32; 2] {
        let said = self.desktop.tool(&["getwindowgeometry", "--shell", &self.window]);
        ["WIDTH=", "HEIGHT="].map(|name| {
            let line = said.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{said:?}"))
        })
    }

    pub(crate) fn wait_until_size(&mut self, size: [u32; 2]) {
        let start = Instant::now();
        while self.size() != size {
            self.assert_running();
            assert!(start.elapsed() < PATIENCE, "it is {:?}, not {size:?}", self.size());
            sleep(POLL);
        }
    }

    /// Has the window manager minimise the window.
    pub(crate) fn minimise(&self) {
        self.desktop.tool(&["windowminimize", &self.window]);
    }

    /// Has the window manager show it again.
    pub(crate) fn bring_back(&self) {
        self.desktop.tool(&["windowactivate", "--sync", &self.window]);
    }

    pub(crate) fn resize(&self, width: usize, height: usize) {
        self.desktop.tool(&["windowsize", &self.window, &width.to_string(), &height.to_string()]);
    }

    /// Many sizes in one go, faster than the demo can follow.
    pub(crate) fn resize_to_each(&self, sizes: impl Iterator<Item = (u32, u32)>) {
        let mut args = Vec::new();
        for (width, height) in sizes {
            args.extend(["windowsize".to_owned(), self.window.clone()]);
            args.extend([width.to_string(), height.to_string()]);
        }
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        self.desktop.tool(&args);
    }

    pub(crate) fn move_to(&self, x: i32, y: i32) {
        self.desktop.tool(&["windowmove", &self.window, &x.to_string(), &y.to_string()]);
    }

    /// Says of the window what a window manager says of one that it has put away.
    pub(crate) fn set_minimised(&self, minimised: bool) {
        let state = if minimised { "_NET_WM_STATE_HIDDEN" } else { "_NET_WM_STATE_FOCUSED" };
        let mut command = Command::new("xprop");
        command.args(["-id", &self.window, "-f", "_NET_WM_STATE", "32a"]);
        command.args(["-set", "_NET_WM_STATE", state]).env("DISPLAY", self.desktop.display());
        let status = command.status().unwrap_or_else(|error| {
            panic!("xprop: {error}\nSet up this machine with: ./setup.sh --tests")
        });
        assert!(status.success());
    }

    /// Waits until no more pictures are drawn than it takes to find out whether they can be seen.
    pub(crate) fn wait_until_idle(&mut self) {
        let (desktop, window) = (self.desktop, self.window.clone());
        self.wait_until("it draws no faster than four times a second", || {
            let title = desktop.tool(&["getwindowname", &window]);
            let rate = title.split(" fps").next().and_then(|text| text.rsplit(' ').next());
            rate.and_then(|rate| rate.parse::<u32>().ok()).is_some_and(|rate| rate <= 4)
        });
    }

    /// Waits until the pictures on the screen change.
    pub(crate) fn wait_until_it_moves(&mut self) {
        let desktop = self.desktop;
        let before = desktop.screenshot();
        self.wait_until("the cubes fall", || desktop.screenshot().difference(&before) > 0.01);
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
        let status = self.wait_for_end();
        assert!(status.success(), "{status}: {}", self.stderr());
        let mut text = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Waits for the end, before which nothing may have panicked and no call on the graphics device
    /// may have been wrong.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the demo does not end");
            sleep(POLL);
        };
        assert_sound(&self.stderr());
        status
    }

    pub(crate) fn quit(&mut self) {
        self.key("Escape");
        self.wait_for_exit();
    }
}

/// No panic, and no complaint of the graphics device, which would be logged as an error of ours. A
/// debug build of wgpu logs errors of its own about each driver that is not there.
pub(crate) fn assert_sound(stderr: &str) {
    for unsound in ["panicked", "ERROR cubefall", "ERROR wgpu_core", "Validation", "VALIDATION"] {
        assert!(!stderr.contains(unsound), "{stderr}");
    }
}

impl Drop for Demo<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

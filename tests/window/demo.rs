//! The running program: sends it keys and mouse events, and reads its window title and log.

use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;

use super::desktop::{Desktop, PATIENCE, POLL, SCREEN};
use super::drag_source::DragSource;
use super::screenshot::Screenshot;

/// The running program and its window.
pub(crate) struct Demo<'a> {
    desktop: &'a Desktop,
    child: Child,
    stderr: NamedTempFile,
    window: String,
}

impl<'a> Demo<'a> {
    /// Starts the program and waits for its window.
    pub(crate) fn open(desktop: &'a Desktop, mut command: Command) -> Self {
        let stderr = NamedTempFile::new().unwrap();
        command.stdout(Stdio::null()).stderr(stderr.reopen().unwrap());
        let child = command.spawn().unwrap();
        let mut demo = Self { desktop, child, stderr, window: String::new() };
        let start = Instant::now();
        while demo.window.is_empty() {
            demo.assert_running();
            assert!(start.elapsed() < PATIENCE, "no window opened");
            sleep(POLL);
            let found = desktop.tool(&["search", "--onlyvisible", "--name", "Cubefall"]);
            found.lines().next().unwrap_or_default().clone_into(&mut demo.window);
        }
        desktop.tool(&["windowmove", &demo.window, "0", "0"]);
        demo.take_keyboard();
        demo
    }

    pub(crate) fn assert_running(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!("the program ended with {status}: {}", self.log());
        }
    }

    /// Returns everything written to standard error.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.stderr.path()).unwrap()
    }

    /// Waits until the log contains a text.
    pub(crate) fn wait_for_log(&mut self, text: &str) {
        self.wait_for_log_times(text, 1);
    }

    /// Waits until the log contains one of these texts.
    pub(crate) fn wait_for_any_log(&mut self, texts: &[&str]) {
        let path = self.stderr.path().to_owned();
        self.wait_until(&format!("one of {texts:?} is logged"), || {
            let log = std::fs::read_to_string(&path).unwrap();
            texts.iter().any(|text| log.contains(text))
        });
    }

    /// Waits until the log contains a text this many times.
    pub(crate) fn wait_for_log_times(&mut self, text: &str, times: usize) {
        let path = self.stderr.path().to_owned();
        self.wait_until(&format!("{text:?} is logged {times} times"), || {
            std::fs::read_to_string(&path).unwrap().matches(text).count() >= times
        });
    }

    /// Returns the resident memory in bytes.
    pub(crate) fn resident(&self) -> u64 {
        let statm = format!("/proc/{}/statm", self.child.id());
        let statm = std::fs::read_to_string(statm).unwrap();
        statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
    }

    /// Returns the number of open file descriptors.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// Returns a window of another program to drag files from.
    pub(crate) fn drag_source(&self) -> DragSource {
        DragSource::new(self.desktop.display(), self.window.parse().unwrap())
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn wait_until(&mut self, what: &str, mut done: impl FnMut() -> bool) {
        let start = Instant::now();
        while !done() {
            self.assert_running();
            if start.elapsed() >= PATIENCE {
                let log = self.log();
                let end = log.lines().rev().take(30).collect::<Vec<_>>();
                panic!("timeout: {what}; title {:?}; log, last line first: {end:#?}", self.title());
            }
            sleep(POLL);
        }
    }

    /// Returns the title of the window.
    pub(crate) fn title(&self) -> String {
        self.desktop.tool(&["getwindowname", &self.window])
    }

    /// Waits until the title contains all texts.
    pub(crate) fn wait_for_title(&mut self, texts: &[&str]) {
        self.wait_until_title(&format!("the title contains {texts:?}"), |title| {
            texts.iter().all(|text| title.contains(text))
        });
    }

    /// Waits until the title does not contain a text.
    pub(crate) fn wait_until_title_lacks(&mut self, text: &str) {
        self.wait_until_title(&format!("the title lacks {text:?}"), |title| !title.contains(text));
    }

    fn wait_until_title(&mut self, what: &str, matches: impl Fn(&str) -> bool) {
        let (desktop, window) = (self.desktop, self.window.clone());
        self.wait_until(what, || matches(&desktop.tool(&["getwindowname", &window])));
    }

    /// Gives the window the focus and waits until it reacts to keys, which takes longer.
    fn take_keyboard(&mut self) {
        self.desktop.tool(&["windowfocus", "--sync", &self.window]);
        // Key presses would queue up before the first frames.
        self.wait_until_title("frames are drawn", |title| {
            title.contains(" fps") && !title.contains("- fps")
        });
        for shown in [true, false] {
            let is_set = |demo: &Self| demo.title().contains("Esc: close") == shown;
            let start = Instant::now();
            while !is_set(self) {
                self.assert_running();
                assert!(start.elapsed() < PATIENCE, "the window reacts to no key");
                self.key("h");
                // A second press too early would undo the first one.
                holds_within(Duration::from_secs(5), || is_set(self));
            }
        }
    }

    pub(crate) fn key(&self, key: &str) {
        self.desktop.tool(&["key", key]);
    }

    /// Saves the scene for the `nth` time and reads the file.
    pub(crate) fn saved_scene(&mut self, nth: usize) -> serde_json::Value {
        self.click("save scene");
        self.wait_for_log_times("Saved ", nth);
        let path = self.desktop.folder().join(format!("cubefall-{nth:04}.json"));
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Presses a key while no window has the keyboard, and gives it to this window.
    pub(crate) fn press_before_focus(&self, key: &str) {
        // 1: the window below the pointer, here the background.
        let corner = SCREEN.map(|side| (side - 1).to_string());
        self.desktop.tool(&["mousemove", &corner[0], &corner[1], "windowfocus", "1"]);
        self.desktop.tool(&["keydown", key]);
        self.desktop.tool(&["windowfocus", "--sync", &self.window]);
        // The window looks up which keys are down while it handles the focus.
        sleep(Duration::from_secs(1));
    }

    /// Flies with a key for a while. Nothing else may move.
    pub(crate) fn fly(&mut self, key: &str) {
        let desktop = self.desktop;
        let before = desktop.screenshot();
        desktop.tool(&["keydown", key]);
        self.wait_until("the camera flies", || desktop.screenshot().difference(&before) > 0.01);
        sleep(Duration::from_millis(800));
        desktop.tool(&["keyup", key]);
    }

    /// Makes an input, and waits until it has changed the screen and the screen no longer changes.
    pub(crate) fn changes(&mut self, by: impl FnOnce(&mut Self)) -> Screenshot {
        let desktop = self.desktop;
        let before = desktop.settled();
        by(self);
        self.wait_until("the screen changes", || desktop.screenshot().difference(&before) > 0.01);
        desktop.settled()
    }

    pub(crate) fn hold(&self, key: &str) {
        let tool = |args: &[&str]| self.desktop.tool(args);
        tool(&["keydown", key]);
        sleep(Duration::from_millis(800));
        tool(&["keyup", key]);
    }

    /// Sends events that change nothing, each of which draws a frame.
    pub(crate) fn press_unbound_keys(&self) {
        self.desktop.tool(&["key", "--repeat", "30", "--delay", "4", "F4"]);
    }

    /// Returns the number of frames in the log.
    pub(crate) fn frames(&self) -> usize {
        self.log().matches("] frame ").count()
    }

    pub(crate) fn wait_until_drawn_since(&mut self, frames: usize) {
        self.wait_for_log_times("] frame ", frames + 1);
    }

    /// Returns the rectangle of a widget from the log, once it is stable: left, top, width, height.
    pub(crate) fn place(&mut self, widget: &str) -> [i32; 4] {
        let name = format!("widget {widget:?} at ");
        self.wait_for_log(&name);
        let mut last = [0; 4];
        loop {
            let text = self.log();
            let place = text.rsplit(&name).next().unwrap().lines().next().unwrap();
            let numbers = place.split([',', ' ', 'x']).map(|number| number.parse().unwrap());
            let place: [i32; 4] = numbers.collect::<Vec<_>>().try_into().unwrap();
            if place == last {
                return place;
            }
            last = place;
            sleep(POLL * 6);
        }
    }

    /// Waits until the log has a rectangle of a widget other than this one.
    pub(crate) fn wait_for_new_place(&mut self, widget: &str, [x, y, width, height]: [i32; 4]) {
        let name = format!("widget {widget:?} at ");
        let old = format!("{x},{y} {width}x{height}");
        let path = self.stderr.path().to_owned();
        self.wait_until(&format!("{widget} moves away from {old}"), || {
            let log = std::fs::read_to_string(&path).unwrap();
            log.rsplit(&name).next().is_some_and(|place| !place.starts_with(&old))
        });
    }

    /// Moves the pointer onto a widget; `share` is 0 at its left end and 1 at its right end.
    pub(crate) fn point_at(&mut self, widget: &str, share: f64) {
        let [x, y, width, height] = self.place(widget);
        let at = [f64::from(x) + f64::from(width) * share, f64::from(y) + f64::from(height) / 2.0];
        let [x, y] = at.map(|at| at.round().to_string());
        self.desktop.tool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    /// Moves the pointer to a place in the window.
    pub(crate) fn move_pointer(&self, x: i32, y: i32) {
        let [x, y] = [x, y].map(|at| at.to_string());
        self.desktop.tool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    pub(crate) fn click_at(&mut self, widget: &str, share: f64) {
        self.point_at(widget, share);
        self.desktop.tool(&["click", "1"]);
    }

    pub(crate) fn click(&mut self, widget: &str) {
        self.click_at(widget, 0.5);
    }

    /// Clicks at a window position.
    pub(crate) fn click_on_scene(&self, x: i32, y: i32) {
        self.move_pointer(x, y);
        self.desktop.tool(&["click", "1"]);
    }

    /// Clicks at a window position while a key is held.
    pub(crate) fn click_on_scene_with(&self, key: &str, x: i32, y: i32) {
        self.desktop.tool(&["keydown", key]);
        self.click_on_scene(x, y);
        self.desktop.tool(&["keyup", key]);
    }

    /// Scrolls up by three notches at a window position.
    pub(crate) fn scroll_on_scene(&self, x: i32, y: i32) {
        self.move_pointer(x, y);
        self.desktop.tool(&["click", "--repeat", "3", "4"]);
    }

    /// Replaces the number of a widget.
    pub(crate) fn enter(&mut self, widget: &str, text: &str) {
        self.click(widget);
        self.key("ctrl+a");
        self.type_text(text);
        self.key("Return");
    }

    /// Clicks at several positions until a cube is selected.
    pub(crate) fn select_a_cube(&mut self) {
        let results = |text: &str| text.matches("] selected ").count();
        for step in 0..60 {
            let before = results(&self.log());
            self.click_on_scene(320 + step * 37 % 360, 120 + step * 53 % 300);
            let path = self.stderr.path().to_owned();
            self.wait_until("the click is handled", || {
                results(&std::fs::read_to_string(&path).unwrap()) > before
            });
            if !self.log().rsplit("] selected ").next().unwrap().starts_with("none") {
                self.desktop.settled();
                return;
            }
        }
        panic!("no cube found");
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
        tool(&["mousemove_relative", "--", &right.to_string(), &down.to_string()]);
        tool(&["mouseup", "1"]);
    }

    /// Returns width and height of the window without its frame.
    pub(crate) fn size(&self) -> [u32; 2] {
        let text = self.desktop.tool(&["getwindowgeometry", "--shell", &self.window]);
        ["WIDTH=", "HEIGHT="].map(|name| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{text:?}"))
        })
    }

    pub(crate) fn wait_until_size(&mut self, size: [u32; 2]) {
        self.assert_running();
        let is_reached = holds_within(PATIENCE, || self.size() == size);
        assert!(is_reached, "the size is {:?}, not {size:?}", self.size());
    }

    /// Maximizes or restores the window, as its window manager does.
    pub(crate) fn double_click_title_bar(&self) {
        self.desktop.tool(&["mousemove", "--window", &self.window, "200", "-10"]);
        self.desktop.tool(&["click", "--repeat", "2", "--delay", "50", "1"]);
    }

    /// Asks the window manager to minimize the window.
    pub(crate) fn minimize(&self) {
        self.desktop.tool(&["windowminimize", &self.window]);
    }

    /// Asks the window manager to restore the window.
    pub(crate) fn bring_back(&self) {
        self.desktop.tool(&["windowactivate", "--sync", &self.window]);
    }

    pub(crate) fn resize(&self, width: usize, height: usize) {
        self.desktop.tool(&["windowsize", &self.window, &width.to_string(), &height.to_string()]);
    }

    /// Sets many sizes at once, faster than the program can follow.
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

    /// Marks the window as minimized, as a window manager does.
    pub(crate) fn set_minimized(&self, minimized: bool) {
        let state = if minimized { "_NET_WM_STATE_HIDDEN" } else { "_NET_WM_STATE_FOCUSED" };
        let mut command = Command::new("xprop");
        command.args(["-id", &self.window, "-f", "_NET_WM_STATE", "32a"]);
        command.args(["-set", "_NET_WM_STATE", state]).env("DISPLAY", self.desktop.display());
        let status = command.status().unwrap_or_else(|error| {
            panic!("xprop: {error}\nSet up this machine with: ./setup.sh --tests")
        });
        assert!(status.success());
    }

    /// Waits until no frame is drawn, and so the title has no frame rate.
    pub(crate) fn wait_until_idle(&mut self) {
        self.wait_until_title_lacks(" fps");
    }

    /// Waits until the screen changes.
    pub(crate) fn wait_until_it_moves(&mut self) {
        let desktop = self.desktop;
        let before = desktop.screenshot();
        self.wait_until("the frame changes", || desktop.screenshot().difference(&before) > 0.01);
    }

    pub(crate) fn hide_and_show(&mut self) {
        self.desktop.tool(&["windowunmap", &self.window]);
        sleep(POLL);
        self.desktop.tool(&["windowmap", "--sync", &self.window]);
        self.take_keyboard();
    }

    /// Waits for a successful end.
    pub(crate) fn wait_for_exit(&mut self) {
        let status = self.wait_for_end();
        assert!(status.success(), "{status}: {}", self.log());
    }

    /// Waits for the end, and checks that nothing panicked and no graphics call was invalid.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        let has_ended = holds_within(PATIENCE, || self.child.try_wait().unwrap().is_some());
        assert!(has_ended, "the program does not end: {}", self.log());
        assert_no_errors(&self.log());
        self.child.wait().unwrap()
    }

    /// Presses Esc until the program ends: the first presses may cancel or deselect.
    pub(crate) fn quit(&mut self) {
        for _ in 0..4 {
            self.key("Escape");
            if holds_within(Duration::from_secs(3), || self.child.try_wait().unwrap().is_some()) {
                break;
            }
        }
        self.wait_for_exit();
    }
}

/// Polls a condition until it holds. Returns `false` if it does not in time.
fn holds_within(time: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() >= time {
            return false;
        }
        sleep(POLL);
    }
    true
}

/// Checks for panics and graphics errors. Errors of wgpu about missing drivers are fine.
pub(crate) fn assert_no_errors(stderr: &str) {
    for error in ["panicked", "ERROR cubefall", "ERROR wgpu_core", "Validation", "VALIDATION"] {
        assert!(!stderr.contains(error), "{stderr}");
    }
}

impl Drop for Demo<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

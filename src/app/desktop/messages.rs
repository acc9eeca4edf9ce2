//! Small functions of `host` on a desktop: title, messages in the terminal, clipboard, share text, signals and sleep.

use std::time::Duration;

use winit::window::Window;

use crate::cli::SharedView;
use crate::render::Gpu;
use crate::{interrupt, output};

/// Shows the title of the window.
pub(in crate::app) fn show_title(window: &Window, title: &str) {
    // With the frames of GNOME, each title leads to another frame.
    if window.title() != title {
        window.set_title(title);
    }
}

/// Logs a message of the HUD.
pub(in crate::app) fn announce(message: &str) {
    log::info!("{message}");
}

/// Prints a message of the HUD about a failure.
pub(in crate::app) fn announce_failure(message: &str) {
    output::diagnostic(&message);
}

/// Copies a text with `by_window`, which uses the clipboard of the window system. Returns whether there is a clipboard, if
/// that is known at once.
#[expect(clippy::unnecessary_wraps, reason = "a browser knows it later")]
pub(in crate::app) fn copy(text: &str, by_window: impl FnOnce(String)) -> Option<bool> {
    by_window(text.to_owned());
    Some(true)
}

/// Returns whether a window can fill the screen.
pub(in crate::app) fn has_fullscreen() -> bool {
    true
}

/// Returns whether fingers are the main way to point: unknown, but windows have keys.
pub(in crate::app) fn is_touched() -> bool {
    false
}

/// Returns whether the user asked the system for less motion: unknown.
pub(in crate::app) fn reduces_motion() -> bool {
    false
}

/// Returns the text that opens a view.
pub(in crate::app) fn link(view: &SharedView) -> String {
    view.to_string()
}

/// Warns that there is no GPU, because frame times of a software adapter say nothing about one.
pub(in crate::app) fn warn_of_software(gpu: &Gpu) {
    output::diagnostic(&format_args!(
        "rendering on the CPU with {}, which is slow; install a GPU driver if this machine has a GPU",
        gpu.summary(),
    ));
}

/// Returns whether a signal asks the program to end.
pub(in crate::app) fn is_ending() -> bool {
    interrupt::received().is_some()
}

/// Sleeps.
pub(in crate::app) async fn sleep(duration: Duration) {
    std::thread::sleep(duration);
}

//! Panics while a window is open.
//!
//! The windowing library panics when its window or the display is gone. Unwinding would drop the window
//! and its surface, which use the same connection: they panic again, and the process aborts. So the
//! process ends in the panic hook, with a message and an exit code, and nothing is dropped.

use std::panic::{self, PanicHookInfo};
use std::process;

use crate::app::error::AppError;
use crate::output;
use crate::render::is_panic_caught;

/// Exit code after a defect, the same as that of a panic.
const DEFECT: i32 = 101;

/// Parts of the paths of the windowing library and of the libraries that it calls.
const WINDOWING: [&str; 5] = ["/winit-", "/egui-winit-", "/x11rb-", "/calloop-", "wayland-"];

/// Parts of the messages about a window that does not exist.
const NO_WINDOW: [&str; 4] =
    ["error_kind: Drawable", "error_kind: Window", "BadWindow", "BadDrawable"];

/// Why the program panicked.
#[derive(PartialEq, Eq, Debug)]
enum Cause {
    /// Another program closed the window.
    WindowClosed,
    /// The window system failed.
    WindowSystem,
    /// The system refuses a thread to a library.
    NoThread,
    /// There is a defect in this program.
    Defect,
}

impl Cause {
    fn of(file: &str, message: &str) -> Self {
        let file = file.replace('\\', "/");
        if message.starts_with("failed to spawn thread") {
            Self::NoThread
        } else if !WINDOWING.iter().any(|part| file.contains(part)) {
            Self::Defect
        } else if NO_WINDOW.iter().any(|part| message.contains(part)) {
            Self::WindowClosed
        } else {
            Self::WindowSystem
        }
    }
}

/// Makes every panic from now on end the process. `closed` is the result of the program if another
/// program closes the window.
pub(in crate::app) fn end_process(closed: fn() -> Result<(), AppError>) {
    let print_panic = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if is_panic_caught(info) {
            return;
        }
        let message = message(info);
        let result =
            match Cause::of(info.location().map_or("", |location| location.file()), message) {
                Cause::WindowClosed => closed(),
                Cause::WindowSystem => {
                    log::debug!("{message}");
                    Err(AppError::window(reason(message)))
                }
                Cause::NoThread => Err(AppError::NoThread),
                Cause::Defect => {
                    print_panic(info);
                    process::exit(DEFECT);
                }
            };
        process::exit(result.map_or_else(
            |error| {
                output::diagnostic(&error);
                error.exit_code().into()
            },
            |()| 0,
        ));
    }));
}

/// Returns why the window system failed.
fn reason(message: &str) -> &'static str {
    if message.contains("UnsupportedExtension") {
        "the display lacks an X11 extension that windows need, such as RANDR"
    } else {
        "the connection to the display is lost, or it refused a request"
    }
}

fn message<'a>(info: &'a PanicHookInfo<'_>) -> &'a str {
    info.payload_as_str().unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_attributed_by_its_file_and_message() {
        let winit =
            "/home/me/.cargo/registry/src/x/winit-0.30.13/src/platform_impl/linux/x11/window.rs";
        let gone = "called `Result::unwrap()` on an `Err` value: X11(X11Error { error_kind: Drawable, ... })";
        assert_eq!(Cause::of(winit, gone), Cause::WindowClosed);
        assert_eq!(Cause::of(winit, "Failed to set window title"), Cause::WindowSystem);
        assert_eq!(Cause::of(&winit.replace('/', "\\"), gone), Cause::WindowClosed);
        assert_eq!(Cause::of("src/app/window.rs", gone), Cause::Defect);
        assert!(
            reason("Err value: Connection(UnsupportedExtension)")
                .contains("lacks an X11 extension")
        );
        assert!(reason("Failed to set window title").contains("connection to the display is lost"));
        let refused = "failed to spawn thread: Os { code: 11, kind: WouldBlock }";
        assert_eq!(Cause::of("library/std/src/thread/functions.rs", refused), Cause::NoThread);
    }
}

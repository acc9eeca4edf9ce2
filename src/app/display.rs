//! Display: finds the one to open a window on.

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;
use winit::window::Window;

use super::AppError;

/// Connects to the display. This can be done only once in a process, so what would make it fail is
/// looked at before.
pub(super) fn connect() -> Result<EventLoop<()>, AppError> {
    let mut builder = EventLoop::builder();
    #[cfg(all(unix, not(target_vendor = "apple")))]
    unix::choose(&mut builder)?;
    builder.build().map_err(|error| AppError::NoDisplay(reason(&error)))
}

/// Pictures that the display a window lies on shows in a second, if the window system says.
pub(super) fn refresh_hz(window: &Window) -> Option<f64> {
    Some(f64::from(window.current_monitor()?.refresh_rate_millihertz()?) / 1e3)
}

/// What the window system says, without the line of source that it names, and which display it is.
fn reason(error: &EventLoopError) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(".rs:").map_or(text.as_str(), |(_, said)| {
        said.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(": ")
    });
    let displays = ["WAYLAND_DISPLAY", "DISPLAY"].map(|name| (name, std::env::var(name)));
    let named: Vec<_> = displays
        .into_iter()
        .filter_map(|(name, value)| value.ok().map(|value| format!("{name}={value}")))
        .collect();
    if named.is_empty() { text.to_owned() } else { format!("{text} ({})", named.join(", ")) }
}

#[cfg(all(unix, not(target_vendor = "apple")))]
mod unix {
    use std::env;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};

    use winit::event_loop::EventLoopBuilder;
    use winit::platform::x11::EventLoopBuilderExtX11;

    use super::AppError;

    const SCALE_VARIABLE: &str = "WINIT_X11_SCALE_FACTOR";

    /// Takes X11 where a Wayland display is named but nobody answers there, as after a session has
    /// ended.
    pub(super) fn choose(builder: &mut EventLoopBuilder<()>) -> Result<(), AppError> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let (wayland, socket, x11) =
            (set("WAYLAND_DISPLAY"), set("WAYLAND_SOCKET"), set("DISPLAY"));
        let answers = wayland.is_some_and(|name| {
            let folder = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default();
            UnixStream::connect(folder.join(Path::new(&name))).is_ok()
        });
        if answers || socket.is_some() {
            return Ok(());
        }
        if x11.is_none() {
            let reason = "no display answers at WAYLAND_DISPLAY, and DISPLAY is not set";
            return Err(AppError::NoDisplay(reason.into()));
        }
        if let Some(scale) = set(SCALE_VARIABLE) {
            check_scale(&scale.to_string_lossy())?;
        }
        builder.with_x11();
        Ok(())
    }

    /// The window library panics over a scale it cannot use.
    pub(super) fn check_scale(text: &str) -> Result<(), AppError> {
        let usable = text.parse::<f64>().is_ok_and(|scale| (0.1..=10.0).contains(&scale));
        if usable || text.eq_ignore_ascii_case("randr") {
            return Ok(());
        }
        Err(AppError::Window(format!(
            "{SCALE_VARIABLE} is {text:?}, but must be a number from 0.1 to 10, \"randr\", or unset"
        )))
    }
}

#[cfg(all(test, unix, not(target_vendor = "apple")))]
mod tests {
    use super::unix::check_scale;

    #[test]
    fn scales_the_window_library_would_panic_over_are_refused() {
        assert!(["1", "2.5", "randr", "RandR"].into_iter().all(|scale| check_scale(scale).is_ok()));
        assert!(
            ["", "x", "0", "-1", "nan", "inf", "1e300"]
                .into_iter()
                .all(|scale| check_scale(scale).is_err())
        );
    }
}

//! Chooses the display and connects to it.

use winit::error::EventLoopError;
use winit::event_loop::EventLoop;
use winit::monitor::MonitorHandle;

use super::panics;
use crate::app::error::AppError;

/// Connects to the display. winit allows this once in a process, so common failures are checked before.
///
/// From then on every panic ends the process. `closed` is the result of the program if another program
/// closes the window.
pub(in crate::app) fn connect(
    closed: fn() -> Result<(), AppError>,
) -> Result<EventLoop<()>, AppError> {
    let mut builder = EventLoop::builder();
    #[cfg(all(unix, not(target_vendor = "apple")))]
    unix::choose(&mut builder)?;
    panics::end_process(closed);
    builder.build().map_err(|error| AppError::NoDisplay(reason(&error)))
}

/// Returns the refresh rate of a monitor in Hz, if the window system reports it.
pub(in crate::app) fn refresh_hz(monitor: Option<MonitorHandle>) -> Option<f64> {
    // Windows reports 0 or 1 Hz for the default of the hardware, which is unknown.
    let rate = monitor?.refresh_rate_millihertz().filter(|&rate| rate > 1000)?;
    Some(f64::from(rate) / 1e3)
}

/// Returns the message of an error without the source line that winit puts before it, and the displays
/// that the environment names.
fn reason(error: &EventLoopError) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(".rs:").map_or(text.as_str(), |(_, message)| {
        message.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(": ")
    });
    let displays: Vec<_> = ["WAYLAND_DISPLAY", "DISPLAY"]
        .into_iter()
        .filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)))
        .collect();
    if displays.is_empty() { text.to_owned() } else { format!("{text} ({})", displays.join(", ")) }
}

#[cfg(all(unix, not(target_vendor = "apple")))]
mod unix {
    use std::env;
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};

    use winit::event_loop::EventLoopBuilder;
    use winit::platform::x11::EventLoopBuilderExtX11;

    use super::AppError;
    use crate::error_text;

    const SCALE_VARIABLE: &str = "WINIT_X11_SCALE_FACTOR";

    /// Chooses X11 if the environment names a Wayland display that does not exist, as after the end of a
    /// session.
    pub(in crate::app) fn choose(builder: &mut EventLoopBuilder<()>) -> Result<(), AppError> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty());
        let wayland = set("WAYLAND_DISPLAY").map(|name| {
            let folder = set("XDG_RUNTIME_DIR").map(PathBuf::from).unwrap_or_default();
            let socket = folder.join(Path::new(&name));
            UnixStream::connect(&socket).map_err(|error| (socket, error))
        });
        if matches!(wayland, Some(Ok(_))) || set("WAYLAND_SOCKET").is_some() {
            return Ok(());
        }
        if set("DISPLAY").is_none() {
            let reason = match wayland {
                Some(Err((socket, error))) => format!(
                    "no display at {}, which WAYLAND_DISPLAY and XDG_RUNTIME_DIR name ({}), and DISPLAY is not set",
                    error_text::path(&socket),
                    error_text::io(&error)
                ),
                _ => "no display: neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned(),
            };
            return Err(AppError::NoDisplay(reason));
        }
        if let Some(scale) = set(SCALE_VARIABLE) {
            check_scale(&scale.to_string_lossy())?;
        }
        builder.with_x11();
        Ok(())
    }

    /// Refuses a scale factor that makes winit panic.
    pub(in crate::app) fn check_scale(text: &str) -> Result<(), AppError> {
        let usable = text.parse::<f64>().is_ok_and(|scale| (0.1..=10.0).contains(&scale));
        if usable || text.eq_ignore_ascii_case("randr") {
            return Ok(());
        }
        Err(AppError::Variable(format!(
            "{SCALE_VARIABLE} is {text:?}; set it to a number from 0.1 to 10 or to \"randr\", or unset it"
        )))
    }
}

#[cfg(all(test, unix, not(target_vendor = "apple")))]
mod tests {
    use super::unix::check_scale;

    #[test]
    fn scale_factors_that_make_winit_panic_are_refused() {
        assert!(["1", "2.5", "randr", "RandR"].into_iter().all(|scale| check_scale(scale).is_ok()));
        assert!(
            ["", "x", "0", "-1", "nan", "inf", "1e300"]
                .into_iter()
                .all(|scale| check_scale(scale).is_err())
        );
    }
}

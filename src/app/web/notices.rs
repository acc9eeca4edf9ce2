//! Messages about work that the browser finishes later, such as a video or a copy to the clipboard.

use std::cell::OnceCell;

use crate::hud::Tone;

type Show = Box<dyn Fn(Tone, String)>;

thread_local! {
    static SHOW: OnceCell<Show> = const { OnceCell::new() };
}

/// Sets the function that shows messages. Only the first call counts.
pub(super) fn show_with(show: impl Fn(Tone, String) + 'static) {
    SHOW.with(|cell| {
        let _ = cell.set(Box::new(show));
    });
}

/// Shows a message when the event loop runs again.
pub(super) fn notify(tone: Tone, message: String) {
    SHOW.with(|cell| {
        if let Some(show) = cell.get() {
            show(tone, message);
        }
    });
}

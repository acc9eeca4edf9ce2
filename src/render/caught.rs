//! Panics of wgpu that are errors of a driver.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// Place of the last panic that was caught.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Tells a panic hook whether the renderer catches a panic, to return it as an error: then it must not be printed.
pub fn is_panic_caught(info: &PanicHookInfo<'_>) -> bool {
    if IS_CAUGHT.get() {
        PLACE.set(info.location().map(ToString::to_string));
    }
    IS_CAUGHT.get()
}

/// A panic that was caught.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct CaughtPanic {
    message: String,
    /// File and line, if a hook calls [`is_panic_caught`].
    place: Option<String>,
}

impl CaughtPanic {
    /// Panics again.
    pub(super) fn panic(&self) -> ! {
        let place = self.place.as_deref().unwrap_or("an unknown place");
        panic!("{} (at {place})", self.message)
    }
}

/// Prints the message.
impl fmt::Display for CaughtPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Makes calls that may panic.
pub(super) fn caught<R>(calls: impl FnOnce() -> R) -> Result<R, CaughtPanic> {
    let was_caught = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(calls));
    IS_CAUGHT.set(was_caught);
    result.map_err(|panic| CaughtPanic { message: message(&*panic), place: PLACE.take() })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_returned_as_its_message() {
        let text = |calls: fn()| caught(calls).unwrap_err().to_string();
        assert_eq!(caught(|| 7), Ok(7));
        assert_eq!(text(|| panic!("lost at {}", 3)), "lost at 3");
        assert_eq!(text(|| panic!("lost")), "lost");
        let again = text(|| caught(|| panic!("lost")).unwrap_or_else(|panic| panic.panic()));
        assert!(again.starts_with("lost (at "), "{again}");
        assert!(caught(|| IS_CAUGHT.get()).unwrap() && !IS_CAUGHT.get());
    }
}

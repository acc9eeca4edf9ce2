//! Panics of wgpu that are errors of a driver.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns `true` on a thread whose panic the renderer catches, to return it as an error: no panic hook needs to print it.
pub fn is_panic_caught() -> bool {
    IS_CAUGHT.get()
}

/// Makes calls, and returns the message of a panic.
pub(super) fn caught<R>(calls: impl FnOnce() -> R) -> Result<R, String> {
    let was_caught = IS_CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(calls));
    IS_CAUGHT.set(was_caught);
    result.map_err(|panic| message(&*panic))
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
        assert_eq!(caught(|| 7), Ok(7));
        let inner = || assert!(is_panic_caught(), "not silent");
        assert_eq!(caught(|| caught(inner)), Ok(Ok(())));
        assert_eq!(caught(|| panic!("lost at {}", 3)), Err::<(), _>("lost at 3".to_owned()));
        assert_eq!(caught(|| panic!("lost")), Err::<(), _>("lost".to_owned()));
        assert!(!is_panic_caught());
    }
}

//! Output: files that are replaced atomically, standard output and standard error.

#[cfg(feature = "cli")]
mod console;
mod file;

#[cfg(feature = "cli")]
pub use self::console::{StdoutError, diagnostic, print, status};
pub use self::file::{OutputError, OutputFile};

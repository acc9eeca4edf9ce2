//! Output: files that are replaced atomically, standard output and standard error.

#[cfg(feature = "cli")]
mod console;
mod file;
mod temporary;

#[cfg(feature = "cli")]
pub use self::console::{StdoutError, diagnostic, print, print_bytes, printed, status};
pub use self::file::{
    NewFile, OutputError, OutputFile, StagedFile, is_same_file, numbered, refuse_link,
};
pub use self::temporary::{TemporaryFile, remove_temporary_files};

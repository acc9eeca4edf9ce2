//! Export: a result in the formats of other programs.
//!
//! Frames that may not be compared with others ([`FrameStatus`](super::FrameStatus)) are left out of
//! the tables of frames, while their clock goes on; the trace shows them and says what they are. What
//! is not known stays unknown in each format's own way and is never 0. `docs/benchmark-files.md` says
//! for people what each file is.

mod bencher;
mod capframex;
mod date;
mod format;
mod hyperfine;
mod mangohud;
mod markdown;
mod plain;
mod timeline;
mod trace;

pub use format::{ExportFile, ExportFormat};

//! Export: a result in the formats of other programs.
//!
//! Tables of frames leave out [invalid frames](super::FrameStatus), but their time still passes; the trace
//! shows them with their status. An unknown value is empty, `NA` or `null`, as the format wants it, and
//! never 0. `docs/benchmark-files.md` describes each file.

mod bencher;
mod capframex;
mod csv;
mod format;
mod frame_times;
mod hyperfine;
mod mangohud;
mod markdown;
mod sanitize;
mod trace;

pub use format::ExportFormat;

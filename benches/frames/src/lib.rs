//! Whole frames of one scene, drawn by programs that have nothing else in common.
//!
//! Each contestant is a program of its own (`src/bin`), which draws so many frames and prints one
//! line of JSON; the program `frames` runs them in turns and prints tables. What they share is here.
//!
//! | file | holds |
//! |---|---|
//! | `contestant` | who there is and what each can do |
//! | `options` | flags of a contestant |
//! | `scene` | the cubes at the start, the camera, and one step of plain arrays |
//! | `stopwatch`, `report` | how time is taken, and what is said about it |
//! | `window` | a winit window that draws as fast as it can |

mod contestant;
mod options;
mod report;
mod scene;
mod stopwatch;
mod window;

use std::error::Error;
use std::process::ExitCode;

pub use contestant::Contestant;
pub use options::{Mode, Options, size_flag};
pub use report::{Report, Summary};
pub use scene::{Cubes, HALF_EXTENT, STEP, Scene, simulation};
pub use stopwatch::{Part, Stopwatch};
pub use window::{check_display, run_in_window};

/// What can go wrong in a contestant; said in one line, then it ends.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Runs a contestant: its flags in, its report out on standard output.
pub fn run(
    contestant: Contestant,
    measure: impl FnOnce(&Options) -> Outcome<Stopwatch>,
) -> ExitCode {
    let options = Options::parse(contestant);
    let report = || {
        if options.mode() == Mode::Window {
            check_display()?;
        }
        let watch = measure(&options)?;
        Ok(Report::new(contestant, &options, &watch)?.print()?)
    };
    let done: Outcome<()> = report();
    if let Err(error) = done {
        eprintln!("{}: {error}", contestant.program());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

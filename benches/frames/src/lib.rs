//! Frame times of one scene in different renderers.
//!
//! Each contestant is a program in `src/bin` that draws a number of frames and prints one line of JSON.
//! The program `frames` runs them in turns and prints tables. This library is what they share.
//!
//! | file | contents |
//! |---|---|
//! | `contestant` | the contestants and what each supports |
//! | `options` | flags of a contestant |
//! | `scene` | the cubes at the start, the camera, and one step of plain arrays |
//! | `stopwatch`, `report` | measuring time, and the JSON line |
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
pub use options::{Mode, Options};
pub use report::{Report, Summary};
pub use scene::{Cubes, HALF_EXTENT, STEP, Scene, simulation};
pub use stopwatch::{Part, Stopwatch};
pub use window::{check_display, run_in_window};

/// Error of a contestant, printed before it exits.
pub type Outcome<T> = Result<T, Box<dyn Error>>;

/// Runs a contestant: parses its flags and prints its report.
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

//! `cubefall` without a subcommand: the demo window.

use std::path::Path;
use std::process::ExitCode;

use super::{CommandError, render};
use crate::app::{self, AppError};
use crate::cli::{ImageOutput, WindowArgs};
use crate::interrupt;
use crate::output;

/// Opens the window. Without a display it renders one image instead, unless a display is required.
pub(super) fn run(args: &WindowArgs) -> Result<ExitCode, CommandError> {
    match app::run(args) {
        Err(AppError::NoDisplay(reason)) if !args.require_display => {
            output::diagnostic(&format!(
                "{reason}: rendering an image off screen instead of opening a window"
            ));
            let mut image = args.without_display();
            if let ImageOutput::File(path) = &mut image.out
                && path.exists()
            {
                // An image of the user is not replaced.
                *path = output::unused_path(Path::new(""), "cubes", "png");
            }
            render::run(&image)?;
        }
        result => result?,
    }
    Ok(interrupt::received().unwrap_or(0).into())
}

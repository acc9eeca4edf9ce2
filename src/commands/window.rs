//! `cubefall` without a subcommand: the demo window.

use std::process::ExitCode;

use super::{CommandError, render};
use crate::app::{self, AppError};
use crate::cli::WindowArgs;
use crate::interrupt;
use crate::output;

/// Opens the window. Without a display it renders one image instead, unless a display is required.
pub(super) fn run(args: &WindowArgs) -> Result<ExitCode, CommandError> {
    match app::run(args) {
        Err(AppError::NoDisplay(reason)) if !args.require_display => {
            output::diagnostic(&format!(
                "{reason}: rendering an image off screen instead of opening a window"
            ));
            render::run_without_display(&args.without_display())?;
        }
        result => result?,
    }
    Ok(interrupt::received().unwrap_or(0).into())
}

//! `cubefall` without a subcommand: the demo window.

use std::iter;
use std::path::Path;
use std::process::ExitCode;

use super::{CommandError, render};
use crate::app::{self, AppError};
use crate::cli::{DEFAULT_IMAGE, RenderArgs, WindowArgs};
use crate::error_text;
use crate::interrupt;
use crate::output::{self, NewFile};

/// Opens the window. Without a display it renders one image instead, unless a display is required.
pub(super) fn run(args: &WindowArgs) -> Result<ExitCode, CommandError> {
    match app::run(args) {
        Err(AppError::NoDisplay(reason)) if !args.require_display => {
            output::diagnostic(&format!(
                "{reason}: rendering an image off screen instead of opening a window"
            ));
            render_image(&args.without_display())?;
        }
        result => result?,
    }
    Ok(interrupt::received().unwrap_or(0).into())
}

/// Renders in place of the window. The user chose no name, so the file replaces no other.
fn render_image(args: &RenderArgs) -> Result<(), CommandError> {
    let numbered = output::numbered(Path::new(""), "cubes", "png");
    let file = NewFile::create(iter::once(DEFAULT_IMAGE.into()).chain(numbered))?;
    let (image, summary) = render::draw(args)?;
    let path = file.write(|to| image.write_png(to))?;
    Ok(output::print(&format!("wrote {}: {summary}", error_text::path(&path)))?)
}

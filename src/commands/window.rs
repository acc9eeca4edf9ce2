//! `cubefall`: the window, or a picture where there is no display.

use std::path::PathBuf;

use super::{Failure, render, text};
use crate::app::{self, AppError};
use crate::cli::{RenderArgs, RunArgs, WindowArgs};

pub(super) fn run(args: &WindowArgs) -> Result<(), Failure> {
    match app::run(args) {
        Err(AppError::NoDisplay(reason)) if !args.window => {
            text::remark(&format!("{reason}: drawing a picture off screen instead of a window"));
            render::run(&RenderArgs {
                scene: args.scene,
                run: RunArgs::default(),
                size: args.size,
                out: PathBuf::from("cubes.png"),
            })
        }
        result => Ok(result?),
    }
}

//! Screenshots and scenes that the page saves: downloads.

use std::io::{self, Write};

use super::page;
use crate::app::error::AppError;
use crate::app::output::Output;
use crate::output::OutputError;

/// Downloads a file. Returns its name, for a message.
pub(in crate::app) fn save(
    what: Output,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<String, AppError> {
    let name = match what {
        Output::Screenshot => "cubefall.png",
        Output::Scene => "cubefall.json",
        Output::Suite => "suite.json",
    };
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| OutputError::new(name.as_ref(), error))?;
    page::download(name, &bytes).map_err(|error| AppError::Download(page::reason(&error)))?;
    Ok(format!("the download {name}"))
}

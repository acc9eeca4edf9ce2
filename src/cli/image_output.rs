//! Destination of an image: a PNG file or standard output.

use crate::error_text;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

/// Argument that means standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// Where an image goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImageOutput {
    /// A PNG file.
    File(PathBuf),
    /// Standard output, as PNG.
    StandardOutput,
}

/// Prints the argument of `--out`.
impl fmt::Display for ImageOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&error_text::path(path)),
            Self::StandardOutput => f.write_str(STANDARD_OUTPUT),
        }
    }
}

impl ImageOutput {
    /// Parses the argument of `--out`.
    pub(super) fn parse(text: &OsStr) -> Result<Self, String> {
        let path = Path::new(text);
        if text == STANDARD_OUTPUT {
            Ok(Self::StandardOutput)
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            Ok(Self::File(path.to_owned()))
        } else {
            Err("expected a name that ends in .png, or - for standard output".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_ends_in_png_or_is_a_dash() {
        let parse = |text: &str| ImageOutput::parse(OsStr::new(text));
        assert_eq!(parse("-"), Ok(ImageOutput::StandardOutput));
        for name in ["a.png", "b/c.PNG", "-.png"] {
            assert_eq!(parse(name), Ok(ImageOutput::File(name.into())));
        }
        for wrong in ["", "a", "a.jpg", "png", ".png", "a.png.gz"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

//! Files of Linux, each of which holds one value.

use std::fs;
use std::path::{Path, PathBuf};
use std::vec;

/// Returns the number in a file; `None` if there is none, or without the right to read it.
pub(super) fn number(file: &Path) -> Option<f64> {
    text(file).parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the text in a file, empty if it cannot be read.
pub(super) fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_default().trim().to_owned()
}

/// Returns the entries of a folder that start and end with a text, in the order of their names.
pub(super) fn entries(folder: &Path, start: &str, end: &str) -> vec::IntoIter<PathBuf> {
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_wanted = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    };
    let mut paths: Vec<_> = paths.filter(is_wanted).collect();
    paths.sort();
    paths.into_iter()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Writes a file, and creates its folder.
    pub(in super::super) fn write(root: &Path, file: &str, value: &str) {
        let file = root.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, value).unwrap();
    }
}

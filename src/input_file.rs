//! Input file: a regular file that the user names.

use std::fs::{File, OpenOptions, metadata};
use std::io;
use std::path::Path;
#[cfg(feature = "app")]
use std::time::SystemTime;

/// First bytes of a saved state.
pub(crate) const STATE_MAGIC: [u8; 8] = *b"CUBEFALL";

/// Time of the last modification and length in bytes.
#[cfg(feature = "app")]
pub(crate) type Version = (SystemTime, u64);

/// Returns the version of a file; `None` if there is no file.
#[cfg(feature = "app")]
pub(crate) fn version(path: &Path) -> Option<Version> {
    let found = metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

/// Opens a regular file for reading.
///
/// Anything else is refused without waiting: opening or reading a named pipe, a terminal or a device
/// can block forever.
///
/// # Errors
/// The file cannot be opened, or it is not a regular file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // Checked before as well, since opening a device can have side effects.
    check(&metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    // A named pipe that replaces the file after the check does not block. No effect on regular files.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(found: &std::fs::Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = if found.is_dir() { "a folder" } else { "a pipe, socket or device" };
    Err(io::Error::other(format!("it is {kind}; expected a regular file")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_opened_and_a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "content").unwrap();
        assert_eq!(io::read_to_string(open(&path).unwrap()).unwrap(), "content");
        assert!(open(folder.path()).unwrap_err().to_string().contains("it is a folder"));
        let missing = open(&folder.path().join("missing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_sockets_and_devices_are_refused_without_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let [pipe, socket] = ["pipe", "socket"].map(|name| folder.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let _socket = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        for wrong in [&pipe, &socket, Path::new("/dev/zero"), Path::new("/dev/tty")] {
            let error = open(wrong).unwrap_err().to_string();
            assert!(
                error.contains("it is a pipe, socket or device"),
                "{}: {error}",
                wrong.display()
            );
        }
    }
}

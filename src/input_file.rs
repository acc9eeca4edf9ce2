//! Input file: a regular file that the user names.

use std::borrow::Cow;
use std::fs::{File, OpenOptions, metadata};
use std::io;
use std::path::Path;
#[cfg(feature = "app")]
use std::time::SystemTime;

/// First bytes of a saved state.
pub(crate) const STATE_MAGIC: [u8; 8] = *b"CUBEFALL";

/// Time of the last modification and length in bytes; and on Unix the inode, which differs for a file that replaces another one
/// of the same time, and the permissions, with which a file becomes readable.
#[cfg(feature = "app")]
pub(crate) type Version = (SystemTime, u64, [u64; 2]);

/// Returns the version of a file; `None` if there is no file.
#[cfg(feature = "app")]
pub(crate) fn version(path: &Path) -> Option<Version> {
    let found = metadata(path).ok()?;
    #[cfg(unix)]
    let of_inode = {
        use std::os::unix::fs::MetadataExt;
        [found.ino(), found.mode().into()]
    };
    #[cfg(not(unix))]
    let of_inode = [0; 2];
    Some((found.modified().ok()?, found.len(), of_inode))
}

/// Returns a text as UTF-8 without byte order mark. PowerShell 5 writes output that it redirects as UTF-16, and some
/// editors write the mark. Other bytes are returned as they are.
pub(crate) fn as_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return text.into();
    }
    let units = bytes.strip_prefix(b"\xFF\xFE").map(<[u8]>::as_chunks);
    let Some((units, [])) = units else { return bytes.into() };
    let units: Vec<_> = units.iter().map(|&unit| u16::from_le_bytes(unit)).collect();
    String::from_utf16(&units).map_or(bytes.into(), |text| text.into_bytes().into())
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
    {
        let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    }
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

    #[test]
    fn texts_of_powershell_are_read() {
        assert_eq!(*as_utf8(b"\xEF\xBB\xBF{}"), *b"{}");
        assert_eq!(*as_utf8(b"\xFF\xFE{\0\xE9\0"), *"{é".as_bytes());
        for other in [&b"{}"[..], b"\xFF\xFE{\0}", b"\xFF\xFE\0\xDC", b"\xFE\xFF\0{"] {
            assert_eq!(*as_utf8(other), *other);
        }
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

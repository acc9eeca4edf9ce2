//! Image: a finished picture, and the file it goes to.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Size;

/// A picture in memory: sRGB-encoded red, green, blue and alpha, 8 bits each, rows from the top.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    size: Size,
    rgba: Vec<u8>,
}

impl Image {
    /// `rgba` holds four bytes to a pixel, without padding between rows.
    pub(super) fn new(size: Size, rgba: Vec<u8>) -> Self {
        debug_assert_eq!(rgba.len(), size.width() as usize * size.height() as usize * 4);
        Self { size, rgba }
    }

    /// In pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Four bytes to a pixel, rows from the top.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Red, green and blue of one pixel; `None` outside of the picture.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let inside = x < self.size.width() && y < self.size.height();
        let at = (y as usize * self.size.width() as usize + x as usize) * 4;
        inside.then(|| [self.rgba[at], self.rgba[at + 1], self.rgba[at + 2]])
    }

    fn write_png(&self, to: impl Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(to, self.size.width(), self.size.height());
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()
    }
}

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}", path.display())]
pub struct OutputError {
    path: PathBuf,
    reason: io::Error,
}

/// A file that an image will be written to: whole, or not at all.
///
/// The image goes to a temporary file beside the place it is meant for and is renamed when it is
/// complete. An existing file keeps its content until then.
pub struct ImageFile {
    path: PathBuf,
}

impl ImageFile {
    /// Checks that a file can be written at `path`, before any work is put into the image.
    ///
    /// # Errors
    /// The folder is missing or cannot be written to, or something that is no regular file is in
    /// the place.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = Self { path: path.to_owned() };
        let checked = if path.to_string_lossy().ends_with(std::path::is_separator)
            || fs::metadata(path).is_ok_and(|found| !found.is_file())
        {
            Err(io::Error::other("it is not a regular file"))
        } else {
            // Gone again at once: a program that is interrupted leaves nothing behind.
            file.temporary().map(drop)
        };
        checked.map(|()| file).map_err(|reason| OutputError { path: path.to_owned(), reason })
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let temporary =
            tempfile::Builder::new().prefix(".cubefall-").suffix(".png").tempfile_in(folder);
        // Without the name of the temporary file, which nobody has asked for.
        temporary.map_err(|error| error.kind().into())
    }

    /// Writes the image as PNG.
    ///
    /// # Errors
    /// The disk is full or fails; nothing is left behind then.
    pub fn write(self, image: &Image) -> Result<(), OutputError> {
        self.try_write(image).map_err(|reason| OutputError { path: self.path, reason })
    }

    fn try_write(&self, image: &Image) -> io::Result<()> {
        let mut temporary = self.temporary()?;
        let mut file = BufWriter::new(temporary.as_file_mut());
        image.write_png(&mut file)?;
        file.flush()?;
        drop(file);
        make_readable(temporary.as_file())?;
        temporary.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// A temporary file is its owner's alone; a picture may be read by all.
#[cfg(unix)]
fn make_readable(file: &fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Image {
        let size = Size::new(3, 2).unwrap();
        Image::new(size, (0..24).collect())
    }

    #[test]
    fn a_written_image_reads_back_the_same_and_replaces_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, "before").unwrap();
        ImageFile::create(&path).unwrap().write(&image()).unwrap();
        let file = io::BufReader::new(fs::File::open(&path).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, image().rgba());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
        assert_eq!(image().pixel(2, 1), Some([20, 21, 22]));
        assert_eq!(image().pixel(3, 1), None);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_refused_before_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in [
            folder.path().to_owned(),
            folder.path().join("missing/a.png"),
            folder.path().join("a/"),
        ] {
            let error = ImageFile::create(&wrong).err().unwrap();
            assert!(error.to_string().starts_with(&format!("cannot write {}: ", wrong.display())));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let file = ImageFile::create(&folder.path().join("a.png")).unwrap();
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            0,
            "nothing before the image is there"
        );
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

//! Files: what the window writes.

use std::path::{Path, PathBuf};

use directories::{ProjectDirs, UserDirs};

use super::{App, AppError};
use crate::hud::{Panels, Tone};
use crate::output::{OutputError, OutputFile};
use crate::sim::Simulation;

/// Pictures in one folder before the program gives up looking for a name.
const MOST: u32 = 99_999;

impl App {
    /// Writes the picture, without the HUD, into the folder for pictures, or into the current one
    /// where there is no such folder.
    pub(super) fn save_screenshot(&mut self) -> Result<(), AppError> {
        let Some(screen) = &self.screen else { return Ok(()) };
        let Some(image) = screen.picture(&self.simulation)? else { return Ok(()) };
        let folder = UserDirs::new()
            .and_then(|folders| folders.picture_dir().map(Path::to_owned))
            .filter(|folder| folder.is_dir())
            .unwrap_or_default();
        let path = unused(&folder, "png");
        OutputFile::create(&path)?.write(|to| image.write_png(to))?;
        let shown = std::path::absolute(&path).unwrap_or(path);
        self.notify(Tone::Done, &format_args!("Saved {}", shown.display()));
        Ok(())
    }

    /// Keeps everything as it is, in a file of the user.
    pub(super) fn save(&mut self) -> Result<(), AppError> {
        let path = saved();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| OutputError::new(&path, error))?;
        }
        OutputFile::create(&path)?.write(|to| self.simulation.save(to))?;
        self.notify(Tone::Done, &format_args!("Kept in {}; F9 goes back to it", path.display()));
        Ok(())
    }

    /// Goes back to what was kept.
    pub(super) fn load(&mut self) -> Result<(), AppError> {
        self.replace(Simulation::load(&saved())?)?;
        self.notify(Tone::Done, &"Back to what was kept");
        Ok(())
    }

    /// Remembers what was chosen, for the next window.
    pub(super) fn save_preferences(&mut self) {
        if let Some(overlay) = &self.overlay {
            let panels = overlay.hud.panels;
            self.preferences.panels = Some(Panels { help: false, ..panels });
        }
        let saved = self.file.as_mut().map(|file| file.save(self.preferences));
        if let Some(Err(error)) = saved {
            log::warn!("{error}");
        }
    }
}

/// Where everything is kept as it was.
fn saved() -> PathBuf {
    const NAME: &str = "kept.cubefall";
    ProjectDirs::from("", "", "cubefall").map_or(NAME.into(), |own| own.data_dir().join(NAME))
}

/// The first name in a folder that nothing has.
pub(super) fn unused(folder: &Path, extension: &str) -> PathBuf {
    let name = |number| folder.join(format!("cubefall-{number:04}.{extension}"));
    (1..MOST).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_picture_takes_the_place_of_another() {
        let folder = tempfile::tempdir().unwrap();
        let first = unused(folder.path(), "png");
        assert_eq!(first, folder.path().join("cubefall-0001.png"));
        std::fs::write(&first, "").unwrap();
        assert_eq!(unused(folder.path(), "png"), folder.path().join("cubefall-0002.png"));
    }
}

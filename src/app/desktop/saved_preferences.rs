//! The file that holds the preferences.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use crate::app::error::AppError;
use crate::app::preferences::Preferences;
use crate::input_file;
use crate::output::{OutputError, OutputFile};

/// Preferences in the user's configuration folder.
pub(in crate::app) struct SavedPreferences {
    path: PathBuf,
    /// The content of the file.
    pub(in crate::app) saved: Preferences,
}

impl SavedPreferences {
    /// Reads the file in the user's configuration folder, if the system has one. A missing file holds the
    /// defaults; so does an invalid one, which is reported.
    pub(in crate::app) fn find() -> Option<(Self, Option<AppError>)> {
        let folders = ProjectDirs::from("", "", "cubefall")?;
        Some(Self::open(folders.config_dir().join("preferences.json")))
    }

    fn open(path: PathBuf) -> (Self, Option<AppError>) {
        let (saved, error) = match read(&path) {
            Ok(saved) => (saved, None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Preferences::default(), None),
            Err(error) => {
                let error = AppError::Preferences { path: path.clone(), error };
                (Preferences::default(), Some(error))
            }
        };
        (Self { path, saved }, error)
    }

    /// Writes the file unless its content is the same.
    pub(in crate::app) fn save(&mut self, preferences: &Preferences) -> Result<(), OutputError> {
        if *preferences == self.saved {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            // If this fails, creating the file fails and reports why.
            let _ = fs::create_dir_all(folder);
        }
        OutputFile::create(&self.path)?
            .write(|to| to.write_all(preferences.to_json().as_bytes()))?;
        self.saved = preferences.clone();
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Preferences> {
    Preferences::parse(&io::read_to_string(input_file::open(path)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{ColorBy, Coloring, Palette};
    use crate::hud::Panels;
    use crate::render::Quality;

    fn open(text: &str) -> (Preferences, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        fs::write(&path, text).unwrap();
        let (file, error) = SavedPreferences::open(path);
        (file.saved, error.map(|error| error.to_string()))
    }

    #[test]
    fn saved_preferences_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/preferences.json");
        let (mut file, error) = SavedPreferences::open(path.clone());
        assert!(file.saved == Preferences::default() && error.is_none());
        let chosen = Preferences {
            size: Some((640, 480)),
            position: Some((-20, 30)),
            maximized: true,
            vsync: Some(false),
            culling: Some(true),
            quality: Some(Quality::High),
            widened_view: Some(false),
            coloring: Some(Coloring { palette: Palette::Ocean, by: ColorBy::Speed }),
            attract: Some(false),
            panels: Some(Panels { shown: false, inspector: true, ..Panels::default() }),
            ui_scale: Some(150),
            recent: vec!["galaxy".into(), "/tmp/own.json".into()],
        };
        file.save(&chosen).unwrap();
        let (file, error) = SavedPreferences::open(path);
        assert!(file.saved == chosen && error.is_none());
    }

    #[test]
    fn an_invalid_file_is_reported_on_one_line_and_defaults_apply() {
        for text in [
            "",
            "{",
            "null",
            "{\"size\": [0, 5]}",
            "{\"size\": [90000, 5]}",
            "{\"size\": [1e39, 5]}",
            "{\"position\": [1, 2000000000]}",
            "{\"quality\": \"ultra\"}",
            "{\"panels\": 3}",
            "{\"ui_scale\": 10}",
            "{\"recent\": [1]}",
            "\u{feff}{}",
        ] {
            let (saved, error) = open(text);
            assert_eq!(saved, Preferences::default(), "{text}");
            let error = error.unwrap_or_else(|| panic!("{text} is not reported"));
            assert!(error.contains("preferences.json") && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_not_text_and_a_folder_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        fs::write(&path, [0xff, 0xfe, 0]).unwrap();
        assert!(SavedPreferences::open(path).1.is_some());
        assert!(SavedPreferences::open(folder.path().to_owned()).1.is_some());
    }
}

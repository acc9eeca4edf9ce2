//! What the user chose in the window, saved for the next one.

use std::fs;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use serde::{Deserialize, Serialize};

use super::error::AppError;
use crate::components::Coloring;
use crate::hud::Panels;
use crate::input_file;
use crate::output::{OutputError, OutputFile};
use crate::render::{Quality, Size};

/// Sizes of the UI in percent.
pub(super) const UI_SCALES: RangeInclusive<u16> = 50..=300;

/// Limit of a saved position in pixels, so that arithmetic on it cannot overflow.
const MAX_POSITION: i32 = 1 << 16;

/// Choices made in the window. Flags are not saved.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    /// Width and height of the window in pixels.
    pub(super) size: Option<(u32, u32)>,
    /// Upper left corner on the desktop in pixels.
    pub(super) position: Option<(i32, i32)>,
    pub(super) vsync: Option<bool>,
    pub(super) culling: Option<bool>,
    pub(super) quality: Option<Quality>,
    /// Whether the view widens while the camera falls.
    pub(super) widened_view: Option<bool>,
    /// Palette of the classic scene.
    pub(super) coloring: Option<Coloring>,
    pub(super) attract: Option<bool>,
    pub(super) panels: Option<Panels>,
    /// Size of the UI in percent.
    pub(super) ui_scale: Option<u16>,
    /// Names of bundled scenes and paths of files used last, the latest first.
    pub(super) recent: Vec<String>,
}

/// Largest number of recent scenes.
const MAX_RECENT: usize = 8;

impl Preferences {
    /// Puts a scene at the start of the recent ones.
    pub(super) fn add_recent(&mut self, scene: String) {
        self.recent.retain(|other| *other != scene);
        self.recent.insert(0, scene);
        self.recent.truncate(MAX_RECENT);
    }
}

/// The file that holds the preferences.
pub(super) struct PreferencesFile {
    path: PathBuf,
    /// The content of the file.
    pub(super) saved: Preferences,
}

impl PreferencesFile {
    /// Returns the path in the user's configuration folder, if the system has one.
    pub(super) fn path() -> Option<PathBuf> {
        ProjectDirs::from("", "", "cubefall").map(|dirs| dirs.config_dir().join("preferences.json"))
    }

    /// Reads the file. A missing file holds the defaults; so does an invalid one, which is reported.
    pub(super) fn open(path: PathBuf) -> (Self, Option<AppError>) {
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
    pub(super) fn save(&mut self, preferences: &Preferences) -> Result<(), OutputError> {
        if *preferences == self.saved {
            return Ok(());
        }
        if let Some(folder) = self.path.parent() {
            // If this fails, creating the file fails and reports why.
            let _ = fs::create_dir_all(folder);
        }
        OutputFile::create(&self.path)?.write(|to| {
            serde_json::to_writer_pretty(&mut *to, preferences)?;
            to.write_all(b"\n")
        })?;
        self.saved = preferences.clone();
        Ok(())
    }
}

fn read(path: &Path) -> io::Result<Preferences> {
    let text = io::read_to_string(input_file::open(path)?)?;
    let preferences: Preferences = serde_json::from_str(&text)?;
    let has_valid_size = preferences.size.is_none_or(|(width, height)| {
        Size::new(width, height).is_some() && width.max(height) <= Size::LARGEST
    });
    let has_valid_scale = preferences.ui_scale.is_none_or(|percent| UI_SCALES.contains(&percent));
    let in_range = |at: i32| (-MAX_POSITION..=MAX_POSITION).contains(&at);
    let has_valid_position = preferences.position.is_none_or(|(x, y)| in_range(x) && in_range(y));
    if has_valid_size && has_valid_position && has_valid_scale {
        Ok(preferences)
    } else {
        Err(io::Error::other("the size, position or UI scale is out of range"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::{ColorBy, Palette};

    fn open(text: &str) -> (Preferences, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        fs::write(&path, text).unwrap();
        let (file, error) = PreferencesFile::open(path);
        (file.saved, error.map(|error| error.to_string()))
    }

    #[test]
    fn saved_preferences_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/preferences.json");
        let (mut file, error) = PreferencesFile::open(path.clone());
        assert!(file.saved == Preferences::default() && error.is_none());
        let chosen = Preferences {
            size: Some((640, 480)),
            position: Some((-20, 30)),
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
        let (file, error) = PreferencesFile::open(path);
        assert!(file.saved == chosen && error.is_none());
    }

    #[test]
    fn recent_scenes_are_few_and_named_once() {
        let mut preferences = Preferences::default();
        for scene in ["a", "b", "a", "c", "d", "e", "f", "g", "h", "i"] {
            preferences.add_recent(scene.into());
        }
        assert_eq!(preferences.recent, ["i", "h", "g", "f", "e", "d", "c", "a"]);
    }

    #[test]
    fn quality_is_saved_by_its_name() {
        let chosen = Preferences { quality: Some(Quality::Low), ..Preferences::default() };
        assert!(serde_json::to_string(&chosen).unwrap().contains(r#""quality":"low""#));
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
        assert!(PreferencesFile::open(path).1.is_some());
        assert!(PreferencesFile::open(folder.path().to_owned()).1.is_some());
    }

    #[test]
    fn unknown_keys_are_ignored() {
        let (saved, error) = open("{\"vsync\": false, \"mood\": \"good\"}");
        assert_eq!(error, None);
        assert_eq!(saved, Preferences { vsync: Some(false), ..Preferences::default() });
    }
}

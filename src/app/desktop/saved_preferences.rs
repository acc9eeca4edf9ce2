//! The file that holds the preferences.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{mem, thread};

use directories::ProjectDirs;

use crate::app::error::AppError;
use crate::app::preferences::Preferences;
use crate::error_text;
use crate::input_file;
use crate::output::{OutputError, OutputFile};

/// Preferences in the user's configuration folder.
pub(in crate::app) struct SavedPreferences {
    path: PathBuf,
    /// The content of the file.
    pub(in crate::app) saved: Preferences,
    /// A copy of the invalid file was reported.
    was_copied: bool,
}

impl SavedPreferences {
    /// Reads the file in the user's configuration folder, if the system has one. A missing file holds the
    /// defaults; so does an invalid one, which is reported.
    pub(in crate::app) fn find() -> Option<(Self, Option<AppError>)> {
        let folders = ProjectDirs::from("", "", "cubefall")?;
        Some(Self::open(folders.config_dir().join("preferences.json")))
    }

    fn open(path: PathBuf) -> (Self, Option<AppError>) {
        let parsed = match read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok((Preferences::default(), None))
            }
            Err(error) => Err(format!("cannot be read: {}", error_text::io(&error))),
            Ok(text) => Preferences::parse(&text),
        };
        let copy = parsed.as_ref().err().and_then(|_| keep(&path).ok().flatten());
        let (saved, problem) = parsed.unwrap_or_else(|reason| {
            let kept = copy.as_ref().map(|copy| format!("; kept as {}", error_text::path(copy)));
            let problem = format!("{reason}{}; starting with defaults", kept.unwrap_or_default());
            (Preferences::default(), Some(problem))
        });
        let error = problem.map(|reason| AppError::Preferences { path: path.clone(), reason });
        (Self { path, saved, was_copied: copy.is_some() }, error)
    }

    /// Writes what has changed since the last time. The rest of the file, such as choices of another window or of
    /// another version, stays. Returns the copy of a file that has become invalid.
    pub(in crate::app) fn save(
        &mut self,
        preferences: &Preferences,
    ) -> Result<Option<PathBuf>, OutputError> {
        if *preferences == self.saved {
            return Ok(None);
        }
        let folder = self.path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(|error| OutputError::new(folder, error))?;
        let _lock = lock(folder);
        let saved = read(&self.path).map_err(|error| error.to_string());
        let updated = saved.and_then(|saved| preferences.updated(&self.saved, &saved));
        let (text, copy) = match updated {
            Ok(text) => (text, None),
            Err(_) => (preferences.to_json(), keep(&self.path)?),
        };
        OutputFile::create(&self.path)?.write(|to| to.write_all(text.as_bytes()))?;
        self.saved = preferences.clone();
        let is_reported = mem::take(&mut self.was_copied);
        Ok(copy.filter(|_| !is_reported))
    }
}

/// Locks a folder until the file is dropped: two windows may save at the same time. Where that is not possible, or takes
/// more than 0.1 s, the later one wins.
fn lock(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
            Ok(()) => return Some(file),
            Err(TryLockError::Error(_)) => return None,
        }
    }
    None
}

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Returns the content of the file as UTF-8.
fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    input_file::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    io::read_to_string(&*input_file::as_utf8(&bytes))
}

/// Copies an invalid file, which will be replaced, and returns the path of the copy; `None` if there is no file.
fn keep(path: &Path) -> Result<Option<PathBuf>, OutputError> {
    if !path.is_file() {
        return Ok(None);
    }
    let mut from = input_file::open(path).map_err(|error| OutputError::new(path, error))?;
    let copy = path.with_extension("json.bak");
    OutputFile::create(&copy)?.write(|to| io::copy(&mut from, to).map(drop))?;
    Ok(Some(copy))
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
    fn choices_of_other_windows_and_versions_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        fs::write(&path, "\u{feff}{\"vsync\": false, \"later\": {\"a\": 1}}").unwrap();
        let [(mut one, _), (mut other, error)] =
            [(); 2].map(|()| SavedPreferences::open(path.clone()));
        assert!(error.is_none());
        one.save(&Preferences { ui_scale: Some(150), ..one.saved.clone() }).unwrap();
        other.save(&Preferences { attract: Some(false), ..other.saved.clone() }).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let content: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(content["later"]["a"], 1, "{text}");
        let saved = SavedPreferences::open(path.clone()).0.saved;
        let found = (saved.vsync, saved.ui_scale, saved.attract);
        assert_eq!(found, (Some(false), Some(150), Some(false)));
        // Within panels and lists, too.
        let with_panels = |file: &SavedPreferences, panels: Panels, scene: &str| {
            let mut chosen = Preferences { panels: Some(panels), ..file.saved.clone() };
            chosen.add_recent(scene.into());
            chosen
        };
        let inspector = Panels { inspector: true, ..Panels::default() };
        one.save(&with_panels(&one, inspector, "one")).unwrap();
        let hidden = Panels { shown: false, ..Panels::default() };
        other.save(&with_panels(&other, hidden, "other")).unwrap();
        let saved = SavedPreferences::open(path.clone()).0.saved;
        assert_eq!(
            saved.panels,
            Some(Panels { inspector: true, shown: false, ..Panels::default() })
        );
        assert_eq!(saved.recent, ["other", "one"]);
        // A scene that is opened again is the latest.
        one.save(&with_panels(&one, inspector, "both")).unwrap();
        assert_eq!(SavedPreferences::open(path).0.saved.recent, ["both", "other", "one"]);
    }

    #[test]
    fn an_invalid_file_is_copied_before_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        let text = "{\"quality\": \"high\", \"vsync\": ";
        fs::write(&path, text).unwrap();
        let (mut file, error) = SavedPreferences::open(path.clone());
        let error = error.unwrap().to_string();
        assert!(error.contains("preferences.json.bak; starting with defaults"), "{error}");
        let vsync = Preferences { vsync: Some(true), ..Preferences::default() };
        let copy = folder.path().join("preferences.json.bak");
        assert_eq!(file.save(&vsync).unwrap(), None, "it is reported already");
        assert_eq!(fs::read_to_string(&copy).unwrap(), text);
        fs::write(&path, "{later").unwrap();
        assert_eq!(file.save(&Preferences::default()).unwrap().as_deref(), Some(&*copy));
        assert_eq!(fs::read_to_string(&copy).unwrap(), "{later");
        file.save(&vsync).unwrap();
        // One value that is invalid is replaced without a copy.
        fs::write(&path, "{\"ui_scale\": 10}").unwrap();
        let (mut later, error) = SavedPreferences::open(path.clone());
        assert!(error.is_some() && later.save(&vsync).unwrap().is_none());
        fs::write(&path, "{").unwrap();
        assert_eq!(later.save(&Preferences::default()).unwrap().as_deref(), Some(&*copy));
        later.save(&vsync).unwrap();
        let (file, error) = SavedPreferences::open(path);
        assert!(error.is_none() && file.saved.vsync == Some(true));
    }

    #[test]
    fn an_invalid_file_stays_if_it_cannot_be_copied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("preferences.json");
        fs::write(&path, "{").unwrap();
        fs::create_dir(folder.path().join("preferences.json.bak")).unwrap();
        let (mut file, error) = SavedPreferences::open(path.clone());
        assert!(!error.unwrap().to_string().contains("kept"));
        let changed = Preferences { vsync: Some(true), ..Preferences::default() };
        let error = file.save(&changed).unwrap_err().to_string();
        assert!(error.contains("preferences.json.bak"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{");
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

//! The entry of the local storage that holds the preferences.

use std::path::PathBuf;

use web_sys::Storage;

use super::page;
use crate::app::error::AppError;
use crate::app::preferences::Preferences;

const KEY: &str = "cubefall.preferences";

/// Preferences in the local storage of the browser.
pub(in crate::app) struct SavedPreferences {
    storage: Storage,
    /// The content of the entry.
    pub(in crate::app) saved: Preferences,
}

impl SavedPreferences {
    /// Reads the entry, if the browser allows it. A missing entry holds the defaults; so does an invalid one,
    /// which is reported.
    pub(in crate::app) fn find() -> Option<(Self, Option<AppError>)> {
        let storage = page::window().local_storage().ok()??;
        let text = storage.get_item(KEY).ok()?;
        let (saved, error) = match text.as_deref().map(Preferences::parse).transpose() {
            Ok(saved) => (saved.unwrap_or_default(), None),
            Err(error) => {
                let path = PathBuf::from(format!("{KEY} in the local storage"));
                (Preferences::default(), Some(AppError::Preferences { path, error }))
            }
        };
        Some((Self { storage, saved }, error))
    }

    /// Writes the entry unless its content is the same.
    pub(in crate::app) fn save(&mut self, preferences: &Preferences) -> Result<(), AppError> {
        if *preferences == self.saved {
            return Ok(());
        }
        let written = self.storage.set_item(KEY, &preferences.to_json());
        written.map_err(|error| AppError::Download(page::reason(&error)))?;
        self.saved = preferences.clone();
        Ok(())
    }
}

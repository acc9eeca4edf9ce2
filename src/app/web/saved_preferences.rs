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
        let (saved, problem) = match text.as_deref().map(Preferences::parse) {
            None => (Preferences::default(), None),
            Some(Ok(parsed)) => parsed,
            Some(Err(reason)) => {
                (Preferences::default(), Some(reason + "; starting with defaults"))
            }
        };
        let path = || PathBuf::from(format!("{KEY} in the local storage"));
        let error = problem.map(|reason| AppError::Preferences { path: path(), reason });
        Some((Self { storage, saved }, error))
    }

    /// Writes what has changed since the last time. The rest of the entry, such as choices of another tab or of another
    /// version, stays. Returns no path: an invalid entry is not kept.
    pub(in crate::app) fn save(
        &mut self,
        preferences: &Preferences,
    ) -> Result<Option<PathBuf>, AppError> {
        if *preferences == self.saved {
            return Ok(None);
        }
        let saved = self.storage.get_item(KEY).ok().flatten();
        let updated = saved.and_then(|saved| preferences.updated(&self.saved, &saved).ok());
        let text = updated.unwrap_or_else(|| preferences.to_json());
        let written = self.storage.set_item(KEY, &text);
        written.map_err(|error| AppError::Download(page::reason(&error)))?;
        self.saved = preferences.clone();
        Ok(None)
    }
}

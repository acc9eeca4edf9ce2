//! What the user chose in the window, saved for the next one.

use std::io;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::components::Coloring;
use crate::hud::Panels;
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
    /// Whether the window is maximized. Size and position are those that it returns to.
    pub(super) maximized: bool,
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
    /// Parses saved preferences, which are JSON.
    ///
    /// # Errors
    /// The text is no JSON of this structure, or a number is out of range.
    pub(super) fn parse(text: &str) -> io::Result<Self> {
        let preferences: Self = serde_json::from_str(text)?;
        let has_valid_size = preferences.size.is_none_or(|(width, height)| {
            Size::new(width, height).is_some() && width.max(height) <= Size::LARGEST
        });
        let has_valid_scale =
            preferences.ui_scale.is_none_or(|percent| UI_SCALES.contains(&percent));
        let in_range = |at: i32| (-MAX_POSITION..=MAX_POSITION).contains(&at);
        let has_valid_position =
            preferences.position.is_none_or(|(x, y)| in_range(x) && in_range(y));
        if has_valid_size && has_valid_position && has_valid_scale {
            Ok(preferences)
        } else {
            Err(io::Error::other("the size, position or UI scale is out of range"))
        }
    }

    /// Returns the preferences as a text.
    #[cfg(web)]
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("names and numbers are valid JSON")
    }

    /// Returns the preferences by their keys.
    #[cfg(not(web))]
    pub(super) fn entries(&self) -> serde_json::Map<String, serde_json::Value> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(entries)) => entries,
            _ => unreachable!("a struct of names and numbers is an object"),
        }
    }

    /// Puts a scene at the start of the recent ones.
    pub(super) fn add_recent(&mut self, scene: String) {
        self.recent.retain(|other| *other != scene);
        self.recent.insert(0, scene);
        self.recent.truncate(MAX_RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn unknown_keys_are_ignored() {
        let saved = Preferences::parse("{\"vsync\": false, \"mood\": \"good\"}").unwrap();
        assert_eq!(saved, Preferences { vsync: Some(false), ..Preferences::default() });
    }
}

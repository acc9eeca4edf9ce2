//! What the user chose in the window, saved for the next one.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::components::Coloring;
use crate::error_text;
use crate::hud::Panels;
use crate::render::{Quality, Size};

/// Sizes of the UI in percent.
pub(super) const UI_SCALES: RangeInclusive<u16> = 50..=300;

/// Limit of a saved position, so that arithmetic on it cannot overflow.
const MAX_POSITION: i32 = 1 << 16;

/// Choices made in the window. Flags are not saved.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Preferences {
    /// Width and height of the window in pixels.
    pub(super) size: Option<(u32, u32)>,
    /// Upper left corner on the desktop in pixels, or in points: [`DESKTOP_IN_POINTS`](super::settings::DESKTOP_IN_POINTS).
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
    /// Parses saved preferences, a JSON object. Invalid values, such as names of a later version, become defaults, and are
    /// reported. A list or an object with one is invalid as a whole.
    ///
    /// # Errors
    /// The text is no JSON object.
    pub(super) fn parse(text: &str) -> Result<(Self, Option<String>), String> {
        let mut content = object(text)?;
        let is_valid = |key: &String, value: &mut Value| {
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            let alone = serde_json::from_value(Value::Object(alone));
            alone.is_ok_and(|alone: Self| alone.is_in_range())
        };
        let mut invalid = Vec::new();
        content.retain(|key, value| {
            let valid = is_valid(key, value);
            if !valid {
                invalid.push(key.clone());
            }
            valid
        });
        let valid = serde_json::from_value(Value::Object(content)).unwrap_or_default();
        let report = || {
            let keys = error_text::shortened_line(&invalid.join(", "));
            format!("have invalid values of {keys}; starting with defaults for these")
        };
        Ok((valid, (!invalid.is_empty()).then(report)))
    }

    fn is_in_range(&self) -> bool {
        let has_valid_size = self.size.is_none_or(|(width, height)| {
            Size::new(width, height).is_some() && width.max(height) <= Size::LARGEST
        });
        let has_valid_scale = self.ui_scale.is_none_or(|percent| UI_SCALES.contains(&percent));
        let in_range = |at: i32| (-MAX_POSITION..=MAX_POSITION).contains(&at);
        let has_valid_position = self.position.is_none_or(|(x, y)| in_range(x) && in_range(y));
        has_valid_size && has_valid_position && has_valid_scale
    }

    /// Returns the preferences as a text to save.
    pub(super) fn to_json(&self) -> String {
        to_text(&self.entries())
    }

    /// Returns a saved text with what has changed since `before`. The rest of it, such as choices of another window or of
    /// another version, stays.
    ///
    /// # Errors
    /// The saved text is no JSON object.
    pub(super) fn updated(&self, before: &Self, saved: &str) -> Result<String, String> {
        let (mut others, _) = Self::parse(saved)?;
        // Those opened since the last time are before the others, whose order has not changed.
        let mut known = before.recent.iter().rev();
        let is_kept = |scene: &&String| known.any(|old| old == *scene);
        let kept = self.recent.iter().rev().take_while(is_kept).count();
        let opened = &self.recent[..self.recent.len() - kept];
        opened.iter().rev().for_each(|scene| others.add_recent(scene.clone()));
        let mut now = self.clone();
        if now.recent != before.recent {
            now.recent = others.recent;
        }
        let mut before = before.clone();
        if now.panels.is_some() && others.panels.is_some() {
            // Without a saved choice, a window starts with the default panels.
            before.panels.get_or_insert_default();
        }
        let mut content = object(saved)?;
        merge(&mut content, now.entries(), &before.entries());
        Ok(to_text(&content))
    }

    /// Returns the preferences by their keys.
    fn entries(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(entries)) => entries,
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

/// Parses a JSON object.
fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| {
        let reason = error_text::shortened_line(&error_text::json_with_place(&error));
        format!("cannot be read: {reason}")
    })
}

fn to_text(content: &Map<String, Value>) -> String {
    serde_json::to_string_pretty(content).expect("a map is valid JSON") + "\n"
}

/// Sets the values that differ between `now` and `before`, also those within objects.
fn merge(content: &mut Map<String, Value>, now: Map<String, Value>, before: &Map<String, Value>) {
    for (key, value) in now {
        let earlier = before.get(&key);
        match (content.get_mut(&key), value, earlier) {
            (Some(Value::Object(content)), Value::Object(now), Some(Value::Object(before))) => {
                merge(content, now, before);
            }
            (_, value, earlier) if earlier != Some(&value) => _ = content.insert(key, value),
            _ => {}
        }
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
        let expected = Preferences { vsync: Some(false), ..Preferences::default() };
        assert_eq!(saved, (expected, None));
    }

    #[test]
    fn invalid_values_have_their_defaults_and_stay_in_the_text() {
        let text = r#"{"quality":"ultra","vsync":false,"size":[0,5],"recent":["galaxy"]}"#;
        let (saved, invalid) = Preferences::parse(text).unwrap();
        assert_eq!((saved.vsync, saved.quality, saved.size), (Some(false), None, None));
        assert_eq!(saved.recent, ["galaxy"]);
        assert!(invalid.as_ref().unwrap().contains("quality, size;"), "{invalid:?}");
        let now = Preferences { ui_scale: Some(150), ..saved.clone() };
        let updated = now.updated(&saved, text).unwrap();
        assert!(updated.contains("\"quality\": \"ultra\""), "{updated}");
        assert_eq!(Preferences::parse(&updated), Ok((now, invalid)));
    }
}

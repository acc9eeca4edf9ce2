//! Short, printable text.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of characters of a name.
pub(super) const MAX_NAME: usize = 64;

/// A name of an entity, a template or a scene.
pub(crate) type Name = Text<1, MAX_NAME>;

/// A description in one line.
pub(crate) type Description = Text<0, 200>;

/// A text of `MIN` to `MAX` printable characters.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(inline, !try_from)]
pub(crate) struct Text<const MIN: usize, const MAX: usize>(
    #[schemars(length(min = MIN, max = MAX))] Box<str>,
);

impl<const MIN: usize, const MAX: usize> Text<MIN, MAX> {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Name {
    /// Returns `text` without what a name cannot hold: control characters and a too long end.
    pub(crate) fn from_lossy(text: &str) -> Self {
        Self(text.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect())
    }
}

impl<const MIN: usize, const MAX: usize> TryFrom<String> for Text<MIN, MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let length = text.chars().take(MAX + 1).count();
        if (MIN..=MAX).contains(&length) && !text.chars().any(char::is_control) {
            Ok(Self(text.into()))
        } else {
            Err(format!("invalid text, expected {MIN} to {MAX} printable characters"))
        }
    }
}

//! Text: names and remarks, short and printable.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A name: 1 to 64 printable characters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(in crate::sim) struct Label(#[schemars(length(min = 1, max = 64))] Box<str>);

/// A remark: up to 200 printable characters.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, JsonSchema)]
#[serde(transparent)]
pub(in crate::sim) struct Remark(#[schemars(length(max = 200))] Box<str>);

impl Label {
    /// Cuts and cleans what is too long, or cannot be printed.
    pub(in crate::sim) fn of(text: &str) -> Self {
        Self(text.chars().filter(|c| !c.is_control()).take(64).collect())
    }

    pub(in crate::sim) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Remark {
    pub(in crate::sim) fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Label {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor { shortest: 1, longest: 64 };
        deserializer.deserialize_str(visitor).map(Self)
    }
}

impl<'de> Deserialize<'de> for Remark {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let visitor = TextVisitor { shortest: 0, longest: 200 };
        deserializer.deserialize_str(visitor).map(Self)
    }
}

struct TextVisitor {
    shortest: usize,
    longest: usize,
}

impl Visitor<'_> for TextVisitor {
    type Value = Box<str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text of {} to {} printable characters", self.shortest, self.longest)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Box<str>, E> {
        // One more than may be there is enough to know that they are too many.
        let length = text.chars().take(self.longest + 1).count();
        if length > self.longest {
            return Err(E::invalid_value(Unexpected::Other("a longer text"), &self));
        }
        if length < self.shortest || text.chars().any(char::is_control) {
            return Err(E::invalid_value(Unexpected::Str(text), &self));
        }
        Ok(text.into())
    }
}

//! Differences between the conditions of two results.

use serde::Serialize;
use serde_json::Value;

use crate::error_text::harmless;
use crate::units::UNKNOWN;

/// Name of the condition that two runs simulate the same cubes.
pub(super) const WORK: &str = "simulated work";

/// A condition in which A and B differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// Name of the condition.
    pub condition: String,
    /// Its value for A.
    pub a: String,
    /// Its value for B.
    pub b: String,
}

impl Difference {
    /// Returns the differences between two lists of the same conditions.
    pub(super) fn between<N: Into<String>>(
        a: impl IntoIterator<Item = (N, String)>,
        b: impl IntoIterator<Item = (N, String)>,
    ) -> Vec<Self> {
        let pairs = a.into_iter().zip(b).filter(|((_, a), (_, b))| a != b);
        pairs.map(|((name, a), (_, b))| Self { condition: name.into(), a, b }).collect()
    }

    /// Returns whether the simulated cubes differ.
    pub fn is_work(&self) -> bool {
        self.condition == WORK
    }

    /// Lists differences in one line, such as `geometry (A pulled, B instanced)`; `None` if there are none.
    pub fn list(differences: &[Self]) -> Option<String> {
        let text = |Self { condition, a, b }: &Self| format!("{condition} (A {a}, B {b})");
        let texts: Vec<_> = differences.iter().map(text).collect();
        (!texts.is_empty()).then(|| harmless(&texts.join(", ")))
    }
}

/// Returns the fields of a structure as text.
pub(super) fn fields(value: &impl Serialize) -> Vec<(String, String)> {
    // By way of a text, which has the digits of a 32-bit float.
    let json = serde_json::to_string(value).unwrap_or_default();
    let Ok(Value::Object(fields)) = serde_json::from_str(&json) else { return Vec::new() };
    let text = |value| match value {
        Value::String(text) => text,
        Value::Null => UNKNOWN.to_owned(),
        other => other.to_string(),
    };
    fields.into_iter().map(|(name, value)| (name.replace('_', " "), text(value))).collect()
}

//! Colour: of what colours entities are.

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize, Serializer};

use super::list::List;
use super::number::Number;
use super::one_kind::one_kind;
use super::quantity::Share;
use crate::components::Color;
use crate::sim::random::RandomStream;

/// One colour or a distribution of them.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(in crate::sim) enum Tint {
    /// Always the same.
    Constant(Hex),
    /// Another one each time.
    Drawn(DrawnTint),
}

/// What colours are drawn from.
#[derive(Clone, PartialEq, Debug, Serialize, DeriveDeserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(in crate::sim) enum DrawnTint {
    /// Hue, saturation and value, each from 0 to 1; hue 0 is red, 1/3 green, 2/3 blue.
    Hsv([Number<Share>; 3]),
    /// One of a list, each as often.
    Choice(List<Hex>),
}

/// `"#rrggbb"`, as on web pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sim) struct Hex(pub(in crate::sim) Color);

impl Tint {
    /// Hue, saturation and value.
    pub(in crate::sim) fn hsv(channels: [Number<Share>; 3]) -> Self {
        Self::Drawn(DrawnTint::Hsv(channels))
    }

    pub(in crate::sim) fn draw(&self, random: &mut RandomStream) -> Color {
        match self {
            Self::Constant(Hex(color)) => *color,
            Self::Drawn(DrawnTint::Hsv(channels)) => {
                let [hue, saturation, value] = channels.each_ref().map(|it| it.draw(random));
                Color::from_hsv(hue, saturation, value)
            }
            Self::Drawn(DrawnTint::Choice(list)) => {
                let colors = list.values();
                colors[random.below(colors.len() as u32) as usize].0
            }
        }
    }
}

fn from_hex(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Color::srgb(red, green, blue))
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0.to_srgb();
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Hex {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hex".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A colour as on web pages: red, green and blue in sRGB.",
            "type": "string",
            "pattern": "^#[0-9a-fA-F]{6}$"
        })
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(HexVisitor)
    }
}

impl<'de> Deserialize<'de> for Tint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TintVisitor)
    }
}

struct HexVisitor;

impl Visitor<'_> for HexVisitor {
    type Value = Hex;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour such as \"#ff8000\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Hex, E> {
        from_hex(text).map(Hex).ok_or_else(|| unclear(text, &self))
    }
}

struct TintVisitor;

impl<'de> Visitor<'de> for TintVisitor {
    type Value = Tint;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour such as \"#ff8000\", or {\"hsv\": [..]} or {\"choice\": [..]}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Tint, E> {
        from_hex(text).map(|color| Tint::Constant(Hex(color))).ok_or_else(|| unclear(text, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Tint, A::Error> {
        one_kind(map).map(Tint::Drawn)
    }
}

/// Says that a text is no colour, and repeats it if it is short.
fn unclear<E: Error>(text: &str, expected: &dyn serde::de::Expected) -> E {
    let long = text.len() > 64;
    let unexpected = if long { Unexpected::Other("a long text") } else { Unexpected::Str(text) };
    E::invalid_value(unexpected, expected)
}

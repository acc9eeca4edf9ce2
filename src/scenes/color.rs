//! Colors of entities.

use schemars::JsonSchema;
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize};

use super::distribution::{Choices, Distribution};
use super::forms::{Forms, any_form, single_key};
use super::quantity::Fraction;
use crate::components::Color;

/// A color: constant, or drawn at random for each entity.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum ColorSpec {
    /// Always the same color.
    Constant(HexColor),
    /// A color drawn at random.
    Random(RandomColor),
}

/// Where random colors come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RandomColor {
    /// Hue, saturation and value, each from 0 to 1; hue 0 is red, 1/3 green, 2/3 blue.
    Hsv([Distribution<Fraction>; 3]),
    /// One of a list, each with the same probability.
    Choice(Choices<HexColor>),
}

/// An sRGB color, `"#rrggbb"` in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(!try_from, !into)]
pub(crate) struct HexColor(
    #[schemars(with = "String", regex(pattern = "^#[0-9a-fA-F]{6}$"))] pub(crate) Color,
);

impl TryFrom<String> for HexColor {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digits = text.strip_prefix('#').filter(|digits| {
            digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        let Some(Ok(rgb)) = digits.map(|digits| u32::from_str_radix(digits, 16)) else {
            return Err(format!("invalid color {text:?}, expected one such as \"#ff8000\""));
        };
        let [_, red, green, blue] = rgb.to_be_bytes();
        Ok(Self(Color::srgb(red, green, blue)))
    }
}

impl From<HexColor> for String {
    fn from(HexColor(color): HexColor) -> Self {
        let [red, green, blue] = color.to_srgb();
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

impl<'de> Deserialize<'de> for ColorSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        any_form(deserializer)
    }
}

impl<'de> Forms<'de> for ColorSpec {
    fn expected() -> String {
        "a color such as \"#ff8000\", {\"hsv\": [h, s, v]} or {\"choice\": [..]}".to_owned()
    }

    fn from_text<E: Error>(text: &str) -> Option<Result<Self, E>> {
        Some(HexColor::try_from(text.to_owned()).map(Self::Constant).map_err(E::custom))
    }

    fn from_object<A: MapAccess<'de>>(map: A) -> Option<Result<Self, A::Error>> {
        Some(single_key(map).map(Self::Random))
    }
}

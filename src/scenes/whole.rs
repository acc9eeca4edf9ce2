//! Whole numbers in a range.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A whole number from `MIN` to `MAX`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u64")]
#[schemars(inline, !try_from)]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(
    #[schemars(range(min = MIN, max = MAX))] pub(crate) u32,
);

impl<const MIN: u32, const MAX: u32> TryFrom<u64> for Whole<MIN, MAX> {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, Self::Error> {
        let checked = u32::try_from(number).ok().filter(|number| (MIN..=MAX).contains(number));
        checked.map(Self).ok_or_else(|| format!("found `{number}`, expected {MIN} to {MAX}"))
    }
}

//! What happens by itself while a scene runs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::object::present;
use super::quantity::{Interlude, WarmUp};

/// What happens by itself while a scene runs, at simulated times.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TimelineSpec {
    /// Longest time that a falling cube has been on its way at the start; each has its own.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) warm_up: Option<WarmUp>,
    /// Time after which the fall mode switches, again and again.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) switch_every: Option<Interlude>,
    /// Time after which all motion runs backwards to the start, then forwards again, and so on.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) rewind_after: Option<Interlude>,
}

//! Tuning: how strongly and how fast everything of a scene moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{GravityFactor, Quantity, SpinFactor, TimeFactor};
use super::read::given;
use crate::sim::tuning::Tuning;

/// How strongly and how fast everything moves at the start; a factor that is left out is the classic
/// one.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TuningFactors {
    /// Factor of every gravity; 1 if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    gravity: Option<GravityFactor>,
    /// Simulated seconds of falling in a second; 1 if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    time: Option<TimeFactor>,
    /// How fast cubes spin while they fall, each about an axis of its own; they do not if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    spin: Option<SpinFactor>,
}

impl TuningFactors {
    pub(super) fn of(tuning: Tuning) -> Self {
        let Tuning { gravity, time, spin } = tuning;
        let classic = Tuning::default();
        Self {
            gravity: (gravity != classic.gravity).then(|| gravity.into()),
            time: (time != classic.time).then(|| time.into()),
            spin: (spin != classic.spin).then(|| spin.into()),
        }
    }

    pub(super) fn tuning(&self) -> Tuning {
        let classic = Tuning::default();
        Tuning {
            gravity: self.gravity.map_or(classic.gravity, Quantity::get),
            time: self.time.map_or(classic.time, Quantity::get),
            spin: self.spin.map_or(classic.spin, Quantity::get),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_say_what_a_slider_can_be_set_to_and_no_more() {
        fn reaches<Q: Quantity>(most: f32) -> bool {
            let most = f64::from(most);
            Q::checked(0.0).is_some()
                && Q::checked(most).is_some()
                && Q::checked(most * 1.01).is_none()
        }
        assert!(reaches::<GravityFactor>(Tuning::MAX_GRAVITY));
        assert!(reaches::<TimeFactor>(Tuning::MAX_TIME));
        assert!(reaches::<SpinFactor>(Tuning::MAX_SPIN));
    }
}

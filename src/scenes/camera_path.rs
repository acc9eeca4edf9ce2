//! Camera paths: key frames that the camera passes at given times.

use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

use super::camera::{check_look_at, degrees};
use super::list::List;
use super::object::{Object, is_default, present};
use super::quantity::{Length, Moment, Quantity};
use crate::components::Lens;

/// Shortest time between two keys, in s.
const MIN_STEP: f32 = 0.001;

/// Most keys of a path.
const MAX_KEYS: usize = 1000;

/// A path of the camera through key frames: a file of its own, or a part of a scene file.
///
/// [`read`](Self::read) and [`parse`](Self::parse) validate it; deserializing it otherwise does not check the keys against
/// each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CameraPath {
    /// Schema of this format, for editors.
    #[serde(default, rename = "$schema", skip_serializing)]
    #[schemars(with = "String")]
    pub(crate) schema: IgnoredAny,
    /// `true` if the path starts again at its end. The last key then is where the first one is.
    #[serde(default, rename = "loop", skip_serializing_if = "is_default")]
    pub(crate) repeats: bool,
    /// 2 to 1000 key frames in the order of their times. The first is at time 0.
    #[serde(deserialize_with = "keys")]
    #[schemars(with = "List<PathKey, 2, MAX_KEYS>")]
    pub(crate) keys: Vec<PathKey>,
}

/// Position and view of the camera at a moment.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PathKey {
    /// Simulated time since the start of the path, at least 1 ms more than that of the key frame before.
    pub(crate) time: Moment,
    /// Position.
    pub(crate) position: [Length; 3],
    /// Point to look at, instead of `yaw` and `pitch`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) look_at: Option<[Length; 3]>,
    /// Turn to the left, in degrees; 0 looks along -Z. From 0 to 360 is a full turn.
    #[serde(default, deserialize_with = "degrees::<_, -360, 360>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -360, max = 360))]
    pub(crate) yaw: Option<f64>,
    /// Tilt upwards, in degrees.
    #[serde(default, deserialize_with = "degrees::<_, -89, 89>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -89, max = 89))]
    pub(crate) pitch: Option<f64>,
    /// Vertical field of view, in degrees; 50 by default.
    #[serde(default, deserialize_with = "degrees::<_, 10, 120>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 10, max = 120))]
    pub(crate) fov: Option<f64>,
}

fn keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathKey>, D::Error> {
    let List(keys): List<Object<PathKey>, 2, MAX_KEYS> = List::deserialize(deserializer)?;
    Ok(keys.into_iter().map(|Object(key)| key).collect())
}

impl CameraPath {
    /// Checks the keys against each other. Returns the index of the first that is invalid, and what is
    /// wrong with it.
    pub(super) fn validate(&self) -> Result<(), (usize, String)> {
        for (index, key) in self.keys.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| self.keys[before].time.get());
            key.check(before).map_err(|message| (index, message))?;
        }
        let (first, last) = (&self.keys[0], self.keys.len() - 1);
        if self.repeats && !first.has_view_of(&self.keys[last]) {
            let message = "the path is a loop, expected the position and view of the first key";
            return Err((last, message.into()));
        }
        Ok(())
    }
}

impl PathKey {
    /// Checks a key after one of the time `before`, or the first key.
    fn check(&self, before: Option<f32>) -> Result<(), String> {
        let time = self.time.get();
        match before {
            None if time != 0.0 => Err(format!("the time is {time}, expected 0 at the start")),
            // The difference of large times is rounded.
            Some(before) if time - before < MIN_STEP - (time * f32::EPSILON).max(1e-6) => {
                Err(format!(
                    "the time is {time}, expected at least {MIN_STEP} s more than {before} of the key frame before"
                ))
            }
            _ => {
                let has_angles = self.yaw.is_some() || self.pitch.is_some();
                check_look_at(self.look_at, self.position, has_angles)
            }
        }
    }

    /// Returns `true` if both keys have the same position and view, full turns aside.
    fn has_view_of(&self, other: &Self) -> bool {
        let apart = (self.yaw.unwrap_or(0.0) - other.yaw.unwrap_or(0.0)).rem_euclid(360.0);
        let rest = |key: &Self| {
            let pitch = key.pitch.unwrap_or_default();
            (key.position, key.look_at, pitch, key.fov.unwrap_or(Lens::DEGREES.into()))
        };
        // Differences of decimals are rounded.
        rest(self) == rest(other) && apart.min(360.0 - apart) < 1e-6
    }
}

//! The camera of a scene at the start.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::object::present;
use super::quantity::{FlightSpeed, Length, Speed, TurnRate, to_vec3};
use crate::components::Orbit;

/// Position and view of the camera at the start.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("dependentRequired" = { "orbit_speed": ["orbit"] }))]
pub(crate) struct CameraSpec {
    /// Position.
    pub(crate) position: [Length; 3],
    /// Point to look at, instead of `yaw` and `pitch`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) look_at: Option<[Length; 3]>,
    /// Point to orbit, 1 to 2000 m from the position; while the camera falls, only with an `orbit_speed`. The camera
    /// looks there from the start, or turns there from the view of `look_at`, `yaw` and `pitch`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) orbit: Option<[Length; 3]>,
    /// Rate at which the camera circles the point of `orbit` until the user moves it, in degrees per simulated second;
    /// positive is counterclockwise seen from above; none by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) orbit_speed: Option<TurnRate>,
    /// Turn to the left, in degrees; 0 looks along -Z.
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
    /// Speed of flight; 40 m/s by default.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) speed: Option<FlightSpeed>,
    /// Velocity at the start of a scene in which the camera falls.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) velocity: Option<[Speed; 3]>,
}

impl CameraSpec {
    /// Returns `true` if `yaw` or `pitch` sets the view.
    pub(crate) fn has_angles(&self) -> bool {
        self.yaw.is_some() || self.pitch.is_some()
    }

    /// Checks the keys against each other.
    pub(super) fn validate(&self) -> Result<(), String> {
        let [min, max] = Orbit::DISTANCES;
        check_look_at(self.look_at, self.position, self.has_angles())?;
        if self.orbit.is_some_and(|point| !can_orbit(self.position, point)) {
            return Err(format!("orbit is expected to be {min} to {max} m from the position"));
        }
        if self.orbit_speed.is_some() && self.orbit.is_none() {
            return Err("orbit_speed without orbit, expected both".into());
        }
        Ok(())
    }
}

/// Checks the point that a camera looks at.
pub(super) fn check_look_at(
    look_at: Option<[Length; 3]>,
    position: [Length; 3],
    has_angles: bool,
) -> Result<(), String> {
    if look_at.is_some() && has_angles {
        return Err("look_at besides yaw or pitch, expected one of the two".into());
    }
    if look_at.map(to_vec3) == Some(to_vec3(position)) {
        return Err("look_at is the position, expected another point".into());
    }
    Ok(())
}

/// Returns `true` if a camera at `position` is near enough to orbit `point`, and far enough from it.
pub(crate) fn can_orbit(position: [Length; 3], point: [Length; 3]) -> bool {
    let distance = to_vec3(position).distance(to_vec3(point));
    let [near, far] = Orbit::DISTANCES;
    (near - Orbit::ROUNDING..=far + Orbit::ROUNDING).contains(&distance)
}

/// Reads an angle. It stays an `f64`, from which the `f32` in radians is restored to the bit.
pub(super) fn degrees<'de, D, const MIN: i16, const MAX: i16>(
    deserializer: D,
) -> Result<Option<f64>, D::Error>
where
    D: Deserializer<'de>,
{
    let angle = f64::deserialize(deserializer)?;
    if (f64::from(MIN)..=f64::from(MAX)).contains(&angle) {
        Ok(Some(angle))
    } else {
        Err(D::Error::custom(format_args!(
            "found `{angle}`, expected an angle from {MIN} to {MAX} (degrees)"
        )))
    }
}

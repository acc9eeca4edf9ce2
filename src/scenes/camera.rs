//! Camera: where it starts and where it looks.

use glam::Vec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::quantity::{Flight, Length, Quantity, Speed};
use super::read::given;
use super::vector::{axes, constant};
use crate::components::{Controls, Lens, Orbit, Position, Velocity};
use crate::sim::camera::{DISTANCES, MAX_PITCH, yaw_and_pitch};

/// Where the camera starts and where it looks.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Given")]
pub(in crate::sim) struct Camera(Given);

/// As the file says it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Given {
    /// Where it starts.
    position: [Length; 3],
    /// What it looks at; instead of yaw and pitch.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    look_at: Option<[Length; 3]>,
    /// What it circles while cubes fall, 1 to 2000 m away. It looks there from the start, or turns there
    /// from where `look_at`, `yaw` and `pitch` say.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    orbit: Option<[Length; 3]>,
    /// Turn to the left; 0 looks along -Z.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    yaw: Option<Degrees<-360, 360>>,
    /// Tilt upwards.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pitch: Option<Degrees<-89, 89>>,
    /// Vertical field of view; 50 if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    fov: Option<Degrees<10, 120>>,
    /// How fast it flies; 40 m/s if left out.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    speed: Option<Flight>,
    /// How fast it falls already, in the mode in which it does.
    #[serde(default, deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    velocity: Option<[Speed; 3]>,
}

impl TryFrom<Given> for Camera {
    type Error = &'static str;

    fn try_from(given: Given) -> Result<Self, Self::Error> {
        let turned = given.yaw.is_some() || given.pitch.is_some();
        match given.look_at {
            Some(_) if turned => Err("either look_at is expected, or yaw and pitch"),
            Some(target) if constant(target) == constant(given.position) => {
                Err("look_at is where the camera is: another place is expected")
            }
            _ if given.orbit.is_some_and(|place| !can_circle(given.position, place)) => {
                Err("orbit is a place to circle: one 1 to 2000 m from the position is expected")
            }
            _ => Ok(Self(given)),
        }
    }
}

impl Camera {
    /// What a camera of a running simulation starts with.
    pub(in crate::sim) fn of(
        position: Position,
        lens: Lens,
        controls: &Controls,
        velocity: Velocity,
        orbit: Option<&Orbit>,
    ) -> Self {
        let at = axes::<Length>(position.0);
        // One that is still on its way may be anywhere.
        let orbit = orbit.map(|orbit| axes(orbit.target)).filter(|&place| can_circle(at, place));
        Self(Given {
            position: at,
            look_at: None,
            orbit,
            yaw: Some(Degrees::of(controls.yaw)),
            pitch: Some(Degrees::of(controls.pitch)),
            fov: Some(Degrees::of(lens.fov_y)),
            speed: Some(Flight::of(controls.speed)),
            velocity: (velocity.0 != Vec3::ZERO).then(|| velocity.0.to_array().map(Speed::of)),
        })
    }

    pub(in crate::sim) fn components(&self) -> (Position, Lens, Controls) {
        let Self(given) = self;
        let position = constant(given.position);
        let turned = given.yaw.is_some() || given.pitch.is_some();
        let (yaw, pitch) = match given.look_at.or(given.orbit.filter(|_| !turned)) {
            Some(target) => toward(constant(target) - position),
            None => (radians(given.yaw), radians(given.pitch)),
        };
        let default = Controls::default();
        let speed = given.speed.map_or(default.speed, Quantity::get);
        let lens = given
            .fov
            .map_or_else(Lens::default, |fov| Lens { fov_y: fov.radians(), ..Lens::default() });
        (Position(position), lens, Controls { speed, yaw, pitch, ..default })
    }

    /// What it circles, if it circles anything.
    pub(in crate::sim) fn orbit(&self) -> Option<Vec3> {
        self.0.orbit.map(constant)
    }

    pub(in crate::sim) fn velocity(&self) -> Velocity {
        self.0.velocity.map_or_else(Velocity::default, |velocity| Velocity(constant(velocity)))
    }
}

/// Whether a camera at a position is as far from a place as one that circles it may be.
fn can_circle(position: [Length; 3], place: [Length; 3]) -> bool {
    let away = constant(position).distance(constant(place));
    (DISTANCES[0]..=DISTANCES[1]).contains(&away)
}

/// Yaw and pitch of a view along `ahead`, never straight up or down.
fn toward(ahead: Vec3) -> (f32, f32) {
    let (yaw, pitch) = yaw_and_pitch(ahead);
    (yaw, pitch.clamp(-MAX_PITCH, MAX_PITCH))
}

/// An angle, kept as it was written: an f32 in radians becomes degrees and the same radians again.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "f64")]
struct Degrees<const LOW: i16, const HIGH: i16>(f64);

impl<const LOW: i16, const HIGH: i16> Degrees<LOW, HIGH> {
    fn of(radians: f32) -> Self {
        Self(f64::from(radians) * (180.0 / std::f64::consts::PI))
    }

    fn radians(self) -> f32 {
        (self.0 * (std::f64::consts::PI / 180.0)) as f32
    }
}

fn radians<const LOW: i16, const HIGH: i16>(angle: Option<Degrees<LOW, HIGH>>) -> f32 {
    angle.map_or(0.0, Degrees::radians)
}

impl<const LOW: i16, const HIGH: i16> TryFrom<f64> for Degrees<LOW, HIGH> {
    type Error = String;

    fn try_from(degrees: f64) -> Result<Self, Self::Error> {
        let range = f64::from(LOW)..=f64::from(HIGH);
        let found = range.contains(&degrees).then_some(Self(degrees));
        found.ok_or_else(|| format!("an angle from {LOW} to {HIGH} (degrees) is expected"))
    }
}

impl<const LOW: i16, const HIGH: i16> JsonSchema for Degrees<LOW, HIGH> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Degrees_{LOW}_to_{HIGH}").into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number", "minimum": LOW, "maximum": HIGH })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_at_a_place_goes_there() {
        for (position, target) in
            [([0, 45, 275], [10, 20, -30]), ([5, 5, 5], [-40, 50, 60]), ([0, 0, 0], [-1, 0, 0])]
        {
            let text = format!(r#"{{"position": {position:?}, "look_at": {target:?}}}"#);
            let camera: Camera = serde_json::from_str(&text).unwrap();
            let (Position(at), _, controls) = camera.components();
            let ahead = controls.rotation().0 * Vec3::NEG_Z;
            let expected = (Vec3::from(target.map(|x| x as f32)) - at).normalize();
            assert!((ahead - expected).length() < 1e-5, "{text}: {ahead}");
        }
    }

    #[test]
    fn a_camera_that_circles_a_place_looks_there_unless_it_is_told_otherwise() {
        let camera = |text: &str| serde_json::from_str::<Camera>(text).unwrap();
        let circling = camera(r#"{"position": [0, 45, 275], "orbit": [10, 20, -30]}"#);
        let looking = camera(r#"{"position": [0, 45, 275], "look_at": [10, 20, -30]}"#);
        assert_eq!(circling.components(), looking.components());
        assert_eq!((circling.orbit(), looking.orbit()), (Some(Vec3::new(10.0, 20.0, -30.0)), None));
        let turning = camera(r#"{"position": [0, 45, 275], "orbit": [10, 20, -30], "yaw": 90}"#);
        let (_, _, controls) = turning.components();
        assert_eq!((controls.yaw, controls.pitch), (std::f32::consts::FRAC_PI_2, 0.0));
    }

    #[test]
    fn what_a_camera_has_is_read_back_to_the_bit() {
        for step in 0..10_000_u16 {
            let angle = f32::from(step) * 1.234_567e-4;
            let controls = Controls { yaw: -angle * 4.0, pitch: angle, ..Controls::default() };
            let lens = Lens { fov_y: 0.4 + angle, ..Lens::default() };
            let still = Velocity::default();
            let camera = Camera::of(Position::default(), lens, &controls, still, None);
            let text = serde_json::to_string(&camera).unwrap();
            let again: Camera = serde_json::from_str(&text).unwrap();
            assert_eq!(again.components(), (Position::default(), lens, controls), "{text}");
        }
    }
}

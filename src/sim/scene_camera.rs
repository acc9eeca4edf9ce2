//! The camera of a scene file, as components and back.

use glam::Vec3;

use super::camera::yaw_and_pitch;
use crate::components::{Controls, Lens, Orbit, Position, Velocity};
use crate::scenes::{CameraSpec, FlightSpeed, Quantity, TurnRate, can_orbit, from_vec3, to_vec3};

/// Returns the components of a camera at the start.
pub(super) fn camera_components(spec: &CameraSpec) -> (Position, Lens, Controls) {
    let position = to_vec3(spec.position);
    let (yaw, pitch) = match spec.look_at.or(spec.orbit.filter(|_| !spec.has_angles())) {
        Some(target) => {
            let (yaw, pitch) = yaw_and_pitch(to_vec3(target) - position);
            (yaw, pitch.clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH))
        }
        None => (spec.yaw.map_or(0.0, radians), spec.pitch.map_or(0.0, radians)),
    };
    let (lens, controls) = (Lens::default(), Controls::default());
    let fov_y = spec.fov.map_or(lens.fov_y, radians);
    let speed = spec.speed.map_or(controls.speed, Quantity::get);
    (Position(position), Lens { fov_y, ..lens }, Controls { speed, yaw, pitch, ..controls })
}

/// Returns the camera of a running simulation as a scene file describes it. Leaves out an orbit whose
/// distance a file cannot hold, as while the camera is still on its way.
pub(super) fn camera_spec(
    Position(position): Position,
    lens: Lens,
    controls: &Controls,
    Velocity(velocity): Velocity,
    orbit: Option<&Orbit>,
) -> CameraSpec {
    let position = from_vec3(position);
    let orbit = orbit.filter(|orbit| can_orbit(position, from_vec3(orbit.target)));
    let turns = orbit.filter(|orbit| orbit.turn_rate != 0.0);
    let orbit = orbit.map(|orbit| from_vec3(orbit.target));
    CameraSpec {
        position,
        look_at: None,
        orbit,
        orbit_speed: turns.map(|orbit| TurnRate::clamped(degrees(orbit.turn_rate) as f32)),
        // The angle in rad may have been rounded up from the limit.
        yaw: Some(degrees(controls.yaw).clamp(-360.0, 360.0)),
        pitch: Some(degrees(controls.pitch).clamp(-89.0, 89.0)),
        fov: Some(degrees(lens.fov_y).clamp(10.0, 120.0)),
        speed: Some(FlightSpeed::clamped(controls.speed)),
        velocity: (velocity != Vec3::ZERO).then(|| from_vec3(velocity)),
    }
}

fn degrees(radians: f32) -> f64 {
    f64::from(radians) * (180.0 / std::f64::consts::PI)
}

pub(super) fn radians(degrees: f64) -> f32 {
    (degrees * (std::f64::consts::PI / 180.0)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> CameraSpec {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn look_at_turns_the_camera_to_the_point() {
        for (position, target) in
            [([0, 45, 275], [10, 20, -30]), ([5, 5, 5], [-40, 50, 60]), ([0, 0, 0], [-1, 0, 0])]
        {
            let text = format!(r#"{{"position": {position:?}, "look_at": {target:?}}}"#);
            let (Position(position), _, controls) = camera_components(&parse(&text));
            let forward = controls.rotation().0 * Vec3::NEG_Z;
            let expected = (Vec3::from(target.map(|x| x as f32)) - position).normalize();
            assert!((forward - expected).length() < 1e-5, "{text}: {forward}");
        }
    }

    #[test]
    fn orbit_turns_the_camera_to_the_point_unless_angles_are_given() {
        let orbiting = parse(r#"{"position": [0, 45, 275], "orbit": [10, 20, -30]}"#);
        let looking = parse(r#"{"position": [0, 45, 275], "look_at": [10, 20, -30]}"#);
        assert_eq!(camera_components(&orbiting), camera_components(&looking));
        let orbit = |spec: CameraSpec| spec.orbit.map(to_vec3);
        assert_eq!((orbit(orbiting), orbit(looking)), (Some(Vec3::new(10.0, 20.0, -30.0)), None));
        let turned = parse(r#"{"position": [0, 45, 275], "orbit": [10, 20, -30], "yaw": 90}"#);
        let (_, _, controls) = camera_components(&turned);
        assert_eq!((controls.yaw, controls.pitch), (std::f32::consts::FRAC_PI_2, 0.0));
    }

    #[test]
    fn angles_are_read_back_to_the_bit() {
        for step in 0..10_000_u16 {
            let angle = f32::from(step) * 1.234_567e-4;
            let controls = Controls { yaw: -angle * 4.0, pitch: angle, ..Controls::default() };
            let lens = Lens { fov_y: 0.4 + angle, ..Lens::default() };
            let at_rest = Velocity::default();
            let spec = camera_spec(Position::default(), lens, &controls, at_rest, None);
            let text = serde_json::to_string(&spec).unwrap();
            let expected = (Position::default(), lens, controls);
            assert_eq!(camera_components(&parse(&text)), expected, "{text}");
        }
    }
}

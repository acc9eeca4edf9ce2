//! Functions of the camera that return the same bits on every platform.
//!
//! The camera is part of the state hash. glam computes transcendental functions of vectors with the
//! `libm` crate, not with the platform's library. Its quaternions sum in another order with SIMD than
//! without, so quaternion products are written out here.

use glam::{Quat, Vec2, Vec3};

/// Returns `base` to the power of `exponent`.
pub(super) fn power(base: f32, exponent: f32) -> f32 {
    Vec2::splat(base).powf(exponent).x
}

/// Returns e to the power of `exponent`.
pub(super) fn exp(exponent: f32) -> f32 {
    Vec2::splat(exponent).exp().x
}

/// Returns the tangent of an angle in rad.
pub(super) fn tan(angle: f32) -> f32 {
    let Vec2 { x, y } = Vec2::from_angle(angle);
    y / x
}

/// Returns yaw and pitch of a view along `forward`, in rad. The yaw is 0 straight up and down.
pub(in crate::sim) fn yaw_and_pitch(forward: Vec3) -> (f32, f32) {
    let level = Vec2::new(-forward.z, -forward.x);
    let yaw = if level == Vec2::ZERO { 0.0 } else { level.to_angle() };
    (yaw, Vec2::new(level.length(), forward.y).to_angle())
}

/// Returns the rotation by `pitch` upwards, then by `yaw` to the left, both in rad.
pub(super) fn turn(yaw: f32, pitch: f32) -> Quat {
    let [yaw, pitch] = [yaw, pitch].map(|angle| Vec2::from_angle(angle * 0.5));
    Quat::from_xyzw(yaw.x * pitch.y, yaw.y * pitch.x, -yaw.y * pitch.y, yaw.x * pitch.x)
}

/// Returns the rotated vector: `v + 2w (u x v) + 2 u x (u x v)`, where `u` is the vector part of the
/// unit quaternion and `w` its real part.
pub(in crate::sim) fn rotated(rotation: Quat, vector: Vec3) -> Vec3 {
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let across = axis.cross(vector) * 2.0;
    vector + across * rotation.w + axis.cross(across)
}

#[cfg(test)]
mod tests {
    use glam::EulerRot;

    use super::*;

    /// Angles over the full circle and slightly beyond.
    fn angles() -> impl Iterator<Item = f32> + Clone {
        (-70..70_i8).map(|step| f32::from(step) * 0.091)
    }

    #[test]
    fn turn_is_the_yaw_after_the_pitch() {
        for yaw in angles() {
            for pitch in angles() {
                let expected = Quat::from_rotation_y(yaw) * Quat::from_rotation_x(pitch);
                let apart = turn(yaw, pitch) - expected;
                assert!(apart.length() < 1e-6, "{yaw} {pitch}");
                let euler = Quat::from_euler(EulerRot::YXZ, yaw, pitch, 0.0);
                assert!((turn(yaw, pitch) - euler).length() < 1e-6, "{yaw} {pitch}");
            }
        }
    }

    #[test]
    fn rotated_vector_matches_the_matrix() {
        let vector = Vec3::new(3.0, -2.0, 0.5);
        for (yaw, pitch) in angles().zip(angles().skip(40)) {
            let rotation = turn(yaw, pitch);
            let expected = glam::Mat3::from_quat(rotation) * vector;
            assert!((rotated(rotation, vector) - expected).length() < 1e-5, "{yaw} {pitch}");
        }
    }

    #[test]
    fn yaw_and_pitch_turn_the_view_to_the_direction() {
        for ahead in [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-4.0, -1.0, 2.0), Vec3::NEG_Z, Vec3::Z] {
            let (yaw, pitch) = yaw_and_pitch(ahead);
            let view = rotated(turn(yaw, pitch), Vec3::NEG_Z);
            assert!((view - ahead.normalize()).length() < 1e-6, "{ahead}: {view}");
        }
        assert_eq!(yaw_and_pitch(Vec3::Y).0, 0.0);
    }

    #[test]
    fn powers_match_double_precision() {
        for x in angles() {
            let expected = [1.15_f64.powf(f64::from(x)), f64::from(x).exp()];
            for (found, expected) in [power(1.15, x), exp(x)].into_iter().zip(expected) {
                assert!((f64::from(found) / expected - 1.0).abs() < 1e-6, "{x}: {found}");
            }
        }
    }
}

//! A camera chosen by the user instead of that of the scene.

use std::sync::Arc;

use glam::Vec3;

use super::exact::yaw_and_pitch;
use super::handle::CameraMut;
use super::path::Pose;
use crate::components::{Controls, Lens, Orbit, Position};
use crate::scenes::CameraPath;

/// A camera instead of that of the scene. What is `None` stays as it is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct CameraSetup {
    /// Position, in m, clamped to ±[`Position::MAX`] along each axis.
    pub position: Option<Vec3>,
    /// Point to look at, in m.
    pub look_at: Option<Vec3>,
    /// Vertical field of view, in rad, clamped to [`Lens::FOV_Y`].
    pub fov_y: Option<f32>,
    /// Rate at which the camera circles the point that it looks at, in rad per simulated second, clamped to
    /// ±[`Orbit::MAX_TURN_RATE`]; positive is counterclockwise seen from above.
    pub orbit_speed: Option<f32>,
    /// Whether the view widens while the camera falls.
    pub widened_view: Option<bool>,
    /// Path of the camera; then all others but `widened_view` have no effect.
    pub path: Option<Arc<CameraPath>>,
}

/// A [`CameraSetup`] that no camera can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidCamera(String);

impl CameraMut<'_> {
    /// Places the camera and starts its motion.
    ///
    /// # Errors
    /// As for [`CameraSetup::check`], where the position of the camera counts if the setup has none. Nothing is
    /// changed then.
    pub fn set_up(&mut self, setup: &CameraSetup) -> Result<(), InvalidCamera> {
        let position = setup.position.unwrap_or(self.camera().view().position.0);
        // The check must refuse what is not finite; clamping would turn it into a valid position.
        let position = if position.is_finite() { Position(position).clamped().0 } else { position };
        CameraSetup { position: Some(position), ..setup.clone() }.check()?;
        if let Some(is_on) = setup.widened_view {
            self.set_widened_view(is_on);
        }
        if let Some(path) = &setup.path {
            self.take_path(path);
            return Ok(());
        }
        if !setup.places() && setup.fov_y.is_none() {
            return Ok(());
        }
        let (lens, Controls { yaw, pitch, .. }) = (self.camera().lens(), self.camera().controls());
        let mut pose = Pose {
            position,
            yaw,
            pitch,
            fov_y: setup.fov_y.map_or(lens.fov_y, |fov| fov.clamp(Lens::FOV_Y[0], Lens::FOV_Y[1])),
        };
        if let Some(target) = setup.look_at {
            let (yaw, pitch) = yaw_and_pitch(target - pose.position);
            (pose.yaw, pose.pitch) = (yaw, pitch.clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH));
        }
        if setup.places() {
            self.fly();
            self.stop_glide();
        } else {
            self.set_fov_of_path(pose.fov_y);
        }
        self.apply(pose);
        if let Some(rate) = setup.orbit_speed {
            let view = self.camera().view();
            let (forward, ahead) = view.ahead();
            let target = setup.look_at.unwrap_or(view.position.0 + forward * ahead);
            self.orbit(target, view.position.0.distance(target));
            self.turn_by_itself(rate);
        }
        Ok(())
    }
}

impl CameraSetup {
    /// Returns `true` if it gives the camera another place, direction or motion.
    pub fn places(&self) -> bool {
        let Self { position, look_at, orbit_speed, path, .. } = self;
        position.or(*look_at).is_some() || orbit_speed.is_some() || path.is_some()
    }

    /// Checks the values against each other.
    ///
    /// # Errors
    /// A number is not finite, or the camera would look at its own position, or orbit a point that is too near or too far.
    pub fn check(&self) -> Result<(), InvalidCamera> {
        let numbers = [self.fov_y, self.orbit_speed].into_iter().flatten();
        let points = [self.position, self.look_at].into_iter().flatten();
        if !{ numbers }.all(f32::is_finite) || !{ points }.all(Vec3::is_finite) {
            return Err(InvalidCamera("a number of the camera is not finite".into()));
        }
        let Some((position, target)) = self.position.zip(self.look_at) else { return Ok(()) };
        let [near, far] = Orbit::DISTANCES;
        let accepted = near - Orbit::ROUNDING..=far + Orbit::ROUNDING;
        if position == target {
            let Vec3 { x, y, z } = position;
            return Err(InvalidCamera(format!(
                "camera and look-at are both at {x},{y},{z}, expected two points"
            )));
        }
        if self.orbit_speed.is_some() && !accepted.contains(&position.distance(target)) {
            return Err(InvalidCamera(format!(
                "look-at, which the camera orbits, is {} m from it, expected {near} to {far} m",
                position.distance(target)
            )));
        }
        Ok(())
    }
}

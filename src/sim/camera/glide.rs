//! The glide of the camera from one fall mode to the other.

use std::f32::consts::{FRAC_PI_6, TAU};

use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::ground::has_ground;
use super::path::PathProgress;
use crate::components::{Controls, FallMode, Lens, Orbit, Position, Ranged, Velocity};
use crate::ecs::{Entity, Error, SystemArgs, World};
use crate::sim::cube_generator::HALF_EXTENT;

/// Pitch of the camera while the cubes fall, in rad: the ground is in view.
pub(in crate::sim) const CUBES_FALL_PITCH: f32 = -0.21;

/// Pitch of the camera while it falls, in rad: 30 degrees below the horizon.
pub(in crate::sim) const CAMERA_FALLS_PITCH: f32 = -FRAC_PI_6;

/// Lowest height above the ground at which a fall of the camera ends, in m.
const MIN_HEIGHT: f32 = 25.0;

/// What is left of the camera's way from one fall mode to the other: a resource of the world.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable, Serialize, Deserialize)]
#[repr(C)]
pub(in crate::sim) struct Glide {
    /// Time since the start, in s.
    elapsed: f32,
    /// Angle left to turn up, in rad.
    turn: f32,
    /// Height left to rise, in m.
    rise: f32,
    /// Velocity left of a fall, in m/s; decreases evenly.
    velocity: Vec3,
}

const _: () = assert!(size_of::<Glide>() == 24);

/// Starts a glide to `mode`. The camera turns to the view of the mode. If it falls no longer, it comes to
/// rest from `velocity`, high enough above the ground if there is one. One that orbits or is on a path does both by itself.
///
/// A glide in progress turns round where it is, and leads back: then the camera rises only by the share that has passed.
pub(in crate::sim) fn start_glide(
    world: &mut World,
    camera: Entity,
    mode: FallMode,
    velocity: Velocity,
) -> Result<(), Error> {
    let before = Glide::of(world);
    let (elapsed, passed) = (Glide::SECONDS - before.elapsed, before.passed());
    let (pitch, velocity) = match mode {
        FallMode::Cubes => (CUBES_FALL_PITCH, velocity.0),
        FallMode::Camera => (CAMERA_FALLS_PITCH, Vec3::ZERO),
    };
    let mut glide = Glide { elapsed, turn: 0.0, rise: 0.0, velocity };
    if !moves_itself(world, camera) {
        glide.turn = if passed < 1.0 {
            -before.turn * passed / (1.0 - passed)
        } else {
            pitch - world.get::<&Controls>(camera)?.pitch
        };
        if mode == FallMode::Cubes && has_ground(world) {
            let height = world.get::<&Position>(camera)?.0.y;
            let end = height + velocity.y * (Glide::SECONDS - elapsed) / 2.0;
            glide.rise = (MIN_HEIGHT - HALF_EXTENT - end).max(0.0) * passed;
        }
    }
    world.resources_mut().insert(glide);
    Ok(())
}

/// Returns whether the camera orbits or is on a path.
pub(in crate::sim) fn moves_itself(world: &World, camera: Entity) -> bool {
    world.has::<Orbit>(camera) || world.has::<PathProgress>(camera)
}

/// System that advances the glide of the camera. It adds to what the user does.
pub(in crate::sim) fn glide(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let before = Glide::of(world);
    if before.is_over() {
        return Ok(());
    }
    let Ok((camera, _)) = world.single::<(Entity, &Lens)>() else { return Ok(()) };
    let (after, rise) = before.after(args.dt);
    let controls = world.get_mut::<Controls>(camera)?;
    controls.pitch = (controls.pitch + (before.turn - after.turn))
        .clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH);
    // An orbit places the camera by itself.
    if rise != Vec3::ZERO && !world.has::<Orbit>(camera) {
        let position = world.get_mut::<Position>(camera)?;
        *position = Position(position.0 + rise).clamped();
    }
    world.resources_mut().insert(after);
    Ok(())
}

impl Default for Glide {
    /// A glide that is over.
    fn default() -> Self {
        Self { elapsed: Self::SECONDS, turn: 0.0, rise: 0.0, velocity: Vec3::ZERO }
    }
}

impl Glide {
    /// Duration, in s.
    const SECONDS: f32 = 0.5;

    /// Returns the glide of a world.
    pub(in crate::sim) fn of(world: &World) -> Self {
        world.resources().get().copied().unwrap_or_default()
    }

    /// Returns `true` if the camera has arrived.
    pub(in crate::sim) fn is_over(self) -> bool {
        self.elapsed >= Self::SECONDS
    }

    /// Returns how much of the way has passed, from 0 to 1: slow at both ends.
    pub(in crate::sim) fn passed(&self) -> f32 {
        let t = self.elapsed / Self::SECONDS;
        t * t * (3.0 - 2.0 * t)
    }

    /// Velocity left of a fall.
    pub(super) fn velocity(self) -> Velocity {
        Velocity(self.velocity)
    }

    /// Stops turning the camera: the user decides where to look.
    pub(super) fn stop_turn(world: &mut World) {
        let glide = Self { turn: 0.0, ..Self::of(world) };
        world.resources_mut().insert(glide);
    }

    /// Stops turning and moving the camera, which was placed elsewhere. The field of cubes still changes.
    pub(super) fn stop_motion(world: &mut World) {
        let glide =
            Self { elapsed: Self::of(world).elapsed, turn: 0.0, rise: 0.0, velocity: Vec3::ZERO };
        world.resources_mut().insert(glide);
    }

    /// Returns what is left `dt` seconds later, and the way of the camera until then.
    fn after(self, dt: f32) -> (Self, Vec3) {
        let elapsed = (self.elapsed + dt).min(Self::SECONDS);
        let later = Self { elapsed, ..self };
        // Both are exactly 0 at the end.
        let turn = (1.0 - later.passed()) / (1.0 - self.passed()).max(f32::MIN_POSITIVE);
        let brake =
            (Self::SECONDS - elapsed) / (Self::SECONDS - self.elapsed).max(f32::MIN_POSITIVE);
        let later = Self {
            turn: self.turn * turn,
            rise: self.rise * turn,
            velocity: self.velocity * brake,
            ..later
        };
        let way = (self.velocity + later.velocity) * (0.5 * (elapsed - self.elapsed));
        (later, way + Vec3::Y * (self.rise - later.rise))
    }
}

impl Ranged for Glide {
    fn is_valid(&self) -> bool {
        (0.0..=Self::SECONDS).contains(&self.elapsed)
            && self.turn.abs() <= TAU
            && self.rise.abs() <= Position::MAX
            && Velocity(self.velocity).is_valid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left after `seconds` at `rate` steps per second, and the way until then.
    fn later(glide: Glide, seconds: f32, rate: u16) -> (Glide, Vec3) {
        let steps = (seconds * f32::from(rate)).round() as u16;
        (0..steps).fold((glide, Vec3::ZERO), |(glide, way), _| {
            let (after, moved) = glide.after(1.0 / f32::from(rate));
            (after, way + moved)
        })
    }

    #[test]
    fn glide_does_not_depend_on_the_frame_rate_and_ends_exactly() {
        let start =
            Glide { elapsed: 0.0, turn: -0.4, rise: 12.0, velocity: Vec3::new(3.0, -45.0, 0.0) };
        // Half of the turn after half of the time, and three quarters of the way to rest.
        let quarter = Vec3::new(3.0, -45.0, 0.0) * 0.25 * 0.75;
        for rate in [4, 60, 144, 1000] {
            let (half, way) = later(start, 0.25, rate);
            assert!((half.turn + 0.2).abs() < 1e-4 && (half.rise - 6.0).abs() < 1e-3, "{half:?}");
            assert!((way - quarter - Vec3::Y * 6.0).length() < 1e-3, "{way}");
            let (end, way) = later(start, 0.6, rate.max(5));
            let rest =
                Glide { elapsed: Glide::SECONDS, turn: 0.0, rise: 0.0, velocity: Vec3::ZERO };
            assert_eq!(end, rest);
            assert!((way - start.velocity * 0.25 - Vec3::Y * 12.0).length() < 1e-3, "{way}");
        }
    }
}

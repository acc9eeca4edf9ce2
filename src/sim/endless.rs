//! The endless field around a falling camera.

use glam::Vec3;

use super::camera::{Glide, PathProgress, moves_itself, rotated};
use super::cube_generator::HALF_EXTENT;
use crate::components::{Color, EndlessField, Gravity, Lens, Position, Ranged, Rotation, Velocity};
use crate::ecs::{Entity, Error, World};

/// Distance after which the cubes repeat around a falling camera along each axis, in m: a resource of the
/// world.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Period(pub(super) Vec3);

impl Default for Period {
    /// The box of the classic scene.
    fn default() -> Self {
        Self(Vec3::splat(2.0 * HALF_EXTENT))
    }
}

impl Ranged for Period {
    fn is_valid(&self) -> bool {
        let [min, max] = EndlessField::PERIODS;
        self.0.to_array().iter().all(|period| (min..=max).contains(period))
    }
}

impl Period {
    /// Returns the smallest box around the origin with the centers of all cubes, and at least that of the
    /// classic scene.
    pub(super) fn covering(world: &World) -> Self {
        let cubes = world.query::<&Position>().with::<&Color>().into_iter();
        let reach = cubes.map(|at| at.0.abs()).fold(Vec3::splat(HALF_EXTENT), Vec3::max);
        Self((reach * 2.0).min(Vec3::splat(EndlessField::PERIODS[1])))
    }
}

/// Returns the field around the camera, if it falls or is about to stop.
pub(super) fn field(world: &World) -> Option<EndlessField> {
    let Period(period) = *world.resources().get()?;
    let passed = world.resources().get().map_or(1.0, Glide::passed);
    let falls = world.single::<(&Lens, &Gravity)>().is_ok();
    let strength = if falls { passed } else { 1.0 - passed };
    (strength > 0.0).then_some(EndlessField { period, strength })
}

/// Moves a falling camera by whole periods into the box around the origin. Its view stays the same, and
/// coordinates stay small enough for `f32`.
pub(super) fn wrap_camera(world: &mut World) {
    // Until the field is complete, other cubes would be displaced.
    if !Glide::of(world).is_over() {
        return;
    }
    let Period(period) = world.resources().get().copied().unwrap_or_default();
    let cameras = world.query_mut::<(&mut Position, Option<&PathProgress>)>();
    let Ok((position, path)) = cameras.with::<(&Lens, &Velocity)>().single_mut() else { return };
    if (position.0.abs() * 2.0).cmpgt(period).any() {
        let wrapped = EndlessField::wrapped(period, position.0);
        // Wrapping x and z would move the camera off its path.
        position.0 = if path.is_some() { position.0.with_y(wrapped.y) } else { wrapped };
    }
}

/// Moves a camera at the end of its fall by whole periods, so that it looks into the box of cubes and not out of it.
/// Its view stays the same, as long as the field is complete. One that orbits or is on a path turns to its
/// target by itself.
pub(super) fn face_cubes(
    world: &mut World,
    camera: Entity,
    rotation: Rotation,
) -> Result<(), Error> {
    let Period(period) = world.resources().get().copied().unwrap_or_default();
    if !Glide::of(world).is_over() || moves_itself(world, camera) {
        return Ok(());
    }
    let forward = rotated(rotation.0, Vec3::NEG_Z).with_y(0.0).normalize_or_zero();
    let Position(position) = world.get_mut(camera)?;
    // One that flew during a pause was not wrapped.
    *position = EndlessField::wrapped(period, *position);
    for axis in [0, 2] {
        let (at, ahead) = (position[axis], forward[axis]);
        // Less than a quarter of the cubes is ahead.
        if at * ahead > 0.0 && ahead.abs() > 0.35 && at.abs() > 0.25 * period[axis] {
            position[axis] -= period[axis].copysign(at);
        }
    }
    Ok(())
}

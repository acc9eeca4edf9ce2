//! The ground, below which a flying camera does not go.

use crate::components::{Gravity, Position};
use crate::ecs::{Entity, World};
use crate::sim::cube_generator::HALF_EXTENT;

/// Lowest height of a flying camera above the ground, in m.
const MIN_HEIGHT: f32 = 1.0;

/// Resource of worlds whose ground is not drawn.
pub(in crate::sim) struct NoGround;

/// Returns `true` if the ground of a world is drawn.
pub(super) fn has_ground(world: &World) -> bool {
    world.resources().get::<NoGround>().is_none()
}

/// Moves a flying camera, but not down through the ground. A camera that falls, or that is below already,
/// goes anywhere.
pub(super) fn fly_to(world: &mut World, camera: Entity, to: Position) {
    let Ok(&Position(from)) = world.get::<&Position>(camera) else { return };
    let falls = world.has::<Gravity>(camera);
    let mut to = to.clamped();
    if !falls && has_ground(world) {
        to.0.y = to.0.y.max((MIN_HEIGHT - HALF_EXTENT).min(from.y));
    }
    if let Ok(position) = world.get_mut(camera) {
        *position = to;
    }
}

//! Follow: a camera that circles a cube and goes where that goes.

use glam::Vec3;

use super::exact::yaw_and_pitch;
use crate::components::{Controls, Orbit, Position};
use crate::ecs::{Entity, Error, Tick, World};
use crate::sim::cube_generator::HALF_EXTENT;

/// Whom the `Orbit` beside it takes its target from.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::sim) struct Follow(pub(in crate::sim) Entity);

/// How high above the floor a camera stays that follows a cube down to it, in m.
const ABOVE_FLOOR: f32 = 10.0;

/// The steepest pitch, in rad, at which a camera is not below the floor that looks at a place from
/// `reach` metres away: one that looks up is so much lower than the place.
fn steepest_up(place: Vec3, reach: f32) -> f32 {
    let lower = (place.y + HALF_EXTENT - ABOVE_FLOOR).min(reach).max(0.0);
    let level = (reach * reach - lower * lower).sqrt();
    yaw_and_pitch(Vec3::new(0.0, lower, -level)).1
}

/// The system that takes the target of an `Orbit` along with the cube that is followed. What the
/// camera has still to go is kept, so it does not lag behind; one that looks up at the cube comes to look
/// at it level before both are at the floor. Where the cube is gone, or another one
/// has begun in its place, the camera goes on circling where it was last.
pub(in crate::sim) fn follow(world: &mut World, _: Tick) -> Result<(), Error> {
    let found = world.query::<(&Follow, &Orbit)>()?.iter().find_map(|(camera, (follow, orbit))| {
        let at = world.get::<Position>(follow.0).ok().map(|position| position.0);
        (at != Some(orbit.target)).then_some((camera, at))
    });
    // There is one camera.
    match found {
        Some((camera, Some(at))) => {
            let pitch = world.get::<Controls>(camera)?.pitch;
            let orbit = world.get_mut::<Orbit>(camera)?;
            orbit.target = at;
            let steepest = steepest_up(at, orbit.distance + orbit.beyond);
            // Not at once: what there is to turn fades.
            orbit.turn.y = orbit.turn.y.min(steepest - pitch);
            Ok(())
        }
        Some((camera, None)) => world.remove::<Follow>(camera).map(drop),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_6};

    use super::*;

    #[test]
    fn the_nearer_the_floor_the_more_level_the_view() {
        let above = |height: f32| Vec3::new(0.0, ABOVE_FLOOR - HALF_EXTENT + height, 0.0);
        assert!((steepest_up(above(50.0), 100.0) - FRAC_PI_6).abs() < 1e-6, "asin(50 / 100)");
        assert_eq!(steepest_up(above(50.0), 20.0), FRAC_PI_2, "it is high enough for any view");
        assert_eq!(steepest_up(above(-5.0), 100.0), 0.0);
        // What rounding may make of no distance at all.
        assert_eq!(steepest_up(above(50.0), -1e-7), 0.0);
    }
}

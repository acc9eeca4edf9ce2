//! Follow: a camera that circles a cube and goes where that goes.

use crate::components::{Orbit, Position};
use crate::ecs::{Entity, Error, Tick, World};

/// Whom the `Orbit` beside it takes its target from.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::sim) struct Follow(pub(in crate::sim) Entity);

/// The system that takes the target of an `Orbit` along with the cube that is followed. What the
/// camera has still to go is kept, so it does not lag behind. Where the cube is gone, or another one
/// has begun in its place, the camera goes on circling where it was last.
pub(in crate::sim) fn follow(world: &mut World, _: Tick) -> Result<(), Error> {
    let found = world.query::<(&Follow, &Orbit)>()?.iter().find_map(|(camera, (follow, orbit))| {
        let at = world.get::<Position>(follow.0).ok().map(|position| position.0);
        (at != Some(orbit.target)).then_some((camera, at))
    });
    // There is one camera.
    match found {
        Some((camera, Some(at))) => {
            world.get_mut::<Orbit>(camera)?.target = at;
            Ok(())
        }
        Some((camera, None)) => world.remove::<Follow>(camera).map(drop),
        None => Ok(()),
    }
}

//! Lifecycle: what falls through the floor begins again at the top.

use super::scene::{CubeStream, HALF_EXTENT};
use crate::components::{Lens, RigidBody, Transform};
use crate::ecs::{Entity, Error, GroupId, System, Tick, World};

/// The system that despawns each cube below the floor and spawns a new one at the top, and that
/// lifts a falling camera back to the top. So the demo never empties, entity slots are seen to be
/// reused, and no coordinate grows until an `f32` can no longer hold it.
pub(super) struct Lifecycle {
    falling: GroupId,
    cubes: CubeStream,
    /// The cubes of this run that have fallen through; kept so that a run allocates nothing.
    fallen: Vec<Entity>,
}

impl Lifecycle {
    pub(super) fn new(falling: GroupId, cubes: CubeStream) -> Self {
        Self { falling, cubes, fallen: Vec::new() }
    }
}

impl System for Lifecycle {
    fn run(&mut self, world: &mut World, _: Tick) -> Result<(), Error> {
        let (transforms,) = world.slices::<(&Transform,)>(self.falling)?;
        for (position, transform) in transforms.iter().enumerate() {
            if transform.position.y < -HALF_EXTENT {
                self.fallen.extend(world.group_entity(self.falling, position)?);
            }
        }
        for cube in self.fallen.drain(..) {
            world.despawn(cube)?;
            world.spawn(self.cubes.at_the_top())?;
        }

        world.query_mut::<(&mut Transform, &mut RigidBody)>()?.with::<(Lens,)>()?.for_each(
            |_, (transform, body)| {
                if transform.position.y < -HALF_EXTENT {
                    transform.position.y = HALF_EXTENT;
                    *body = RigidBody::default();
                }
            },
        )
    }
}

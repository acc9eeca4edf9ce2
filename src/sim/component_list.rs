//! The list of all components of a simulation.

use crate::components::{
    Acceleration, AngularVelocity, Color, Controls, Gravity, Lens, Name, Orbit, Position, Rotation,
    Scale, Velocity,
};
use crate::ecs::{Error, World};
use crate::sim::camera::Follow;
use crate::sim::state_hash::StateHash;
use crate::sim::template_id::{InitialVelocity, TemplateId};

macro_rules! component_list {
    (hashed: $($component:ty),+; others: $($other:ty),+;) => {
        /// All of them: what a snapshot holds.
        #[cfg(feature = "snapshot")]
        pub(super) type All = ($($component,)+ $($other,)+);

        /// Registers all of them.
        pub(super) fn register(world: &mut World) -> Result<(), Error> {
            $(world.register::<$component>()?;)+
            $(world.register::<$other>()?;)+
            Ok(())
        }

        /// Hashes the packed arrays of those that can be.
        pub(super) fn hash(hash: &mut StateHash, world: &World) -> Result<(), Error> {
            $(hash.array::<$component>(world)?;)+
            Ok(())
        }
    };
}

// Each in the order of registration. What is new goes to the end of its line, where it changes no
// hash of scenes without it; the snapshot file gets another version then. `Orbit` and `Follow` are
// hashed in `Simulation::state_hash`. The others are in no hash: `Name`, `TemplateId` and `InitialVelocity` move
// nothing that has not begun again yet, and what begins again shows them in its values.
component_list!(
    hashed: Position, Rotation, Scale, Color, Velocity, Acceleration, Gravity, Lens, Controls,
        AngularVelocity;
    others: Orbit, Follow, Name, TemplateId, InitialVelocity;
);

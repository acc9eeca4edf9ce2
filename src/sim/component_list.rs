//! The list of all components of a simulation.

use std::any::type_name;

use crate::components::{
    Acceleration, AngularVelocity, Color, Controls, Drag, Epoch, Gravity, Lens, Name, Orbit,
    Position, Ranged, Rotation, Scale, Velocity,
};
use crate::ecs::{Both, Component, Entity, Error, World};
use crate::sim::camera::{Follow, PathProgress};
use crate::sim::state_hash::StateHash;
use crate::sim::template_id::{InitialVelocity, TemplateId};

macro_rules! component_list {
    (hashed: $($component:ty),+; others: $($other:ty),+;) => {
        /// All components, for snapshots.
        pub(super) type All = Both<($($component,)+), ($($other,)+)>;

        #[cfg(test)]
        const NAMES: &[&str] = &[$(stringify!($component),)+ $(stringify!($other),)+];

        /// Registers all components.
        pub(super) fn register(world: &mut World) {
            $(world.register::<$component>();)+
            $(world.register::<$other>();)+
            world.register_references::<Follow>();
        }

        /// Adds the arrays of the hashed components.
        pub(super) fn hash(hash: &mut StateHash, world: &World) {
            $(hash.array::<$component>(world);)+
        }

        /// Checks that all values are in range.
        pub(super) fn check_ranges(world: &World) -> Result<(), Error> {
            $(check_array::<$component>(world)?;)+
            $(check_array::<$other>(world)?;)+
            Ok(())
        }
    };
}

// In the order of registration. Add a new component at the end of its line, where it keeps the hash
// of scenes without it, and increase the version of the snapshot file. `Simulation::state_hash` adds
// `Orbit`, `Follow` and `PathProgress` itself. The rest is not hashed: it has no effect before a respawn.
component_list!(
    hashed: Position, Rotation, Scale, Color, Velocity, Acceleration, Gravity, Lens, Controls,
        AngularVelocity, Drag, Epoch;
    others: Orbit, Follow, Name, TemplateId, InitialVelocity, PathProgress;
);

fn check_array<T: Component + Ranged>(world: &World) -> Result<(), Error> {
    world.query::<(Entity, &T)>().iter().try_for_each(|(entity, value)| check_range(entity, value))
}

/// Checks that a value is in range.
pub(super) fn check_range<T: Ranged>(entity: Entity, value: &T) -> Result<(), Error> {
    value.is_valid().then_some(()).ok_or(Error::OutOfRange(entity, type_name::<T>()))
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::sim::simulation::snapshot_file::VERSION;

    #[test]
    fn other_components_have_another_version_of_snapshot_files() {
        let names = "Position Rotation Scale Color Velocity Acceleration Gravity Lens Controls \
                     AngularVelocity Drag Epoch Orbit Follow Name TemplateId InitialVelocity PathProgress";
        let advice = "increase VERSION in snapshot_file.rs, then change this test";
        assert_eq!((VERSION, &*NAMES.join(" ")), (9, names), "{advice}");
    }
}

//! Bundles of components, and the groups that own their arrays.

use serde::{Deserialize, Serialize};

use crate::bundle;
use crate::components::{
    Acceleration, AngularVelocity, Color, Drag, Gravity, Position, RigidBody, Rotation, Scale,
    Transform, Velocity,
};
use crate::ecs::{GroupId, World};

/// The components that make an entity fall.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Physics {
    /// Velocity and acceleration.
    pub body: RigidBody,
    /// Acceleration by gravity.
    pub gravity: Gravity,
}

/// A cube: drawn because of its transform and colour, falling because of its physics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cube {
    /// Position, rotation and scale.
    pub transform: Transform,
    /// Colour of its surface.
    pub color: Color,
    /// The components that make it fall.
    pub physics: Physics,
}

/// A cube that spins while it falls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpinningCube {
    /// All other components.
    pub cube: Cube,
    /// Angular velocity.
    pub spin: AngularVelocity,
}

bundle!(Transform { position, rotation, scale }:
    position: Position, rotation: Rotation, scale: Scale);

bundle!(RigidBody { velocity, acceleration }: velocity: Velocity, acceleration: Acceleration);

bundle!(Physics { body: RigidBody { velocity, acceleration }, gravity }:
    velocity: Velocity, acceleration: Acceleration, gravity: Gravity);

bundle!(
    Cube {
        transform: Transform { position, rotation, scale },
        color,
        physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
    }:
    position: Position, rotation: Rotation, scale: Scale, color: Color, velocity: Velocity,
    acceleration: Acceleration, gravity: Gravity
);

bundle!(
    SpinningCube {
        cube: Cube {
            transform: Transform { position, rotation, scale },
            color,
            physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
        },
        spin,
    }:
    position: Position, rotation: Rotation, scale: Scale, color: Color, velocity: Velocity,
    acceleration: Acceleration, gravity: Gravity, spin: AngularVelocity
);

/// The nested groups of cubes: all of them, of these those that fall without drag, and of these those that
/// spin.
#[derive(Clone, Copy)]
pub(super) struct Groups {
    pub(super) drawn: GroupId,
    pub(super) falling: GroupId,
    pub(super) spinning: GroupId,
}

impl Groups {
    pub(super) fn new(world: &mut World) -> Self {
        Self {
            drawn: world.create_group::<(Position, Rotation, Scale, Color)>(),
            falling: world.create_group_without::<Cube, (Drag,)>(),
            spinning: world.create_group_without::<SpinningCube, (Drag,)>(),
        }
    }
}

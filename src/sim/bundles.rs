//! Bundles of components.

use serde::{Deserialize, Serialize};

use super::template_id::TemplateId;
use crate::bundle;
use crate::components::{
    Acceleration, AngularVelocity, Color, Epoch, Gravity, Name, Position, RigidBody, Rotation,
    Scale, Transform, Velocity,
};

/// The components that make an entity fall.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Physics {
    /// Velocity and acceleration.
    pub body: RigidBody,
    /// Acceleration by gravity.
    pub gravity: Gravity,
}

/// A cube: drawn because of its transform and color, falling because of its physics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cube {
    /// Position, rotation and scale.
    pub transform: Transform,
    /// Color of its surface.
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

/// A cube with evaluated motion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EvaluatedCube {
    /// All other components, as of the epoch.
    pub(super) cube: Cube,
    /// When the values are stated.
    pub(super) epoch: Epoch,
}

/// A spinning cube with evaluated motion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EvaluatedSpinningCube {
    /// All other components, as of the epoch.
    pub(super) cube: SpinningCube,
    /// When the values are stated.
    pub(super) epoch: Epoch,
}

/// A falling cube of a template, as nearly all entities of a scene are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TemplateCube {
    /// The components of every cube.
    pub(super) cube: Cube,
    /// Name of the template.
    pub(super) name: Name,
    /// The template.
    pub(super) template: TemplateId,
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

bundle!(
    TemplateCube {
        cube: Cube {
            transform: Transform { position, rotation, scale },
            color,
            physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
        },
        name,
        template,
    }:
    position: Position, rotation: Rotation, scale: Scale, color: Color, velocity: Velocity,
    acceleration: Acceleration, gravity: Gravity, name: Name, template: TemplateId
);

bundle!(
    EvaluatedCube {
        cube: Cube {
            transform: Transform { position, rotation, scale },
            color,
            physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
        },
        epoch,
    }:
    position: Position, rotation: Rotation, scale: Scale, color: Color, velocity: Velocity,
    acceleration: Acceleration, gravity: Gravity, epoch: Epoch
);

bundle!(
    EvaluatedSpinningCube {
        cube: SpinningCube {
            cube: Cube {
                transform: Transform { position, rotation, scale },
                color,
                physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
            },
            spin,
        },
        epoch,
    }:
    position: Position, rotation: Rotation, scale: Scale, color: Color, velocity: Velocity,
    acceleration: Acceleration, gravity: Gravity, spin: AngularVelocity, epoch: Epoch
);

//! Bundles: which components make up a transform, a rigid body and a cube.

use crate::components::{
    Acceleration, AngularVelocity, Color, Gravity, Position, RigidBody, Rotation, Scale, Transform,
    Velocity,
};
use crate::ecs::StructBundle;

impl StructBundle for Transform {
    type Fields = (Position, Rotation, Scale);

    fn into_fields(self) -> Self::Fields {
        (self.position, self.rotation, self.scale)
    }

    fn from_fields((position, rotation, scale): Self::Fields) -> Self {
        Self { position, rotation, scale }
    }
}

impl StructBundle for RigidBody {
    type Fields = (Velocity, Acceleration);

    fn into_fields(self) -> Self::Fields {
        (self.velocity, self.acceleration)
    }

    fn from_fields((velocity, acceleration): Self::Fields) -> Self {
        Self { velocity, acceleration }
    }
}

/// What makes an entity fall.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Physics {
    /// How it moves.
    pub body: RigidBody,
    /// What pulls it.
    pub gravity: Gravity,
}

impl StructBundle for Physics {
    type Fields = (Velocity, Acceleration, Gravity);

    fn into_fields(self) -> Self::Fields {
        (self.body.velocity, self.body.acceleration, self.gravity)
    }

    fn from_fields((velocity, acceleration, gravity): Self::Fields) -> Self {
        Self { body: RigidBody { velocity, acceleration }, gravity }
    }
}

/// A cube: drawn because of its transform and colour, falling because of its physics.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cube {
    /// Where it is, which way it faces and how large it is.
    pub transform: Transform,
    /// What it reflects.
    pub color: Color,
    /// What makes it fall.
    pub physics: Physics,
}

impl StructBundle for Cube {
    type Fields = (Position, Rotation, Scale, Color, Velocity, Acceleration, Gravity);

    fn into_fields(self) -> Self::Fields {
        let (position, rotation, scale) = self.transform.into_fields();
        let (velocity, acceleration, gravity) = self.physics.into_fields();
        (position, rotation, scale, self.color, velocity, acceleration, gravity)
    }

    fn from_fields(
        (position, rotation, scale, color, velocity, acceleration, gravity): Self::Fields,
    ) -> Self {
        Self {
            transform: Transform { position, rotation, scale },
            color,
            physics: Physics { body: RigidBody { velocity, acceleration }, gravity },
        }
    }
}

/// A cube that spins while it falls.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpinningCube {
    /// Everything else about it.
    pub cube: Cube,
    /// How it spins.
    pub spin: AngularVelocity,
}

impl StructBundle for SpinningCube {
    type Fields =
        (Position, Rotation, Scale, Color, Velocity, Acceleration, Gravity, AngularVelocity);

    fn into_fields(self) -> Self::Fields {
        let (position, rotation, scale, color, velocity, acceleration, gravity) =
            self.cube.into_fields();
        (position, rotation, scale, color, velocity, acceleration, gravity, self.spin)
    }

    fn from_fields(
        (position, rotation, scale, color, velocity, acceleration, gravity, spin): Self::Fields,
    ) -> Self {
        let cube = (position, rotation, scale, color, velocity, acceleration, gravity);
        Self { cube: Cube::from_fields(cube), spin }
    }
}

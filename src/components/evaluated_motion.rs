//! Motion that is evaluated where it is drawn.

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

use super::motion::{Acceleration, AngularVelocity, Gravity, Velocity};

/// Time at which position, velocity and rotation of a cube are stated, in ticks of 2^-16 s of simulated
/// time; wraps around after 18 hours. Only cubes with evaluated motion have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable, Serialize, Deserialize)]
#[repr(transparent)]
pub struct Epoch(pub u32);

const _: () = assert!(size_of::<Epoch>() == 4);

/// Motion of the first cubes of a scene, borrowed from packed arrays with one element per moving cube. The other cubes
/// are still.
///
/// Positions and rotations of the scene are those at the epochs. A cube that is `s` seconds older than its
/// epoch is at `p + v s + a s²/2`, turned by `w s`.
///
/// The renderer replaces its copy where positions, rotations or scales have changed, where
/// cubes begin or cease to move or spin, and everywhere if a factor changes. A change of the other arrays
/// is uploaded only with one of these.
#[derive(Clone, Copy, Debug)]
pub struct EvaluatedMotion<'a> {
    /// Velocities at the epochs.
    pub velocities: &'a [Velocity],
    /// Accelerations by anything but gravity.
    pub accelerations: &'a [Acceleration],
    /// Accelerations by gravity, before [`gravity_factor`](Self::gravity_factor).
    pub gravities: &'a [Gravity],
    /// Spin before [`spin_factor`](Self::spin_factor), of the first moving cubes; the others do not spin.
    pub angular_velocities: &'a [AngularVelocity],
    /// Times at which the state of each cube is stated.
    pub epochs: &'a [Epoch],
    /// Factor of gravity.
    pub gravity_factor: f32,
    /// Factor of angular velocity.
    pub spin_factor: f32,
    /// Current time, in ticks of 2^-16 s. It wraps: an age is a difference from -2^31 to 2^31 ticks.
    pub now: u32,
}

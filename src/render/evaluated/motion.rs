//! Motion that the GPU evaluates.

use crate::components::{Acceleration, AngularVelocity, Epoch, Gravity, Velocity};

/// Motion of the first cubes of a [`SceneView`](crate::render::SceneView), borrowed from packed arrays with one
/// element per moving cube. The other cubes are still.
///
/// Positions and rotations of the view are those at the epochs. A cube that is `s` seconds older than its
/// epoch is drawn at `p + v s + a s²/2`, turned by `w s`.
///
/// The copy on the GPU is replaced where positions, rotations or scales of the view have changed, where
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
    /// Time to draw, in ticks of 2^-16 s. It wraps: an age is a difference from -2^31 to 2^31 ticks.
    pub now: u32,
}

impl EvaluatedMotion<'_> {
    /// Returns the number of moving cubes.
    pub(in crate::render) fn len(&self) -> usize {
        self.epochs.len()
    }

    /// Returns `true` if the arrays have one element per moving cube, and no more than `cubes`.
    pub(in crate::render) fn is_consistent(&self, cubes: usize) -> bool {
        let lengths = [self.velocities.len(), self.accelerations.len(), self.gravities.len()];
        lengths == [self.len(); 3]
            && self.angular_velocities.len() <= self.len()
            && self.len() <= cubes
    }
}

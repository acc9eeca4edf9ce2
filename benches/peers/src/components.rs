//! The components that all libraries store, and the arithmetic that all of them run.
//!
//! The derived `Component` is that of flecs; the others are implemented where they are needed.

use cubefall::components::{Acceleration, Position, Velocity};
use flecs_ecs::macros::Component;

/// Seconds of one integration step.
pub(crate) const STEP: f32 = 1.0 / 60.0;

/// Number of [`Numbered`] types.
pub(crate) const NUMBERED_TYPES: usize = 26;

/// Position, rotation and scale: 36 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Transform {
    pub(crate) position: [f32; 3],
    pub(crate) rotation: [f32; 3],
    pub(crate) scale: [f32; 3],
}

/// Velocity and acceleration: 24 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct RigidBody {
    pub(crate) velocity: [f32; 3],
    pub(crate) acceleration: [f32; 3],
}

/// Acceleration by gravity: 12 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Gravity(pub(crate) [f32; 3]);

/// Color: 4 bytes. Only the loops over one component read and change it.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Color(pub(crate) u32);

/// A component that is often added and removed: 4 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Marker(pub(crate) u32);

/// The component that all entities of the fragmented world share.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Data(pub(crate) f32);

/// One of [`NUMBERED_TYPES`] component types; each entity of the fragmented world has one of them.
#[derive(Clone, Copy, Default, PartialEq, Debug, Component)]
pub(crate) struct Numbered<const NUMBER: usize>(pub(crate) f32);

/// All components of a falling cube.
pub(crate) type Cube = (Transform, Color, RigidBody, Gravity);

/// Returns a cube. No two move the same way, so that a lost or swapped component is detected.
#[inline]
pub(crate) fn cube(number: usize) -> Cube {
    let at = number as f32;
    let transform =
        Transform { position: [at, 0.5 * at, 0.25 * at], rotation: [0.0; 3], scale: [1.0; 3] };
    let body = RigidBody { velocity: [0.001 * at, 1.0, 0.0], acceleration: [0.0, 0.0, 0.1] };
    (transform, Color(number as u32), body, Gravity([0.0, -9.81, 0.0]))
}

/// Returns `count` cubes, numbered from 0.
pub(crate) fn cubes(count: usize) -> impl ExactSizeIterator<Item = Cube> + Clone {
    (0..count).map(cube)
}

/// One step of one entity.
#[inline(always)]
#[expect(clippy::inline_always, reason = "every library must get it into its own loop")]
pub(crate) fn integrate(transform: &mut Transform, body: &mut RigidBody, gravity: &Gravity) {
    for axis in 0..3 {
        let pull = gravity.0[axis] + body.acceleration[axis];
        transform.position[axis] += body.velocity[axis] * STEP + pull * STEP * STEP / 2.0;
        body.velocity[axis] += pull * STEP;
    }
}

/// One step of all entities, for libraries with slices.
#[inline(never)]
pub(crate) fn integrate_slices(
    transforms: &mut [Transform],
    bodies: &mut [RigidBody],
    gravities: &[Gravity],
) {
    for ((transform, body), gravity) in transforms.iter_mut().zip(bodies).zip(gravities) {
        integrate(transform, body, gravity);
    }
}

/// Work per entity in a loop over one component.
#[inline(always)]
#[expect(clippy::inline_always, reason = "every library must get it into its own loop")]
pub(crate) fn recolor(color: &mut Color) {
    color.0 = color.0.wrapping_add(1);
}

/// Work per entity in a loop over two components.
#[inline(always)]
#[expect(clippy::inline_always, reason = "every library must get it into its own loop")]
pub(crate) fn drift(transform: &mut Transform, body: &RigidBody) {
    for axis in 0..3 {
        transform.position[axis] += body.velocity[axis] * STEP;
    }
}

/// Work per entity in the fragmented world.
#[inline(always)]
#[expect(clippy::inline_always, reason = "every library must get it into its own loop")]
pub(crate) fn double(data: &mut Data) {
    data.0 *= 2.0;
}

/// [`double`] for libraries with slices.
#[inline(never)]
pub(crate) fn double_slice(data: &mut [Data]) {
    data.iter_mut().for_each(double);
}

/// Calls a generic function of the form `f::<NUMBER>(arguments)` for every [`Numbered`] type.
macro_rules! for_each_numbered {
    ($function:ident($($argument:expr),*)) => {
        $crate::components::for_each_numbered!(
            $function($($argument),*);
            0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25
        )
    };
    ($function:ident $arguments:tt; $($number:literal)*) => {
        $( $crate::components::for_each_numbered!(@call $function $number $arguments); )*
    };
    (@call $function:ident $number:literal ($($argument:expr),*)) => {
        $function::<$number>($($argument),*)
    };
}
pub(crate) use for_each_numbered;

/// Index of the entity that is checked.
pub(crate) const PROBE: usize = 7;

/// Panics unless the probe moved exactly `steps` steps.
pub(crate) fn assert_integrated(steps: usize, found: &Transform) {
    let (mut transform, _, mut body, gravity) = cube(PROBE);
    for _ in 0..steps {
        integrate(&mut transform, &mut body, &gravity);
    }
    assert_eq!(*found, transform, "after {steps} steps");
}

/// Returns the components of a cube in the `cubefall` program.
pub(crate) fn fields(
    number: usize,
) -> (Position, Velocity, Acceleration, cubefall::components::Gravity) {
    let (transform, _, body, gravity) = cube(number);
    (
        Position(transform.position.into()),
        Velocity(body.velocity.into()),
        Acceleration(body.acceleration.into()),
        cubefall::components::Gravity(gravity.0.into()),
    )
}

/// Panics unless the probe moved `steps` steps, up to rounding: `cubefall::sim` multiplies in another
/// order.
pub(crate) fn assert_moved(steps: usize, found: Position) {
    let (mut transform, _, mut body, gravity) = cube(PROBE);
    for _ in 0..steps {
        integrate(&mut transform, &mut body, &gravity);
    }
    for (found, expected) in found.0.to_array().into_iter().zip(transform.position) {
        assert!((found - expected).abs() <= 1e-3 * (1.0 + expected.abs()), "after {steps} steps");
    }
}

/// Panics unless the probe has its initial components.
pub(crate) fn assert_intact(body: Option<&RigidBody>, gravity: Option<&Gravity>) {
    let (_, _, expected_body, expected_gravity) = cube(PROBE);
    assert_eq!((body, gravity), (Some(&expected_body), Some(&expected_gravity)));
}

//! Records: all that the GPU needs to know of a cube's motion.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::elements::{Elements, write_each};
use crate::components::{
    AngularVelocity, Epoch, EvaluatedMotion, Position, Rotation, Scale, Velocity,
};
use crate::render::SceneView;

/// A cube at its epoch: `CubeRecord` in `shaders/evaluated.wgsl`, and without padding. A new cube writes one
/// record instead of eight arrays, and shaders need one buffer for it.
#[derive(Clone, Copy, PartialEq, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Record {
    pub(super) position: Position,
    pub(super) scale: Scale,
    /// Four floats without the alignment of a `Quat`.
    pub(super) rotation: [f32; 4],
    pub(super) velocity: Velocity,
    pub(super) epoch: Epoch,
    /// Sum of all accelerations, in m/s².
    pub(super) acceleration: Vec3,
    pub(super) angular_velocity: AngularVelocity,
}

const _: () = assert!(size_of::<Record>() == 72);

/// The arrays of a scene that records are made of.
#[derive(Clone, Copy)]
pub(super) struct RecordSource<'a> {
    positions: &'a [Position],
    scales: &'a [Scale],
    rotations: &'a [Rotation],
    motion: EvaluatedMotion<'a>,
}

impl<'a> RecordSource<'a> {
    pub(super) fn new(scene: &SceneView<'a>, motion: &EvaluatedMotion<'a>) -> Self {
        Self {
            positions: scene.positions.values,
            scales: scene.scales.values,
            rotations: scene.rotations.values,
            motion: *motion,
        }
    }

    /// Returns the record of a cube.
    #[inline]
    pub(super) fn record(&self, cube: usize) -> Record {
        let motion = &self.motion;
        let still = Record {
            position: self.positions[cube],
            scale: self.scales[cube],
            rotation: self.rotations[cube].0.to_array(),
            velocity: Velocity::default(),
            epoch: Epoch(motion.now),
            acceleration: Vec3::ZERO,
            angular_velocity: AngularVelocity::default(),
        };
        let Some(&epoch) = motion.epochs.get(cube) else { return still };
        let spin = motion.angular_velocities.get(cube).map_or(Vec3::ZERO, |spin| spin.0);
        Record {
            velocity: motion.velocities[cube],
            epoch,
            acceleration: motion.accelerations[cube]
                .with_gravity(motion.gravities[cube], motion.gravity_factor),
            angular_velocity: AngularVelocity(spin * motion.spin_factor),
            ..still
        }
    }
}

impl Elements for RecordSource<'_> {
    const SIZE: usize = size_of::<Record>();

    fn write(&self, ranges: &[Range<usize>], out: wgpu::WriteOnly<'_, [u8]>) {
        write_each(ranges, out, |cube| -> [u8; size_of::<Record>()] {
            bytemuck::cast(self.record(cube))
        });
    }
}

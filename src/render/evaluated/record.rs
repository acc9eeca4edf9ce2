//! Records: all that the GPU needs to know of a cube's motion. Colors are beside them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::components::{
    AngularVelocity, Color, Epoch, EvaluatedMotion, Position, Rotation, Scale, Velocity,
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

/// Elements written by one task of a thread: fewer are written before another thread wakes.
#[cfg(parallel)]
const TASK: usize = 2048;

/// The arrays of a scene that records and colors are made of.
#[derive(Clone, Copy)]
pub(super) struct CubeSource<'a> {
    positions: &'a [Position],
    scales: &'a [Scale],
    rotations: &'a [Rotation],
    pub(super) colors: &'a [Color],
    motion: EvaluatedMotion<'a>,
}

impl<'a> CubeSource<'a> {
    pub(super) fn new(scene: &SceneView<'a>, motion: &EvaluatedMotion<'a>) -> Self {
        Self {
            positions: scene.positions.values,
            scales: scene.scales.values,
            rotations: scene.rotations.values,
            colors: scene.colors.values,
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

    /// Writes the records of ranges of cubes, one after the other, into staging memory of their size.
    pub(super) fn write_records(&self, ranges: &[Range<usize>], out: wgpu::WriteOnly<'_, [u8]>) {
        write_each(ranges, out, |cube| -> [u8; size_of::<Record>()] {
            bytemuck::cast(self.record(cube))
        });
    }

    /// The same for colors, which are uploaded unconverted.
    pub(super) fn write_colors(&self, ranges: &[Range<usize>], mut out: wgpu::WriteOnly<'_, [u8]>) {
        let mut start = 0;
        for range in ranges {
            let bytes: &[u8] = bytemuck::cast_slice(&self.colors[range.clone()]);
            out.slice(start..start + bytes.len()).copy_from_slice(bytes);
            start += bytes.len();
        }
    }
}

/// Writes an element of each cube of ranges, one after the other. With the `parallel` feature it runs on the current
/// thread pool.
pub(super) fn write_each<const SIZE: usize>(
    ranges: &[Range<usize>],
    out: wgpu::WriteOnly<'_, [u8]>,
    element: impl Fn(usize) -> [u8; SIZE] + Sync,
) {
    let from = |start| ranges.iter().cloned().flatten().skip(start).map(&element);
    let (elements, _) = out.into_chunks::<SIZE>();
    #[cfg(parallel)]
    if elements.len() > TASK {
        use rayon::prelude::*;
        let (tasks, rest) = elements.into_chunks::<TASK>();
        let count = tasks.len() * TASK;
        let tasks: Vec<_> = (0..count).step_by(TASK).zip(tasks).collect();
        tasks.into_par_iter().for_each(|(start, out)| {
            wgpu::WriteOnly::<[_]>::from(out).write_iter(from(start).take(TASK));
        });
        return rest.write_iter(from(count));
    }
    elements.write_iter(from(0));
}

//! What a device supports, and how many cubes it can hold.

use super::allocation::capacity;
use super::pulled_cubes::ARRAYS;
use super::{Geometry, Gpu, RenderError};
use crate::components::{Motion, Rotation};

impl Gpu {
    /// Returns `true` if the device supports [`Geometry::Pulled`].
    pub fn can_pull(&self) -> bool {
        let needed = wgpu::DownlevelFlags::VERTEX_STORAGE | wgpu::DownlevelFlags::BASE_VERTEX;
        self.downlevel.contains(needed)
            && self.info.backend != wgpu::Backend::Gl
            && self.limits.max_storage_buffers_per_shader_stage >= ARRAYS.buffers as u32
    }

    /// Returns the geometries that the device supports.
    pub fn geometries(&self) -> impl Iterator<Item = Geometry> {
        let can_pull = self.can_pull();
        Geometry::ALL.into_iter().filter(move |one| can_pull || *one != Geometry::Pulled)
    }

    /// Returns `true` if compute shaders can write the buffers of cubes.
    pub(super) fn can_compute(&self) -> bool {
        let limits = &self.limits;
        let flags = self.downlevel;
        flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS)
            && self.info.backend != wgpu::Backend::Gl
            // Limits that culling needs.
            && limits.max_storage_buffers_per_shader_stage >= 4
            && limits.max_compute_invocations_per_workgroup >= 64
    }

    /// Returns `true` if compute shaders can choose the cubes to draw.
    pub(super) fn can_cull(&self) -> bool {
        let flags = self.downlevel;
        self.can_compute()
            && flags.contains(wgpu::DownlevelFlags::INDIRECT_EXECUTION)
            && self.limits.max_compute_invocations_per_workgroup >= 256
    }

    /// Returns `true` if the largest array of `cubes` fits into a storage buffer binding.
    pub(super) fn can_pull_many(&self, cubes: u32) -> bool {
        let largest = self.limits.max_storage_buffer_binding_size;
        capacity(cubes.into()) * size_of::<Rotation>() as u64 <= largest
    }

    /// The largest number of cubes with a motion that the device can draw. Integrated motion needs one buffer for
    /// each array. The memory of the device may hold fewer.
    pub fn capacity(&self, motion: Motion) -> u64 {
        match motion {
            Motion::Integrated => {
                let largest = self.limits.max_buffer_size / size_of::<Rotation>() as u64;
                largest.min(u32::MAX.into())
            }
            Motion::Evaluated => u32::MAX.into(),
        }
    }

    /// Checks `cubes` against [`capacity`](Self::capacity).
    ///
    /// # Errors
    /// There are more cubes than the device can draw.
    pub fn check_capacity(&self, cubes: usize, motion: Motion) -> Result<(), RenderError> {
        let largest = self.capacity(motion);
        let fits = cubes as u64 <= largest;
        fits.then_some(()).ok_or(RenderError::TooManyCubes { requested: cubes, largest })
    }
}

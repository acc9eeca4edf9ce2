//! Elements of an array on the GPU, made when they are uploaded.

use std::ops::Range;

use crate::components::Color;

/// A source of elements, one per cube.
pub(super) trait Elements: Sync {
    /// Bytes of an element.
    const SIZE: usize;

    /// Returns the number of cubes.
    fn len(&self) -> usize;

    /// Writes the elements of a range of cubes into staging memory of their size.
    fn write(&self, cubes: Range<usize>, out: wgpu::WriteOnly<'_, [u8]>);

    /// Copies the elements of single cubes, one after the other, to memory of their size.
    fn gather(&self, cubes: &[u32], out: &mut [u8]);
}

/// Colors are uploaded unconverted.
impl Elements for &[Color] {
    const SIZE: usize = size_of::<Color>();

    fn len(&self) -> usize {
        <[Color]>::len(self)
    }

    fn write(&self, cubes: Range<usize>, mut out: wgpu::WriteOnly<'_, [u8]>) {
        out.copy_from_slice(bytemuck::cast_slice(&self[cubes]));
    }

    fn gather(&self, cubes: &[u32], out: &mut [u8]) {
        for (&cube, out) in cubes.iter().zip(out.chunks_exact_mut(Self::SIZE)) {
            out.copy_from_slice(bytemuck::bytes_of(&self[cube as usize]));
        }
    }
}

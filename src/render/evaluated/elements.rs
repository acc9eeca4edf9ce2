//! Elements of an array on the GPU, made when they are uploaded.

use std::ops::Range;

use crate::components::Color;

/// A source of elements, one per cube, that are written into staging memory.
pub(super) trait Elements {
    /// Bytes of an element.
    const SIZE: usize;

    /// Returns the number of cubes.
    fn len(&self) -> usize;

    /// Writes the elements of a range of cubes into memory of their size.
    fn write(&self, cubes: Range<usize>, out: wgpu::WriteOnly<'_, [u8]>);

    /// Writes the elements of single cubes, one after the other, into memory of their size.
    fn write_each(&self, cubes: &[u32], out: wgpu::WriteOnly<'_, [u8]>);
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

    fn write_each(&self, cubes: &[u32], out: wgpu::WriteOnly<'_, [u8]>) {
        let (colors, _) = out.into_chunks::<{ size_of::<Color>() }>();
        colors.write_iter(cubes.iter().map(|&cube| bytemuck::cast(self[cube as usize])));
    }
}

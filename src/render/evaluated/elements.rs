//! Elements of an array on the GPU, made when they are uploaded.

use std::ops::Range;

use crate::components::Color;

/// A source of elements, one per cube.
pub(super) trait Elements: Sync {
    /// Bytes of an element.
    const SIZE: usize;

    /// Returns the number of cubes.
    fn len(&self) -> usize;

    /// Writes the elements of ranges of cubes, one after the other, into staging memory of their size.
    fn write(&self, ranges: &[Range<usize>], out: wgpu::WriteOnly<'_, [u8]>);

    /// Copies the elements of single cubes, one after the other, to memory of their size.
    fn gather(&self, cubes: &[u32], out: &mut [u8]);
}

/// Colors are uploaded unconverted.
impl Elements for &[Color] {
    const SIZE: usize = size_of::<Color>();

    fn len(&self) -> usize {
        <[Color]>::len(self)
    }

    fn write(&self, ranges: &[Range<usize>], mut out: wgpu::WriteOnly<'_, [u8]>) {
        let mut start = 0;
        for range in ranges {
            let bytes: &[u8] = bytemuck::cast_slice(&self[range.clone()]);
            out.slice(start..start + bytes.len()).copy_from_slice(bytes);
            start += bytes.len();
        }
    }

    fn gather(&self, cubes: &[u32], out: &mut [u8]) {
        for (&cube, out) in cubes.iter().zip(out.chunks_exact_mut(Self::SIZE)) {
            out.copy_from_slice(bytemuck::bytes_of(&self[cube as usize]));
        }
    }
}

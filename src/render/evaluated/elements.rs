//! Elements of an array on the GPU, made when they are uploaded.

use std::ops::Range;

use crate::components::Color;
use crate::render::CHANGE_CHUNK;

/// A source of elements, one per cube, that are written into staging memory.
pub(super) trait Elements {
    /// Bytes of an element.
    const SIZE: usize;

    /// Returns the number of cubes.
    fn len(&self) -> usize;

    /// Writes the elements of a range of cubes into memory of their size.
    fn write(&self, cubes: Range<usize>, out: wgpu::WriteOnly<'_, [u8]>);

    /// Writes the elements of chunks of [`CHANGE_CHUNK`] cubes. Beyond the last cube, memory is not
    /// written.
    fn write_chunks(&self, chunks: &[u32], out: wgpu::WriteOnly<'_, [u8]>);
}

/// Writes chunks one after the other.
pub(super) fn write_chunks<E: Elements>(
    elements: &E,
    chunks: &[u32],
    mut out: wgpu::WriteOnly<'_, [u8]>,
) {
    for &chunk in chunks {
        let start = chunk as usize * CHANGE_CHUNK;
        let end = (start + CHANGE_CHUNK).min(elements.len());
        let (first, rest) = out.split_at(CHANGE_CHUNK * E::SIZE);
        elements.write(start..end, first.into_slice(..(end - start) * E::SIZE));
        out = rest;
    }
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

    fn write_chunks(&self, chunks: &[u32], out: wgpu::WriteOnly<'_, [u8]>) {
        write_chunks(self, chunks, out);
    }
}

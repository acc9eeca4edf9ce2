//! Elements of an array on the GPU, made when they are uploaded.

use std::ops::Range;

use crate::components::Color;

/// Elements written by one task of a thread: fewer are written before another thread wakes.
#[cfg(parallel)]
const TASK: usize = 2048;

/// A source of elements, one per cube.
pub(super) trait Elements {
    /// Bytes of an element.
    const SIZE: usize;

    /// Writes the elements of ranges of cubes, one after the other, into staging memory of their size.
    fn write(&self, ranges: &[Range<usize>], out: wgpu::WriteOnly<'_, [u8]>);
}

/// Colors are uploaded unconverted.
impl Elements for &[Color] {
    const SIZE: usize = size_of::<Color>();

    fn write(&self, ranges: &[Range<usize>], mut out: wgpu::WriteOnly<'_, [u8]>) {
        let mut start = 0;
        for range in ranges {
            let bytes: &[u8] = bytemuck::cast_slice(&self[range.clone()]);
            out.slice(start..start + bytes.len()).copy_from_slice(bytes);
            start += bytes.len();
        }
    }
}

/// [`write`](Elements::write) with a function that makes the element of a cube. With the `parallel` feature it runs on
/// the current thread pool.
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

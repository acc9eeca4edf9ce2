//! Numbers of visible cubes, read back without waiting.

use std::sync::atomic::{AtomicU64, Ordering};

use super::culled_page::{CulledPage, PageDraws};
use crate::render::culling::VisibleCounts;
use crate::render::readback_buffer::ReadbackBuffer;
use crate::render::{Gpu, RenderError};

/// Frames in flight whose counts are read back; others have none.
const READBACKS: usize = 4;

/// Counts of the latest frame that has arrived, some frames ago.
#[derive(Default)]
pub(super) struct CountsReadback {
    /// Each for the [`PageDraws`] of all pages of a frame, with its number.
    readbacks: Vec<ReadbackBuffer<AtomicU64>>,
    /// Frames prepared so far.
    frames: u64,
    /// With the number of their frame.
    latest: Option<(u64, VisibleCounts)>,
}

impl CountsReadback {
    /// Takes the counts that have arrived, and allocates buffers for those of `pages` pages.
    pub(super) fn prepare(&mut self, gpu: &Gpu, pages: usize) -> Result<(), RenderError> {
        self.collect();
        self.frames += 1;
        let size = (pages * size_of::<PageDraws>()) as u64;
        if self.readbacks.first().is_some_and(|readback| readback.size() == size) {
            return Ok(());
        }
        // Dropped buffers may still be mapped.
        self.readbacks.clear();
        if pages == 0 {
            self.latest = None;
        }
        for _ in 0..if pages > 0 { READBACKS } else { 0 } {
            self.readbacks.push(ReadbackBuffer::new(gpu, "numbers of visible cubes", size)?);
        }
        Ok(())
    }

    /// Counts of the latest frame that has arrived.
    pub(super) fn latest(&self) -> Option<VisibleCounts> {
        self.latest.map(|(_, counts)| counts)
    }

    fn collect(&mut self) {
        for readback in &self.readbacks {
            let arrived = readback.take(|draws| {
                let pages: &[PageDraws] = bytemuck::cast_slice(draws);
                let sum = |kind: usize| pages.iter().map(|page| page.counts[kind]).sum();
                let [full, crossing, small] = [0, 1, 2].map(sum);
                (readback.frame.load(Ordering::Relaxed), VisibleCounts { full, crossing, small })
            });
            let latest = self.latest.map(|(frame, _)| frame);
            self.latest = arrived.filter(|(frame, _)| Some(*frame) > latest).or(self.latest);
        }
    }

    /// Records the readback of the counts of a frame, if a buffer is free.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, pages: &[CulledPage]) {
        let Some(readback) = self.readbacks.iter().find(|readback| readback.is_free()) else {
            return;
        };
        readback.frame.store(self.frames, Ordering::Relaxed);
        let size = size_of::<PageDraws>() as u64;
        readback.fill(encoder, |encoder, buffer| {
            for (index, page) in (0..).zip(pages) {
                encoder.copy_buffer_to_buffer(&page.draws, 0, buffer, index * size, size);
            }
        });
    }
}

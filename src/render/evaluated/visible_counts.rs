//! Numbers of visible cubes, read back without waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::culled_page::{CulledPage, PageDraws};
use crate::render::culling::VisibleCounts;
use crate::render::{Gpu, RenderError};

/// Frames in flight whose counts are read back; others have none.
const READBACKS: usize = 4;

const IDLE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;

/// Counts of the latest frame that has arrived, some frames ago.
#[derive(Default)]
pub(super) struct CountsReadback {
    readbacks: Vec<Readback>,
    /// Frames prepared so far.
    frames: u64,
    /// With the number of their frame.
    latest: Option<(u64, VisibleCounts)>,
}

/// The [`PageDraws`] of all pages of a frame.
struct Readback {
    /// Number of the frame it belongs to.
    frame: AtomicU64,
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

impl CountsReadback {
    /// Takes the counts that have arrived, and allocates buffers for those of `pages` pages.
    pub(super) fn prepare(&mut self, gpu: &Gpu, pages: usize) -> Result<(), RenderError> {
        self.collect();
        self.frames += 1;
        let size = (pages * size_of::<PageDraws>()) as u64;
        if self.readbacks.first().is_some_and(|readback| readback.buffer.size() == size) {
            return Ok(());
        }
        // Dropped buffers may still be mapped.
        self.readbacks.clear();
        if pages == 0 {
            self.latest = None;
        }
        for _ in 0..if pages > 0 { READBACKS } else { 0 } {
            let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some("numbers of visible cubes"),
                size,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })?;
            let state = Arc::new(AtomicU8::new(IDLE));
            self.readbacks.push(Readback { frame: AtomicU64::new(0), buffer, state });
        }
        Ok(())
    }

    /// Counts of the latest frame that has arrived.
    pub(super) fn latest(&self) -> Option<VisibleCounts> {
        self.latest.map(|(_, counts)| counts)
    }

    fn collect(&mut self) {
        for Readback { frame, buffer, state } in &self.readbacks {
            if state.load(Ordering::Acquire) != READY {
                continue;
            }
            if let Ok(mapped) = buffer.get_mapped_range(..) {
                let pages: &[PageDraws] = bytemuck::cast_slice(&mapped);
                let sum = |kind: usize| pages.iter().map(|page| page.counts[kind]).sum();
                let [full, crossing, small] = [0, 1, 2].map(sum);
                let frame = frame.load(Ordering::Relaxed);
                if self.latest.is_none_or(|(latest, _)| latest < frame) {
                    self.latest = Some((frame, VisibleCounts { full, crossing, small }));
                }
            }
            buffer.unmap();
            state.store(IDLE, Ordering::Release);
        }
    }

    /// Records the readback of the counts of a frame, if a buffer is free.
    pub(super) fn encode(&self, encoder: &mut wgpu::CommandEncoder, pages: &[CulledPage]) {
        let free = |readback: &&Readback| readback.state.load(Ordering::Acquire) == IDLE;
        let Some(Readback { frame, buffer, state }) = self.readbacks.iter().find(free) else {
            return;
        };
        frame.store(self.frames, Ordering::Relaxed);
        let size = size_of::<PageDraws>() as u64;
        for (index, page) in (0..).zip(pages) {
            encoder.copy_buffer_to_buffer(&page.draws, 0, buffer, index * size, size);
        }
        state.store(PENDING, Ordering::Release);
        let state = Arc::clone(state);
        encoder.map_buffer_on_submit(buffer, wgpu::MapMode::Read, .., move |result| {
            // Mapping fails only on a lost device; the readback then stays pending.
            if result.is_ok() {
                state.store(READY, Ordering::Release);
            }
        });
    }
}

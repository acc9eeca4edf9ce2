//! GPU timer: timestamps around the passes of a frame, read back without waiting.

use std::time::Duration;

use super::readback_buffer::ReadbackBuffer;
use super::scene_shader::post_effects;
use super::{Culling, Effects, Gpu, RenderError};

/// Readback buffers, more than the frames that the program keeps in flight. A frame is not measured while the times of
/// as many others are not collected.
const READBACKS: usize = 10;

/// A measured pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimedPass {
    Shadow,
    Scene,
    Post,
    /// Culling on the GPU: not in every frame, and so the last.
    Culling,
}

/// GPU time of a frame and of its passes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GpuTimes {
    /// From the start of the first measured pass to the end of the last; `None` if not measured. Copies, the pass that
    /// distributes new cubes, and what hooks draw are not measured.
    pub frame: Option<Duration>,
    /// The shadow map; `None` without such a pass.
    pub shadow: Option<Duration>,
    /// The scene.
    pub scene: Option<Duration>,
    /// Ambient occlusion in screen space and bloom; `None` without such passes.
    pub post: Option<Duration>,
    /// The pass that culls cubes with evaluated motion; `None` without such a pass.
    pub culling: Option<Duration>,
}

/// Timestamps of the passes of a frame, read back some frames later.
pub(super) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readbacks: Vec<ReadbackBuffer<TimedFrame>>,
    /// Measured passes in their order, two timestamps for each.
    passes: Vec<TimedPass>,
    /// Nanoseconds per timestamp tick.
    period: f32,
    /// Readback of the frame being encoded.
    current: Option<usize>,
    latest: (u64, GpuTimes),
    /// The times of frames before this one are discarded.
    first_valid: u64,
}

/// A measured frame: its number, and the number of its measured passes.
#[derive(Clone, Copy, Default)]
struct TimedFrame {
    number: u64,
    passes: usize,
}

impl GpuTimer {
    /// Returns `None` if the device has no timestamps.
    pub(super) fn new(
        gpu: &Gpu,
        effects: Effects,
        culling: Culling,
    ) -> Result<Option<Self>, RenderError> {
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        let passes = [
            (TimedPass::Shadow, effects.shadows),
            (TimedPass::Scene, true),
            (TimedPass::Post, post_effects(effects)),
            (TimedPass::Culling, !culling.is_off() && gpu.can_cull()),
        ];
        let passes = passes.into_iter().filter(|(_, drawn)| *drawn).map(|(pass, _)| pass);
        let passes: Vec<_> = passes.collect();
        let timestamps = 2 * passes.len() as u32;
        let size = u64::from(timestamps * wgpu::QUERY_SIZE);
        let readback = |_| ReadbackBuffer::new(gpu, "timestamp readback", size);
        Ok(Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count: timestamps,
            }),
            resolved: gpu.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            })?,
            readbacks: (0..READBACKS).map(readback).collect::<Result<_, _>>()?,
            passes,
            period: gpu.queue.get_timestamp_period(),
            current: None,
            latest: (0, GpuTimes::default()),
            first_valid: 0,
        }))
    }

    /// Takes the times that have arrived since the last call, with the number of their frame.
    pub(super) fn collect(&mut self) -> impl Iterator<Item = (u64, GpuTimes)> {
        let Self { readbacks, period, latest, first_valid, passes, .. } = self;
        readbacks.iter().filter_map(|readback| {
            let TimedFrame { number, passes: measured } = readback.frame;
            let times = readback.take(|stamps| {
                let stamps: &[u64] = bytemuck::try_cast_slice(stamps).ok()?;
                times(stamps.get(..2 * measured)?, passes.get(..measured)?, *period)
            });
            let arrived = (number, times??);
            if arrived.0 < *first_valid {
                return None;
            }
            if arrived.0 >= latest.0 {
                *latest = arrived;
            }
            Some(arrived)
        })
    }

    /// Discards the times of frames before that of this number, unless they have been collected.
    pub(super) fn discard_before(&mut self, frame: u64) {
        self.first_valid = frame;
    }

    /// Measures the frame of this number, if a readback is free. `culls` if it has a pass of culling.
    pub(super) fn begin_frame(&mut self, frame: u64, culls: bool) {
        self.current = self.readbacks.iter().position(ReadbackBuffer::is_free);
        if let Some(current) = self.current {
            let measured = |pass: &&TimedPass| culls || **pass != TimedPass::Culling;
            let passes = self.passes.iter().filter(measured).count();
            self.readbacks[current].frame = TimedFrame { number: frame, passes };
        }
    }

    /// The timestamps that a pass writes.
    pub(super) fn writes(&self, pass: TimedPass) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.current?;
        let first = 2 * self.passes.iter().position(|timed| *timed == pass)? as u32;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// The timestamps that the pass of culling writes.
    pub(super) fn culling(&self) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let wgpu::RenderPassTimestampWrites {
            query_set,
            beginning_of_pass_write_index,
            end_of_pass_write_index,
        } = self.writes(TimedPass::Culling)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set,
            beginning_of_pass_write_index,
            end_of_pass_write_index,
        })
    }

    /// The timestamps that pass `index` writes, of `count` passes that are measured as one: the first writes the start, the
    /// last the end, those between none.
    pub(super) fn writes_of(
        &self,
        pass: TimedPass,
        index: usize,
        count: usize,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let writes = self.writes(pass)?;
        let start = writes.beginning_of_pass_write_index.filter(|_| index == 0);
        let end = writes.end_of_pass_write_index.filter(|_| index + 1 == count);
        start.or(end)?;
        Some(wgpu::RenderPassTimestampWrites {
            beginning_of_pass_write_index: start,
            end_of_pass_write_index: end,
            ..writes
        })
    }

    /// Records the readback of the frame's timestamps.
    pub(super) fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(current) = self.current.take() else { return };
        let readback = &self.readbacks[current];
        // Timestamps that no pass has written must not be resolved.
        let timestamps = 2 * readback.frame.passes as u32;
        encoder.resolve_query_set(&self.queries, 0..timestamps, &self.resolved, 0);
        let size = u64::from(timestamps * wgpu::QUERY_SIZE);
        readback.fill(encoder, |encoder, buffer| {
            encoder.copy_buffer_to_buffer(&self.resolved, 0, buffer, 0, size);
        });
    }

    /// Times of the latest frame that has arrived.
    pub(super) fn latest(&self) -> GpuTimes {
        self.latest.1
    }
}

/// Times from the start and end of each pass; `None` if one of them is invalid, as after a reset of the GPU clock.
fn times(stamps: &[u64], passes: &[TimedPass], period: f32) -> Option<GpuTimes> {
    let time = |begin, end| duration(begin, end, period);
    let mut times = GpuTimes {
        frame: Some(time(*stamps.iter().min()?, *stamps.iter().max()?)?),
        ..GpuTimes::default()
    };
    let (pairs, rest) = stamps.as_chunks::<2>();
    if pairs.len() != passes.len() || !rest.is_empty() {
        return None;
    }
    for (pass, &[begin, end]) in passes.iter().zip(pairs) {
        let of_pass = match pass {
            TimedPass::Shadow => &mut times.shadow,
            TimedPass::Scene => &mut times.scene,
            TimedPass::Post => &mut times.post,
            TimedPass::Culling => &mut times.culling,
        };
        *of_pass = Some(time(begin, end)?);
    }
    Some(times)
}

/// Time between two timestamps; `None` if they are zero, reversed, or a minute or more apart.
fn duration(begin: u64, end: u64, period: f32) -> Option<Duration> {
    let nanoseconds = end.checked_sub(begin).filter(|_| end > 0)? as f64 * f64::from(period);
    Duration::try_from_secs_f64(nanoseconds / 1e9).ok().filter(|time| time.as_secs() < 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_scale_with_the_period_and_invalid_timestamps_have_none() {
        assert_eq!(duration(1000, 3500, 2.0), Some(Duration::from_micros(5)));
        assert_eq!(duration(3500, 1000, 2.0), None);
        assert_eq!(duration(0, u64::MAX, 1.0), None);
        assert_eq!(duration(7, 7, 1.0), Some(Duration::ZERO));
    }

    #[test]
    fn a_frame_lasts_from_its_first_timestamp_to_its_last() {
        let micros = |time| Some(Duration::from_micros(time));
        let passes = [TimedPass::Shadow, TimedPass::Scene, TimedPass::Post];
        let all = times(&[10, 12, 15, 18, 18, 25], &passes, 1000.0).unwrap();
        assert_eq!((all.frame, all.shadow), (micros(15), micros(2)));
        assert_eq!((all.scene, all.post), (micros(3), micros(7)));
        let both = times(&[10, 12, 15, 18], &passes[..2], 1000.0).unwrap();
        assert_eq!((both.frame, both.shadow, both.scene), (micros(8), micros(2), micros(3)));
        let culled = [TimedPass::Scene, TimedPass::Culling];
        let culled = times(&[12, 15, 10, 11], &culled, 1000.0).unwrap();
        assert_eq!((culled.frame, culled.culling), (micros(5), micros(1)));
        let one = times(&[15, 18], &passes[1..2], 1000.0).unwrap();
        assert_eq!((one.frame, one.shadow, one.scene), (micros(3), None, micros(3)));
        for invalid in [&[][..], &[0, 0, 0, 0], &[10, 12, 18, 15], &[10, 12, 15], &[10, 12]] {
            assert_eq!(times(invalid, &passes[..2], 1000.0), None, "{invalid:?}");
        }
    }
}

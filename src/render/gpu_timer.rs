//! GPU timer: how long the GPU took for each pass, asked without waiting for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use super::Gpu;

/// Readbacks on their way at the same time: more than the frames that the GPU is ever let behind.
/// Where all are on their way, a frame is not measured.
const READBACKS: usize = 10;

/// Beginning and end.
const STAMPS_PER_PASS: u32 = 2;

const IDLE: u8 = 0;
const PENDING: u8 = 1;
const READY: u8 = 2;

/// A pass of the frame that is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimedPass {
    Shadow,
    SceneView,
}

const PASSES: u32 = 2;

/// What the GPU took for a frame and for the passes of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GpuTimes {
    /// From the beginning of the first pass to the end of the last one; none if none was measured.
    pub frame: Option<Duration>,
    /// The shadow map; none if there is no such pass.
    pub shadow: Option<Duration>,
    /// The picture.
    pub scene: Option<Duration>,
}

/// Timestamps around the passes of frames, read back some frames later.
pub(super) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readbacks: Vec<Readback>,
    /// Nanoseconds per unit of a timestamp.
    period: f32,
    /// The readback of the frame that is being recorded, and the passes it has.
    recording: Option<(usize, [bool; PASSES as usize])>,
    /// Number of the frame that is being recorded.
    frame: u64,
    /// What the last look brought.
    arrived: [Option<(u64, GpuTimes)>; READBACKS],
    latest: GpuTimes,
    latest_frame: u64,
}

struct Readback {
    /// The frame it belongs to.
    frame: u64,
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    passes: [bool; PASSES as usize],
}

impl GpuTimer {
    /// None if the adapter keeps no time.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.has_timestamps() {
            return None;
        }
        let device = &gpu.device;
        let count = PASSES * STAMPS_PER_PASS;
        let size = u64::from(count) * u64::from(wgpu::QUERY_SIZE);
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let readback = || Readback {
            frame: 0,
            buffer: buffer(
                "timestamp readback",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
            state: Arc::new(AtomicU8::new(IDLE)),
            passes: [false; PASSES as usize],
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("timestamps"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolved: buffer(
                "timestamps",
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            readbacks: (0..READBACKS).map(|_| readback()).collect(),
            period: gpu.queue.get_timestamp_period(),
            recording: None,
            frame: 0,
            arrived: [None; READBACKS],
            latest: GpuTimes::default(),
            latest_frame: 0,
        })
    }

    /// Takes in what has arrived.
    pub(super) fn collect(&mut self) {
        for (readback, arrived) in self.readbacks.iter_mut().zip(&mut self.arrived) {
            *arrived = None;
            if readback.state.load(Ordering::Acquire) == READY {
                if let Some(times) = readback.read(self.period) {
                    *arrived = Some((readback.frame, times));
                    if readback.frame >= self.latest_frame {
                        (self.latest_frame, self.latest) = (readback.frame, times);
                    }
                }
                readback.buffer.unmap();
                readback.state.store(IDLE, Ordering::Release);
            }
        }
    }

    /// Begins the frame of a number, if one of the readbacks is free.
    pub(super) fn begin_frame(&mut self, frame: u64) {
        self.frame = frame;
        let free = |readback: &Readback| readback.state.load(Ordering::Acquire) == IDLE;
        self.recording =
            self.readbacks.iter().position(free).map(|free| (free, [false; PASSES as usize]));
    }

    /// What a pass is told so that it is measured.
    pub(super) fn writes(
        &mut self,
        pass: TimedPass,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let (_, passes) = self.recording.as_mut()?;
        passes[pass as usize] = true;
        let first = pass as u32 * STAMPS_PER_PASS;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Records the way back of the frame's timestamps. Only those that were written are asked for:
    /// to resolve others may lose the device.
    pub(super) fn end_frame(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some((number, passes)) = self.recording.take() else { return };
        let measured = (0..PASSES).filter(|&pass| passes[pass as usize]);
        let (Some(first), Some(last)) = (measured.clone().min(), measured.max()) else { return };
        let stamps = first * STAMPS_PER_PASS..(last + 1) * STAMPS_PER_PASS;
        let size = u64::from(stamps.end - stamps.start) * u64::from(wgpu::QUERY_SIZE);
        let readback = &mut self.readbacks[number];
        readback.passes = passes;
        readback.frame = self.frame;
        encoder.resolve_query_set(&self.queries, stamps, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &readback.buffer, 0, size);
        readback.state.store(PENDING, Ordering::Release);
        let state = Arc::clone(&readback.state);
        encoder.map_buffer_on_submit(&readback.buffer, wgpu::MapMode::Read, .., move |result| {
            // One that failed stays on its way for ever: the device is lost then.
            if result.is_ok() {
                state.store(READY, Ordering::Release);
            }
        });
    }

    /// What the last look brought, with the number of the frame it is of.
    pub(super) fn arrived(&self) -> impl Iterator<Item = (u64, GpuTimes)> {
        self.arrived.iter().flatten().copied()
    }

    /// The times of the latest frame that has come back.
    pub(super) fn latest(&self) -> GpuTimes {
        self.latest
    }
}

impl Readback {
    /// None if the timestamps make no sense, as after the clock of the GPU was reset.
    fn read(&self, period: f32) -> Option<GpuTimes> {
        let mapped = self.buffer.get_mapped_range(..).ok()?;
        let stamps = mapped.chunks_exact(size_of::<u64>()).map(bytemuck::pod_read_unaligned::<u64>);
        times(self.passes, stamps, period)
    }
}

/// Times from the beginning and the end of each pass that was measured; none if any of them makes
/// no sense.
fn times(
    passes: [bool; PASSES as usize],
    mut stamps: impl Iterator<Item = u64>,
    period: f32,
) -> Option<GpuTimes> {
    let mut frame: Option<(u64, u64)> = None;
    let mut times = [None; PASSES as usize];
    for (time, _) in times.iter_mut().zip(passes).filter(|(_, measured)| *measured) {
        let (begin, end) = (stamps.next()?, stamps.next()?);
        *time = Some(duration(begin, end, period)?);
        let (first, last) = frame.unwrap_or((begin, end));
        frame = Some((first.min(begin), last.max(end)));
    }
    let frame = match frame {
        Some((begin, end)) => Some(duration(begin, end, period)?),
        None => None,
    };
    let [shadow, scene] = times;
    Some(GpuTimes { frame, shadow, scene })
}

/// Time between two timestamps; none if they were never written, run backwards or span more than a
/// minute.
fn duration(begin: u64, end: u64, period: f32) -> Option<Duration> {
    let nanoseconds = end.checked_sub(begin).filter(|_| end > 0)? as f64 * f64::from(period);
    (nanoseconds < 60e9).then(|| Duration::from_secs_f64(nanoseconds / 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_ticks_of_a_period_and_nonsense_is_no_time() {
        assert_eq!(duration(1000, 3500, 2.0), Some(Duration::from_micros(5)));
        assert_eq!(duration(3500, 1000, 2.0), None);
        assert_eq!(duration(0, u64::MAX, 1.0), None);
        assert_eq!(duration(7, 7, 1.0), Some(Duration::ZERO));
    }

    #[test]
    fn a_frame_is_from_its_first_pass_to_its_last() {
        let micros = |time| Some(Duration::from_micros(time));
        let of = |passes, stamps: &[u64]| times(passes, stamps.iter().copied(), 1000.0);
        let both = of([true, true], &[10, 12, 15, 18]).unwrap();
        assert_eq!((both.frame, both.shadow, both.scene), (micros(8), micros(2), micros(3)));
        let one = of([false, true], &[15, 18]).unwrap();
        assert_eq!((one.frame, one.shadow, one.scene), (micros(3), None, micros(3)));
        assert_eq!(of([false, false], &[]), Some(GpuTimes::default()));
        for nonsense in [&[0, 0, 0, 0][..], &[10, 12, 18, 15], &[10, 12]] {
            assert_eq!(of([true, true], nonsense), None, "{nonsense:?}");
        }
    }
}

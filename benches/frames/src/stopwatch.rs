//! Times of frames and their phases.

use std::thread;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::Options;

/// A phase of a frame, as far as its program can separate them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Moving the cubes.
    Simulate,
    /// Passing their data to the graphics library.
    Upload,
    /// Waiting for a texture of the window.
    Acquire,
    /// Recording draw calls.
    Encode,
    /// Submitting commands; a software rasterizer processes vertices here.
    Submit,
    /// Presenting the frame.
    Present,
    /// Waiting until the frame is finished.
    Wait,
}

impl Part {
    /// In the order of a frame.
    pub const ALL: [Self; 7] = [
        Self::Simulate,
        Self::Upload,
        Self::Acquire,
        Self::Encode,
        Self::Submit,
        Self::Present,
        Self::Wait,
    ];

    /// As in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Simulate => "simulate",
            Self::Upload => "upload",
            Self::Acquire => "acquire",
            Self::Encode => "encode",
            Self::Submit => "submit",
            Self::Present => "present",
            Self::Wait => "wait",
        }
    }
}

/// One frame.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sample {
    /// From its start to that of the next.
    pub(crate) frame: Duration,
    /// CPU time of all threads of the process.
    pub(crate) process_cpu: Duration,
    parts: [Option<Duration>; Part::ALL.len()],
}

impl Sample {
    pub(crate) fn part(&self, part: Part) -> Option<Duration> {
        self.parts[part as usize]
    }
}

/// Times consecutive frames, without gaps unless it idles between them.
#[derive(Debug)]
pub struct Stopwatch {
    /// Remaining warm-up frames.
    warmup: u32,
    frames: usize,
    /// Sleep between frames; no part of either.
    idle: Duration,
    samples: Vec<Sample>,
    current: Sample,
    frame_start: Instant,
    cpu_start: Duration,
    lap_start: Instant,
}

impl Stopwatch {
    /// Starts with the first frame.
    #[must_use]
    pub fn start(options: &Options) -> Self {
        let now = Instant::now();
        Self {
            warmup: options.warmup,
            frames: options.frames as usize,
            idle: Duration::from_millis(options.idle.into()),
            samples: Vec::with_capacity(options.frames as usize),
            current: Sample::default(),
            frame_start: now,
            cpu_start: process_cpu(),
            lap_start: now,
        }
    }

    /// Counts the time since the last lap for no phase.
    pub fn skip(&mut self) {
        self.lap_start = Instant::now();
    }

    /// Counts the time since the last lap for a phase.
    pub fn lap(&mut self, part: Part) {
        let now = Instant::now();
        *self.current.parts[part as usize].get_or_insert_default() += now - self.lap_start;
        self.lap_start = now;
    }

    /// Ends a frame, idles if asked to, and starts the next. Returns `false` once all frames are measured.
    pub fn next_frame(&mut self) -> bool {
        let (mut now, mut cpu) = (Instant::now(), process_cpu());
        let sample = Sample {
            frame: now - self.frame_start,
            process_cpu: cpu.saturating_sub(self.cpu_start),
            ..std::mem::take(&mut self.current)
        };
        if self.warmup > 0 {
            self.warmup -= 1;
        } else if self.samples.len() < self.frames {
            self.samples.push(sample);
        }
        if !self.idle.is_zero() {
            thread::sleep(self.idle);
            (now, cpu) = (Instant::now(), process_cpu());
        }
        (self.frame_start, self.cpu_start, self.lap_start) = (now, cpu, now);
        self.samples.len() < self.frames
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

/// CPU time of all threads of this process.
fn process_cpu() -> Duration {
    clock_gettime(ClockId::ProcessCPUTime).try_into().expect("a clock of the past is not negative")
}

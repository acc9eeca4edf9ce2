//! The number of cubes that a page shows if its address names none: as many as the device draws smoothly,
//! from the first frames with the usual number.

use crate::benchmark::SortedTimes;

/// Frames that are not measured: the browser compiles the program and its shaders.
const SKIPPED: usize = 5;

/// Frames that are measured.
const FRAMES: usize = 15;

/// Work of a frame, in ns, that leaves the rest of the 16.7 ms to the browser.
const WORK: f64 = 10e6;

/// Numbers that are chosen from, each for about twice the work of the one before.
const COUNTS: [u32; 6] = [2000, 5000, 10_000, 20_000, 50_000, 100_000];

/// Measures the first frames.
#[derive(Default)]
pub(in crate::app) struct CountProbe {
    /// Work of the frames so far, in ns.
    work: Vec<u64>,
}

impl CountProbe {
    /// Adds a frame of so many cubes. Returns the number for this device after the last one.
    pub(in crate::app) fn frame(&mut self, cubes: u32, work: u64) -> Option<u32> {
        self.work.push(work);
        if self.work.len() < SKIPPED + FRAMES {
            return None;
        }
        let median = SortedTimes::of(&self.work[SKIPPED..]).median()?;
        // Part of the work does not grow with the number, so fewer cubes are safe.
        let affordable = f64::from(cubes) * WORK / median.max(1.0);
        let fits = |count: &&u32| f64::from(**count) <= affordable;
        Some(COUNTS.iter().rfind(fits).copied().unwrap_or(COUNTS[0]))
    }
}

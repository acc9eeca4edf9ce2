//! CSV: one line per frame of all runs, for spreadsheets.

use std::io::{self, Write};

use crate::benchmark::{BenchResult, FramePhase, FrameSample};

/// Writes one line per frame. Unknown values are empty.
pub(super) fn write(file: &mut dyn Write, result: &BenchResult) -> io::Result<()> {
    let mut csv = ::csv::Writer::from_writer(file);
    let phases = FramePhase::ALL.map(|phase| format!("{}_ns", phase.name()));
    let first = ["run", "frame", "frame_ns"].map(str::to_owned);
    let gpu = ["gpu_ns", "gpu_culling_ns", "gpu_shadow_ns", "gpu_scene_ns", "gpu_post_ns"];
    let gpu = gpu.map(str::to_owned);
    let last = ["dt_s", "cubes", "drawn", "upload_bytes", "status"].map(str::to_owned);
    csv.write_record(first.iter().chain(&phases).chain(&gpu).chain(&last))?;
    for (number, run) in (1..).zip(&result.runs) {
        for (i, sample) in run.samples.iter().enumerate() {
            let FrameSample { frame, phases, gpu, gpu_culling, gpu_shadow, .. } = *sample;
            let FrameSample { gpu_scene, gpu_post, dt, cubes, drawn, upload_bytes, status, .. } =
                *sample;
            let times = (frame, phases, gpu, gpu_culling, gpu_shadow, gpu_scene, gpu_post);
            csv.serialize((number, i, times, dt, cubes, drawn, upload_bytes, status))?;
        }
    }
    csv.flush()
}

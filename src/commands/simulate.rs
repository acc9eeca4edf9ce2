//! `cubefall simulate`: state hash and step time of the simulation alone.

use std::time::Instant;

use serde::Serialize;

use super::CommandError;
use super::open_simulation::{SIMULATED, open_simulation};
use crate::cli::SimulateArgs;
use crate::error_text;
use crate::memory::CubeMemory;
use crate::output::{self, OutputFile};
use crate::sim::SAVE_BYTES_PER_CUBE;
use crate::units;

/// Smallest size of a cube in a saved state: its transform and color.
const SAVED_BYTES: u64 = 36;

/// Result of a run, in the keys of `--json`.
#[derive(Serialize)]
struct SimulateReport {
    cubes: usize,
    mode: &'static str,
    motion: &'static str,
    seed: u64,
    frames: u32,
    dt_s: f32,
    threads: usize,
    /// 16 hexadecimal digits.
    state_hash: String,
    /// Null without steps.
    median_step_ns: Option<u64>,
    ns_per_cube: Option<f64>,
    /// Times of an unoptimized build are not representative.
    debug_build: bool,
}

pub(super) fn run(args: &SimulateArgs) -> Result<(), CommandError> {
    let report = match args.threads {
        // On the global pool, which `main` has built: a thread for each core, with the main thread as one of them.
        None => simulate(args),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads.into())
                .thread_name(|index| format!("worker {index}"))
                .build()?;
            pool.install(|| simulate(args))
        }
    }?;
    if args.json {
        let json = serde_json::to_string(&report).expect("a report is plain numbers and strings");
        return Ok(output::print(&format!("{json}\n"))?);
    }
    let time = match (report.median_step_ns, report.ns_per_cube) {
        (Some(step), Some(cube)) => format!("{}, {cube:.2} ns per cube", units::ms(step as f64)),
        _ => "unknown, no steps were run".to_owned(),
    };
    let warning = if report.debug_build { " (unoptimized debug build)" } else { "" };
    output::print(&format!("state hash: {}\nmedian step: {time}{warning}\n", report.state_hash))?;
    if let Some(path) = &args.save {
        output::print(&format!("saved: {}\n", error_text::path(path)))?;
    }
    Ok(())
}

fn simulate(args: &SimulateArgs) -> Result<SimulateReport, CommandError> {
    let file = args.save.as_deref().map(OutputFile::create).transpose()?;
    file.iter().try_for_each(|file| file.require_other_than(args.simulation.scene.files()))?;
    let saving = if args.save.is_some() { SAVE_BYTES_PER_CUBE } else { 0 };
    let memory = CubeMemory::new(SIMULATED.per_cube + saving);
    let mut simulation = open_simulation(&args.simulation, memory, |cubes, _| {
        let saved = file.as_ref().map(|file| file.require_space(cubes as u64 * SAVED_BYTES));
        Ok(saved.unwrap_or(Ok(()))?)
    })?;
    let mode = simulation.mode().name();
    let mut times = StepTimes::default();
    for _ in 0..args.steps.frames {
        let start = Instant::now();
        simulation.step(args.steps.dt)?;
        times.push(start.elapsed().as_nanos() as u64);
    }
    if let Some(file) = file {
        file.write(|to| simulation.save(to))?;
    }
    let median = times.median();
    let cubes = simulation.cubes().count();
    Ok(SimulateReport {
        cubes,
        mode,
        motion: simulation.motion().name(),
        seed: simulation.source().seed(),
        frames: args.steps.frames,
        dt_s: args.steps.dt.seconds(),
        threads: rayon::current_num_threads(),
        state_hash: format!("{:016x}", simulation.state_hash()),
        median_step_ns: median,
        ns_per_cube: median.map(|step| step as f64 / cubes.max(1) as f64),
        debug_build: cfg!(debug_assertions),
    })
}

/// Largest number of step times in memory. The median of more steps is that of an evenly spaced sample
/// of at least half as many.
const MAX_TIMES: usize = 1 << 16;

/// Times of steps in ns: all of them, or every `2^n`th if there are many.
struct StepTimes {
    times: Vec<u64>,
    /// Distance of the steps in `times`.
    stride: u64,
    /// Number of all steps.
    steps: u64,
}

impl Default for StepTimes {
    fn default() -> Self {
        Self { times: Vec::new(), stride: 1, steps: 0 }
    }
}

impl StepTimes {
    fn push(&mut self, time: u64) {
        if self.steps.is_multiple_of(self.stride) {
            if self.times.len() == MAX_TIMES {
                let mut kept = false;
                self.times.retain(|_| {
                    kept = !kept;
                    kept
                });
                self.stride *= 2;
            }
            self.times.push(time);
        }
        self.steps += 1;
    }

    /// Returns the median. For an even count: the mean of the two middle values.
    fn median(mut self) -> Option<u64> {
        let times = &mut self.times;
        times.sort_unstable();
        let upper = *times.get(times.len() / 2)?;
        let lower = times[(times.len() - 1) / 2];
        Some(lower.midpoint(upper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(values: impl IntoIterator<Item = u64>) -> StepTimes {
        let mut times = StepTimes::default();
        values.into_iter().for_each(|value| times.push(value));
        times
    }

    #[test]
    fn the_median_is_the_middle_value_or_the_mean_of_two() {
        for (values, median) in
            [(&[][..], None), (&[7], Some(7)), (&[9, 1, 4], Some(4)), (&[9, 1, 4, 6], Some(5))]
        {
            assert_eq!(times(values.iter().copied()).median(), median);
        }
        let most = MAX_TIMES as u64;
        assert_eq!(times((0..most).rev()).median(), Some(most / 2 - 1));
    }

    #[test]
    fn memory_is_bounded_and_the_sample_covers_all_steps() {
        const STEPS: u64 = 5_000_000;
        let times = times(0..STEPS);
        assert!((MAX_TIMES / 2..=MAX_TIMES).contains(&times.times.len()));
        assert!(times.times.capacity() <= 2 * MAX_TIMES);
        assert!(times.times.iter().zip(0..).all(|(&time, i)| time == i * times.stride));
        assert!(times.median().unwrap().abs_diff(STEPS / 2) < STEPS / 1000);
    }
}

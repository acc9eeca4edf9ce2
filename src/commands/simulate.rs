//! `cubefall simulate`: state hash and step time of the simulation alone.

use std::time::Instant;

use serde::Serialize;

use super::CommandError;
use super::open_simulation::{SIMULATED, open_simulation};
use crate::cli::SimulateArgs;
use crate::memory::CubeMemory;
use crate::output::{self, OutputFile};
use crate::sim::SAVE_BYTES_PER_CUBE;
use crate::units;

/// Result of a run, in the keys of `--json`.
#[derive(Serialize)]
struct SimulateReport {
    cubes: usize,
    mode: &'static str,
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
        // Rayon's own pool also exists where the platform has no threads.
        None => simulate(args),
        Some(threads) => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
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
        output::print(&format!("saved: {}\n", path.display()))?;
    }
    Ok(())
}

fn simulate(args: &SimulateArgs) -> Result<SimulateReport, CommandError> {
    let file = args.save.as_deref().map(OutputFile::create).transpose()?;
    let saving = if args.save.is_some() { SAVE_BYTES_PER_CUBE } else { 0 };
    let memory = CubeMemory::new(SIMULATED.per_cube + saving);
    let mut simulation = open_simulation(&args.simulation, memory, |_| Ok(()))?;
    let mut times = Vec::with_capacity(args.steps.frames as usize);
    for _ in 0..args.steps.frames {
        let start = Instant::now();
        simulation.step(args.steps.dt)?;
        times.push(start.elapsed().as_nanos() as u64);
    }
    if let Some(file) = file {
        file.write(|to| simulation.save(to))?;
    }
    let median = median(&mut times);
    let cubes = simulation.cubes().count();
    Ok(SimulateReport {
        cubes,
        mode: simulation.mode().name(),
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

/// Sorts the values and returns their median. For an even count: the mean of the two middle values.
fn median(values: &mut [u64]) -> Option<u64> {
    values.sort_unstable();
    let upper = *values.get(values.len() / 2)?;
    let lower = values[(values.len() - 1) / 2];
    Some(lower.midpoint(upper))
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_value_or_the_mean_of_two() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7));
        assert_eq!(median(&mut [9, 1, 4]), Some(4));
        assert_eq!(median(&mut [9, 1, 4, 6]), Some(5));
    }
}

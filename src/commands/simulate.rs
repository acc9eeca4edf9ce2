//! `cubefall simulate`: the CPU side alone, its state hash and its speed.

use std::time::Instant;

use serde::Serialize;

use super::CommandError;
use super::start::Start;
use crate::cli::SimulateArgs;
use crate::output;
use crate::output::OutputFile;
use crate::units;

/// What a run found out; what `--json` prints.
#[derive(Serialize)]
struct Report {
    cubes: usize,
    mode: String,
    seed: u64,
    frames: u32,
    dt_s: f32,
    threads: usize,
    /// 16 hex digits.
    state_hash: String,
    /// Median time of a step; null if there was none.
    median_step_ns: Option<u64>,
    /// That, divided by the number of cubes.
    ns_per_cube: Option<f64>,
    /// A build without optimisation says nothing about speed.
    debug_build: bool,
}

pub(super) fn run(args: &SimulateArgs) -> Result<(), CommandError> {
    let threads = args.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let report = pool.install(|| simulate(args))?;
    if args.json {
        let json = serde_json::to_string(&report).expect("a report is plain numbers and strings");
        return Ok(output::print(&format!("{json}\n"))?);
    }
    let time = match (report.median_step_ns, report.ns_per_cube) {
        (Some(step), Some(cube)) => {
            format!("{}, {cube:.2} ns per cube", units::ms(step as f64))
        }
        _ => "unknown, no step was run".into(),
    };
    let caution =
        if report.debug_build { " (debug build: not the speed of a release)" } else { "" };
    let saved = args.save.as_ref().map(|path| format!("saved: {}\n", path.display()));
    Ok(output::print(&format!(
        "state hash: {}\nmedian step: {time}{caution}\n{}",
        report.state_hash,
        saved.unwrap_or_default(),
    ))?)
}

fn simulate(args: &SimulateArgs) -> Result<Report, CommandError> {
    let file = args.save.as_deref().map(OutputFile::create).transpose()?;
    let mut simulation = Start::of(&args.scene, &args.load)?.simulation()?;
    let mut steps = Vec::with_capacity(args.steps.frames as usize);
    for _ in 0..args.steps.frames {
        let start = Instant::now();
        simulation.step(args.steps.dt)?;
        steps.push(start.elapsed().as_nanos() as u64);
    }
    if let Some(file) = file {
        file.write(|to| simulation.save(to))?;
    }
    let median = median(&mut steps);
    let cubes = simulation.cubes().count();
    Ok(Report {
        cubes,
        mode: simulation.mode().to_string(),
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

/// Middle value, or the mean of the two middle ones; sorts `values`.
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
    fn the_median_is_the_middle_or_between_the_two_middle_values() {
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [7]), Some(7));
        assert_eq!(median(&mut [9, 1, 4]), Some(4));
        assert_eq!(median(&mut [9, 1, 4, 6]), Some(5));
    }
}

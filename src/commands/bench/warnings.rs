//! Warnings about conditions that make results less reliable.

use super::doctor::{self, Check};
use crate::benchmark::{BenchResult, MAX_SPREAD, RunResult, add_warnings, run_spread};

/// Returns all warnings about a result, starting with those about the machine.
pub(super) fn of_result(result: &BenchResult, machine: &[String]) -> Vec<String> {
    let runs = &result.runs;
    let mut warnings = machine.to_vec();
    add_warnings(&mut warnings, runs);
    let noise = |difference: Option<f64>| {
        let share = difference.filter(|share| *share > MAX_SPREAD)?;
        Some(format!("{:.0} %", share * 100.0))
    };
    let spread = noise(run_spread(runs))
        .map(|by| format!("runs differ by {by}: close other programs, or use more --runs"));
    let clock = noise(clock_difference(runs)).map(|by| {
        format!(
            "the CPU clock differs by {by} between runs: select the governor `performance`, and \
             let the machine cool down"
        )
    });
    // Runs end at the same step only if both frame counts are fixed.
    let same_steps = result.settings.frames.is_some() && result.settings.warmup_frames.is_some();
    let differ = same_steps && runs.iter().any(|run| run.state_hash != runs[0].state_hash);
    let few = "fewer than three runs: the variation between runs is unknown; use --runs 5";
    let states = "state hashes differ: the runs did not simulate the same frames";
    warnings.extend((runs.len() < 3).then(|| few.to_owned()));
    warnings.extend(spread.into_iter().chain(clock).chain(differ.then(|| states.to_owned())));
    warnings
}

/// Returns warnings about the current state of the machine. Call before the first run, which is a
/// load itself.
pub(super) fn of_machine() -> Vec<String> {
    doctor::machine_checks().iter().filter_map(Check::warning).collect()
}

/// Returns how much faster the CPU clock of the fastest run is than that of the slowest.
fn clock_difference(runs: &[RunResult]) -> Option<f64> {
    let clocks = runs.iter().filter_map(|run| Some(run.sensors.cpu.clock?.mean_mhz));
    let clocks = clocks.filter(|mhz| *mhz > 0.0);
    Some(clocks.clone().reduce(f64::max)? / clocks.reduce(f64::min)? - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{result, run, sim_frame};
    use crate::benchmark::{ClockRate, Readings, Sensors};

    #[test]
    fn runs_that_differ_by_more_than_10_percent_give_a_warning() {
        let of = |times: &[u64]| {
            let runs = times.iter().map(|&time| run(vec![sim_frame(time); 9])).collect();
            of_result(&result(runs), &[])
        };
        assert_eq!(of(&[100, 105, 110]), Vec::<String>::new());
        let expected = "runs differ by 20 %: close other programs, or use more --runs";
        assert_eq!(of(&[100, 100, 120]), [expected]);
        assert_eq!(of(&[100]).len(), 1, "{:?}", of(&[100]));
    }

    #[test]
    fn throttling_heat_and_an_uneven_cpu_clock_give_warnings() {
        let of = |all: [(Readings, Readings); 3]| {
            let runs = all.map(|(cpu, gpu)| RunResult {
                sensors: Sensors { cpu, gpu },
                ..run(vec![sim_frame(100); 9])
            });
            of_result(&result(runs.into()), &[])
        };
        let unknown = Readings::default();
        let at = |mhz| Readings { clock: Some(ClockRate::at(mhz)), ..unknown };
        let hot = |celsius| Readings {
            celsius: Some(celsius),
            critical_celsius: Some(100.0),
            throttled: Some(0),
            ..at(3000.0)
        };
        let no_limit = Readings { critical_celsius: None, ..hot(120.0) };
        let fine = [(hot(94.9), unknown), (at(3000.0), no_limit), (at(3290.0), at(500.0))];
        assert_eq!(of(fine), Vec::<String>::new());
        let throttled = |times, readings| Readings { throttled: Some(times), ..readings };
        let warnings = of([
            (hot(95.0), throttled(2, hot(95.0))),
            (throttled(1, at(3600.0)), unknown),
            (throttled(7, unknown), unknown),
        ]);
        let starts = [
            "the GPU was throttled during a run: improve its cooling",
            "the CPU came within 5 °C of its critical temperature: improve",
            "the GPU came within 5 °C of its critical temperature: improve",
            "the CPU was throttled during a run: improve its cooling",
            "the CPU clock differs by 20 % between runs: select the governor",
        ];
        for start in starts {
            let count = warnings.iter().filter(|warning| warning.starts_with(start)).count();
            assert_eq!(count, 1, "{start} in {warnings:?}");
        }
        assert_eq!(warnings.len(), starts.len(), "{warnings:?}");
    }
}

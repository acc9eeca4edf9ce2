//! Warnings about conditions that make results less reliable.

use super::doctor::{self, Check};
use crate::benchmark::{BenchResult, MAX_SPREAD, RunResult, add_warnings, run_spread};

/// Relative difference of the CPU clock between runs that counts as more than noise.
const MAX_CLOCK_DIFFERENCE: f64 = 0.1;

/// Returns all warnings about a result, starting with those about the machine.
pub(super) fn of_result(result: &BenchResult, machine: &[String]) -> Vec<String> {
    let mut warnings = machine.to_vec();
    add_warnings(&mut warnings, &result.runs);
    if result.runs.len() < 3 {
        let warning = "fewer than three runs: the variation between runs is unknown; use --runs 5";
        warnings.push(warning.to_owned());
    }
    if let Some(spread) = run_spread(&result.runs).filter(|spread| *spread > MAX_SPREAD) {
        let percent = spread * 100.0;
        warnings.push(format!(
            "runs differ by {percent:.0} %: close other programs, or use more --runs"
        ));
    }
    if let Some(difference) =
        clock_difference(&result.runs).filter(|difference| *difference > MAX_CLOCK_DIFFERENCE)
    {
        let percent = difference * 100.0;
        warnings.push(format!(
            "the CPU clock differs by {percent:.0} % between runs: select the governor `performance`, \
             and let the machine cool down"
        ));
    }
    // Runs end at the same step only if both frame counts are fixed.
    let same_steps = result.settings.frames.is_some() && result.settings.warmup_frames.is_some();
    let first = result.runs.first().map(|run| &run.state_hash);
    if same_steps && result.runs.iter().any(|run| Some(&run.state_hash) != first) {
        warnings.push("state hashes differ: the runs did not simulate the same frames".to_owned());
    }
    warnings
}

/// Returns warnings about the current state of the machine. Call before the first run, which is a
/// load itself.
pub(super) fn of_machine() -> Vec<String> {
    doctor::machine_checks().iter().filter_map(Check::warning).collect()
}

/// Returns how much faster the CPU clock of the fastest run is than that of the slowest.
fn clock_difference(runs: &[RunResult]) -> Option<f64> {
    let clocks = || {
        let clocks = runs.iter().filter_map(|run| Some(run.sensors.cpu.clock?.mean_mhz));
        clocks.filter(|mhz| *mhz > 0.0)
    };
    Some(clocks().reduce(f64::max)? / clocks().reduce(f64::min)? - 1.0)
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
        let of = |all: [Sensors; 3]| {
            let run = |sensors| RunResult { sensors, ..run(vec![sim_frame(100); 9]) };
            of_result(&result(all.map(run).into()), &[])
        };
        let unknown = Readings::default();
        let at = |mhz| Readings { clock: Some(ClockRate::at(mhz)), ..unknown };
        let cpu = |cpu| Sensors { cpu, gpu: unknown };
        let hot = |celsius| Readings {
            celsius: Some(celsius),
            critical_celsius: Some(100.0),
            throttled: Some(0),
            ..unknown
        };
        let no_limit = Readings { critical_celsius: None, ..hot(120.0) };
        let fine = [
            cpu(hot(94.9)),
            Sensors { cpu: at(3000.0), gpu: no_limit },
            Sensors { cpu: at(3290.0), gpu: at(500.0) },
        ];
        assert_eq!(of(fine), Vec::<String>::new());
        let throttled = Readings { throttled: Some(2), ..hot(95.0) };
        let warnings = of([
            Sensors {
                cpu: Readings { clock: Some(ClockRate::at(3000.0)), ..hot(95.0) },
                gpu: throttled,
            },
            cpu(Readings { throttled: Some(1), ..at(3600.0) }),
            cpu(Readings { throttled: Some(7), ..unknown }),
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

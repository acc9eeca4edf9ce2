//! Sensors of CPUs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sysinfo::{Component, Components, CpuRefreshKind, RefreshKind, System};

use super::super::sysfs::{entries, number, text};
use super::chip;
use crate::benchmark::{ClockRate, Readings};

/// Drivers of the temperature sensors of CPUs.
const DRIVERS: [&str; 5] = ["coretemp", "cpu_thermal", "k10temp", "k8temp", "zenpower"];

/// Energy counters of all packages (RAPL) in µJ, and the largest value of each; the next is 0.
pub(super) struct Energy {
    at: Instant,
    packages: Vec<[Option<f64>; 2]>,
}

impl Energy {
    pub(super) fn read(root: &Path) -> Self {
        let counter =
            |file: PathBuf| [number(&file), number(&file.with_file_name("max_energy_range_uj"))];
        Self { at: Instant::now(), packages: counters(root).map(counter).collect() }
    }

    /// Returns the mean power in W from the first of several states to the last. From one to the next, a counter may wrap
    /// around once.
    pub(super) fn watts(states: &[&Self]) -> Option<f64> {
        let seconds = states.last()?.at.duration_since(states.first()?.at).as_secs_f64();
        let mut microjoules = 0.0;
        for [one, next] in states.array_windows() {
            for ([before, largest], [after, _]) in one.packages.iter().zip(&next.packages) {
                microjoules +=
                    ((*after)? - (*before)?).rem_euclid(largest.unwrap_or(f64::INFINITY));
            }
        }
        Some(microjoules / 1e6 / seconds).filter(|watts| watts.is_finite() && *watts > 0.0)
    }
}

/// Returns the energy counters of packages; other zones are parts of these.
fn counters(root: &Path) -> impl Iterator<Item = PathBuf> {
    let zones = entries(&root.join("sys/class/powercap"), "intel-rapl:", "");
    let packages = zones.filter(|zone| text(&zone.join("name")).starts_with("package"));
    packages.map(|zone| zone.join("energy_uj"))
}

/// Reads clock rate and temperature; `root` is `/`.
pub(super) fn read(root: &Path) -> Readings {
    let chips = chip::read(root, &DRIVERS).into_iter().map(|(_, readings)| readings);
    let chips = Readings::over(chips);
    Readings::over([Readings { clock: megahertz(root).map(ClockRate::at), ..chips }, system()])
}

/// Returns the clock rate of the fastest core.
fn megahertz(root: &Path) -> Option<f64> {
    // One file for all x86 CPUs.
    let cpuinfo = fs::read_to_string(root.join("proc/cpuinfo")).unwrap_or_default();
    let lines = cpuinfo.lines().filter(|line| line.starts_with("cpu MHz"));
    let listed = lines.filter_map(|line| line.split_once(':')?.1.trim().parse().ok());
    let policies: Vec<_> =
        entries(&root.join("sys/devices/system/cpu/cpufreq"), "policy", "").collect();
    let kilohertz = policies.iter().filter_map(|policy| number(&policy.join("scaling_cur_freq")));
    // Without either, as in virtual machines, what is listed is a constant.
    let has_counters = |line: &str| line.starts_with("flags") && line.contains(" aperfmperf");
    let is_measured = !policies.is_empty() || cpuinfo.lines().any(has_counters);
    let listed = listed.reduce(f64::max).filter(|_| is_measured);
    listed.or_else(|| Some(kilohertz.reduce(f64::max)? / 1e3))
}

/// Returns the number of throttling events of all cores since the system started.
pub(super) fn throttled(root: &Path) -> Option<u64> {
    let cores = entries(&root.join("sys/devices/system/cpu"), "cpu", "");
    let files =
        cores.flat_map(|core| entries(&core.join("thermal_throttle"), "", "_throttle_count"));
    files.filter_map(|file| number(&file)).reduce(|a, b| a + b).map(|count| count as u64)
}

/// Returns an energy counter that only a privileged user may read.
pub(super) fn unreadable(root: &Path) -> Option<PathBuf> {
    counters(root).find(|file| number(file).is_none())
}

/// Reads what systems other than Linux offer in place of files.
fn system() -> Readings {
    let mut readings = Readings::default();
    if cfg!(target_os = "macos") {
        // Performance and efficiency cores of the M1, and the die of later processors. The clock rate that
        // macOS names is constant.
        let is_cpu =
            |label: &str| ["pACC", "eACC", "PMU tdie"].iter().any(|start| label.starts_with(start));
        let all = Components::new_with_refreshed_list().ok();
        let temperatures = all.iter().flatten().filter(|component| is_cpu(component.label()));
        let celsius = temperatures.filter_map(Component::temperature).reduce(f32::max);
        readings.celsius = celsius.map(f64::from);
    } else if cfg!(not(target_os = "linux")) {
        // Windows offers a temperature to administrators only.
        let wanted = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing().with_frequency());
        let system = System::new_with_specifics(wanted).ok();
        let megahertz = system.iter().flat_map(System::cpus).map(sysinfo::Cpu::frequency).max();
        let megahertz = megahertz.filter(|megahertz| *megahertz > 0);
        readings.clock = megahertz.map(|megahertz| ClockRate::at(megahertz as f64));
    }
    readings
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::commands::bench::sysfs::tests::write;

    #[test]
    fn power_is_the_energy_of_all_packages_beyond_their_wrap_around() {
        let folder = tempfile::tempdir().unwrap();
        let zone = |zone: &str, name: &str, value: &str| {
            write(folder.path(), &format!("sys/class/powercap/intel-rapl:{zone}/{name}"), value);
        };
        for at in ["0", "1"] {
            zone(at, "name", &format!("package-{at}"));
            zone(at, "max_energy_range_uj", "10000000\n");
        }
        zone("0:0", "name", "core");
        zone("0:0", "energy_uj", "1");
        let start = Instant::now();
        let state = |seconds: u64, [first, second]: [u64; 2]| {
            zone("0", "energy_uj", &format!("{first}000000\n"));
            zone("1", "energy_uj", &format!("{second}000000\n"));
            Energy { at: start + Duration::from_secs(seconds), ..Energy::read(folder.path()) }
        };
        // 9 to 1 is 2 J; then 1 J. The other package has 3 J and 2 J.
        let states = [state(0, [9, 0]), state(1, [1, 3]), state(2, [2, 5])];
        let states = states.each_ref();
        assert_eq!(Energy::watts(&states), Some(4.0));
        assert_eq!(Energy::watts(&states[..1]), None, "no time passed");
        assert_eq!((Energy::watts(&[]), unreadable(folder.path())), (None, None));

        // A folder cannot be read as a number either, by no user.
        let counter = folder.path().join("sys/class/powercap/intel-rapl:1/energy_uj");
        fs::remove_file(&counter).unwrap();
        fs::create_dir(&counter).unwrap();
        let later = Energy { at: start + Duration::from_secs(9), ..Energy::read(folder.path()) };
        assert_eq!(Energy::watts(&[states[0], &later]), None);
        assert_eq!(unreadable(folder.path()), Some(counter));
    }
}

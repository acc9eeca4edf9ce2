//! Sensors of CPUs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sysinfo::{Component, Components, CpuRefreshKind, RefreshKind, System};

use super::super::sysfs::{entries, number, text};
use super::chip::Chip;
use crate::benchmark::{ClockRate, Readings};

/// Drivers of the temperature sensors of CPUs.
const DRIVERS: [&str; 5] = ["coretemp", "cpu_thermal", "k10temp", "k8temp", "zenpower"];

/// The CPUs of the machine.
pub(super) struct Cpu {
    chips: Vec<Chip>,
    /// Lists the clock rates of x86 CPUs, in one file.
    cpuinfo: PathBuf,
    /// Clock rates of other CPUs.
    clocks: Vec<PathBuf>,
    /// Energy counter of each package (RAPL), and its largest value; the next is 0.
    packages: Vec<(PathBuf, Option<f64>)>,
    throttle_counts: Vec<PathBuf>,
}

/// State of the counters.
pub(super) struct Counters {
    at: Instant,
    /// Energy of each package, in µJ.
    energy: Option<Vec<f64>>,
}

impl Cpu {
    /// Finds the sensors; `root` is `/`.
    pub(super) fn new(root: &Path) -> Self {
        let devices = root.join("sys/devices/system/cpu");
        let chips = Chip::all(root).into_iter();
        let policies = entries(&devices.join("cpufreq"), "policy", "");
        let zones = entries(&root.join("sys/class/powercap"), "intel-rapl:", "");
        // The others are parts of packages.
        let packages = zones.filter(|zone| text(&zone.join("name")).starts_with("package"));
        let package =
            |zone: PathBuf| (zone.join("energy_uj"), number(&zone.join("max_energy_range_uj")));
        Self {
            chips: chips.filter(|chip| DRIVERS.contains(&chip.driver.as_str())).collect(),
            cpuinfo: root.join("proc/cpuinfo"),
            clocks: policies.map(|policy| policy.join("scaling_cur_freq")).collect(),
            packages: packages.map(package).collect(),
            throttle_counts: entries(&devices, "cpu", "")
                .flat_map(|core| entries(&core.join("thermal_throttle"), "", "_throttle_count"))
                .collect(),
        }
    }

    /// Reads clock rate and temperature.
    pub(super) fn read(&self) -> Readings {
        let clock = self.megahertz().map(ClockRate::at);
        let chips = Readings::over(self.chips.iter().map(Chip::read));
        Readings::over([Readings { clock, ..chips }, system()])
    }

    /// Returns the clock rate of the fastest core.
    fn megahertz(&self) -> Option<f64> {
        let cpuinfo = fs::read_to_string(&self.cpuinfo).unwrap_or_default();
        let lines = cpuinfo.lines().filter(|line| line.starts_with("cpu MHz"));
        let listed = lines.filter_map(|line| line.split_once(':')?.1.trim().parse().ok());
        let kilohertz = self.clocks.iter().filter_map(|file| number(file));
        listed.reduce(f64::max).or_else(|| Some(kilohertz.reduce(f64::max)? / 1e3))
    }

    pub(super) fn counters(&self) -> Counters {
        let energy: Option<Vec<_>> = self.packages.iter().map(|(file, _)| number(file)).collect();
        Counters { at: Instant::now(), energy: energy.filter(|energy| !energy.is_empty()) }
    }

    /// Returns the mean power in W between the first and the last of several states of the counters, which
    /// wrap around at most once from one to the next.
    pub(super) fn watts(&self, states: &[Counters]) -> Option<f64> {
        let seconds = states.last()?.at.duration_since(states.first()?.at).as_secs_f64();
        let mut microjoules = 0.0;
        for pair in states.windows(2) {
            let [before, after] = [pair[0].energy.as_ref()?, pair[1].energy.as_ref()?];
            for (((_, largest), before), after) in self.packages.iter().zip(before).zip(after) {
                let wrapped = if after < before { (*largest)? } else { 0.0 };
                microjoules += after - before + wrapped;
            }
        }
        Some(microjoules / 1e6 / seconds).filter(|watts| watts.is_finite())
    }

    /// Returns the number of throttling events of all cores since the system started.
    pub(super) fn throttled(&self) -> Option<u64> {
        let counts = self.throttle_counts.iter().filter_map(|file| number(file));
        counts.reduce(|a, b| a + b).map(|count| count as u64)
    }

    /// Returns an energy counter that only a privileged user may read.
    pub(super) fn unreadable(&self) -> Option<&Path> {
        let mut files = self.packages.iter().map(|(file, _)| file.as_path());
        files.find(|file| number(file).is_none())
    }
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
        let cpu = Cpu::new(folder.path());
        let start = Instant::now();
        let state = |seconds: u64, [first, second]: [u64; 2]| {
            zone("0", "energy_uj", &format!("{first}000000\n"));
            zone("1", "energy_uj", &format!("{second}000000\n"));
            Counters { at: start + Duration::from_secs(seconds), ..cpu.counters() }
        };
        // 9 to 1 is 2 J; then 1 J. The other package has 3 J and 2 J.
        let states = [state(0, [9, 0]), state(1, [1, 3]), state(2, [2, 5])];
        assert_eq!(cpu.watts(&states), Some(4.0));
        assert_eq!(cpu.watts(&states[..1]), None, "no time passed");
        assert_eq!((cpu.watts(&[]), cpu.unreadable()), (None, None));

        // A folder cannot be read as a number either, by no user.
        let counter = folder.path().join("sys/class/powercap/intel-rapl:1/energy_uj");
        fs::remove_file(&counter).unwrap();
        fs::create_dir(&counter).unwrap();
        let later = Counters { at: start + Duration::from_secs(9), ..cpu.counters() };
        assert_eq!(cpu.watts(&[cpu.counters(), later]), None);
        assert_eq!(cpu.unreadable(), Some(counter.as_path()));
    }
}

//! Sensors of CPUs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::chip::Chip;
use super::sysfs::{entries, number, text};
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
    packages: Vec<Package>,
    throttle_counts: Vec<PathBuf>,
}

/// Energy counter of a CPU package (RAPL).
struct Package {
    microjoules: PathBuf,
    /// Largest value; the next is 0.
    largest: Option<f64>,
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
        let zones = entries(&root.join("sys/class/powercap"), "intel-rapl:", "").into_iter();
        let cores = entries(&devices, "cpu", "").into_iter();
        Self {
            chips: chips.filter(|chip| DRIVERS.contains(&chip.driver.as_str())).collect(),
            cpuinfo: root.join("proc/cpuinfo"),
            clocks: entries(&devices.join("cpufreq"), "policy", "")
                .into_iter()
                .map(|policy| policy.join("scaling_cur_freq"))
                .collect(),
            // The others are parts of packages.
            packages: zones
                .filter(|zone| text(&zone.join("name")).starts_with("package"))
                .map(|zone| Package {
                    microjoules: zone.join("energy_uj"),
                    largest: number(&zone.join("max_energy_range_uj")),
                })
                .collect(),
            throttle_counts: cores
                .flat_map(|core| entries(&core.join("thermal_throttle"), "", "_throttle_count"))
                .collect(),
        }
    }

    /// Reads clock rate and temperature.
    pub(super) fn read(&self) -> Readings {
        let chips: Vec<_> = self.chips.iter().map(Chip::read).collect();
        let files =
            Readings { clock: self.megahertz().map(ClockRate::at), ..Readings::over(&chips) };
        Readings::over(&[files, system()])
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
        let energy: Option<Vec<_>> =
            self.packages.iter().map(|package| number(&package.microjoules)).collect();
        Counters { at: Instant::now(), energy: energy.filter(|energy| !energy.is_empty()) }
    }

    /// Returns the mean power in W between the first and the last of several states of the counters, which
    /// wrap around at most once from one to the next.
    pub(super) fn watts(&self, states: &[Counters]) -> Option<f64> {
        let seconds = states.last()?.at.duration_since(states.first()?.at).as_secs_f64();
        let mut microjoules = 0.0;
        for pair in states.windows(2) {
            let [before, after] = [pair[0].energy.as_ref()?, pair[1].energy.as_ref()?];
            for ((package, before), after) in self.packages.iter().zip(before).zip(after) {
                let wrapped = if after < before { package.largest? } else { 0.0 };
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
        let mut files = self.packages.iter().map(|package| package.microjoules.as_path());
        files.find(|file| number(file).is_none())
    }
}

/// Reads what the system offers in place of files.
#[cfg(target_os = "linux")]
fn system() -> Readings {
    Readings::default()
}

/// Reads the temperature. The clock rate that macOS names is constant.
#[cfg(target_os = "macos")]
fn system() -> Readings {
    // Performance and efficiency cores of the M1, and the die of later processors.
    let is_cpu =
        |label: &str| ["pACC", "eACC", "PMU tdie"].iter().any(|start| label.starts_with(start));
    let Ok(all) = sysinfo::Components::new_with_refreshed_list() else {
        return Readings::default();
    };
    let temperatures = all.iter().filter(|component| is_cpu(component.label()));
    let celsius = temperatures.filter_map(|component| component.temperature()).reduce(f32::max);
    Readings { celsius: celsius.map(f64::from), ..Readings::default() }
}

/// Reads the clock rate. Windows offers a temperature to administrators only.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn system() -> Readings {
    use sysinfo::{CpuRefreshKind, RefreshKind, System};

    let wanted = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing().with_frequency());
    let system = System::new_with_specifics(wanted).ok();
    let megahertz = system.iter().flat_map(System::cpus).map(sysinfo::Cpu::frequency).max();
    let megahertz = megahertz.filter(|megahertz| *megahertz > 0);
    let clock = megahertz.map(|megahertz| ClockRate::at(megahertz as f64));
    Readings { clock, ..Readings::default() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn power_is_the_energy_of_all_packages_beyond_their_wrap_around() {
        let root = tempfile::tempdir().unwrap();
        let zones = root.path().join("sys/class/powercap");
        let write = |zone: &str, name: &str, value: &str| {
            fs::create_dir_all(zones.join(zone)).unwrap();
            fs::write(zones.join(zone).join(name), value).unwrap();
        };
        for (zone, name) in [(0, "package-0"), (1, "package-1")] {
            let zone = format!("intel-rapl:{zone}");
            write(&zone, "name", name);
            write(&zone, "max_energy_range_uj", "10000000\n");
        }
        write("intel-rapl:0:0", "name", "core");
        write("intel-rapl:0:0", "energy_uj", "1");
        let cpu = Cpu::new(root.path());
        let start = Instant::now();
        let state = |second: u64, joules: [u64; 2]| {
            for (zone, joules) in joules.iter().enumerate() {
                write(&format!("intel-rapl:{zone}"), "energy_uj", &format!("{joules}000000\n"));
            }
            Counters { at: start + Duration::from_secs(second), ..cpu.counters() }
        };
        // 9 to 1 is 2 J; then 1 J. The other package has 3 J and 2 J.
        let states = [state(0, [9, 0]), state(1, [1, 3]), state(2, [2, 5])];
        assert_eq!(cpu.watts(&states), Some(4.0));
        assert_eq!(cpu.watts(&states[..1]), None, "no time passed");
        assert_eq!((cpu.watts(&[]), cpu.unreadable()), (None, None));

        // A folder cannot be read as a number either, by no user.
        let counter = zones.join("intel-rapl:1/energy_uj");
        fs::remove_file(&counter).unwrap();
        fs::create_dir(&counter).unwrap();
        let states =
            [cpu.counters(), Counters { at: start + Duration::from_secs(9), ..cpu.counters() }];
        assert_eq!((cpu.watts(&states), cpu.unreadable()), (None, Some(counter.as_path())));
    }

    #[test]
    fn the_clock_rate_is_that_of_the_fastest_core() {
        let root = tempfile::tempdir().unwrap();
        for (policy, kilohertz) in
            [("policy0", "1400000\n"), ("policy4", "2000000\n"), ("policy5", "x")]
        {
            let policy = root.path().join("sys/devices/system/cpu/cpufreq").join(policy);
            fs::create_dir_all(&policy).unwrap();
            fs::write(policy.join("scaling_cur_freq"), kilohertz).unwrap();
        }
        let cpu = Cpu::new(root.path());
        assert_eq!(cpu.megahertz(), Some(2000.0));
        fs::create_dir(root.path().join("proc")).unwrap();
        let cpuinfo =
            "processor\t: 0\ncpu MHz\t\t: 800.25\n\nprocessor\t: 1\ncpu MHz\t\t: 3900.5\n";
        fs::write(root.path().join("proc/cpuinfo"), cpuinfo).unwrap();
        assert_eq!(cpu.megahertz(), Some(3900.5));
        assert_eq!(Cpu::new(&root.path().join("none")).read(), Readings::default());
    }
}

//! Reads the sensors of the machine while a child process measures.

mod chip;
mod cpu;
mod gpu;

use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use self::cpu::Energy;
use self::gpu::Gpu;
use crate::benchmark::{Readings, Sensors};

/// Time between two readings.
const INTERVAL: Duration = Duration::from_secs(1);

/// Readings during a run.
pub(super) struct Samples {
    all: Vec<Sample>,
    /// Throttling events of the CPU.
    throttled: Option<u64>,
}

struct Sample {
    cpu: Readings,
    energy: Energy,
    gpus: Vec<Gpu>,
}

fn sample(root: &Path) -> Sample {
    Sample { cpu: cpu::read(root), energy: Energy::read(root), gpus: gpu::read(root) }
}

/// Reads the sensors of this machine once per second while `work` runs, and before and after it.
pub(super) fn during<T>(work: impl FnOnce() -> T) -> (T, Samples) {
    during_at(Path::new("/"), work)
}

fn during_at<T>(root: &Path, work: impl FnOnce() -> T) -> (T, Samples) {
    let before = cpu::throttled(root);
    let first = sample(root);
    let (end, ended) = mpsc::channel::<()>();
    let (result, mut all) = thread::scope(|scope| {
        // Where the system refuses a thread, only the first and the last sample are read.
        let sampler = thread::Builder::new().spawn_scoped(scope, move || {
            let mut samples = Vec::new();
            while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                samples.push(sample(root));
            }
            samples
        });
        let result = work();
        drop(end);
        let between = sampler.map(|it| it.join().expect("reading sensors does not panic"));
        (result, between.unwrap_or_default())
    });
    all.insert(0, first);
    all.push(sample(root));
    let throttled = cpu::throttled(root).zip(before);
    let throttled = throttled.map(|(after, before)| after.saturating_sub(before));
    (result, Samples { all, throttled })
}

impl Samples {
    /// Returns the readings over the whole time; those of the GPU are of `adapter`.
    pub(super) fn sensors(&self, adapter: &str) -> Sensors {
        // The child process does not measure yet at the first reading, and no more at the last.
        let measuring = match &self.all[..] {
            [_, between @ .., _] if !between.is_empty() => between,
            all => all,
        };
        let cpu = Readings::over(measuring.iter().map(|sample| sample.cpu));
        let of_adapter = |sample: &Sample| gpu::of_adapter(&sample.gpus, adapter);
        let gpu = Readings::over(measuring.iter().filter_map(of_adapter));
        let energy: Vec<_> = self.all.iter().map(|sample| &sample.energy).collect();
        let watts = Energy::watts(&energy).or(cpu.watts);
        Sensors { cpu: Readings { watts, throttled: self.throttled, ..cpu }, gpu }
    }
}

/// Returns what a sensor of this machine needs to become readable, if that is known. `sensor` is a name such as
/// `CPU power`.
pub(super) fn advice(sensor: &str, adapter: &str) -> Option<String> {
    let needed: &str = match sensor {
        "CPU power" => &format!("the right to read {}", cpu::unreadable(Path::new("/"))?.display()),
        "CPU temperature" if cfg!(all(target_os = "linux", target_arch = "x86_64")) => {
            "the driver coretemp or k10temp"
        }
        "GPU clock" if gpu::lacks_nvml(adapter) => "NVML, a library of NVIDIA's driver",
        _ => return None,
    };
    Some(format!("needs {needed}"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::benchmark::ClockRate;
    use crate::commands::bench::sysfs::tests::write;

    #[test]
    fn the_files_of_linux_give_clock_temperature_power_and_throttling() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, value: &str| write(&folder.path().join("sys"), file, value);
        let files = [
            // Tctl has an offset.
            ("class/hwmon/hwmon0/name", "k10temp\n"),
            ("class/hwmon/hwmon0/temp1_input", "95000\n"),
            ("class/hwmon/hwmon0/temp1_label", "Tctl\n"),
            ("class/hwmon/hwmon0/temp2_input", "75500\n"),
            ("class/hwmon/hwmon0/temp2_label", "Tdie\n"),
            ("class/hwmon/hwmon0/temp2_crit", "90000\n"),
            ("class/hwmon/hwmon0/temp3_input", "70000\n"),
            ("class/hwmon/hwmon1/name", "amdgpu\n"),
            ("class/hwmon/hwmon1/temp1_input", "64000\n"),
            ("class/hwmon/hwmon1/power1_average", "35000000\n"),
            ("class/hwmon/hwmon1/freq1_input", "1800000000\n"),
            ("class/hwmon/hwmon2/name", "nvme\n"),
            ("class/hwmon/hwmon2/temp1_input", "99000\n"),
            ("class/hwmon/hwmon3/temp1_input", "99000\n"),
            // The fastest core counts.
            ("devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1400000\n"),
            ("devices/system/cpu/cpufreq/policy4/scaling_cur_freq", "2000000\n"),
            ("devices/system/cpu/cpufreq/policy5/scaling_cur_freq", "x"),
            ("devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "4\n"),
            ("devices/system/cpu/cpu0/thermal_throttle/package_throttle_count", "1\n"),
            ("devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "2\n"),
        ];
        for (file, value) in files {
            write(file, value);
        }
        let throttle =
            || write("devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "5\n");
        let of = |adapter: &str| during_at(folder.path(), throttle).1.sensors(adapter);
        let cpu = Readings {
            clock: Some(ClockRate::at(2000.0)),
            celsius: Some(75.5),
            critical_celsius: Some(90.0),
            throttled: Some(3),
            ..Readings::default()
        };
        let gpu = Readings {
            clock: Some(ClockRate::at(1800.0)),
            celsius: Some(64.0),
            watts: Some(35.0),
            ..Readings::default()
        };
        assert_eq!(of("AMD Radeon RX 6600 (discrete, Vulkan)"), Sensors { cpu, gpu });
        write("../proc/cpuinfo", "processor\t: 0\ncpu MHz\t\t: 800.25\n\ncpu MHz\t\t: 3900.5\n");
        let cpu = Readings { clock: Some(ClockRate::at(3900.5)), throttled: Some(0), ..cpu };
        let other = Sensors { cpu, gpu: Readings::default() };
        assert_eq!(of("llvmpipe (software, Vulkan)"), other);
        let none = during_at(&folder.path().join("none"), || ());
        assert!(none.1.sensors("AMD").is_unknown());
    }

    #[test]
    fn a_clock_rate_without_counters_of_cycles_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let clock = |flags: &str| {
            let listed = format!("flags\t\t: fpu {flags} sse\ncpu MHz\t\t: 2596.140\n");
            write(folder.path(), "proc/cpuinfo", &listed);
            sample(folder.path()).cpu.clock
        };
        assert_eq!(clock("tsc"), None, "a constant of a virtual machine");
        assert_eq!(clock("aperfmperf"), Some(ClockRate::at(2596.14)));
    }

    #[test]
    fn readings_before_and_after_the_measurement_do_not_count() {
        let of = |clocks: &[f64]| {
            let at = |&mhz: &f64| {
                let cpu = Readings { clock: Some(ClockRate::at(mhz)), ..Readings::default() };
                Sample { cpu, ..sample(Path::new("none")) }
            };
            let all = clocks.iter().map(at).collect();
            Samples { all, throttled: None }.sensors("").cpu.clock.unwrap()
        };
        assert_eq!(of(&[800.0, 3900.0, 1200.0]), ClockRate::at(3900.0));
        assert_eq!(of(&[800.0, 1200.0]).mean_mhz, 1000.0, "better than nothing");
    }
}

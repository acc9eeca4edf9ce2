//! `bench doctor`: checks whether this machine gives reliable results.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::files::JsonTarget;
use super::sysfs::{entries, text};
use super::{BenchError, Outcome, sensors};
use crate::benchmark::{DisplayInfo, Machine};
use crate::cli::{AdapterArgs, DoctorArgs};
use crate::render::{Gpu, PresentMode, RenderError};
use crate::units::{bytes, count, counted};

/// Cost of a clock read above which timing disturbs the measurement.
const MAX_CLOCK_COST: Duration = Duration::from_nanos(200);

/// Clock reads to measure that cost.
const CLOCK_READS: u32 = 20_000;

/// One property of the machine and its state.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    #[serde(flatten)]
    state: State,
}

#[derive(Serialize)]
#[serde(tag = "state", content = "text", rename_all = "snake_case")]
enum State {
    Ok(String),
    /// What is wrong, and what to do.
    Warning(String),
    /// Why it is unknown.
    Unknown(&'static str),
}

/// A value that the system does not report.
const UNKNOWN: State = State::Unknown(if cfg!(target_os = "linux") {
    "not reported by the system"
} else {
    "cannot be read on this system"
});

/// State of a check that depends on another one, which failed.
const NOT_CHECKED: State = State::Unknown("not checked");

impl Check {
    /// Returns what is wrong and what to do, if anything.
    fn warning(&self) -> Option<String> {
        let State::Warning(advice) = &self.state else { return None };
        Some(format!("{}: {advice}", self.name))
    }

    fn line(&self) -> String {
        let (state, text) = match &self.state {
            State::Ok(found) => ("ok", found.as_str()),
            State::Warning(advice) => ("warning", advice.as_str()),
            State::Unknown(reason) => ("unknown", *reason),
        };
        format!("{state:<9}{}: {text}", self.name)
    }
}

/// Returns what was found if that `is_ok`, and otherwise what is wrong and what to do.
fn state(is_ok: bool, found: impl Into<String>, advice: impl Into<String>) -> State {
    if is_ok { State::Ok(found.into()) } else { State::Warning(advice.into()) }
}

/// Prints one line per check.
pub(super) fn run(args: &DoctorArgs) -> Result<Outcome, BenchError> {
    let json = JsonTarget::create(&args.json, [], [])?;
    let opened = pollster::block_on(Gpu::headless(&args.adapter.gpu()));
    let (adapter, timestamps, adapter_name) = gpu(&opened);
    let (refresh, present_modes) = display(display_info());
    let version = concat!("Cubefall ", env!("CARGO_PKG_VERSION"));
    let debug = format!("{version}, debug build; build with --release");
    let build = state(!cfg!(debug_assertions), format!("{version}, release build"), debug);
    let Machine { os, kernel, cpu, threads, memory_bytes, .. } = Machine::current();
    let memory = memory_bytes.map_or("unknown memory".to_owned(), |known| bytes(known as f64));
    let threads = counted(threads, "thread");
    let system = format!("{os}, kernel {kernel}; {cpu}, {threads}, {memory}");
    let checks = [
        Check { name: "program", state: build },
        Check { name: "system", state: State::Ok(system) },
        Check { name: "adapter", state: adapter },
        Check { name: "GPU times", state: timestamps },
        Check { name: "refresh rate", state: refresh },
        Check { name: "present modes", state: present_modes },
        Check { name: "timer", state: clock() },
        Check { name: "sensors", state: readable_sensors(&adapter_name) },
    ];
    // Names of packages have hyphens, and are copied.
    let whole_words = textwrap::WordSplitter::NoHyphenation;
    let options =
        textwrap::Options::new(80).subsequent_indent("         ").word_splitter(whole_words);
    let checks: Vec<_> = checks.into_iter().chain(machine_checks()).collect();
    let lines = checks.iter().map(|check| textwrap::fill(&check.line(), &options) + "\n");
    let lines: String = lines.collect();
    json.write(&checks, &lines)?;
    let AdapterArgs { backend, name, require_gpu } = &args.adapter;
    if backend.is_some() || name.is_some() || *require_gpu {
        opened?;
    }
    Ok(Outcome::Done)
}

/// Returns warnings about the current state of the machine. Call before the first run, which is a load itself.
pub(super) fn warnings() -> Vec<String> {
    machine_checks().iter().filter_map(Check::warning).collect()
}

/// Checks what may slow this process down: load, CPU quota, CPU clock and power supply.
fn machine_checks() -> [Check; 4] {
    [
        Check { name: "load", state: load() },
        Check { name: "CPU quota", state: cpu_quota() },
        Check { name: "CPU governor", state: cpu_governor() },
        Check { name: "power supply", state: power(Path::new("/")) },
    ]
}

/// Checks the adapter and its timestamps, and returns its name.
fn gpu(opened: &Result<Gpu, RenderError>) -> (State, State, String) {
    let gpu = match opened {
        Err(error) => {
            return (State::Warning(error.to_string()), NOT_CHECKED, String::new());
        }
        Ok(gpu) => gpu,
    };
    let name = gpu.summary().to_string();
    let advice = format!("{name} renders on the CPU; install a GPU driver");
    let adapter = state(!gpu.is_software(), name.clone(), advice);
    let advice = "no timestamps; GPU times are unknown";
    let supported = if cfg!(target_os = "macos") {
        "timestamps supported, except by macOS 26, where GPU times are unknown"
    } else {
        "timestamps supported"
    };
    let timestamps = state(gpu.has_timestamps(), supported, advice);
    (adapter, timestamps, name)
}

/// Returns the capabilities of the display, or why they are unknown.
fn display_info() -> Result<DisplayInfo, String> {
    #[cfg(not(feature = "app"))]
    return Err("this build has no window".to_owned());
    #[cfg(feature = "app")]
    crate::app::probe_display().map_err(|error| match error {
        crate::app::AppError::NoDisplay(reason) => reason,
        other => other.to_string(),
    })
}

/// Checks the refresh rate, and whether frames can exceed it.
fn display(info: Result<DisplayInfo, String>) -> (State, State) {
    let DisplayInfo { refresh_hz, present_modes } = match info {
        Ok(info) => info,
        Err(reason) => {
            return (
                State::Warning(format!("{reason}; only runs with --window need it")),
                NOT_CHECKED,
            );
        }
    };
    let refresh = refresh_hz
        .map_or(UNKNOWN, |hz| State::Ok(format!("{hz:.1} Hz, one frame every {:.2} ms", 1e3 / hz)));
    let names: Vec<_> = present_modes.iter().map(|mode| mode.name()).collect();
    let names = names.join(", ");
    let uncapped = [PresentMode::Immediate, PresentMode::Mailbox];
    let is_uncapped = uncapped.iter().any(|mode| present_modes.contains(mode));
    let advice = format!("only {names}: vsync limits the frame rate; omit --window");
    (refresh, state(is_uncapped, names, advice))
}

/// Measures the cost of a clock read and the smallest step of the clock.
fn clock() -> State {
    let start = Instant::now();
    let mut step = Duration::MAX;
    let mut last = start;
    for _ in 0..CLOCK_READS {
        let now = Instant::now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
    }
    let cost = (last - start) / CLOCK_READS;
    let [step_ns, cost_ns] = [step, cost].map(|time| count(time.as_nanos()));
    let found = format!("resolution {step_ns} ns or better, {cost_ns} ns per read");
    let advice = format!("{found}; select a faster clock source of the system");
    state(cost <= MAX_CLOCK_COST, found, advice)
}

/// Lists the sensors that are readable, then the others and what they need.
fn readable_sensors(adapter: &str) -> State {
    let ((), samples) = sensors::during(|| ());
    let (mut readable, mut unknown) = (Vec::new(), Vec::new());
    for (name, text) in samples.sensors(adapter).texts() {
        match (text, sensors::advice(name, adapter)) {
            (Some(_), _) => readable.push(name.to_owned()),
            (None, Some(advice)) => unknown.push(format!("{name} ({advice})")),
            (None, None) => unknown.push(name.to_owned()),
        }
    }
    let [readable, unknown] = [readable, unknown]
        .map(|names| if names.is_empty() { "none".to_owned() } else { names.join(", ") });
    State::Ok(format!("{readable}; unknown: {unknown}"))
}

/// Checks the load average of the last minute.
fn load() -> State {
    // Of the whole machine, as the load is, not only those that this process may use.
    let wanted = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let threads = System::new_with_specifics(wanted).map_or(0, |system| system.cpus().len());
    let Some(load) = System::load_average().ok().filter(|_| threads > 0) else {
        return UNKNOWN;
    };
    let found = format!("{:.2} on {}", load.one, counted(threads, "thread"));
    let advice = format!("{found}; close other programs");
    state(load.one <= threads as f64 / 4.0, found, advice)
}

/// Checks whether a control group, such as that of a container, stops the process after a share of each period.
fn cpu_quota() -> State {
    #[cfg(target_os = "linux")]
    if let Ok(affinity) = rustix::thread::sched_getaffinity(None)
        && let Ok(parallelism) = std::thread::available_parallelism()
    {
        // Of `std`: the number of threads in the affinity, or what quotas leave of them, but at least 1.
        let (allowed, usable) = (affinity.count() as usize, parallelism.get());
        let advice = format!(
            "a control group limits the CPU time of {} to less; remove the limit, such as `--cpus` of containers",
            counted(allowed, "thread")
        );
        if allowed > 1 {
            return state(usable >= allowed, "none", advice);
        }
    }
    UNKNOWN
}

fn cpu_governor() -> State {
    let policies = entries(Path::new("/sys/devices/system/cpu/cpufreq"), "policy", "");
    let governors = policies.map(|policy| text(&policy.join("scaling_governor")));
    let governors: BTreeSet<_> = governors.filter(|governor| !governor.is_empty()).collect();
    if governors.is_empty() {
        return UNKNOWN;
    }
    let other = governors.iter().find(|governor| *governor != "performance");
    let found = format!("`{}`", other.map_or("performance", String::as_str));
    let advice = format!("{found} changes the clock; sudo cpupower frequency-set -g performance");
    state(other.is_none(), found, advice)
}

/// Checks whether the machine has external power, by cable or wireless, or runs on its battery; `root` is `/`.
fn power(root: &Path) -> State {
    let supplies = entries(&root.join("sys/class/power_supply"), "", "");
    // Those of mice and other devices are not the machine's.
    let own = supplies.filter(|supply| text(&supply.join("scope")) != "Device");
    let own: Vec<_> = own
        .map(|supply| ["type", "online", "status"].map(|file| text(&supply.join(file))))
        .collect();
    let is_external = |kind: &str| ["Mains", "Wireless"].contains(&kind) || kind.starts_with("USB");
    let is_online = |[kind, online, _]: &[String; 3]| {
        is_external(kind) && ["1", "2"].contains(&online.as_str())
    };
    let is_on_battery = |[kind, _, status]: &[String; 3]| {
        kind == "Mains" || (kind == "Battery" && status == "Discharging")
    };
    let plugged_in = own.iter().any(is_online);
    if !plugged_in && !own.iter().any(is_on_battery) {
        return UNKNOWN;
    }
    state(plugged_in, "plugged in", "on battery; plug it in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::bench::sysfs::tests::write;

    fn line(state: State) -> String {
        Check { name: "power", state }.line()
    }

    #[test]
    fn battery_mains_and_no_supply_are_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(line(power(root)).starts_with("unknown"));
        write(root, "sys/class/power_supply/BAT0/type", "Battery\n");
        write(root, "sys/class/power_supply/BAT0/online", "1\n");
        assert!(line(power(root)).starts_with("unknown"));
        write(root, "sys/class/power_supply/AC/type", "Mains\n");
        write(root, "sys/class/power_supply/AC/online", "0\n");
        assert!(line(power(root)).starts_with("warning  power: on battery"));
        // Some laptops that charge by USB have an offline mains supply, too.
        write(root, "sys/class/power_supply/usb/type", "USB\n");
        write(root, "sys/class/power_supply/usb/online", "1\n");
        assert_eq!(line(power(root)), "ok       power: plugged in");
        write(root, "sys/class/power_supply/usb/scope", "Device\n");
        assert!(line(power(root)).starts_with("warning"));
        write(root, "sys/class/power_supply/AC/online", "1\n");
        assert_eq!(line(power(root)), "ok       power: plugged in");
        write(root, "sys/class/power_supply/AC/type", "UPS\n");
        write(root, "sys/class/power_supply/BAT0/status", "Discharging\n");
        assert!(line(power(root)).starts_with("warning  power: on battery"));
    }

    #[test]
    fn vsync_only_displays_give_a_warning() {
        let modes = |present_modes: &[PresentMode]| {
            let info =
                DisplayInfo { refresh_hz: Some(60.0), present_modes: present_modes.to_vec() };
            line(display(Ok(info)).1)
        };
        assert!(modes(&[PresentMode::Fifo]).starts_with("warning"));
        assert!(modes(&[PresentMode::Fifo, PresentMode::Mailbox]).starts_with("ok"));
    }
}

//! `bench doctor`: checks whether this machine gives reliable results.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::files::JsonTarget;
use super::sensors::SensorReader;
use super::{BenchError, Outcome};
use crate::benchmark::{DisplayInfo, Machine, load_average};
use crate::cli::JsonArgs;
use crate::render::{Gpu, GpuSettings, PresentMode};

/// Cost of a clock read above which timing disturbs the measurement.
const MAX_CLOCK_COST: Duration = Duration::from_nanos(200);

/// Clock reads to measure that cost.
const CLOCK_READS: u32 = 20_000;

/// One property of the machine and its state.
#[derive(Serialize)]
pub(super) struct Check {
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
    /// Not reported by the system.
    Unknown,
}

impl Check {
    /// Returns what is wrong and what to do, if anything.
    pub(super) fn warning(&self) -> Option<String> {
        match &self.state {
            State::Warning(advice) => Some(format!("{}: {advice}", self.name)),
            State::Ok(_) | State::Unknown => None,
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match &self.state {
            State::Ok(found) => write!(f, "ok       {name}: {found}"),
            State::Warning(advice) => write!(f, "warning  {name}: {advice}"),
            State::Unknown => write!(f, "unknown  {name}: not reported by the system"),
        }
    }
}

/// Prints one line per check.
pub(super) fn run(args: &JsonArgs) -> Result<Outcome, BenchError> {
    let json = JsonTarget::create(args.json.as_deref())?;
    let (adapter, timestamps, adapter_name) = gpu();
    let (refresh, present_modes) = display(display_info());
    let checks = [
        Check { name: "build", state: build() },
        Check { name: "adapter", state: adapter },
        Check { name: "GPU times", state: timestamps },
        Check { name: "refresh rate", state: refresh },
        Check { name: "present modes", state: present_modes },
        Check { name: "clock", state: clock() },
        Check { name: "sensors", state: sensors(&adapter_name) },
    ];
    let options = textwrap::Options::new(80).subsequent_indent("         ");
    let checks: Vec<_> = checks.into_iter().chain(machine_checks()).collect();
    let lines = checks.iter().map(|check| textwrap::fill(&check.to_string(), &options) + "\n");
    let lines: String = lines.collect();
    json.write(&checks)?;
    json.print_text(&lines)?;
    Ok(Outcome::Done)
}

/// Checks what may slow the machine down: load, CPU clock and power supply.
pub(super) fn machine_checks() -> [Check; 3] {
    [
        Check { name: "load", state: load() },
        Check { name: "CPU clock", state: cpu_governor() },
        Check { name: "power", state: power(Path::new("/sys/class/power_supply")) },
    ]
}

fn build() -> State {
    if cfg!(debug_assertions) {
        State::Warning("debug build; build with --release".into())
    } else {
        State::Ok("optimized".into())
    }
}

/// Checks the adapter and its timestamps, and returns its name.
fn gpu() -> (State, State, String) {
    let gpu = match pollster::block_on(Gpu::headless(&GpuSettings::default())) {
        Err(error) => return (State::Warning(error.to_string()), State::Unknown, String::new()),
        Ok(gpu) => gpu,
    };
    let name = gpu.summary().to_string();
    let adapter = if gpu.is_software() {
        State::Warning(format!("{name} renders on the CPU; install a GPU driver"))
    } else {
        State::Ok(name.clone())
    };
    let timestamps = if gpu.has_timestamps() {
        State::Ok("timestamps supported".into())
    } else {
        State::Warning("no timestamps; GPU times are unknown".into())
    };
    (adapter, timestamps, name)
}

/// Returns the capabilities of the display, or why they are unknown.
#[cfg(feature = "app")]
fn display_info() -> Result<DisplayInfo, String> {
    use crate::app::{self, AppError};

    app::probe_display().map_err(|error| match error {
        AppError::NoDisplay(reason) => reason,
        other => other.to_string(),
    })
}

#[cfg(not(feature = "app"))]
fn display_info() -> Result<DisplayInfo, String> {
    Err("this build has no window".to_owned())
}

/// Checks the refresh rate, and whether frames can exceed it.
fn display(info: Result<DisplayInfo, String>) -> (State, State) {
    let DisplayInfo { refresh_hz, present_modes } = match info {
        Ok(info) => info,
        Err(reason) => {
            return (State::Warning(format!("{reason}; omit --window")), State::Unknown);
        }
    };
    let refresh = refresh_hz.map_or(State::Unknown, |hz| {
        State::Ok(format!("{hz:.1} Hz, one frame every {:.2} ms", 1e3 / hz))
    });
    let names: Vec<_> = present_modes.iter().map(|mode| mode.name()).collect();
    let names = names.join(", ");
    let uncapped = [PresentMode::Immediate, PresentMode::Mailbox];
    let modes = if uncapped.iter().any(|mode| present_modes.contains(mode)) {
        State::Ok(names)
    } else {
        State::Warning(format!("only {names}: vsync limits the frame rate; omit --window"))
    };
    (refresh, modes)
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
    let found = format!("resolution {step:?} or better, {cost:?} per read");
    if cost <= MAX_CLOCK_COST {
        State::Ok(found)
    } else {
        State::Warning(format!("{found}; select a faster clock source of the system"))
    }
}

/// Lists the sensors that are readable, then the others and what they need.
fn sensors(adapter: &str) -> State {
    let reader = SensorReader::new();
    let ((), samples) = reader.during(|| ());
    let (mut readable, mut unknown) = (Vec::new(), Vec::new());
    for (name, text) in samples.sensors(adapter).texts() {
        match (text, reader.advice(&name, adapter)) {
            (Some(_), _) => readable.push(name),
            (None, Some(advice)) => unknown.push(format!("{name} ({advice})")),
            (None, None) => unknown.push(name),
        }
    }
    let list =
        |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    State::Ok(format!("{}; unknown: {}", list(&readable), list(&unknown)))
}

fn load() -> State {
    let threads = Machine::current().threads;
    match load_average() {
        None => State::Unknown,
        Some(load) if load <= threads as f64 / 4.0 => {
            State::Ok(format!("{load:.2} on {threads} threads"))
        }
        Some(load) => {
            State::Warning(format!("{load:.2} on {threads} threads; close other programs"))
        }
    }
}

fn cpu_governor() -> State {
    let path = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    match fs::read_to_string(path).as_deref().map(str::trim) {
        Ok("performance") => State::Ok("governor `performance`".into()),
        Ok(other) => State::Warning(format!(
            "governor `{other}` changes the clock; sudo cpupower frequency-set -g performance"
        )),
        Err(_) => State::Unknown,
    }
}

/// Checks for a mains supply that is offline. `folder` has one subfolder per supply.
fn power(folder: &Path) -> State {
    let Ok(supplies) = fs::read_dir(folder) else { return State::Unknown };
    let read = |supply: &Path, name: &str| {
        fs::read_to_string(supply.join(name)).unwrap_or_default().trim().to_owned()
    };
    let mains: Vec<_> = supplies
        .flatten()
        .map(|supply| supply.path())
        .filter(|supply| read(supply, "type") == "Mains")
        .map(|supply| read(&supply, "online") == "1")
        .collect();
    match &mains[..] {
        [] => State::Unknown,
        online if online.contains(&true) => State::Ok("plugged in".into()),
        _ => State::Warning("on battery; plug it in".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(state: State) -> String {
        Check { name: "power", state }.to_string()
    }

    #[test]
    fn battery_mains_and_no_supply_are_distinguished() {
        let folder = tempfile::tempdir().unwrap();
        assert!(line(power(&folder.path().join("none"))).starts_with("unknown"));
        assert!(line(power(folder.path())).starts_with("unknown"));
        let supply = |name: &str, kind: &str, online: &str| {
            let supply = folder.path().join(name);
            fs::create_dir_all(&supply).unwrap();
            fs::write(supply.join("type"), kind).unwrap();
            fs::write(supply.join("online"), online).unwrap();
        };
        supply("BAT0", "Battery\n", "1\n");
        supply("AC", "Mains\n", "0\n");
        assert!(line(power(folder.path())).starts_with("warning  power: on battery"));
        supply("AC", "Mains\n", "1\n");
        assert_eq!(line(power(folder.path())), "ok       power: plugged in");
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

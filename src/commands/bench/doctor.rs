//! Doctor: whether this machine is fit to be measured on, and what to do where it is not.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::{BenchError, Outcome};
use crate::benchmark::{DisplayInfo, Machine, load_average};
use crate::output;
use crate::render::{Gpu, GpuSettings, PresentMode};

/// Asking for the time may take so long before it disturbs.
const CLOCK_COST: Duration = Duration::from_nanos(200);

/// How often the clock is asked to find out how long that takes.
const CLOCK_CALLS: u32 = 20_000;

/// What was looked at, and what came of it.
pub(super) struct Finding {
    what: &'static str,
    state: State,
}

enum State {
    Good(String),
    /// What is the matter, and what to do.
    Bad(String),
    /// The system does not say.
    Unknown,
}

impl Finding {
    /// What is the matter, and what to do; none if nothing is.
    pub(super) fn advice(&self) -> Option<String> {
        match &self.state {
            State::Bad(advice) => Some(format!("{}: {advice}", self.what)),
            State::Good(_) | State::Unknown => None,
        }
    }
}

/// What else the machine does, and how fast it may run.
pub(super) fn machine() -> [Finding; 3] {
    [
        Finding { what: "load", state: machine_load() },
        Finding { what: "processor clock", state: governor() },
        Finding { what: "power", state: power(Path::new("/sys/class/power_supply")) },
    ]
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what;
        match &self.state {
            State::Good(found) => write!(f, "good     {what}: {found}"),
            State::Bad(advice) => write!(f, "look at  {what}: {advice}"),
            State::Unknown => write!(f, "unknown  {what}: the system does not say"),
        }
    }
}

/// Prints a line for each property of the machine that affects measurements.
pub(super) fn run() -> Result<Outcome, BenchError> {
    let (adapter, gpu_clock) = gpu();
    let (refresh, present_modes) = shown_by(display());
    let looked_at = [
        Finding { what: "build", state: build() },
        Finding { what: "adapter", state: adapter },
        Finding { what: "GPU times", state: gpu_clock },
        Finding { what: "refresh rate", state: refresh },
        Finding { what: "present modes", state: present_modes },
        Finding { what: "clock", state: clock() },
    ];
    let findings = looked_at.into_iter().chain(machine());
    let options = textwrap::Options::new(80).subsequent_indent("         ");
    let lines: Vec<_> =
        findings.map(|finding| textwrap::fill(&finding.to_string(), &options)).collect();
    output::print(&format!("{}\n", lines.join("\n")))?;
    Ok(Outcome::Done)
}

fn build() -> State {
    if cfg!(debug_assertions) {
        State::Bad("without optimisation; build with --release".into())
    } else {
        State::Good("with optimisation".into())
    }
}

fn gpu() -> (State, State) {
    match pollster::block_on(Gpu::headless(&GpuSettings::default())) {
        Err(error) => (State::Bad(error.to_string()), State::Unknown),
        Ok(gpu) => {
            let name = gpu.summary().to_string();
            let adapter = if gpu.is_software() {
                State::Bad(format!("{name} draws on the CPU; install the driver of the GPU"))
            } else {
                State::Good(name)
            };
            let clock = if gpu.has_timestamps() {
                State::Good("the adapter keeps time".into())
            } else {
                State::Bad("the adapter keeps no time; `gpu` stays empty".into())
            };
            (adapter, clock)
        }
    }
}

/// What the display can do, or why that is unknown.
#[cfg(feature = "app")]
fn display() -> Result<DisplayInfo, String> {
    use crate::app::{self, AppError};

    app::probe_display().map_err(|error| match error {
        AppError::NoDisplay(reason) => reason,
        other => other.to_string(),
    })
}

#[cfg(not(feature = "app"))]
fn display() -> Result<DisplayInfo, String> {
    Err("this build has no window".to_owned())
}

/// What the display shows in a second, and whether it lets pictures come faster.
fn shown_by(display: Result<DisplayInfo, String>) -> (State, State) {
    let DisplayInfo { refresh_hz, present_modes } = match display {
        Ok(display) => display,
        Err(why) => return (State::Bad(format!("{why}; bench off screen")), State::Unknown),
    };
    let refresh = refresh_hz.map_or(State::Unknown, |hz| {
        State::Good(format!("{hz:.1} Hz, a picture every {:.2} ms", 1e3 / hz))
    });
    let names: Vec<_> = present_modes.iter().map(|mode| mode.name()).collect();
    let names = names.join(", ");
    let uncapped = [PresentMode::Immediate, PresentMode::Mailbox];
    let modes = if uncapped.iter().any(|mode| present_modes.contains(mode)) {
        State::Good(names)
    } else {
        State::Bad(format!("{names} only: the display sets the pace; bench without --window"))
    };
    (refresh, modes)
}

/// What it costs to ask for the time, and the smallest step it is seen to take.
fn clock() -> State {
    let start = Instant::now();
    let mut step = Duration::MAX;
    let mut last = start;
    for _ in 0..CLOCK_CALLS {
        let now = Instant::now();
        if now > last {
            step = step.min(now - last);
        }
        last = now;
    }
    let cost = (last - start) / CLOCK_CALLS;
    let found = format!("steps of {step:?} at most, {cost:?} to ask");
    if cost <= CLOCK_COST {
        State::Good(found)
    } else {
        State::Bad(format!("{found}; look for another clock source of the system"))
    }
}

fn machine_load() -> State {
    let threads = Machine::current().threads;
    match load_average() {
        None => State::Unknown,
        Some(load) if load <= threads as f64 / 4.0 => {
            State::Good(format!("{load:.2} on {threads} threads"))
        }
        Some(load) => State::Bad(format!("{load:.2} on {threads} threads; close what else runs")),
    }
}

fn governor() -> State {
    let path = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    match fs::read_to_string(path).as_deref().map(str::trim) {
        Ok("performance") => State::Good("fixed by the governor `performance`".into()),
        Ok(other) => State::Bad(format!(
            "the governor `{other}` changes it; sudo cpupower frequency-set -g performance"
        )),
        Err(_) => State::Unknown,
    }
}

/// Whether a mains supply is there and off; `folder` holds a folder for each supply.
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
        online if online.contains(&true) => State::Good("plugged in".into()),
        _ => State::Bad("on battery; plug it in".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(state: State) -> String {
        Finding { what: "power", state }.to_string()
    }

    #[test]
    fn a_battery_is_told_from_the_mains_and_from_nothing() {
        let folder = tempfile::tempdir().unwrap();
        assert!(said(power(&folder.path().join("none"))).starts_with("unknown"));
        assert!(said(power(folder.path())).starts_with("unknown"));
        let supply = |name: &str, kind: &str, online: &str| {
            let supply = folder.path().join(name);
            fs::create_dir_all(&supply).unwrap();
            fs::write(supply.join("type"), kind).unwrap();
            fs::write(supply.join("online"), online).unwrap();
        };
        supply("BAT0", "Battery\n", "1\n");
        supply("AC", "Mains\n", "0\n");
        assert!(said(power(folder.path())).starts_with("look at  power: on battery"));
        supply("AC", "Mains\n", "1\n");
        assert_eq!(said(power(folder.path())), "good     power: plugged in");
    }
}

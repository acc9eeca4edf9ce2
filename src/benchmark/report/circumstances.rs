//! Circumstances: what was measured, and on which machine.

use jiff::Timestamp;
use maud::{Markup, html};

use crate::benchmark::{BenchResult, BenchSettings, Machine, RunResult, Sweep};
use crate::units::{UNKNOWN, count, main_memory, or_unknown};

/// What a result or a sweep says about how it came about.
pub(super) struct Circumstances<'a> {
    machine: &'a Machine,
    settings: &'a BenchSettings,
    adapter: Option<&'a str>,
    version: &'a str,
    debug_build: bool,
    started_unix_s: u64,
    /// How many cubes, in words.
    cubes: String,
    /// What else is known from a run.
    run: Option<&'a RunResult>,
}

impl<'a> Circumstances<'a> {
    pub(super) fn of(result: &'a BenchResult) -> Self {
        let run = result.runs.first();
        Self {
            machine: &result.machine,
            settings: &result.settings,
            adapter: run.map(|run| run.adapter.as_str()),
            version: &result.version,
            debug_build: result.debug_build,
            started_unix_s: result.started_unix_s,
            cubes: count(result.settings.cubes),
            run,
        }
    }

    pub(super) fn of_sweep(sweep: &'a Sweep) -> Self {
        let counts = sweep
            .points
            .first()
            .zip(sweep.points.last())
            .map(|(first, last)| [first.cubes, last.cubes].map(count));
        Self {
            machine: &sweep.machine,
            settings: &sweep.settings,
            adapter: sweep.adapter.as_deref(),
            version: &sweep.version,
            debug_build: sweep.debug_build,
            started_unix_s: sweep.started_unix_s,
            cubes: or_unknown(counts, |[fewest, most]| format!("{fewest} to {most}")),
            run: None,
        }
    }

    /// `10,000 cubes, cubes-fall, 1280 x 720, off screen, 2026-11-21 20:15 UTC`.
    pub(super) fn line(&self) -> String {
        let [width, height] = self.size();
        format!(
            "{} cubes, {}, {width} x {height}, {}, {}",
            self.cubes,
            self.settings.mode,
            if self.settings.window { "in a window" } else { "off screen" },
            self.date(),
        )
    }

    /// Machine and settings.
    pub(super) fn section(&self) -> Markup {
        html! {
            section {
                h2 { "What was measured, and where" }
                div.columns { (list(&self.machine())) (list(&self.settings())) }
            }
        }
    }

    /// The one it had, where that is known.
    fn size(&self) -> [u32; 2] {
        self.run.map_or(self.settings.size, |run| run.size)
    }

    fn date(&self) -> String {
        let seconds = i64::try_from(self.started_unix_s).ok();
        let time = seconds.and_then(|seconds| Timestamp::from_second(seconds).ok());
        or_unknown(time, |time| time.strftime("%Y-%m-%d %H:%M UTC").to_string())
    }

    fn machine(&self) -> Vec<(&'static str, String)> {
        let machine = self.machine;
        let memory = match machine.memory_bytes {
            0 => UNKNOWN.to_owned(),
            bytes => main_memory(bytes),
        };
        let mut entries = vec![
            ("processor", format!("{}, {} threads", machine.cpu, machine.threads)),
            ("memory", memory),
            ("system", format!("{}, kernel {}", machine.os, machine.kernel)),
            ("graphics", or_unknown(self.adapter, str::to_owned)),
        ];
        if let Some(run) = self.run.filter(|_| self.settings.window) {
            entries.push(("present mode", or_unknown(run.present_mode(), |mode| mode.to_string())));
            entries.push((
                "display",
                or_unknown(run.presentation.and_then(|shown| shown.refresh_hz), |hz| {
                    format!("{hz:.1} Hz")
                }),
            ));
        }
        let build = if self.debug_build { "debug" } else { "release" };
        entries.push(("program", format!("Cubefall {}, {build} build", self.version)));
        entries.push(("begun", self.date()));
        entries
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let settings = self.settings;
        let counted = match (settings.frames, settings.duration_s) {
            (Some(frames), _) => format!("{} frames", count(frames)),
            (None, seconds) => or_unknown(seconds, |seconds| format!("{seconds} s")),
        };
        let warmup = settings.warmup_frames.map_or_else(
            || "until frame times are steady".to_owned(),
            |frames| format!("{} frames", count(frames)),
        );
        let [width, height] = self.size();
        let file = settings.scene.as_ref().map(|scene| format!("{scene}, ")).unwrap_or_default();
        let mut entries = vec![
            ("scene", format!("{file}{} cubes, {}", self.cubes, settings.mode)),
            ("random numbers", format!("seed {}", settings.seed)),
            ("time step", format!("{:.3} ms of simulated time a frame", settings.dt_s * 1e3)),
            ("picture", format!("{width} x {height}")),
        ];
        if let Some(run) = self.run {
            let effects = Some(run.effects()).filter(|effects| !effects.is_empty());
            entries.push(("effects", effects.unwrap_or_else(|| "none".to_owned())));
            let drawn =
                format!("{}, {} memory", run.graphics.geometry.name(), run.streaming.name());
            entries.push(("cubes drawn by", drawn));
        }
        let latency = settings.latency.map_or_else(
            || "as the display decides".to_owned(),
            |latency| format!("the GPU is at most {latency} behind"),
        );
        entries.push(("runs", format!("{}, each of {counted}", settings.runs)));
        entries.push(("warm-up", warmup));
        entries.push(("frames in flight", latency));
        entries
    }
}

/// What is what.
pub(super) fn list<N: maud::Render>(entries: &[(N, String)]) -> Markup {
    html! { dl.facts { @for (name, value) in entries { dt { (name) } dd { (value) } } } }
}

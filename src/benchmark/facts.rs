//! Facts: machine, settings and statistics of a result as labeled text, for the terminal, the report and the
//! Markdown export.

use jiff::Timestamp;

use super::{
    BenchResult, BenchSettings, BoundBy, LowFps, Machine, Percentile, Presentation, REFRESH_RATES,
    RunResult, Sensors, Summary, SummaryRow, Sweep,
};
use crate::render::{FRAMES_IN_FLIGHT, RenderSettings, Streaming};
use crate::units::{bare_ms, bytes, count, counted, ms, or_unknown, percent, rate, signed_percent};

/// A label and its value.
pub(super) type Fact = (&'static str, String);

/// How the values of several runs become one.
pub(super) const OVER_RUNS: &str = "each statistic is computed for every run, and the median over the runs is shown; maxima, fastest frame, hitches, memory, what is measured and what limits the frames are of all runs; frame rates are those of the median time per frame, for the average that of the mean frame times";

/// Formula of the average frame rate.
pub(super) const AVERAGE: &str = "number of frames / sum of their times";

/// What a hitch is.
pub(super) const HITCH: &str = "over 2.5 times the rolling median of one second, and 4 ms above it";

/// Returns all facts about a result: labels and values.
pub fn facts(result: &BenchResult, summary: &Summary) -> Vec<Fact> {
    let setup = Setup::of_result(result);
    let of_runs = |text: fn(&RunResult) -> String| {
        result.runs.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    let runs = vec![
        ("frames of each run", of_runs(|run| count(run.valid_samples().count()))),
        ("warm-up of each run, s", of_runs(|run| format!("{:.1}", run.warmup.seconds))),
    ];
    let statistics = statistics(summary);
    [setup.machine(), setup.settings(), runs, statistics, sensors(&result.runs)].concat()
}

/// Returns the names of statistics of the frame rate and of the waits, and their definitions.
pub fn definitions() -> Vec<(&'static str, &'static str)> {
    let lows = LowFps::ALL.map(|low| (low.name(), low.formula()));
    let others = [
        (
            "time over budget",
            "share of the time, not of the frames, in frames that take more than 2 % longer than the refresh interval",
        ),
        (
            "bound by",
            "shares of the time in which the main thread works (CPU), the GPU works, and the main thread waits for the display; while both work, the one that works longer in that frame; the time in which a software adapter submits is that of the GPU",
        ),
        ("hitch", HITCH),
    ];
    [&[("over several runs", OVER_RUNS), ("average", AVERAGE)][..], &lows, &others].concat()
}

/// Returns what the sensors read over all runs.
pub(super) fn sensors(runs: &[RunResult]) -> Vec<Fact> {
    let sensors: Vec<_> = runs.iter().map(|run| run.sensors).collect();
    Sensors::over(&sensors).facts()
}

/// Returns machine and settings of a sweep.
pub fn sweep_facts(sweep: &Sweep) -> Vec<Fact> {
    let setup = Setup::of_sweep(sweep);
    [setup.machine(), setup.settings()].concat()
}

/// Machine and settings of a result or a sweep.
#[derive(Debug)]
pub struct Setup<'a> {
    machine: &'a Machine,
    settings: &'a BenchSettings,
    adapter: Option<&'a str>,
    version: &'a str,
    debug_build: bool,
    started_unix_s: u64,
    /// One count, or the range of a sweep.
    cubes: String,
    /// Size that was rendered, or the one that was asked for, in pixels.
    size: [u32; 2],
    graphics: Option<RenderSettings>,
    streaming: Option<Streaming>,
    presentation: Option<Presentation>,
}

impl<'a> Setup<'a> {
    /// The setup of a result.
    pub fn of_result(result: &'a BenchResult) -> Self {
        let run = result.runs.first();
        Self {
            machine: &result.machine,
            settings: &result.settings,
            adapter: run.map(|run| run.adapter.as_str()),
            version: &result.version,
            debug_build: result.debug_build,
            started_unix_s: result.started_unix_s,
            cubes: counted(result.settings.cubes, "cube"),
            size: run.map_or(result.settings.size, |run| run.size),
            graphics: run.map(|run| run.graphics),
            streaming: run.map(|run| run.streaming),
            presentation: run.and_then(|run| run.presentation),
        }
    }

    pub(super) fn of_sweep(sweep: &'a Sweep) -> Self {
        let ends = sweep.points.first().zip(sweep.points.last());
        let range = ends.map(|(first, last)| {
            let last = counted(last.cubes, "cube");
            if sweep.points.len() == 1 { last } else { format!("{} to {last}", count(first.cubes)) }
        });
        Self {
            machine: &sweep.machine,
            settings: &sweep.settings,
            adapter: sweep.adapter.as_deref(),
            version: &sweep.version,
            debug_build: sweep.debug_build,
            started_unix_s: sweep.started_unix_s,
            cubes: or_unknown(range, |range| range),
            size: sweep.settings.size,
            graphics: sweep.graphics,
            streaming: sweep.streaming,
            presentation: sweep.presentation,
        }
    }

    /// Returns one line: `10,000 cubes, cubes-fall, 1280 x 720, off screen, 2026-11-21 20:15 UTC`.
    pub fn line(&self) -> String {
        format!(
            "{}, {}, {}, {}, {}",
            self.cubes,
            self.settings.mode_and_motion(),
            self.resolution(),
            if self.settings.window { "in a window" } else { "off screen" },
            self.started(),
        )
    }

    pub(super) fn machine(&self) -> Vec<Fact> {
        let machine = self.machine;
        let build = if self.debug_build { "debug" } else { "release" };
        let mut facts = vec![
            ("processor", format!("{}, {}", machine.cpu, counted(machine.threads, "thread"))),
            ("memory", or_unknown(machine.memory_bytes, |known| bytes(known as f64))),
            ("system", format!("{}, kernel {}", machine.os, machine.kernel)),
            ("adapter", or_unknown(self.adapter, str::to_owned)),
            ("program", format!("Cubefall {}, {build} build", self.version)),
            ("started", self.started()),
        ];
        if self.settings.window {
            let refresh_hz = self.presentation.and_then(|it| it.refresh_hz);
            let mode = self.presentation.map(|it| it.present_mode.to_string());
            facts.push(("present mode", or_unknown(mode, |mode| mode)));
            facts.push(("display", or_unknown(refresh_hz, |hz| format!("{} Hz", rate(hz)))));
        }
        facts
    }

    pub(super) fn settings(&self) -> Vec<Fact> {
        let settings = self.settings;
        let length = match (settings.frames, settings.duration_s) {
            (Some(frames), _) => counted(frames, "frame"),
            (None, seconds) => or_unknown(seconds, |seconds| format!("at least {seconds} s")),
        };
        let warmup = settings.warmup_frames.map(|frames| counted(frames, "frame"));
        let latency = settings.latency.map(|latency| latency.to_string());
        let file = settings.scene.as_ref().map(|scene| format!("{scene}, ")).unwrap_or_default();
        let mut facts = vec![
            ("scene", format!("{file}{}, {}", self.cubes, settings.mode_and_motion())),
            ("random seed", settings.seed.to_string()),
            ("time step", ms(f64::from(settings.dt_s) * 1e9)),
            ("resolution", self.resolution()),
        ];
        let flags = [("factors", &settings.tuning), ("camera", &settings.camera)];
        facts.extend(flags.into_iter().filter_map(|(name, flags)| Some((name, flags.clone()?))));
        if let Some((graphics, streaming)) = self.graphics.zip(self.streaming) {
            let effects = Some(graphics.to_string()).filter(|effects| !effects.is_empty());
            facts.push(("effects", effects.unwrap_or_else(|| "none".to_owned())));
            facts.push(("geometry", graphics.geometry.name().to_owned()));
            facts.push(("streaming", streaming.name().to_owned()));
        }
        facts.push(("runs", format!("{} of {length} each", settings.runs)));
        facts.push(("warm-up", warmup.unwrap_or("until frame times are steady".to_owned())));
        facts.push((
            "frames in flight",
            latency.unwrap_or_else(|| format!("at most {FRAMES_IN_FLIGHT}")),
        ));
        facts
    }

    fn resolution(&self) -> String {
        let [width, height] = self.size;
        format!("{width} x {height}")
    }

    fn started(&self) -> String {
        utc(self.started_unix_s).strftime("%Y-%m-%d %H:%M UTC").to_string()
    }
}

/// Returns every statistic that is not a row of the table of frame phases.
pub(super) fn statistics(summary: &Summary) -> Vec<Fact> {
    // A new statistic has a text, too.
    let &Summary {
        rows: _,
        frames,
        duration_s,
        average_fps,
        low_fps,
        over_budget: shares_over_budget,
        gpu_coverage,
        bound_by,
        hitches,
        jitter_mean_ns,
        jitter_p99_ns,
        drift_percent,
        bimodal,
        effective_sample_size,
        ns_per_cube,
        upload_bytes_per_s,
        max_memory_bytes,
        ref state_hash,
    } = summary;
    let fps = |fps: Option<f64>| or_unknown(fps, |fps| format!("{} fps", rate(fps)));
    let lows = LowFps::ALL.into_iter().zip(low_fps);
    let budgets = REFRESH_RATES.into_iter().zip(shares_over_budget);
    let over_budget: Vec<_> =
        budgets.map(|(hz, share)| format!("{hz} Hz {}", or_unknown(share, percent))).collect();
    let shares = |BoundBy { cpu, gpu, display }| {
        let [cpu, gpu, display] = [cpu, gpu, display].map(percent);
        format!("CPU {cpu}, GPU {gpu}, display {display}")
    };
    let frame = summary.row("frame");
    let time = |value: fn(&SummaryRow) -> Option<f64>| or_unknown(frame.and_then(value), ms);
    let rates = lows.map(|(low, value)| (low.name(), fps(value)));
    let others = [
        ("percentiles, ms", or_unknown(frame, percentiles)),
        ("fastest frame", time(|frame| frame.min_ns)),
        ("mean", time(|frame| frame.mean_ns)),
        ("standard deviation", time(|frame| frame.standard_deviation_ns)),
        ("median absolute deviation", time(|frame| frame.mad_ns)),
        ("bimodal", or_unknown(bimodal, |is| if is { "yes" } else { "no" }.to_owned())),
        ("time over budget", over_budget.join(", ")),
        ("GPU times known", or_unknown(gpu_coverage, percent)),
        ("bound by", or_unknown(bound_by, shares)),
        (
            "hitches",
            or_unknown(hitches, |hitches| {
                let [total, worst] = [hitches.total, hitches.most_in_a_run].map(count);
                format!("{total} in all runs, {worst} in the worst")
            }),
        ),
        ("jitter", or_unknown(jitter_mean_ns, ms)),
        ("jitter, p99", or_unknown(jitter_p99_ns, ms)),
        ("drift", or_unknown(drift_percent, |drift| signed_percent(drift, 1))),
        ("measured", format!("{} in {duration_s:.3} s", counted(frames, "frame"))),
        (
            "effective sample size",
            or_unknown(effective_sample_size, |frames| {
                counted(frames.round(), "frame") + " per run"
            }),
        ),
        ("time per cube", or_unknown(ns_per_cube, |ns| format!("{ns:.1} ns"))),
        ("upload rate", or_unknown(upload_bytes_per_s, |rate| bytes(rate) + "/s")),
        ("process memory at the end", or_unknown(max_memory_bytes, |memory| bytes(memory as f64))),
        ("state hash", or_unknown(state_hash.clone(), |hash| hash)),
    ];
    [("average", fps(average_fps))].into_iter().chain(rates).chain(others).collect()
}

impl SummaryRow {
    /// Returns the median, p95, p99 and the maximum in ms, and the spread.
    pub fn texts(&self) -> [String; 5] {
        let times = [self.median_ns, self.p95_ns, self.p99_ns, self.max_ns];
        let [median, p95, p99, max] = times.map(|time| or_unknown(time, bare_ms));
        [median, p95, p99, max, or_unknown(self.spread, percent)]
    }
}

/// Returns `p1 4.900, p5 4.950` and so on, in ms.
fn percentiles(row: &SummaryRow) -> String {
    let named = Percentile::ALL.into_iter().zip(row.percentiles());
    let texts = named.map(|(name, time)| format!("{name} {}", or_unknown(time, bare_ms)));
    texts.collect::<Vec<_>>().join(", ")
}

/// Returns a time in seconds since 1970; times after the year 9999 are its end.
pub(super) fn utc(unix_s: u64) -> Timestamp {
    let time = i64::try_from(unix_s).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    time.unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_statistic_has_its_own_value_and_unit() {
        let row = SummaryRow {
            name: "frame",
            median_ns: Some(1e6),
            p90_ns: Some(2e6),
            p95_ns: Some(3e6),
            p99_ns: Some(4e6),
            p99_9_ns: Some(5e6),
            max_ns: Some(6e6),
            min_ns: Some(7e6),
            mean_ns: Some(8e6),
            standard_deviation_ns: Some(9e6),
            mad_ns: Some(10e6),
            spread: Some(0.125),
            ..SummaryRow::default()
        };
        assert_eq!(row.texts(), ["1.000", "3.000", "4.000", "6.000", "12.5 %"]);
        let summary = Summary {
            rows: vec![row],
            frames: 1234,
            duration_s: 10.5,
            average_fps: Some(90.0),
            low_fps: [Some(40.0), Some(30.0), Some(20.0), Some(10.0)],
            over_budget: [Some(0.01), Some(0.02), Some(0.03), None],
            gpu_coverage: Some(0.995),
            bound_by: Some(BoundBy { cpu: 0.5, gpu: 0.3, display: 0.2 }),
            hitches: Some(super::super::HitchCounts { total: 5, most_in_a_run: 3 }),
            jitter_mean_ns: Some(11e6),
            jitter_p99_ns: Some(12e6),
            drift_percent: Some(-1.25),
            bimodal: Some(true),
            effective_sample_size: Some(99.6),
            ns_per_cube: Some(13.25),
            upload_bytes_per_s: Some(2048.0),
            max_memory_bytes: Some(3 << 20),
            state_hash: None,
        };
        let facts = statistics(&summary);
        let texts: Vec<_> = facts.iter().map(|(name, text)| format!("{name}: {text}")).collect();
        let expected = [
            "average: 90.0 fps",
            "1 % low (rank mean): 40.0 fps",
            "0.1 % low (rank mean): 30.0 fps",
            "1 % low (percentile): 20.0 fps",
            "1 % low (time integral): 10.0 fps",
            "percentiles, ms: p1 -, p5 -, p25 -, p50 1.000, p75 -, p90 2.000, p95 3.000, p99 4.000, \
             p99.9 5.000",
            "fastest frame: 7.000 ms",
            "mean: 8.000 ms",
            "standard deviation: 9.000 ms",
            "median absolute deviation: 10.000 ms",
            "bimodal: yes",
            "time over budget: 60 Hz 1.0 %, 120 Hz 2.0 %, 144 Hz 3.0 %, 240 Hz -",
            "GPU times known: 99.5 %",
            "bound by: CPU 50.0 %, GPU 30.0 %, display 20.0 %",
            "hitches: 5 in all runs, 3 in the worst",
            "jitter: 11.000 ms",
            "jitter, p99: 12.000 ms",
            "drift: -1.3 %",
            "measured: 1,234 frames in 10.500 s",
            "effective sample size: 100 frames per run",
            "time per cube: 13.2 ns",
            "upload rate: 2.0 KiB/s",
            "process memory at the end: 3.0 MiB",
            "state hash: -",
        ];
        assert_eq!(texts, expected);
        let page = include_str!("report/definitions.html").split("<dt>").skip(1);
        let page = page.filter_map(|part| Some(part.split_once("</dt>")?.0));
        let defined: Vec<_> = definitions().into_iter().map(|(name, _)| name).chain(page).collect();
        for (name, _) in facts {
            let name = name.split(',').next().unwrap();
            let is_in = |other: &&str| other.contains(name) || name.contains(*other);
            // One letter is the definition of p.
            let found = defined.iter().filter(|other| other.len() > 1).any(is_in);
            assert!(found, "no definition of {name}; add it to report/definitions.html");
        }
    }

    #[test]
    fn settings_are_those_of_the_runs() {
        use crate::benchmark::tests::fixtures::{result, run, sim_frame};

        let mut sample = result(vec![RunResult { size: [64, 48], ..run(vec![sim_frame(5)]) }]);
        sample.settings = BenchSettings {
            cubes: 1500,
            dt_s: 0.0125,
            size: [640, 480],
            frames: Some(300),
            runs: 7,
            tuning: Some("--spin=0".to_owned()),
            camera: Some("--fov=40".to_owned()),
            ..sample.settings
        };
        sample.machine.memory_bytes = None;
        let setup = Setup::of_result(&sample);
        let value = |name: &str| {
            let all = [setup.machine(), setup.settings()].concat();
            all.into_iter().find(|(label, _)| *label == name).unwrap().1
        };
        assert_eq!(value("time step"), "12.500 ms");
        assert_eq!(value("resolution"), "64 x 48");
        assert_eq!(value("runs"), "7 of 300 frames each");
        assert_eq!(value("memory"), "-");
        assert_eq!([value("factors"), value("camera")], ["--spin=0", "--fov=40"]);
        assert!(setup.line().starts_with("1,500 cubes, cubes-fall, 64 x 48, off screen, "));
        sample.settings.window = true;
        assert!(Setup::of_result(&sample).line().contains(", in a window, "));
        assert_eq!(utc(u64::MAX), Timestamp::MAX);
    }
}

//! Assertion: what a result has to keep, such as `p99 < 20 ms`.

use std::fmt;
use std::str::FromStr;

use super::{FramePhase, LowFps, Summary, SummaryRow};

/// A figure of an [`Summary`] and the bound it has to keep.
///
/// Written as figure, comparison, number and unit: `median < 16.7 ms`, `sim.p95 <= 2ms`, `fps >= 60`.
/// Times are of the frame, or of the row before the dot.
#[derive(Clone, PartialEq, Debug)]
pub struct Assertion {
    figure: Figure,
    comparison: Bound,
    /// In the figure's own unit.
    value: f64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Figure {
    Time(&'static str, Time),
    Whole(Whole),
}

/// A figure of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Time {
    Median,
    P95,
    P99,
    Max,
}

/// A figure of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whole {
    Fps,
    Low,
    Hitches,
    Jitter,
    Memory,
    NsPerCube,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Bound {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Longest first, so that `<=` is not taken for `<`.
const BOUNDS: [(&str, Bound); 4] =
    [("<=", Bound::AtMost), (">=", Bound::AtLeast), ("<", Bound::Below), (">", Bound::Above)];

const TIMES: [(&str, Time); 4] =
    [("median", Time::Median), ("p95", Time::P95), ("p99", Time::P99), ("max", Time::Max)];

const WHOLES: [(&str, Whole); 6] = [
    ("fps", Whole::Fps),
    ("low", Whole::Low),
    ("hitches", Whole::Hitches),
    ("jitter", Whole::Jitter),
    ("memory", Whole::Memory),
    ("ns-per-cube", Whole::NsPerCube),
];

/// Why a text is no [`Assertion`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}; write it as \"p99 < 20 ms\", \"sim.median <= 2 ms\" or \"fps >= 60\"")]
pub struct AssertionError(String);

impl FromStr for Assertion {
    type Err = AssertionError;

    fn from_str(text: &str) -> Result<Self, AssertionError> {
        let first =
            BOUNDS.iter().filter_map(|&(word, bound)| Some((text.find(word)?, word, bound)));
        let (at, word, comparison) = first
            .min_by_key(|&(at, word, _)| (at, usize::MAX - word.len()))
            .ok_or_else(|| AssertionError("there is no <, <=, > or >= in it".into()))?;
        let figure = figure(text[..at].trim())?;
        let right = text[at + word.len()..].trim();
        let unit = figure.unit();
        let number = right.strip_suffix(unit).unwrap_or(right).trim_end();
        let value = number.parse().ok().filter(|value: &f64| value.is_finite());
        let value = value.ok_or_else(|| {
            let unit = if unit.is_empty() { "without a unit" } else { unit };
            AssertionError(format!("{right:?} is no number ({unit})"))
        })?;
        Ok(Self { figure, comparison, value })
    }
}

fn figure(text: &str) -> Result<Figure, AssertionError> {
    fn named<T: Copy>(choices: &[(&str, T)], name: &str) -> Option<T> {
        choices.iter().find(|(word, _)| *word == name).map(|&(_, value)| value)
    }

    let (row, name) = text.split_once('.').unwrap_or(("frame", text));
    let rows = || ["frame", "gpu"].into_iter().chain(FramePhase::ALL.map(FramePhase::name));
    let time = rows().find(|known| *known == row).zip(named(&TIMES, name));
    let whole = named(&WHOLES, text).map(Figure::Whole);
    time.map(|(row, time)| Figure::Time(row, time)).or(whole).ok_or_else(|| {
        let words = |choices: Vec<&str>| choices.join(", ");
        AssertionError(format!(
            "there is no figure {text:?}, only {} ({} of frame or, with a dot, of {}) and {}",
            words(TIMES.map(|(word, _)| word).to_vec()),
            "times",
            words(rows().skip(1).collect()),
            words(WHOLES.map(|(word, _)| word).to_vec()),
        ))
    })
}

impl Figure {
    const fn unit(self) -> &'static str {
        match self {
            Self::Time(..) | Self::Whole(Whole::Jitter) => "ms",
            Self::Whole(Whole::Fps | Whole::Low) => "fps",
            Self::Whole(Whole::Memory) => "MB",
            Self::Whole(Whole::NsPerCube) => "ns",
            Self::Whole(Whole::Hitches) => "",
        }
    }

    fn of(self, summary: &Summary) -> Option<f64> {
        let ms = |ns: Option<f64>| ns.map(|ns| ns / 1e6);
        match self {
            Self::Time(row, time) => summary.row(row).and_then(|row| ms(time.of(row))),
            Self::Whole(Whole::Fps) => summary.average_fps,
            Self::Whole(Whole::Low) => summary.low_fps(LowFps::OnePercent),
            Self::Whole(Whole::Hitches) => summary.hitches,
            Self::Whole(Whole::Jitter) => ms(summary.jitter),
            Self::Whole(Whole::Memory) => summary.memory_bytes.map(|bytes| bytes / 1e6),
            Self::Whole(Whole::NsPerCube) => summary.ns_per_cube,
        }
    }
}

impl Time {
    fn of(self, row: &SummaryRow) -> Option<f64> {
        match self {
            Self::Median => row.median,
            Self::P95 => row.p95,
            Self::P99 => row.p99,
            Self::Max => row.max,
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time("frame", time) => f.write_str(word(&TIMES, *time)),
            Self::Time(row, time) => write!(f, "{row}.{}", word(&TIMES, *time)),
            Self::Whole(whole) => f.write_str(word(&WHOLES, *whole)),
        }
    }
}

fn word<T: Copy + PartialEq>(choices: &[(&'static str, T)], value: T) -> &'static str {
    choices.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}

/// Prints it as it is written.
impl fmt::Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { figure, comparison, value } = self;
        let text = format!("{figure} {} {value} {}", word(&BOUNDS, *comparison), figure.unit());
        f.write_str(text.trim_end())
    }
}

impl Assertion {
    /// Holds a result against the bound.
    ///
    /// # Errors
    /// The bound is not kept, or the figure is not known: what there is instead, in words.
    pub fn check(&self, summary: &Summary) -> Result<(), String> {
        let Some(found) = self.figure.of(summary) else {
            return Err(format!("{} is not known: too few frames, or not measured", self.figure));
        };
        let kept = match self.comparison {
            Bound::Below => found < self.value,
            Bound::AtMost => found <= self.value,
            Bound::Above => found > self.value,
            Bound::AtLeast => found >= self.value,
        };
        let unit = self.figure.unit();
        let found = format!("it is {found:.3} {unit}");
        if kept { Ok(()) } else { Err(found.trim_end().to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<String, String> {
        text.parse::<Assertion>()
            .map(|assertion| assertion.to_string())
            .map_err(|error| error.to_string())
    }

    fn summary() -> Summary {
        let row = |name, median, p99| SummaryRow {
            name,
            median: Some(median),
            p95: None,
            p99,
            max: Some(50e6),
            lowest: Some(median),
            highest: Some(median),
            spread: None,
        };
        Summary {
            rows: vec![row("frame", 10e6, Some(20e6)), row("sim", 2e6, None)],
            average_fps: Some(99.5),
            low_fps: [Some(40.0), None, None, None],
            over_budget: [None; 4],
            bound_by: None,
            hitches: Some(3.0),
            jitter: Some(0.5e6),
            effective_frames: None,
            ns_per_cube: Some(7.5),
            upload_bytes_per_s: None,
            memory_bytes: Some(250e6),
        }
    }

    #[test]
    fn what_is_written_is_what_is_meant() {
        for (text, means) in [
            ("p99<20", "p99 < 20 ms"),
            (" frame.median <= 16.7ms ", "median <= 16.7 ms"),
            ("sim.p95 > 1 ms", "sim.p95 > 1 ms"),
            ("gpu_wait.max<1e3", "gpu_wait.max < 1000 ms"),
            ("fps >= 60 fps", "fps >= 60 fps"),
            ("hitches<=0", "hitches <= 0"),
            ("memory < 500MB", "memory < 500 MB"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(means), "{text}");
        }
        for (text, says) in [
            ("p99", "there is no <"),
            ("p98 < 5", "no figure \"p98\""),
            ("cpu.median < 5", "no figure \"cpu.median\""),
            ("fps.median < 5", "no figure"),
            ("p99 < fast", "\"fast\" is no number (ms)"),
            ("p99 < inf", "is no number"),
            ("p99 < 5 fps", "is no number (ms)"),
            ("", "there is no <"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn bounds_are_kept_or_not_and_what_is_unknown_is_not() {
        let check = |text: &str| text.parse::<Assertion>().unwrap().check(&summary());
        for kept in ["median <= 10", "median < 10.1", "p99 > 19.9", "p99 >= 20", "low >= 40"] {
            assert_eq!(check(kept), Ok(()), "{kept}");
        }
        for kept in
            ["sim.median < 3", "hitches < 4", "jitter < 1", "memory < 251", "ns-per-cube < 8"]
        {
            assert_eq!(check(kept), Ok(()), "{kept}");
        }
        assert_eq!(check("median < 10"), Err("it is 10.000 ms".into()));
        assert_eq!(check("fps >= 100"), Err("it is 99.500 fps".into()));
        assert_eq!(check("hitches < 3"), Err("it is 3.000".into()));
        assert!(check("sim.p99 < 1000").unwrap_err().contains("not known"));
        assert!(check("gpu.median < 1000").unwrap_err().contains("not known"));
    }
}

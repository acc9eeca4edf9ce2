//! Assertions on results, such as `p99 < 20 ms`.

use std::fmt;
use std::str::FromStr;

use super::{FramePhase, LowFps, Summary};

/// A condition on a value of a [`Summary`].
///
/// Written as value, operator, number and optional unit: `median < 16.7 ms`, `sim.p95 <= 2ms`,
/// `fps >= 60`. A time without a row before the dot is that of the frame.
#[derive(Clone, Debug)]
pub struct Assertion {
    name: String,
    unit: &'static str,
    operator: Operator,
    /// In `unit`.
    bound: f64,
}

type Operator = (&'static str, fn(&f64, &f64) -> bool);

/// `<=` precedes `<`, so that the longer one is found first.
const OPERATORS: [Operator; 4] = [("<=", f64::le), (">=", f64::ge), ("<", f64::lt), (">", f64::gt)];

/// Returns the unit of a value and the value, which may be unknown. `None` if there is no such name.
fn find_value(summary: &Summary, name: &str) -> Option<(&'static str, Option<f64>)> {
    let mebibytes = |bytes| bytes as f64 / f64::from(1 << 20);
    Some(match name {
        "fps" => ("fps", summary.average_fps),
        "low" => ("fps", summary.low_fps(LowFps::OnePercent)),
        "hitches" => ("", summary.hitches.map(|hitches| hitches.total as f64)),
        "jitter" => ("ms", summary.jitter_mean_ns.map(|ns| ns / 1e6)),
        "memory" => ("MiB", summary.max_memory_bytes.map(mebibytes)),
        "ns-per-cube" => ("ns", summary.ns_per_cube),
        _ => {
            let (row, time) = name.split_once('.').unwrap_or(("frame", name));
            let row = rows().find(|known| *known == row)?;
            let row = summary.row(row).cloned().unwrap_or_default();
            let ns = match time {
                "median" => row.median_ns,
                "p95" => row.p95_ns,
                "p99" => row.p99_ns,
                "max" => row.max_ns,
                _ => return None,
            };
            ("ms", ns.map(|ns| ns / 1e6))
        }
    })
}

fn rows() -> impl Iterator<Item = &'static str> {
    ["frame", "gpu"].into_iter().chain(FramePhase::ALL.map(FramePhase::name))
}

/// The text is no [`Assertion`], and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}; examples: \"p99 < 20 ms\", \"sim.median <= 2 ms\", \"fps >= 60\"")]
pub struct InvalidAssertion(String);

impl FromStr for Assertion {
    type Err = InvalidAssertion;

    fn from_str(text: &str) -> Result<Self, InvalidAssertion> {
        let error = |reason: &str| InvalidAssertion(reason.to_owned());
        let at = text.find(['<', '>']).unwrap_or(text.len());
        let operator = OPERATORS.into_iter().find(|(name, _)| text[at..].starts_with(name));
        let operator = operator.ok_or_else(|| error("the condition has no <, <=, > or >="))?;
        let name = text[..at].trim();
        let (unit, _) = find_value(&Summary::default(), name).ok_or_else(|| {
            error(&format!(
                "unknown value {name:?}, expected fps, low, hitches, jitter, memory, ns-per-cube, median, p95, \
                 p99, max, or a time of a row such as sim.median (rows: {})",
                rows().collect::<Vec<_>>().join(", "),
            ))
        })?;
        let name = name.strip_prefix("frame.").unwrap_or(name).to_owned();
        let right = text[at + operator.0.len()..].trim();
        let number = right.strip_suffix(unit).unwrap_or(right).trim_end();
        let bound = number.parse().ok().filter(|bound: &f64| bound.is_finite());
        let bound = bound.ok_or_else(|| {
            let unit = if unit.is_empty() { "without a unit" } else { unit };
            error(&format!("{right:?} is not a number ({unit})"))
        })?;
        Ok(Self { name, unit, operator, bound })
    }
}

/// Prints the canonical form.
impl fmt::Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, unit, operator: (operator, _), bound, .. } = self;
        f.write_str(format!("{name} {operator} {bound} {unit}").trim_end())
    }
}

impl Assertion {
    /// Checks the condition.
    ///
    /// # Errors
    /// The condition is false or the value is unknown. The text says what the value is.
    pub fn check(&self, summary: &Summary) -> Result<(), String> {
        let (_, value) = find_value(summary, &self.name).expect("the name was found before");
        let Some(value) = value else {
            return Err(format!("{} is unknown: too few frames, or not measured", self.name));
        };
        let (_, is_true) = self.operator;
        if is_true(&value, &self.bound) {
            return Ok(());
        }
        // With as many digits as show that the condition is false.
        let texts = (3..=9).map(|digits| format!("{value:.digits$}"));
        let shows = |text: &String| text.parse().is_ok_and(|shown| !is_true(&shown, &self.bound));
        let text = { texts }.find(shows).unwrap_or_else(|| value.to_string());
        Err(format!("it is {text} {}", self.unit).trim_end().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{run, sim_frame};
    use crate::benchmark::{FrameSample, RunResult};

    fn parsed(text: &str) -> Result<String, String> {
        let assertion = text.parse::<Assertion>().map_err(|error| error.to_string());
        assertion.map(|assertion| assertion.to_string())
    }

    #[test]
    fn conditions_are_parsed_and_printed_in_canonical_form() {
        for (text, canonical) in [
            ("p99<20", "p99 < 20 ms"),
            (" frame.median <= 16.7ms ", "median <= 16.7 ms"),
            ("sim.p95 > 1 ms", "sim.p95 > 1 ms"),
            ("gpu_wait.max<1e3", "gpu_wait.max < 1000 ms"),
            ("fps >= 60 fps", "fps >= 60 fps"),
            ("hitches<=0", "hitches <= 0"),
            ("memory < 500MiB", "memory < 500 MiB"),
        ] {
            assert_eq!(parsed(text).as_deref(), Ok(canonical), "{text}");
        }
        for (text, expected) in [
            ("p99", "no <, <=, > or >="),
            ("p98 < 5", "unknown value \"p98\""),
            ("cpu.median < 5", "unknown value \"cpu.median\""),
            ("fps.median < 5", "unknown value"),
            ("p99 < fast", "\"fast\" is not a number (ms)"),
            ("p99 < inf", "is not a number"),
            ("p99 < 5 fps", "is not a number (ms)"),
            ("", "no <, <=, > or >="),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn false_conditions_and_unknown_values_fail() {
        let with_memory = RunResult {
            memory_bytes: Some(250 << 20),
            ..run(vec![FrameSample { cubes: 1000, ..sim_frame(10_000_000) }; 1000])
        };
        let summary = Summary::of(&[with_memory]);
        let check = |text: &str| text.parse::<Assertion>().unwrap().check(&summary);
        for condition in [
            "median <= 10",
            "median < 10.1",
            "p95 > 9.9",
            "p95 >= 10",
            "sim.median < 11",
            "fps >= 100",
            "hitches < 1",
            "jitter < 1",
            "memory <= 250",
            "memory >= 250",
            "low >= 100",
            "ns-per-cube <= 10000",
        ] {
            assert_eq!(check(condition), Ok(()), "{condition}");
        }
        assert_eq!(check("median < 10"), Err("it is 10.000 ms".into()));
        assert_eq!(check("fps > 100"), Err("it is 100.000 fps".into()));
        assert_eq!(check("hitches > 0"), Err("it is 0.000".into()));
        // With as many digits as show it.
        let summary = Summary::of(&[run(vec![sim_frame(10_000_100); 1000])]);
        let assertion: Assertion = "median < 10.0001".parse().unwrap();
        assert_eq!(assertion.check(&summary), Err("it is 10.0001 ms".into()));
        for unknown in ["gpu.p99 < 1000", "gpu.median < 1000"] {
            assert!(check(unknown).unwrap_err().contains("is unknown: too few frames"));
        }
    }

    #[test]
    fn each_name_is_the_value_of_its_statistic() {
        // Of 10,000 frames 200 are slow, and one is a freeze of a second.
        let frame = |i: u64| match i {
            7000 => 1_000_000_000,
            _ if i.is_multiple_of(50) => 20_000_000,
            _ => 10_000_000 + i % 50 * 1000,
        };
        let frozen = run((0..10_000).map(|i| sim_frame(frame(i + 1))).collect());
        let runs = [frozen.clone(), run(vec![sim_frame(10_000_000); 10_000]), frozen];
        let summary = Summary::of(&runs);
        let frame = summary.row("frame").unwrap();
        for (name, value) in [
            ("median", frame.median_ns.unwrap() / 1e6),
            ("p95", frame.p95_ns.unwrap() / 1e6),
            ("p99", frame.p99_ns.unwrap() / 1e6),
            ("max", 1000.0),
            ("low", summary.low_fps(LowFps::OnePercent).unwrap()),
            ("fps", summary.average_fps.unwrap()),
            ("jitter", summary.jitter_mean_ns.unwrap() / 1e6),
            ("hitches", 2.0),
            ("ns-per-cube", frame.median_ns.unwrap() / 10.0),
        ] {
            for (operator, is_true) in [("<=", true), (">=", true), ("<", false), (">", false)] {
                let condition: Assertion = format!("{name} {operator} {value}").parse().unwrap();
                assert_eq!(condition.check(&summary).is_ok(), is_true, "{condition}");
            }
        }
    }
}

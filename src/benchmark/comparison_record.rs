//! A comparison in JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Comparison, LogRatio, Threshold};

/// A [`Comparison`] as it is written to JSON. Changes are fractions: 0.01 is 1 % slower.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ComparisonRecord {
    /// [Name](super::Verdict::name) of the verdict.
    pub verdict: &'static str,
    /// The reason, as a sentence.
    pub conclusion: String,
    /// Estimated change from A to B; `None` without runs.
    pub change: Option<f64>,
    /// 95 % confidence interval of the change; `None` for too few runs.
    pub interval: Option<[f64; 2]>,
    /// p-value; `None` for too few runs.
    pub p: Option<f64>,
    /// Smallest relevant change.
    pub threshold: f64,
}

impl Comparison {
    /// Returns what is written to JSON.
    pub fn record(&self, threshold: Threshold) -> ComparisonRecord {
        ComparisonRecord {
            verdict: self.verdict.name(),
            conclusion: self.conclusion(threshold),
            change: self.estimate.map(LogRatio::change),
            interval: self.test.map(|test| [test.low.change(), test.high.change()]),
            p: self.test.map(|test| test.p),
            threshold: threshold.share(),
        }
    }
}

//! `cubefall bench report`: a page about saved results.

use super::{BenchError, Outcome, compare, files};
use crate::benchmark::{BenchResult, NamedComparison, Report, Threshold};
use crate::cli::ReportArgs;
use crate::output::{self, OutputFile};

pub(super) fn run(args: &ReportArgs) -> Result<Outcome, BenchError> {
    let out = OutputFile::create(&args.out)?;
    let result: BenchResult = files::read(&args.result)?;
    let baseline: Option<BenchResult> = args.baseline.as_deref().map(files::read).transpose()?;
    let sweep = args.sweep.as_deref().map(files::read).transpose()?;
    if let (Some(baseline), Some(path)) = (&baseline, &args.baseline) {
        let (text, outcome) = compare::with_saved(baseline, path, &result, args.threshold);
        if outcome == Outcome::NotComparable {
            output::status(&format!("{}: {text}", args.result.display()));
            return Ok(outcome);
        }
    }
    let report = with_baseline(&result, baseline.as_ref(), args.threshold);
    let page = Report { sweep: sweep.as_ref(), ..report }.html();
    out.write(|file| file.write_all(page.as_bytes()))?;
    output::status(&format!("wrote {}", args.out.display()));
    Ok(Outcome::Done)
}

/// Returns the report of a result, with a comparison if the baseline is comparable.
pub(super) fn with_baseline<'a>(
    result: &'a BenchResult,
    baseline: Option<&'a BenchResult>,
    threshold: Threshold,
) -> Report<'a> {
    let comparable = baseline.filter(|baseline| baseline.differs_from(result).is_none());
    let comparison =
        comparable.map(|baseline| NamedComparison::of_saved(baseline, result, threshold));
    Report { comparison, ..Report::new(result) }
}

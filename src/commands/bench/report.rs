//! `bench report`: an HTML report of a saved result.

use super::{BenchError, Outcome, compare, files};
use crate::benchmark::{BenchResult, NamedComparison, Report, Threshold};
use crate::cli::ReportArgs;
use crate::output;
use crate::output::OutputFile;

pub(super) fn run(args: &ReportArgs) -> Result<Outcome, BenchError> {
    let out = OutputFile::create(&args.out)?;
    let result: BenchResult = files::read(&args.result)?;
    let baseline: Option<BenchResult> = args.baseline.as_deref().map(files::read).transpose()?;
    let sweep = args.sweep.as_deref().map(files::read).transpose()?;
    if let (Some(baseline), Some(path)) = (&baseline, &args.baseline)
        && let Err(reason) = compare::with_baseline(baseline, path, &result, args.threshold)
    {
        output::status(&format!("{}: {reason}", args.result.display()));
        return Ok(Outcome::NotComparable);
    }
    let report = with_baseline(&result, baseline.as_ref(), args.threshold);
    let page = Report { sweep: sweep.as_ref(), ..report }.html();
    out.write(|file| file.write_all(page.as_bytes()))?;
    output::status(&format!("wrote {}", args.out.display()));
    Ok(Outcome::Done)
}

/// Returns a report of a result, with a comparison if the baseline had the same settings.
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

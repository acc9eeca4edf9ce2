//! Report: a page about a result that was saved.

use super::{BenchError, Outcome, compare, files};
use crate::benchmark::{BenchResult, Compared, Report, Threshold};
use crate::cli::ReportArgs;
use crate::output;
use crate::output::OutputFile;

pub(super) fn run(args: &ReportArgs) -> Result<Outcome, BenchError> {
    let out = OutputFile::create(&args.out)?;
    let result: BenchResult = files::read(&args.result)?;
    let baseline: Option<BenchResult> = args.baseline.as_deref().map(files::read).transpose()?;
    let sweep = args.sweep.as_deref().map(files::read).transpose()?;
    if let (Some(was), Some(path)) = (&baseline, &args.baseline) {
        let (said, outcome) = compare::with_saved(was, path, &result, args.threshold);
        if outcome == Outcome::NotComparable {
            output::status(&format!("{}: {said}", args.result.display()));
            return Ok(outcome);
        }
    }
    let mut report = beside(&result, baseline.as_ref(), args.threshold);
    report.sweep = sweep.as_ref();
    let page = report.html();
    out.write(|file| file.write_all(page.as_bytes()))?;
    output::status(&format!("wrote {}", args.out.display()));
    Ok(Outcome::Done)
}

/// The report of a result, beside an earlier one if there is one that it can be compared with.
pub(super) fn beside<'a>(
    result: &'a BenchResult,
    baseline: Option<&'a BenchResult>,
    threshold: Threshold,
) -> Report<'a> {
    let comparable = baseline.filter(|was| was.differs_from(result).is_none());
    let compared = comparable.map(|was| Compared::of_saved(was, result, threshold));
    Report { compared, ..Report::of(result) }
}

//! `bench report`: an HTML report of a saved result, or a history of several.

use super::{BenchError, Outcome, compare, files};
use crate::benchmark::{Baseline, BenchResult, NamedComparison, Report, Threshold, history_page};
use crate::cli::ReportArgs;
use crate::error_text;
use crate::output::{self, OutputFile, is_same_file};

pub(super) fn run(args: &ReportArgs) -> Result<Outcome, BenchError> {
    let out = OutputFile::create(&args.out)?;
    let results = [&args.result].into_iter().chain(&args.more).chain(&args.baseline);
    out.require_other_than(files::read_from(results).chain(args.sweep.clone()))?;
    let read = files::read_result_with_frames;
    let result = read(&args.result)?;
    let baseline = args.baseline.as_deref().map(read).transpose()?.map(Baseline::from_result);
    // Patterns of names may overlap.
    let mut paths = vec![&args.result];
    for path in &args.more {
        if !paths.iter().any(|other| is_same_file(other, path)) {
            paths.push(path);
        }
    }
    let more = paths[1..].iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let sweep = args.sweep.as_deref().map(files::read_sweep).transpose()?;
    if let (Some(baseline), Some(path)) = (&baseline, &args.baseline)
        && let Some(reason) = compare::refused(baseline.last(), &result, args.across)
    {
        return Ok(compare::not_comparable(&args.result, path, &reason));
    }
    let page = if more.is_empty() {
        let comparison = baseline
            .as_ref()
            .and_then(|old| NamedComparison::of_baseline(old, &result, args.threshold));
        Report { comparison, sweep: sweep.as_ref(), ..Report::new(&result) }.html()
    } else {
        history_page(&[vec![result], more].concat())
    };
    out.write(|file| file.write_all(page.as_bytes()))?;
    output::status(&format!("wrote {}", error_text::path(&args.out)));
    Ok(Outcome::Done)
}

/// Returns a report of a result, with a comparison if the baseline had the same settings.
pub(super) fn with_baseline<'a>(
    result: &'a BenchResult,
    baseline: Option<&'a Baseline>,
    threshold: Threshold,
) -> Report<'a> {
    let is_comparable =
        |baseline: &&Baseline| compare::refused(baseline.last(), result, false).is_none();
    let compared = |old| NamedComparison::of_baseline(old, result, threshold);
    Report { comparison: baseline.filter(is_comparable).and_then(compared), ..Report::new(result) }
}

//! Export formats on the command line.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::benchmark::ExportFormat;

/// Value of `--export` and `--format` for every format.
const ALL: &str = "all";

/// Returns the values of `--export` and `--format`.
pub(super) fn format_names() -> PossibleValuesParser {
    PossibleValuesParser::new(ExportFormat::ALL.map(ExportFormat::name).into_iter().chain([ALL]))
}

/// Returns the formats of values of `--export` or `--format`, each once, in the order of [`ExportFormat::ALL`].
pub fn export_formats(values: &[String]) -> Vec<ExportFormat> {
    let is_chosen = |format: &ExportFormat| {
        values.iter().any(|value| [ALL, format.name()].contains(&value.as_str()))
    };
    ExportFormat::ALL.into_iter().filter(is_chosen).collect()
}

/// `cubefall bench export`.
#[derive(Args, Clone, Debug)]
pub struct ExportArgs {
    /// Saved result
    #[arg(value_name = "RESULT.json")]
    pub result: PathBuf,
    /// Folder for the files, created if missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Formats, separated by commas
    #[arg(long, value_parser = format_names(), value_name = "FORMAT", value_delimiter = ',', default_value = ALL)]
    pub format: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_formats_are_exported_once_and_all_means_every_format() {
        let formats = |values: &[&str]| {
            export_formats(&values.iter().map(|&it| it.into()).collect::<Vec<_>>())
        };
        assert_eq!(
            formats(&["trace", "mangohud", "trace"]),
            [ExportFormat::MangoHud, ExportFormat::Trace]
        );
        assert_eq!(formats(&[ALL, "trace"]), ExportFormat::ALL);
        assert_eq!(formats(&[]), []);
    }
}

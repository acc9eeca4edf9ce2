//! Export formats on the command line.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::benchmark::ExportFormat;

/// A value of `--export` and `--format`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportChoice {
    /// Every format.
    All,
    /// One format.
    One(ExportFormat),
}

impl ExportChoice {
    /// Returns the chosen formats, each once, in the order of [`ExportFormat::ALL`].
    pub fn formats(choices: &[Self]) -> Vec<ExportFormat> {
        let chosen = |format: &ExportFormat| {
            choices.iter().any(|choice| [Self::All, Self::One(*format)].contains(choice))
        };
        ExportFormat::ALL.into_iter().filter(chosen).collect()
    }
}

impl ValueEnum for ExportChoice {
    fn value_variants<'a>() -> &'a [Self] {
        const VARIANTS: [ExportChoice; ExportFormat::ALL.len() + 1] = {
            let mut variants = [ExportChoice::All; ExportFormat::ALL.len() + 1];
            let mut i = 0;
            while i < ExportFormat::ALL.len() {
                variants[i] = ExportChoice::One(ExportFormat::ALL[i]);
                i += 1;
            }
            variants
        };
        &VARIANTS
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::All => "all",
            Self::One(format) => format.name(),
        }))
    }
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
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', default_value = "all")]
    pub format: Vec<ExportChoice>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_formats_are_exported_once_and_all_means_every_format() {
        let one = ExportChoice::One;
        let twice =
            [one(ExportFormat::Trace), one(ExportFormat::MangoHud), one(ExportFormat::Trace)];
        assert_eq!(ExportChoice::formats(&twice), [ExportFormat::MangoHud, ExportFormat::Trace]);
        assert_eq!(ExportChoice::formats(&[ExportChoice::All, twice[0]]), ExportFormat::ALL);
        assert_eq!(ExportChoice::formats(&[]), []);
    }

    #[test]
    fn the_values_are_the_names_of_the_formats_and_all() {
        let values = ExportChoice::value_variants().iter().map(|choice| {
            choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
        });
        let names = ExportFormat::ALL.iter().map(|format| format.name());
        assert!(values.eq(names.chain(["all"])));
    }
}

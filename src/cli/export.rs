//! Export: which formats of other programs a result is written in.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use crate::benchmark::ExportFormat;

/// A word for one format, or for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExportChoice {
    /// All of them.
    All,
    /// This one.
    One(ExportFormat),
}

impl ExportChoice {
    /// The formats that some words stand for, each once.
    #[must_use]
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
    /// The result that was saved
    #[arg(value_name = "RESULT.json")]
    pub result: PathBuf,
    /// Folder for the files; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Formats, with commas between them
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', default_value = "all")]
    pub format: Vec<ExportChoice>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_chosen_once_and_all_are_all() {
        let one = ExportChoice::One;
        let twice =
            [one(ExportFormat::Trace), one(ExportFormat::MangoHud), one(ExportFormat::Trace)];
        assert_eq!(ExportChoice::formats(&twice), [ExportFormat::MangoHud, ExportFormat::Trace]);
        assert_eq!(ExportChoice::formats(&[ExportChoice::All, twice[0]]), ExportFormat::ALL);
        assert_eq!(ExportChoice::formats(&[]), []);
    }

    #[test]
    fn every_format_has_a_word_and_the_last_word_is_all() {
        let words = ExportChoice::value_variants().iter().map(|choice| {
            choice.to_possible_value().map(|word| word.get_name().to_owned()).unwrap_or_default()
        });
        let names = ExportFormat::ALL.iter().map(|format| format.name());
        assert!(words.eq(names.chain(["all"])));
    }
}

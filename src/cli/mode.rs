//! Mode: who falls, as the command line names it.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::sim::FallMode;

impl ValueEnum for FallMode {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Cubes, Self::Camera]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self {
            Self::Cubes => "The cubes fall past the camera",
            Self::Camera => "The camera falls past the cubes, which hang still",
        }))
    }
}

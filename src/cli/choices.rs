//! Choices: values that the command line knows by a word each.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::render::{Backend, Geometry, PresentMode, Quality, Streaming};

/// Makes an enum with `ALL` and `name` a value of the command line.
macro_rules! choice {
    ($type:ty) => {
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(PossibleValue::new(self.name()))
            }
        }
    };
}

choice!(Backend);
choice!(Geometry);
choice!(PresentMode);
choice!(Quality);
choice!(Streaming);

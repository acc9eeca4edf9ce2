//! Arithmetic on eight numbers at once, which the compiler turns into vector instructions.

use std::array;
use std::ops::{Add, Div, Mul, Sub};

/// Numbers per [`Lanes`].
pub(super) const LANES: usize = 8;

/// Eight numbers. Every operation rounds as it does on a single number, so results do not depend on the
/// vector instructions of the processor.
#[derive(Clone, Copy)]
pub(super) struct Lanes([f32; LANES]);

impl Lanes {
    pub(super) fn splat(number: f32) -> Self {
        Self([number; LANES])
    }

    pub(super) fn from_fn(number: impl FnMut(usize) -> f32) -> Self {
        Self(array::from_fn(number))
    }

    pub(super) fn to_array(self) -> [f32; LANES] {
        self.0
    }

    pub(super) fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
}

macro_rules! operator {
    ($operator:ident $function:ident $symbol:tt) => {
        impl $operator for Lanes {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(array::from_fn(|lane| self.0[lane] $symbol other.0[lane]))
            }
        }
    };
}

operator!(Add add +);
operator!(Sub sub -);
operator!(Mul mul *);
operator!(Div div /);

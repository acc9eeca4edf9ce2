//! Quantity: a number of the file with a unit and a range, checked when it is read.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// A number with a unit and a range.
pub(in crate::sim) trait Quantity: Copy + From<f32> + 'static {
    /// What a reader is told to write.
    const EXPECTED: &'static str;

    /// The number, if it is in range.
    fn checked(number: f64) -> Option<Self>;

    fn get(self) -> f32;
}

/// Defines quantities: name, what is expected, lowest and highest value.
macro_rules! quantity {
    ($($(#[$doc:meta])+ $name:ident, $expected:literal, $low:literal, $high:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
        #[serde(transparent)]
        pub(in crate::sim) struct $name(f32);

        impl $name {
            /// The value in range that is nearest.
            pub(in crate::sim) const fn of(value: f32) -> Self {
                Self(value.max($low).min($high))
            }
        }

        impl From<f32> for $name {
            fn from(value: f32) -> Self {
                Self::of(value)
            }
        }

        impl Quantity for $name {
            const EXPECTED: &'static str = $expected;

            fn checked(number: f64) -> Option<Self> {
                // What an f32 cannot hold becomes infinite, and is not in range either.
                let number = number as f32;
                ($low..=$high).contains(&number).then_some(Self(number))
            }

            fn get(self) -> f32 {
                self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // Says that an f32 is wanted, so that it is rounded once.
                deserializer.deserialize_f32(QuantityVisitor(PhantomData))
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let [low, high]: [f64; 2] = [$low, $high];
                json_schema!({
                    "description": $expected, "type": "number", "minimum": low, "maximum": high
                })
            }
        }
    )+};
}

quantity! {
    /// A place or a distance along an axis.
    Length, "a length from -10000 to 10000 (m)", -10_000.0, 10_000.0;
    /// The edge of a cube.
    Edge, "an edge from 0.001 to 1000 (m)", 0.001, 1000.0;
    /// A speed along an axis.
    Speed, "a speed from -1000 to 1000 (m/s)", -1000.0, 1000.0;
    /// An acceleration along an axis.
    Acceleration, "an acceleration from -1000 to 1000 (m/s2)", -1000.0, 1000.0;
    /// A share of a whole.
    Share, "a number from 0 to 1", 0.0, 1.0;
    /// An angle.
    Angle, "an angle from -3600 to 3600 (degrees)", -3600.0, 3600.0;
    /// A component of a direction.
    Axis, "a number from -1000 to 1000", -1000.0, 1000.0;
    /// One channel of linear light.
    Radiance, "linear light from 0 to 100", 0.0, 100.0;
    /// How far one sees.
    FogDistance, "a distance from 10 to 100000 (m)", 10.0, 100_000.0;
    /// A part of a unit quaternion.
    Part, "a number from -1.001 to 1.001", -1.001, 1.001;
    /// Speed of flight of the camera.
    Flight, "a speed from 1 to 1000 (m/s)", 1.0, 1000.0;
    /// Factor of every gravity.
    GravityFactor, "a factor from 0 to 4", 0.0, 4.0;
    /// Factor of time.
    TimeFactor, "a factor from 0 to 8", 0.0, 8.0;
    /// Factor of every spin.
    SpinFactor, "a factor from 0 to 4", 0.0, 4.0;
    /// How often an arm winds round its centre.
    Windings, "a number of turns from -10 to 10", -10.0, 10.0;
}

pub(super) struct QuantityVisitor<Q>(pub(super) PhantomData<Q>);

impl<Q: Quantity> Visitor<'_> for QuantityVisitor<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Q::EXPECTED)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Q, E> {
        checked(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Q, E> {
        checked(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Q, E> {
        checked(number as f64)
    }
}

/// The number, or what is wrong with it.
pub(super) fn checked<Q: Quantity, E: Error>(number: f64) -> Result<Q, E> {
    Q::checked(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &Q::EXPECTED))
}

//! Numbers with a unit and a range.

use std::fmt;
use std::marker::PhantomData;

use glam::Vec3;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Unexpected, Visitor};

use crate::components::{self, Color, Controls, EndlessField, Gravity, Position, Scale, Velocity};

/// A number with a unit and a range, checked when a file is read.
pub(crate) trait Quantity:
    Copy + PartialEq + Serialize + DeserializeOwned + JsonSchema + 'static
{
    /// The noun of an error message, with article.
    const NOUN: &'static str;
    /// The unit in parentheses, with a leading space; empty without a unit.
    const UNIT: &'static str;
    /// Lowest value.
    const MIN: f32;
    /// Highest value.
    const MAX: f32;

    /// Wraps a value without a check.
    fn unchecked(value: f32) -> Self;

    /// Returns the value in the unit of the quantity.
    fn get(self) -> f32;

    /// Returns the nearest value in range.
    fn clamped(value: f32) -> Self {
        Self::unchecked(value.max(Self::MIN).min(Self::MAX))
    }
}

/// Defines quantities: name, noun, unit, and the range.
macro_rules! quantities {
    ($($(#[$doc:meta])+ $name:ident, $noun:literal, $unit:literal, $min:literal, $max:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
        pub(crate) struct $name(#[schemars(range(min = $min, max = $max))] f32);

        impl Quantity for $name {
            const NOUN: &'static str = $noun;
            const UNIT: &'static str = $unit;
            const MIN: f32 = $min;
            const MAX: f32 = $max;

            fn unchecked(value: f32) -> Self {
                Self(value)
            }

            fn get(self) -> f32 {
                self.0
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // Parsing as f32 rounds once, so that saved values are read back to the bit.
                deserializer.deserialize_f32(QuantityVisitor(PhantomData))
            }
        }
    )+};
}

quantities! {
    /// A coordinate or a distance.
    Length, "a length", " (m)", -10_000.0, 10_000.0;
    /// The edge of a cube.
    Edge, "an edge", " (m)", 0.001, 1000.0;
    /// A speed along an axis.
    Speed, "a speed", " (m/s)", -1000.0, 1000.0;
    /// An acceleration along an axis.
    Acceleration, "an acceleration", " (m/s2)", -1000.0, 1000.0;
    /// A fraction of a whole.
    Fraction, "a number", "", 0.0, 1.0;
    /// An angle.
    Angle, "an angle", " (degrees)", -3600.0, 3600.0;
    /// A component of a direction of any length.
    DirectionComponent, "a number", "", -1000.0, 1000.0;
    /// A component of a unit quaternion, with a margin for rounding.
    QuaternionComponent, "a number", "", -1.001, 1.001;
    /// A channel of linear light.
    Radiance, "linear light", "", 0.0, 100.0;
    /// Light that a cube emits, as a multiple of its color.
    Emission, "an emission", "", 0.0, 16.0;
    /// How strongly light is absorbed, in 1/m.
    Extinction, "an extinction", " (1/m)", 0.0, 1.0;
    /// Distance at which fog leaves 1/e of a surface visible.
    FogDistance, "a distance", " (m)", 10.0, 100_000.0;
    /// Distance after which the cubes repeat around a falling camera.
    PeriodLength, "a period", " (m)", 20.0, 4_000_000.0;
    /// Speed at which the camera flies.
    FlightSpeed, "a speed", " (m/s)", 1.0, 1000.0;
    /// Factor of every gravity.
    GravityFactor, "a factor", "", 0.0, 4.0;
    /// Simulated seconds per second.
    TimeFactor, "a factor", "", 0.0, 8.0;
    /// Factor of every spin.
    SpinFactor, "a factor", "", 0.0, 4.0;
    /// Simulated time since the start of a camera path.
    Moment, "a time", " (s)", 0.0, 3600.0;
    /// Time that a cube has been on its way at the start.
    WarmUp, "a time", " (s)", 0.0, 60.0;
    /// Simulated time until the timeline changes the scene.
    Interlude, "a time", " (s)", 0.1, 3600.0;
    /// Rate at which the camera circles a point.
    TurnRate, "a rate", " (degrees/s)", -360.0, 360.0;
    /// Full turns of a spiral arm around the center.
    Turns, "a number of turns", "", -10.0, 10.0;
}

// The ranges of components, as literals for the JSON schema. A start may be narrower than what follows.
const _: () = {
    assert!(Emission::MAX == Color::MAX_EMISSION);
    assert!(Edge::MIN == Scale::RANGE[0] && Edge::MAX == Scale::RANGE[1]);
    assert!(FlightSpeed::MIN == Controls::SPEEDS[0] && FlightSpeed::MAX == Controls::SPEEDS[1]);
    let [min, max] = EndlessField::PERIODS;
    assert!(PeriodLength::MIN == min && PeriodLength::MAX == max);
    assert!(Length::MAX <= Position::MAX && Speed::MAX <= Velocity::MAX);
    assert!(
        Acceleration::MAX <= components::Acceleration::MAX && Acceleration::MAX <= Gravity::MAX
    );
};

impl Default for Extinction {
    fn default() -> Self {
        zero()
    }
}

/// Returns what an error message expects instead of an invalid value.
pub(super) fn expected<Q: Quantity>() -> String {
    format!("{} from {} to {}{}", Q::NOUN, Q::MIN, Q::MAX, Q::UNIT)
}

struct QuantityVisitor<Q>(PhantomData<Q>);

impl<Q: Quantity> Visitor<'_> for QuantityVisitor<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expected::<Q>())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Q, E> {
        // A number beyond the range of f32 becomes infinite, which is in no range either.
        let value = number as f32;
        if (Q::MIN..=Q::MAX).contains(&value) {
            Ok(Q::unchecked(value))
        } else {
            // A number read as f32 has more digits as f64 than the file.
            let is_single = f64::from(value) == number;
            let found = if is_single { value.to_string() } else { number.to_string() };
            Err(E::invalid_value(Unexpected::Other(&format!("`{found}`")), &self))
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Q, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Q, E> {
        self.visit_f64(number as f64)
    }
}

/// Returns three constants as a vector.
pub(crate) fn to_vec3<Q: Quantity>(values: [Q; 3]) -> Vec3 {
    Vec3::from(values.map(Quantity::get))
}

/// Returns a vector as three constants, each the nearest value in range.
pub(crate) fn from_vec3<Q: Quantity>(vector: Vec3) -> [Q; 3] {
    vector.to_array().map(Q::clamped)
}

/// Returns the default of an optional vector: the origin.
pub(super) fn origin<Q: Quantity>() -> [Q; 3] {
    [zero(); 3]
}

/// Returns the default of an optional number: 0.
pub(super) fn zero<Q: Quantity>() -> Q {
    Q::clamped(0.0)
}

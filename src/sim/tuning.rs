//! Factors of gravity, time and spin, adjustable while the simulation runs.

use serde::{Deserialize, Serialize};

use crate::ecs::World;
use crate::scenes::{Quantity, TuningSpec};

/// Factors of gravity, time and spin. With the default, 1, the scene runs unchanged.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuning {
    /// Factor of every gravity, from 0 to [`Tuning::MAX_GRAVITY`].
    pub gravity: f32,
    /// Simulated seconds per second, from 0 to [`Tuning::MAX_TIME`], for all that moves by itself: cubes, a falling
    /// camera, paths, orbits and timelines. Flight by the user is not affected.
    pub time: f32,
    /// Factor of every spin, from 0 to [`Tuning::MAX_SPIN`]. At 0 no cube has an angular velocity.
    pub spin: f32,
}

impl Tuning {
    /// Largest factor of gravity.
    pub const MAX_GRAVITY: f32 = 4.0;
    /// Largest factor of time.
    pub const MAX_TIME: f32 = 8.0;
    /// Largest factor of spin.
    pub const MAX_SPIN: f32 = 4.0;

    /// Returns the factors of a world; the default without the resource.
    pub(super) fn of(world: &World) -> Self {
        world.resources().get().copied().unwrap_or_default()
    }

    /// Clamps each factor to its range and replaces NaN by the default.
    #[must_use]
    pub fn clamped(self) -> Self {
        let default = Self::default();
        let clamp = |factor: f32, max: f32, default: f32| {
            if factor.is_nan() { default } else { factor.clamp(0.0, max) }
        };
        Self {
            gravity: clamp(self.gravity, Self::MAX_GRAVITY, default.gravity),
            time: clamp(self.time, Self::MAX_TIME, default.time),
            spin: clamp(self.spin, Self::MAX_SPIN, default.spin),
        }
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self { gravity: 1.0, time: 1.0, spin: 1.0 }
    }
}

/// The factors of a scene file.
impl From<TuningSpec> for Tuning {
    fn from(TuningSpec { gravity, time, spin }: TuningSpec) -> Self {
        Self { gravity: gravity.get(), time: time.get(), spin: spin.get() }
    }
}

/// The factors for a scene file.
impl From<Tuning> for TuningSpec {
    fn from(Tuning { gravity, time, spin }: Tuning) -> Self {
        Self {
            gravity: Quantity::clamped(gravity),
            time: Quantity::clamped(time),
            spin: Quantity::clamped(spin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_clamped_and_nan_becomes_the_default() {
        let wild = Tuning { gravity: -1.0, time: f32::INFINITY, spin: f32::NAN };
        assert_eq!(wild.clamped(), Tuning { gravity: 0.0, time: 8.0, spin: 1.0 });
        let tame = Tuning { gravity: 0.5, time: 0.0, spin: 4.0 };
        assert_eq!(tame.clamped(), tame);
        assert_eq!(Tuning { gravity: f32::NAN, ..tame }.clamped().gravity, 1.0);
    }

    #[test]
    fn scene_files_accept_the_range_of_each_factor() {
        use crate::scenes::{GravityFactor, SpinFactor, TimeFactor};

        assert_eq!((GravityFactor::MIN, GravityFactor::MAX), (0.0, Tuning::MAX_GRAVITY));
        assert_eq!((TimeFactor::MIN, TimeFactor::MAX), (0.0, Tuning::MAX_TIME));
        assert_eq!((SpinFactor::MIN, SpinFactor::MAX), (0.0, Tuning::MAX_SPIN));
        assert_eq!(Tuning::from(TuningSpec::default()), Tuning::default());
    }
}

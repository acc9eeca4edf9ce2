//! Tuning: how strongly and how fast everything moves, to be changed while it does.

use crate::ecs::World;

/// How strongly and how fast everything moves; all factors are 1 but that of the spin, which is 0.
/// With these the scene is the classic one, bit for bit.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tuning {
    /// Factor of every gravity, from 0 to [`Tuning::MOST_GRAVITY`].
    pub gravity: f32,
    /// Simulated seconds of falling in a second, from 0 to [`Tuning::MOST_TIME`]; the camera flies
    /// as fast as ever.
    pub time: f32,
    /// Factor of every spin, from 0 to [`Tuning::MOST_SPIN`]; at 0 nothing has a spin.
    pub spin: f32,
}

impl Tuning {
    /// Largest factor of gravity.
    pub const MOST_GRAVITY: f32 = 4.0;
    /// Largest factor of time.
    pub const MOST_TIME: f32 = 8.0;
    /// Largest factor of spin.
    pub const MOST_SPIN: f32 = 4.0;

    /// Each factor cut to its range; one that is no number is as it is by default.
    #[must_use]
    pub fn clamped(self) -> Self {
        let classic = Self::default();
        let cut = |factor: f32, most: f32, otherwise: f32| {
            if factor.is_nan() { otherwise } else { factor.clamp(0.0, most) }
        };
        Self {
            gravity: cut(self.gravity, Self::MOST_GRAVITY, classic.gravity),
            time: cut(self.time, Self::MOST_TIME, classic.time),
            spin: cut(self.spin, Self::MOST_SPIN, classic.spin),
        }
    }

    /// The tuning of a world; the default where it has none.
    pub(super) fn of(world: &World) -> Self {
        world.resources().get().copied().unwrap_or_default()
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self { gravity: 1.0, time: 1.0, spin: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_cut_to_their_ranges_and_no_number_is_none() {
        let wild = Tuning { gravity: -1.0, time: f32::INFINITY, spin: f32::NAN };
        assert_eq!(wild.clamped(), Tuning { gravity: 0.0, time: 8.0, spin: 0.0 });
        let tame = Tuning { gravity: 0.5, time: 0.0, spin: 4.0 };
        assert_eq!(tame.clamped(), tame);
        assert_eq!(Tuning { gravity: f32::NAN, ..tame }.clamped().gravity, 1.0);
    }
}

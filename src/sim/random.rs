//! Random numbers, the same on every platform.

use glam::{Quat, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::ecs::Entity;

/// Random numbers from a `ChaCha8` stream or, for many short streams, from `SplitMix64` (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators", 2014).
///
/// Only operations that IEEE 754 rounds correctly are applied (no sine, no logarithm). So a seed gives
/// the same bits everywhere.
#[derive(Clone)]
pub(super) struct RandomStream<R = ChaCha8Rng>(R);

impl RandomStream<SplitMix64> {
    /// Returns a stream that depends on a seed and the handle of an entity only, not on the order in which
    /// entities draw their numbers.
    #[inline]
    pub(super) fn of_entity(seed: u64, entity: Entity) -> Self {
        let key = entity.to_bits();
        Self(SplitMix64::seed_from_u64(xxh3_64_with_seed(&key.to_le_bytes(), seed)))
    }

    /// Returns a stream that depends on a seed and on the number and generation of a cohort of entities only.
    #[inline]
    pub(super) fn of_cohort(seed: u64, number: u32, generation: u32) -> Self {
        // The complement differs from the keys of spins.
        let key = !(u128::from(generation) << 32 | u128::from(number));
        Self(SplitMix64::seed_from_u64(xxh3_64_with_seed(&key.to_le_bytes(), seed)))
    }
}

impl RandomStream {
    pub(super) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Returns one of the independent streams of a seed. Stream 0 is that of [`new`](Self::new).
    pub(super) fn numbered(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// Number of words consumed.
    pub(super) fn word_pos(&self) -> u128 {
        self.0.get_word_pos()
    }

    /// Returns the stream at a position, in words.
    pub(super) fn at(mut self, position: u128) -> Self {
        self.0.set_word_pos(position);
        self
    }
}

impl<R: Rng> RandomStream<R> {
    /// Uniform in `0.0..1.0`, with the 24 bits that an `f32` holds.
    pub(super) fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    /// Uniform from `low` to `high`.
    pub(super) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the cube of ±`half` about the origin.
    pub(super) fn in_box(&mut self, half: f32) -> Vec3 {
        let [x, y, z] = [(); 3].map(|()| self.between(-half, half));
        Vec3::new(x, y, z)
    }

    /// Uniform in `0..count`, which must not be empty (Lemire, "Fast Random Integer Generation in an
    /// Interval", 2019). The rejection step is omitted, which leaves a bias of `count` in 2^32.
    pub(super) fn below(&mut self, count: u32) -> u32 {
        ((u64::from(self.0.next_u32()) * u64::from(count)) >> 32) as u32
    }

    /// Unit vector, uniform over all directions (Marsaglia, 1972, as below).
    pub(super) fn direction(&mut self) -> Vec3 {
        let (x, y, squared) = self.in_disk();
        let factor = 2.0 * (1.0 - squared).sqrt();
        Vec3::new(x * factor, y * factor, 1.0 - 2.0 * squared)
    }

    /// Unit vector in a plane, uniform over all directions.
    pub(super) fn heading(&mut self) -> (f32, f32) {
        let (x, y, squared) = self.in_disk();
        let length = squared.sqrt();
        (x / length, y / length)
    }

    /// Radius from `low` to `high` with a density of radius to the `power`: 1 fills a ring evenly, 2 a
    /// shell.
    pub(super) fn radius(&mut self, low: f32, high: f32, power: u8) -> f32 {
        loop {
            let radius = self.between(low, high);
            if (0..power).all(|_| self.unit() * high <= radius) {
                return radius;
            }
        }
    }

    /// Uniform over all rotations (Marsaglia, "Choosing a Point from the Surface of a Sphere",
    /// 1972).
    pub(super) fn rotation(&mut self) -> Quat {
        let (x, y, xy) = self.in_disk();
        let (z, w, zw) = self.in_disk();
        let factor = ((1.0 - xy) / zw).sqrt();
        Quat::from_xyzw(x, y, z * factor, w * factor)
    }

    /// Uniform point of the unit disk except its center, and its squared distance from the center.
    fn in_disk(&mut self) -> (f32, f32, f32) {
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let squared = x * x + y * y;
            if squared > 0.0 && squared < 1.0 {
                return (x, y, squared);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_are_isotropic_unit_quaternions() {
        let mut random = RandomStream::new(7);
        let mut mean = Vec3::ZERO;
        for _ in 0..10_000 {
            let rotation = random.rotation();
            assert!((rotation.length() - 1.0).abs() < 1e-5);
            mean += rotation * Vec3::X / 10_000.0;
        }
        // The mean of n directions has a standard deviation of 1/sqrt(3 n) = 0.006 along each axis.
        assert!(mean.abs().max_element() < 0.03, "{mean}");
    }

    #[test]
    fn radii_fill_a_disk_and_a_ball_evenly() {
        let mut random = RandomStream::new(7);
        // Within half the radius is a quarter of a disk and an eighth of a ball.
        for (power, inner_half) in [(1, 0.25), (2, 0.125)] {
            let within = (0..10_000).filter(|_| random.radius(0.0, 4.0, power) < 2.0).count();
            let deviation = (within as f64 / 1e4 - inner_half).abs();
            assert!(deviation < 0.02, "power {power}: {within} of 10,000");
        }
        assert_eq!(random.radius(3.0, 3.0, 2), 3.0);
    }

    #[test]
    fn directions_and_headings_are_unit_vectors() {
        let mut random = RandomStream::new(7);
        let mut mean = Vec3::ZERO;
        for _ in 0..10_000 {
            let direction = random.direction();
            assert!((direction.length() - 1.0).abs() < 1e-5);
            mean += direction / 10_000.0;
            let (x, y) = random.heading();
            assert!((x * x + y * y - 1.0).abs() < 1e-5);
        }
        assert!(mean.abs().max_element() < 0.03, "{mean}");
    }

    #[test]
    fn streams_of_a_seed_differ_and_stream_0_is_the_default() {
        let numbers = |mut random: RandomStream| [(); 8].map(|()| random.unit());
        assert_eq!(numbers(RandomStream::numbered(7, 0)), numbers(RandomStream::new(7)));
        let last = numbers(RandomStream::numbered(7, u64::MAX));
        assert_eq!(last, numbers(RandomStream::numbered(7, u64::MAX)));
        assert!(numbers(RandomStream::new(7)).iter().all(|number| !last.contains(number)));
    }

    #[test]
    fn integers_cover_their_range() {
        let mut random = RandomStream::new(7);
        let hit = (0..1000).map(|_| random.below(5)).collect::<std::collections::BTreeSet<_>>();
        assert_eq!(hit, (0..5).collect());
    }

    #[test]
    fn numbers_cover_their_range() {
        let mut random = RandomStream::new(7);
        let numbers = [(); 10_000].map(|()| random.between(3.0, 5.0));
        let (low, high) =
            numbers.iter().fold((5.0_f32, 3.0_f32), |(low, high), &x| (low.min(x), high.max(x)));
        assert!((3.0..3.01).contains(&low) && (4.99..5.0).contains(&high), "{low} {high}");
    }
}

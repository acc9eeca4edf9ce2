//! Landing: when a cube that falls freely is entirely below the ground.

use super::cube_generator::HALF_EXTENT;
use crate::components::Scale;
use crate::ecs::Entity;

/// A cube that is entirely below the ground.
#[derive(Clone, Copy)]
pub(super) struct Landed {
    pub(super) cube: Entity,
    /// Time since the last of it sank, in ticks, at most that of the step.
    pub(super) ticks_ago: u32,
}

/// Returns the height below which the center of a cube of this edge is when nothing of the cube is above the
/// ground, in m.
#[inline]
pub(super) fn landing_height(edge: f32) -> f32 {
    -HALF_EXTENT - Scale::RADIUS * edge
}

/// Returns the time until a cube sinks below a limit, in s; `None` if it never does. `height` is measured from that
/// limit, in m; `velocity` and `acceleration` are positive upwards.
///
/// The smallest root above 0 of `h + v t + a t²/2 = 0`, in the form that never subtracts numbers of similar
/// size.
pub(super) fn time_to_fall(height: f32, velocity: f32, acceleration: f32) -> Option<f64> {
    let [h, v, a] = [height, velocity, acceleration].map(f64::from);
    if h < 0.0 {
        return Some(0.0);
    }
    let discriminant = v * v - 2.0 * a * h;
    if v >= 0.0 {
        (a < 0.0).then(|| (v + discriminant.sqrt()) / -a)
    } else {
        // Negative if a cube that accelerates up turns before the limit.
        (discriminant >= 0.0).then(|| 2.0 * h / (-v + discriminant.sqrt()))
    }
}

/// Returns how long ago a cube sank below a limit, in s; infinite for a cube that never was above it. `depth` is measured
/// downwards from that limit, in m, and not negative.
pub(super) fn time_since_fall(depth: f32, velocity: f32, acceleration: f32) -> f64 {
    // Back in time the cube rises against the same acceleration: the equation with both signs changed.
    time_to_fall(depth, velocity, -acceleration).unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::random::RandomStream;

    /// Returns the first time at which the height is 0 by bisection, if it is before `latest`.
    fn bisected(h: f64, v: f64, a: f64, latest: f64) -> Option<f64> {
        let height = |t: f64| h + t * (v + 0.5 * a * t);
        // The path has one extreme: before and after it the height is monotonic.
        let turn = if a == 0.0 { latest } else { (-v / a).clamp(0.0, latest) };
        let (mut low, mut high) = if height(turn) < 0.0 { (0.0, turn) } else { (turn, latest) };
        if height(high) >= 0.0 {
            return None;
        }
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if height(middle) >= 0.0 { low = middle } else { high = middle }
        }
        Some(high)
    }

    #[test]
    fn a_million_random_times_match_bisection() {
        let mut random = RandomStream::new(3);
        let mut landed = 0;
        for number in 0..1_000_000 {
            let h = random.between(0.0, 300.0);
            // Every combination of none, little and much.
            let size = |digit: u32| [0.0, 1e-3, 1.0, 50.0][number / 4_usize.pow(digit) % 4];
            let v = random.between(-1.0, 1.0) * size(0);
            let a = random.between(-1.0, 1.0) * size(1);
            let [height, speed, force] = [h, v, a].map(f64::from);
            let found = time_to_fall(h, v, a);
            match bisected(height, speed, force, 1e9) {
                None => assert!(found.is_none_or(|t| t > 0.999e9), "{h} {v} {a}: {found:?}"),
                Some(t) => {
                    landed += 1;
                    let found = found.unwrap_or_else(|| panic!("{h} {v} {a} never lands"));
                    // Bisection loses digits where the path only just touches the limit.
                    let speed = (speed + force * t).abs().max(1e-9);
                    let tolerance = 1e-9 * t + 1e-12 * (height + speed * t + 1.0) / speed;
                    assert!((found - t).abs() <= tolerance, "{h} {v} {a}: {found} {t}");
                }
            }
        }
        assert!(landed > 400_000, "{landed}");
    }

    #[test]
    fn a_fall_took_place_as_long_ago_as_it_was_ahead() {
        for (v, a) in [(0.0, -4.0), (-3.0, -4.0), (-3.0, 0.5), (2.0, -9.0)] {
            let ahead = time_to_fall(2.0, v, a).unwrap();
            let later = ahead as f32 + 0.01;
            let (depth, speed) = (-(2.0 + later * (v + 0.5 * a * later)), v + a * later);
            assert!((time_since_fall(depth, speed, a) - 0.01).abs() < 1e-5, "{v} {a}");
        }
        assert_eq!(time_since_fall(1.0, 2.0, -3.0), f64::INFINITY, "from below");
    }

    #[test]
    fn a_cube_that_rises_for_ever_or_turns_in_time_never_lands() {
        assert_eq!(time_to_fall(1.0, 2.0, 0.0), None);
        assert_eq!(time_to_fall(1.0, 0.0, 0.0), None);
        assert_eq!(time_to_fall(1.0, 0.0, 3.0), None);
        // It turns at 1 - 4 / (2 * 3) m.
        assert_eq!(time_to_fall(1.0, -2.0, 3.0), None);
        assert!(time_to_fall(1.0, -2.0, 1.0).is_some());
    }

    #[test]
    fn a_fall_from_rest_takes_the_root_of_twice_the_height_over_gravity() {
        assert_eq!(time_to_fall(50.0, 0.0, -4.0), Some(5.0));
        assert_eq!(time_to_fall(-0.1, 5.0, 4.0), Some(0.0), "below already");
    }
}

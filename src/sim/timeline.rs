//! The timeline of a scene file: what happens by itself at simulated times.

use super::FallMode;
use super::tuning::Tuning;
use crate::ecs::{SystemArgs, World};
use crate::scenes::{Quantity, TimelineSpec};

/// The timeline of a scene, and how far it is. A resource of worlds spawned from a scene file.
///
/// A scene that rewinds plays to `rewind_after`, back to its start, and so on. Motion is exact, so a negative
/// time step takes every cube back to where it was. Time slows down before each turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    spec: TimelineSpec,
    /// Simulated time since the start.
    seconds: f64,
    /// Time step of cubes while the scene rewinds, in s; negative on the way back.
    step: Option<f32>,
}

impl Timeline {
    /// Returns a timeline after so many seconds.
    pub(super) fn new(spec: TimelineSpec, seconds: f64) -> Self {
        Self { spec, seconds, step: None }
    }

    /// Simulated time since the start, in s.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns `true` if the scene rewinds. Nothing respawns then: what falls through the ground comes back.
    pub(super) fn rewinds(&self) -> bool {
        self.spec.rewind_after.is_some()
    }

    /// Advances by `dt` seconds: 0 while the scene is paused, or rewinds and its cubes stand still. Returns `true` if the
    /// fall mode switches.
    pub(super) fn advance(&mut self, dt: f32, mode: FallMode) -> bool {
        let turn = self.spec.rewind_after.map(|turn| f64::from(turn.get()));
        // Cubes that hang still do not rewind, and the time of the scene stands still with them.
        if turn.is_some() && mode == FallMode::Camera {
            self.step = None;
            return false;
        }
        let before = self.seconds;
        self.seconds += f64::from(dt);
        self.step = turn.map(|turn| (played(self.seconds, turn) - played(before, turn)) as f32);
        // Rounded to `f32`, steps and `every` may be a little shorter and longer than in decimals.
        let rounding = 1.0 + f64::from(2.0 * f32::EPSILON);
        let switches = |seconds: f64| {
            let every = self.spec.switch_every.map(|every| f64::from(every.get()));
            every.map_or(0.0, |every| (seconds / every * rounding).floor())
        };
        (switches(self.seconds) - switches(before)) % 2.0 != 0.0
    }
}

/// Returns `true` if the scene of a world [rewinds](Timeline::rewinds).
pub(super) fn rewinds(world: &World) -> bool {
    world.resources().get::<Timeline>().is_some_and(Timeline::rewinds)
}

/// Returns the time of the scene after so many seconds: from 0 to `turn` and back, at rest at both ends.
fn played(seconds: f64, turn: f64) -> f64 {
    let way = (seconds / turn) % 2.0;
    let way = if way > 1.0 { 2.0 - way } else { way };
    turn * way * way * (3.0 - 2.0 * way)
}

/// Returns the simulated time of a step for cubes and for a camera that falls, in s.
pub(super) fn simulated_time(world: &World, args: SystemArgs) -> f32 {
    let tuning = Tuning::of(world);
    let rewinding = world.resources().get::<Timeline>().and_then(|timeline| timeline.step);
    rewinding.unwrap_or(args.dt * tuning.time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(json: &str) -> Timeline {
        Timeline::new(serde_json::from_str(json).unwrap(), 0.0)
    }

    #[test]
    fn a_rewind_plays_to_its_turn_and_back_to_the_start() {
        for dt in [1.0 / 60.0, 1.0 / 128.0] {
            let mut timeline = timeline(r#"{"rewind_after": 2}"#);
            let mut at = 0.0;
            let (mut farthest, mut fastest) = (0.0_f32, 0.0_f32);
            while timeline.seconds() < 4.0 - f64::from(dt) / 2.0 {
                assert!(!timeline.advance(dt, FallMode::Cubes));
                let step = timeline.step.unwrap();
                assert_eq!(step > 0.0, timeline.seconds() < 2.0 + f64::from(dt) / 2.0);
                at += step;
                (farthest, fastest) = (farthest.max(at), fastest.max(step / dt));
            }
            assert!(at.abs() < 1e-4 && (farthest - 2.0).abs() < 1e-3, "{at} {farthest}");
            // The steepest slope of 3 x^2 - 2 x^3 is 3/2.
            assert!((fastest - 1.5).abs() < 1e-3, "{fastest}");
        }
    }

    #[test]
    fn the_mode_switches_at_every_multiple_of_the_time() {
        let mut timeline = timeline(r#"{"switch_every": 0.5}"#);
        let switched = (1..=20).filter(|_| timeline.advance(0.1, FallMode::Cubes)).count();
        assert_eq!((switched, timeline.step), (4, None), "2 s contain 4 switches");
        for (dt, every, steps) in
            [(0.02, 0.5, 25), (0.04, 1.0, 25), (0.1, 0.3, 3), (0.02, 5.0, 250)]
        {
            let mut timeline = self::timeline(&format!(r#"{{"switch_every": {every}}}"#));
            let first = (1..1000).find(|_| timeline.advance(dt, FallMode::Cubes));
            assert_eq!(first, Some(steps), "{dt} {every}");
        }
        // Two switches in one step undo each other.
        assert!(!timeline.advance(1.0, FallMode::Camera));
    }

    #[test]
    fn a_rewind_waits_while_the_camera_falls() {
        let mut timeline = timeline(r#"{"rewind_after": 2}"#);
        timeline.advance(0.5, FallMode::Camera);
        assert_eq!((timeline.seconds(), timeline.step), (0.0, None));
    }
}

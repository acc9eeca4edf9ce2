//! Orbit: a camera that circles a place.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::exact::{exp, power, rotated, yaw_and_pitch};
use super::steering::STEEPEST;
use crate::components::{Controls, Gravity, Orbit, Position, Rotation};
use crate::ecs::{Error, Tick, World};

/// What is left to go fades by the factor e so many times a second: half of it is gone after 87 ms.
const FADING: f32 = 8.0;
/// Below this many metres and radians nothing is left to go.
const ARRIVED: f32 = 1e-4;
/// Turning by keys, in rad/s.
const TURNING: f32 = 1.2;
/// Going nearer by keys, so many times by the factor e in a second.
const APPROACHING: f32 = 1.5;
/// How much nearer one notch of the wheel goes.
const NEARER_PER_NOTCH: f32 = 1.15;
/// Nearest and farthest distance, in m.
pub(in crate::sim) const DISTANCES: [f32; 2] = [1.0, 2000.0];

impl Orbit {
    /// Around `target` in the distance `distance`, both in m, from where a camera is now: it starts
    /// without a jump, turns to the target and goes there.
    pub(in crate::sim) fn approach(
        position: Vec3,
        controls: &Controls,
        target: Vec3,
        distance: f32,
    ) -> Self {
        let forward = rotated(controls.rotation().0, Vec3::NEG_Z);
        let toward = target - position;
        let away = toward.length();
        let distance = distance.clamp(DISTANCES[0], DISTANCES[1]);
        let turn = toward.try_normalize().map_or(Vec2::ZERO, |toward| {
            let (yaw, pitch) = yaw_and_pitch(toward);
            let yaw = yaw - controls.yaw;
            let pitch = pitch.clamp(-STEEPEST, STEEPEST) - controls.pitch;
            // The shorter way round.
            Vec2::new((yaw + PI).rem_euclid(TAU) - PI, pitch)
        });
        let offset = position + forward * away - target;
        Self { target, distance, offset, beyond: away - distance, turn }
    }

    /// Goes nearer by so many notches of the wheel; away if negative.
    pub(in crate::sim) fn zoom(&mut self, notches: f32) {
        self.go_to(self.distance * power(NEARER_PER_NOTCH, -notches));
    }

    /// Takes the target elsewhere; the view follows.
    pub(in crate::sim) fn shift(&mut self, by: Vec3) {
        self.target += by;
        self.offset -= by;
    }

    fn go_to(&mut self, distance: f32) {
        let distance = distance.clamp(DISTANCES[0], DISTANCES[1]);
        self.beyond += self.distance - distance;
        self.distance = distance;
    }

    /// Where the camera is that looks along `rotation`.
    fn place(&self, rotation: Rotation) -> Position {
        let back = rotated(rotation.0, Vec3::Z);
        Position(self.target + self.offset + back * (self.distance + self.beyond))
    }

    /// Lets `dt` seconds go by: what is steered goes on, what is left to go fades by the share
    /// `1 - exp(-FADING dt)`, which after any time is the same however it is cut into steps.
    fn advance(&mut self, controls: &mut Controls, dt: f32) {
        let motion = controls.motion.clamp_length_max(1.0);
        if motion != Vec3::ZERO {
            controls.turn(motion.x * TURNING * dt, -motion.y * TURNING * dt);
            self.go_to(self.distance * exp(motion.z * APPROACHING * dt));
        }
        let left = exp(-FADING * dt);
        let turned = self.turn * (1.0 - left);
        if self.turn.length() > ARRIVED {
            controls.turn(turned.x, turned.y);
            self.turn -= turned;
        } else if self.turn != Vec2::ZERO {
            controls.turn(self.turn.x, self.turn.y);
            self.turn = Vec2::ZERO;
        }
        self.offset *= left;
        self.beyond *= left;
        if self.offset.length() < ARRIVED && self.beyond.abs() < ARRIVED {
            (self.offset, self.beyond) = (Vec3::ZERO, 0.0);
        }
    }

    /// Begins what is left to go from where the camera is, which has been moved by something else.
    pub(in crate::sim) fn resume(&mut self, position: Position, rotation: Rotation) {
        let reach = self.distance + self.beyond;
        self.offset = position.0 + rotated(rotation.0, Vec3::NEG_Z) * reach - self.target;
    }
}

/// What the system changes of a camera.
#[derive(Clone, Copy, PartialEq)]
struct Orbiting {
    position: Position,
    rotation: Rotation,
    controls: Controls,
    orbit: Orbit,
}

impl Orbiting {
    /// What it is `dt` seconds later; a camera that falls is only turned.
    fn after(mut self, falls: bool, dt: f32) -> Self {
        self.orbit.advance(&mut self.controls, dt);
        self.rotation = self.controls.rotation();
        if !falls {
            self.position = self.orbit.place(self.rotation);
        }
        self
    }
}

/// The system that applies `Controls` and `Orbit` to `Position` and `Rotation`. A camera that falls
/// has a gravity.
pub(in crate::sim) fn orbit(world: &mut World, tick: Tick) -> Result<(), Error> {
    // A camera that stays as it is must not look changed: what changed goes to the GPU.
    let cameras = world.query::<(&Position, &Rotation, &Controls, &Orbit, Option<&Gravity>)>()?;
    if cameras.iter().all(|(_, (&position, &rotation, &controls, &orbit, gravity))| {
        let now = Orbiting { position, rotation, controls, orbit };
        now.after(gravity.is_some(), tick.dt) == now
    }) {
        return Ok(());
    }
    let cameras = world.query_mut::<(
        &mut Position,
        &mut Rotation,
        &mut Controls,
        &mut Orbit,
        Option<&Gravity>,
    )>()?;
    cameras.for_each(|_, (position, rotation, controls, orbit, gravity)| {
        let now = Orbiting {
            position: *position,
            rotation: *rotation,
            controls: *controls,
            orbit: *orbit,
        };
        let after = now.after(gravity.is_some(), tick.dt);
        (*position, *rotation) = (after.position, after.rotation);
        (*controls, *orbit) = (after.controls, after.orbit);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera at `at` that has looked along -Z and is sent to a cube.
    fn sent(at: Vec3, target: Vec3, distance: f32) -> Orbiting {
        let controls = Controls::default();
        let orbit = Orbit::approach(at, &controls, target, distance);
        Orbiting { position: Position(at), rotation: controls.rotation(), controls, orbit }
    }

    /// So many seconds later, at so many steps a second.
    fn later(camera: Orbiting, seconds: f32, rate: u16) -> Orbiting {
        let dt = 1.0 / f32::from(rate);
        let ends = (1..u16::MAX).map(|step| f32::from(step) * dt);
        let steps = ends.take_while(|&end| end < seconds + dt / 2.0);
        steps.fold(camera, |camera, _| camera.after(false, dt))
    }

    #[test]
    fn an_approach_begins_without_a_jump_and_ends_before_the_target() {
        for target in [Vec3::new(30.0, -5.0, -40.0), Vec3::new(-3.0, 20.0, 60.0), Vec3::Y * 9.0] {
            let start = sent(Vec3::new(1.0, 2.0, 3.0), target, 12.0);
            let first = start.after(false, 1e-6);
            assert!((first.position.0 - start.position.0).length() < 1e-2);
            assert!(first.rotation.0.angle_between(start.rotation.0) < 1e-2);
            let end = later(start, 3.0, 60);
            assert!(((end.position.0 - target).length() - 12.0).abs() < 1e-3);
            let ahead = end.rotation.0 * Vec3::NEG_Z;
            assert!((end.position.0 + ahead * 12.0 - target).length() < 0.05, "{target}");
        }
    }

    #[test]
    fn the_way_does_not_depend_on_the_frame_rate() {
        let mut start = sent(Vec3::new(5.0, 0.0, 50.0), Vec3::new(-20.0, 10.0, -30.0), 8.0);
        start.controls.motion = Vec3::new(0.4, 0.2, -0.5);
        for seconds in [0.1, 0.5, 2.0] {
            let [slow, fast] = [30, 144].map(|rate| later(start, seconds, rate));
            // 144 Hz does not divide every span: half a step of the way is left over.
            let way = (slow.position.0 - start.position.0).length();
            assert!(way > 1.0);
            let apart = (slow.position.0 - fast.position.0).length();
            assert!(apart < 0.03 * way, "after {seconds} s: {apart} of {way}");
            assert!(slow.rotation.0.angle_between(fast.rotation.0) < 0.02);
        }
    }

    #[test]
    fn half_of_the_way_is_gone_after_the_documented_time() {
        // Straight ahead: from 100 m to 20 m; after ln(2) / 8 s half of these 80 m are left.
        let start = sent(Vec3::ZERO, Vec3::NEG_Z * 100.0, 20.0);
        let half = start.after(false, 2_f32.ln() / 8.0);
        assert!((half.position.0 - Vec3::NEG_Z * 40.0).length() < 1e-3, "{}", half.position.0);
    }

    #[test]
    fn a_camera_that_has_arrived_stays_the_same_to_the_bit() {
        let arrived = later(sent(Vec3::ONE, Vec3::new(9.0, 8.0, 7.0), 5.0), 5.0, 60);
        assert!(arrived.after(false, 1.0 / 60.0) == arrived);
    }

    #[test]
    fn zooming_there_and_back_is_the_same_distance_within_limits() {
        let mut orbit = sent(Vec3::ZERO, Vec3::NEG_Z * 50.0, 50.0).orbit;
        orbit.zoom(2.0);
        assert!((orbit.distance - 50.0 / (1.15 * 1.15)).abs() < 1e-3);
        orbit.zoom(-2.0);
        assert!((orbit.distance - 50.0).abs() < 1e-3 && orbit.beyond.abs() < 1e-3);
        orbit.zoom(1e6);
        assert_eq!(orbit.distance, DISTANCES[0]);
        orbit.zoom(-1e6);
        assert_eq!(orbit.distance, DISTANCES[1]);
    }
}

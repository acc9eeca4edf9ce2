//! The orbit rig: a camera that circles a target.

use std::f32::consts::{PI, TAU};

use glam::{Vec2, Vec3};

use super::exact::{exp, power, rotated, yaw_and_pitch};
use super::ground::{MIN_HEIGHT, has_ground, max_pitch};
use crate::components::{Controls, Gravity, Orbit, Position, Rotation};
use crate::ecs::{Entity, Error, SystemArgs, World};
use crate::sim::cube_generator::HALF_EXTENT;

/// Decay rate of the remainders of an orbit, in 1/s: half is left after 87 ms.
const DECAY: f32 = 8.0;
/// Remainders below this many meters and radians become 0.
const ARRIVED: f32 = 1e-4;
/// How far a camera at the lowest height may be below it by rounding, in m.
const ROUNDING: f32 = 0.01;
/// Turn rate of the keys, in rad/s.
const TURN_RATE: f32 = 1.2;
/// Zoom rate of the keys: the distance changes by the factor e this many times per second.
const ZOOM_RATE: f32 = 1.5;
/// Factor of the distance for one notch of the wheel.
const ZOOM_PER_NOTCH: f32 = 1.15;

impl Orbit {
    /// Returns an orbit around `target` at `distance`, both in m, that starts at the current view and
    /// moves smoothly from there.
    pub(super) fn approach(
        position: Vec3,
        controls: &Controls,
        target: Vec3,
        distance: f32,
    ) -> Self {
        let forward = rotated(controls.rotation().0, Vec3::NEG_Z);
        let to_target = target - position;
        let current = to_target.length();
        let distance = distance.clamp(Self::DISTANCES[0], Self::DISTANCES[1]);
        let remaining_turn = to_target.try_normalize().map_or(Vec2::ZERO, |direction| {
            let (yaw, pitch) = yaw_and_pitch(direction);
            let yaw = yaw - controls.yaw;
            let pitch = pitch.clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH) - controls.pitch;
            // The shorter way round.
            Vec2::new((yaw + PI).rem_euclid(TAU) - PI, pitch)
        });
        let offset = position + forward * current - target;
        let excess_distance = current - distance;
        Self { target, distance, offset, excess_distance, remaining_turn, turn_rate: 0.0 }.clamped()
    }

    /// Goes nearer by so many notches of the wheel, or away if negative.
    pub(super) fn zoom(&mut self, notches: f32) {
        self.set_distance(self.distance * power(ZOOM_PER_NOTCH, -notches));
    }

    /// Moves the target; the view follows.
    pub(super) fn shift(&mut self, by: Vec3) {
        self.target += by;
        self.offset -= by;
        *self = self.clamped();
    }

    /// Sets the distance to at least `nearest`. A camera that is farther away never passes through a nearer place on
    /// the way there; one that is nearer moves away smoothly.
    pub(super) fn keep_away(&mut self, nearest: f32) {
        // A zoom of the keys leaves a positive excess.
        let is_nearer =
            self.excess_distance <= 0.0 && self.distance + self.excess_distance < nearest;
        if self.distance < nearest {
            self.set_distance(nearest);
        }
        if !is_nearer {
            self.excess_distance = self.excess_distance.max(nearest - self.distance);
        }
    }

    fn set_distance(&mut self, distance: f32) {
        if distance.is_nan() {
            return;
        }
        let distance = distance.clamp(Self::DISTANCES[0], Self::DISTANCES[1]);
        self.excess_distance += self.distance - distance;
        self.distance = distance;
    }

    /// Position of a camera with this rotation.
    fn position(&self, rotation: Rotation) -> Position {
        let back = rotated(rotation.0, Vec3::Z);
        let reach = self.distance + self.excess_distance;
        Position(self.target + self.offset + back * reach).clamped()
    }

    /// Advances by `dt` seconds: applies the controls and decays the remainders by the factor
    /// `exp(-DECAY dt)`. Any division of a time span into steps gives the same decay.
    fn advance(&mut self, controls: &mut Controls, falls: bool, dt: f32) {
        let motion = controls.motion.clamp_length_max(1.0);
        if motion != Vec3::ZERO {
            self.turn_rate = 0.0;
            controls.turn(motion.x * TURN_RATE * dt, -motion.y * TURN_RATE * dt);
            // It would go there all at once after the fall.
            if !falls {
                self.set_distance(self.distance * exp(motion.z * ZOOM_RATE * dt));
            }
        }
        let left = exp(-DECAY * dt);
        let turned = self.remaining_turn * (1.0 - left);
        if self.remaining_turn.length() > ARRIVED {
            controls.turn(turned.x, turned.y);
            self.remaining_turn -= turned;
        } else if self.remaining_turn != Vec2::ZERO {
            controls.turn(self.remaining_turn.x, self.remaining_turn.y);
            self.remaining_turn = Vec2::ZERO;
        }
        self.offset *= left;
        self.excess_distance *= left;
        if self.offset.length() < ARRIVED && self.excess_distance.abs() < ARRIVED {
            (self.offset, self.excess_distance) = (Vec3::ZERO, 0.0);
        }
    }

    /// Sets the offset so that the orbit continues from a camera that a fall has moved.
    pub(super) fn resume(&mut self, position: Position, rotation: Rotation) {
        let reach = self.distance + self.excess_distance;
        self.offset = position.0 + rotated(rotation.0, Vec3::NEG_Z) * reach - self.target;
        *self = self.clamped();
    }
}

/// The components that the system changes.
#[derive(Clone, Copy, PartialEq)]
struct OrbitingCamera {
    position: Position,
    rotation: Rotation,
    controls: Controls,
    orbit: Orbit,
}

impl OrbitingCamera {
    /// Returns the camera `dt` seconds later. A falling camera only turns, or circles at the height that it has.
    fn after(mut self, falls: bool, dt: f32) -> Self {
        self.controls = self.controls.clamped();
        self.orbit.advance(&mut self.controls, falls, dt);
        self.rotation = self.controls.rotation();
        let Position(at) = self.orbit.position(self.rotation);
        if !falls {
            self.position = Position(at);
        } else if self.orbit.turn_rate != 0.0 {
            self.position.0 = at.with_y(self.position.0.y);
        }
        self
    }

    /// Returns the camera after a step that began above the ground: it turns no farther than to [`MIN_HEIGHT`].
    fn above_ground(mut self) -> Self {
        let Orbit { target, offset, distance, excess_distance, .. } = self.orbit;
        let max_pitch = max_pitch(target + offset, distance + excess_distance, MIN_HEIGHT);
        let max_pitch = max_pitch.max(-Controls::MAX_PITCH);
        if self.controls.pitch > max_pitch {
            self.controls.pitch = max_pitch;
            self.rotation = self.controls.rotation();
            self.position = self.orbit.position(self.rotation);
        }
        // No pitch keeps it above the ground if the target is deeper than the distance.
        self.position.0.y = self.position.0.y.max(MIN_HEIGHT - HALF_EXTENT);
        self
    }
}

/// System that applies `Controls` and `Orbit` to `Position` and `Rotation`. A camera with a gravity
/// falls.
pub(in crate::sim) fn orbit(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let has_ground = has_ground(world);
    let camera = world.single::<(Entity, &Position, &Rotation, &Controls, &Orbit)>().ok();
    let changed = camera.and_then(|(camera, &position, &rotation, &controls, &orbit)| {
        let before = OrbitingCamera { position, rotation, controls, orbit };
        let falls = world.has::<Gravity>(camera);
        let mut after = before.after(falls, args.dt);
        // One that is below already goes anywhere.
        if has_ground && !falls && position.0.y >= MIN_HEIGHT - HALF_EXTENT - ROUNDING {
            after = after.above_ground();
        }
        (after != before).then_some((camera, after))
    });
    // An unchanged camera is not written, so that it does not count as changed.
    let Some((camera, after)) = changed else { return Ok(()) };
    let (position, rotation, controls, orbit) =
        world.query_one_mut::<(&mut Position, &mut Rotation, &mut Controls, &mut Orbit)>(camera)?;
    (*position, *rotation) = (after.position, after.rotation);
    (*controls, *orbit) = (after.controls, after.orbit);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A camera at `at` that faces -Z and starts to approach `target`.
    fn approaching(at: Vec3, target: Vec3, distance: f32) -> OrbitingCamera {
        let controls = Controls::default();
        let orbit = Orbit::approach(at, &controls, target, distance);
        OrbitingCamera { position: Position(at), rotation: controls.rotation(), controls, orbit }
    }

    /// The camera after `seconds` at `rate` steps per second.
    fn later(camera: OrbitingCamera, seconds: f32, rate: u16) -> OrbitingCamera {
        let dt = 1.0 / f32::from(rate);
        let ends = (1..u16::MAX).map(|step| f32::from(step) * dt);
        let steps = ends.take_while(|&end| end < seconds + dt / 2.0);
        steps.fold(camera, |camera, _| camera.after(false, dt))
    }

    #[test]
    fn approach_starts_without_a_jump_and_ends_at_the_distance() {
        for target in [Vec3::new(30.0, -5.0, -40.0), Vec3::new(-3.0, 20.0, 60.0), Vec3::Y * 9.0] {
            let start = approaching(Vec3::new(1.0, 2.0, 3.0), target, 12.0);
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
    fn path_does_not_depend_on_the_frame_rate() {
        let mut start = approaching(Vec3::new(5.0, 0.0, 50.0), Vec3::new(-20.0, 10.0, -30.0), 8.0);
        start.controls.motion = Vec3::new(0.4, 0.2, -0.5);
        for seconds in [0.1, 0.5, 2.0] {
            let [slow, fast] = [30, 144].map(|rate| later(start, seconds, rate));
            // 144 Hz does not divide every span: the end may be off by half a step.
            let way = (slow.position.0 - start.position.0).length();
            assert!(way > 1.0);
            let apart = (slow.position.0 - fast.position.0).length();
            assert!(apart < 0.03 * way, "after {seconds} s: {apart} of {way}");
            assert!(slow.rotation.0.angle_between(fast.rotation.0) < 0.02);
        }
    }

    #[test]
    fn half_of_the_way_is_left_after_the_documented_time() {
        // Straight ahead: from 100 m to 20 m; after ln(2) / 8 s half of these 80 m are left.
        let start = approaching(Vec3::ZERO, Vec3::NEG_Z * 100.0, 20.0);
        let half = start.after(false, 2_f32.ln() / 8.0);
        assert!((half.position.0 - Vec3::NEG_Z * 40.0).length() < 1e-3, "{}", half.position.0);
    }

    #[test]
    fn arrived_camera_keeps_every_bit() {
        let arrived = later(approaching(Vec3::ONE, Vec3::new(9.0, 8.0, 7.0), 5.0), 5.0, 60);
        assert!(arrived.after(false, 1.0 / 60.0) == arrived);
    }

    #[test]
    fn zoom_in_and_out_restores_the_distance_within_limits() {
        let mut orbit = approaching(Vec3::ZERO, Vec3::NEG_Z * 50.0, 50.0).orbit;
        orbit.zoom(2.0);
        assert!((orbit.distance - 50.0 / (1.15 * 1.15)).abs() < 1e-3);
        orbit.zoom(-2.0);
        assert!((orbit.distance - 50.0).abs() < 1e-3 && orbit.excess_distance.abs() < 1e-3);
        orbit.zoom(1e6);
        assert_eq!(orbit.distance, Orbit::DISTANCES[0]);
        orbit.zoom(-1e6);
        assert_eq!(orbit.distance, Orbit::DISTANCES[1]);
    }
}

//! The path rig: a camera that passes key frames at given times.
//!
//! Positions, angles and points to look at are interpolated by cubic Hermite splines with the slopes of
//! Catmull and Rom ("A Class of Local Interpolating Splines", 1974), weighted for uneven times. Position and
//! view therefore change without a jump of their velocities. Both ends of a path that is no loop are at rest.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::exact::yaw_and_pitch;
use crate::components::{Controls, Lens, Position, Ranged};
use crate::ecs::{Entity, Error, World};
use crate::scenes::{CameraPath, Moment, PathKey, Quantity, to_vec3};
use crate::sim::scene_camera::radians;

/// Time that a camera has been on its path, in s.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(in crate::sim) struct PathProgress(pub(in crate::sim) f64);

impl Ranged for PathProgress {
    fn is_valid(&self) -> bool {
        (0.0..=f64::from(Moment::MAX)).contains(&self.0)
    }
}

/// The path of a camera with a [`PathProgress`]: a resource of its world.
pub(in crate::sim) struct ActivePath {
    pub(in crate::sim) path: Arc<CameraPath>,
    pub(super) track: Track,
}

impl ActivePath {
    pub(in crate::sim) fn new(path: &Arc<CameraPath>) -> Self {
        Self { path: Arc::clone(path), track: Track::new(path) }
    }

    pub(super) fn start(&self) -> Pose {
        self.track.pose(0.0)
    }
}

/// Position and view at a time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::sim) struct Pose {
    pub(in crate::sim) position: Vec3,
    pub(in crate::sim) yaw: f32,
    pub(in crate::sim) pitch: f32,
    pub(in crate::sim) fov_y: f32,
}

impl Pose {
    /// Places a camera.
    pub(in crate::sim) fn apply(self, world: &mut World, camera: Entity) -> Result<(), Error> {
        let controls = world.get_mut::<Controls>(camera)?;
        (controls.yaw, controls.pitch) = (self.yaw, self.pitch);
        let rotation = controls.rotation();
        *world.get_mut(camera)? = rotation;
        *world.get_mut(camera)? = Position(self.position).clamped();
        world.get_mut::<Lens>(camera)?.fov_y = self.fov_y;
        Ok(())
    }
}

/// A path as splines.
pub(super) struct Track {
    knots: Vec<Knot>,
    /// Views are points to look at; else they are yaw and pitch.
    aims: bool,
    pub(super) repeats: bool,
}

/// A key frame.
#[derive(Clone, Copy)]
struct Knot {
    time: f32,
    /// Position, view and field of view, and their slopes.
    values: Values,
    slopes: Values,
}

type Values = [Vec3; 3];

impl Track {
    fn new(path: &CameraPath) -> Self {
        let aims = path.keys.iter().all(|key| key.look_at.is_some());
        let mut knots: Vec<Knot> = Vec::with_capacity(path.keys.len());
        for key in &path.keys {
            let fov = key.fov.map_or(Lens::default().fov_y, radians);
            let values = [to_vec3(key.position), view(key, aims), Vec3::new(fov, 0.0, 0.0)];
            knots.push(Knot { time: key.time.get(), values, slopes: Values::default() });
        }
        // Angles of the file are kept. An angle computed from a point is changed by full turns to be nearest to that of its
        // neighbor, from the first angle of the file in both directions.
        if let Some(first) = path.keys.iter().position(|key| key.look_at.is_none()) {
            let before = (0..first).rev().map(|at| (at, at + 1));
            let after = (first + 1..knots.len()).map(|at| (at, at - 1));
            let aimed = before.chain(after).filter(|&(at, _)| path.keys[at].look_at.is_some());
            for (at, near) in aimed {
                let turns = ((knots[near].values[1].x - knots[at].values[1].x) / TAU).round();
                knots[at].values[1].x += turns * TAU;
            }
        }
        let slopes = (0..knots.len()).map(|index| slopes(&knots, index, path.repeats));
        let slopes: Vec<_> = slopes.collect();
        for (knot, slopes) in knots.iter_mut().zip(slopes) {
            knot.slopes = slopes;
        }
        Self { knots, aims, repeats: path.repeats }
    }

    /// Time of the last key, in s.
    pub(super) fn duration(&self) -> f64 {
        self.knots[self.knots.len() - 1].time.into()
    }

    /// Returns the view after so many seconds.
    pub(super) fn pose(&self, seconds: f64) -> Pose {
        let end = self.duration();
        let time = if self.repeats { seconds % end } else { seconds.min(end) };
        let next = self.knots.partition_point(|knot| f64::from(knot.time) <= time);
        let next = next.clamp(1, self.knots.len() - 1);
        let (from, to) = (&self.knots[next - 1], &self.knots[next]);
        let [position, view, fov] = hermite(from, to, time);
        let (yaw, pitch) =
            if self.aims { yaw_and_pitch(view - position) } else { (view.x % TAU, view.y) };
        let [low, high] = Lens::FOV_Y;
        Pose {
            position,
            yaw,
            pitch: pitch.clamp(-Controls::MAX_PITCH, Controls::MAX_PITCH),
            fov_y: fov.x.clamp(low, high),
        }
    }
}

/// Returns the point to look at, or yaw and pitch in rad.
fn view(key: &PathKey, aims: bool) -> Vec3 {
    let (yaw, pitch) = match key.look_at.map(to_vec3) {
        Some(target) if aims => return target,
        Some(target) => yaw_and_pitch(target - to_vec3(key.position)),
        None => (key.yaw.map_or(0.0, radians), key.pitch.map_or(0.0, radians)),
    };
    Vec3::new(yaw, pitch, 0.0)
}

/// Returns the slopes at a key: those of the parabola through it and its neighbors. Past the ends of a
/// loop, the neighbors are those of the other end.
fn slopes(knots: &[Knot], index: usize, repeats: bool) -> Values {
    let last = knots.len() - 1;
    let is_end = index == 0 || index == last;
    if is_end && !repeats {
        return Values::default();
    }
    let (before, after) = if is_end { (last, 1) } else { (index, index + 1) };
    let way = |to: usize, channel: usize| {
        let time = knots[to].time - knots[to - 1].time;
        (time, (knots[to].values[channel] - knots[to - 1].values[channel]) / time)
    };
    std::array::from_fn(|channel| {
        let ((t0, v0), (t1, v1)) = (way(before, channel), way(after, channel));
        (v0 * t1 + v1 * t0) / (t0 + t1)
    })
}

/// Returns the values of the cubic between two keys.
fn hermite(from: &Knot, to: &Knot, time: f64) -> Values {
    let span = to.time - from.time;
    // After half an hour, f32 rounds times to a quarter of a millisecond.
    let u = ((time - f64::from(from.time)) as f32 / span).clamp(0.0, 1.0);
    let (u2, u3) = (u * u, u * u * u);
    std::array::from_fn(|channel| {
        let way = to.values[channel] - from.values[channel];
        from.values[channel]
            + way * (3.0 * u2 - 2.0 * u3)
            + from.slopes[channel] * (span * (u3 - 2.0 * u2 + u))
            + to.slopes[channel] * (span * (u3 - u2))
    })
}

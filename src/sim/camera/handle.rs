//! Handles to the camera of a simulation: to read it, and to steer it.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::exact::tan;
use super::follow::{Follow, followed_point, nearest_to};
use super::glide::Glide;
use super::ground::fly_to;
use super::path::{ActivePath, PathProgress, Pose};
use super::rig::CameraRig;
use super::view::{CameraView, WidenedView};
use crate::components::{
    Color, Controls, EndlessField, Gravity, Lens, Orbit, Position, Scale, Velocity,
};
use crate::ecs::{Component, Entity, Error, World};
use crate::scenes::CameraPath;
use crate::sim::cubes::Cubes;
use crate::sim::endless::field;
use crate::sim::evaluation;

/// Share of the view's height that a face of a cube in focus fills.
const FOCUS_SHARE: f32 = 0.24;

/// Rate of a drift, in rad/s: once around in about two minutes.
const DRIFT_RATE: f32 = 0.05;

const CAMERA: &str = "the camera always has its components";
const CUBE: &str = "the cube lives";

/// Read access to the camera.
#[derive(Debug)]
pub struct Camera<'w> {
    world: &'w World,
    entity: Entity,
}

impl<'w> Camera<'w> {
    pub(in crate::sim) fn new(world: &'w World, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// Position, rotation and lens. The view widens while the camera falls, unless this is
    /// [disabled](crate::sim::Simulation::set_widened_view).
    pub fn view(&self) -> CameraView {
        let lens = self.lens();
        let is_on = self.world.resources().get().is_some_and(|&WidenedView(is_on)| is_on);
        let lens = if is_on { lens.widened(self.velocity()) } else { lens };
        CameraView { position: self.get(), rotation: self.get(), lens }
    }

    /// Lens at rest.
    pub fn lens(&self) -> Lens {
        self.get()
    }

    /// Direction and speed of flight, and angles of view.
    pub(super) fn controls(&self) -> Controls {
        self.get()
    }

    /// Velocity of a falling camera, or what is left of it after the fall.
    pub(in crate::sim) fn velocity(&self) -> Velocity {
        let falling = self.world.get::<&Velocity>(self.entity).copied();
        falling.unwrap_or_else(|_| Glide::of(self.world).velocity())
    }

    /// Returns `true` while the view changes to that of another fall mode, which a pause does not stop.
    pub fn glides(&self) -> bool {
        !Glide::of(self.world).is_over()
    }

    /// How the camera moves.
    pub fn rig(&self) -> CameraRig {
        match (self.world.has::<Orbit>(self.entity), self.followed()) {
            _ if self.world.has::<PathProgress>(self.entity) => CameraRig::Path,
            (false, _) => CameraRig::Fly,
            (true, None) => CameraRig::Orbit,
            (true, Some(_)) => CameraRig::Follow,
        }
    }

    /// Speed of flight, in m/s.
    pub fn flight_speed(&self) -> f32 {
        self.get::<Controls>().speed
    }

    /// Desired distance from the target of the orbit, in m; `None` for a camera that flies.
    pub fn orbit_distance(&self) -> Option<f32> {
        self.world.get::<&Orbit>(self.entity).ok().map(|orbit| orbit.distance)
    }

    /// Rate at which the camera circles a point by itself, in rad per simulated second; positive is counterclockwise seen
    /// from above. `None` while the camera falls, and unless it orbits a point that is no cube.
    pub fn orbit_speed(&self) -> Option<f32> {
        let orbits = self.rig() == CameraRig::Orbit && !self.world.has::<Velocity>(self.entity);
        let orbit = self.world.get::<&Orbit>(self.entity).ok().filter(|_| orbits);
        orbit.map(|orbit| orbit.turn_rate)
    }

    /// The cube that the camera follows.
    pub fn followed(&self) -> Option<Entity> {
        self.world.get::<&Follow>(self.entity).ok().map(|follow| follow.0)
    }

    /// Point that the camera orbits, in m.
    pub fn target(&self) -> Option<Vec3> {
        self.world.get::<&Orbit>(self.entity).ok().map(|orbit| orbit.target)
    }

    fn get<T: Component + Copy>(&self) -> T {
        *self.world.get::<&T>(self.entity).expect(CAMERA)
    }
}

/// Write access to the camera: input from mouse and keys, and the choice of the rig.
#[derive(Debug)]
pub struct CameraMut<'w> {
    world: &'w mut World,
    entity: Entity,
}

impl<'w> CameraMut<'w> {
    pub(in crate::sim) fn new(world: &'w mut World, entity: Entity) -> Self {
        Self { world, entity }
    }

    /// Direction and speed of flight, and angles of view. Takes effect at the next step.
    pub fn controls(self) -> &'w mut Controls {
        self.world.get_mut(self.entity).expect(CAMERA)
    }

    /// Turns the view after a drag of so many points to the right and down.
    pub fn rotate(&mut self, right: f32, down: f32) {
        Glide::stop_turn(self.world);
        self.stop();
        self.controls_mut().rotate(right, down);
    }

    /// Applies notches of the mouse wheel: a flying camera becomes faster, any other goes nearer to
    /// its target, unless it falls. Negative notches do the opposite.
    pub fn scroll(&mut self, notches: f32) {
        self.stop();
        let falls = self.world.has::<Gravity>(self.entity);
        if !self.world.has::<Orbit>(self.entity) {
            self.controls_mut().change_speed(notches);
        } else if !falls {
            self.zoom(notches);
        }
    }

    /// Zooms an orbit, but not into a followed cube.
    fn zoom(&mut self, notches: f32) {
        let nearest = self.camera().followed().map_or(0.0, |cube| nearest_to(self.world, cube));
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            orbit.zoom(notches);
            orbit.keep_away(nearest);
        }
    }

    /// Moves the camera after a drag with two fingers, in points to the right and down, so that the
    /// scene follows the fingers. A pinch of so many notches moves it forward.
    pub fn pan(&mut self, right: f32, down: f32, notches: f32) {
        self.stop();
        let controls = self.camera().controls();
        let shift = controls.pan(right, down);
        let follows = self.world.has::<Follow>(self.entity);
        let falls = self.world.has::<Gravity>(self.entity);
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            // The target of a camera that follows stays the cube.
            if !follows {
                orbit.shift(shift);
            }
            if !falls {
                self.zoom(notches);
            }
        } else {
            let position = self.camera().view().position.0;
            fly_to(self.world, self.entity, Position(position + (shift + controls.push(notches))));
        }
    }

    /// Switches to the next rig and returns it: fly, orbit, follow. The orbit is around `selected`,
    /// or else around what is ahead. Without a living `selected` cube there is no follow.
    pub fn cycle_rig(&mut self, selected: Option<Entity>) -> CameraRig {
        let cube = selected.filter(|&cube| self.cubes().get(cube).is_some());
        match (self.camera().rig(), cube) {
            (CameraRig::Fly, Some(cube)) => self.focus(cube).expect(CUBE),
            (CameraRig::Fly, None) => self.orbit_ahead(),
            (CameraRig::Orbit, Some(cube)) => self.follow(cube).expect(CUBE),
            (CameraRig::Orbit | CameraRig::Follow | CameraRig::Path, _) => self.fly(),
        }
        self.camera().rig()
    }

    /// Turns to a cube, goes near and orbits its current position. A camera that follows a cube
    /// follows this one instead.
    ///
    /// # Errors
    /// The entity is not a living cube of this world.
    pub fn focus(&mut self, cube: Entity) -> Result<(), Error> {
        if self.camera().rig() == CameraRig::Follow {
            return self.follow(cube);
        }
        self.approach(cube, None)
    }

    /// Turns to a cube, goes near and moves along with it. Once the cube is removed, the camera
    /// orbits its last position.
    ///
    /// # Errors
    /// The entity is not a living cube of this world.
    pub fn follow(&mut self, cube: Entity) -> Result<(), Error> {
        self.approach(cube, None)?;
        self.start_to_follow(cube)
    }

    /// Follows a cube as [`follow`](Self::follow) does, at the current distance, up to 2 km.
    ///
    /// # Errors
    /// The entity is not a living cube of this world.
    pub fn follow_from_here(&mut self, cube: Entity) -> Result<(), Error> {
        let position = self.image_of(evaluation::position(self.world, cube)?.0);
        let distance = self.camera().view().position.0.distance(position);
        self.approach(cube, Some(distance))?;
        self.start_to_follow(cube)
    }

    /// Follows a cube that the camera approaches. The way from its center to the point above it is part of the approach.
    fn start_to_follow(&mut self, cube: Entity) -> Result<(), Error> {
        let Position(place) = evaluation::position(self.world, cube)?;
        let target = followed_point(self.world, cube)?;
        self.end_fall_at(target - place);
        self.world.insert(self.entity, Follow(cube))
    }

    /// Releases the camera from its orbit: it flies freely from where it is.
    pub fn fly(&mut self) {
        // Each component is absent in some rigs, which is no error here.
        self.world.remove::<Follow>(self.entity).ok();
        self.world.remove::<Orbit>(self.entity).ok();
        self.world.remove::<PathProgress>(self.entity).ok();
    }

    /// Ends the motion of the camera by itself, on a path or around a target, where it is.
    pub fn stop(&mut self) {
        self.world.remove::<PathProgress>(self.entity).ok();
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            orbit.turn_rate = 0.0;
        }
    }

    /// Starts to drift slowly around the middle of the scene, from the current view. A camera that falls, or
    /// has another motion than flight, does not; the result is whether it drifts.
    pub fn start_drift(&mut self) -> bool {
        let flies =
            self.camera().rig() == CameraRig::Fly && !self.world.has::<Gravity>(self.entity);
        if flies {
            let view = self.camera().view();
            let (forward, distance) = view.ahead();
            self.orbit(view.position.0 + forward * distance, distance);
            self.turn_by_itself(DRIFT_RATE);
        }
        flies
    }

    /// Circles the target of the orbit by itself, at so many rad per simulated second, counterclockwise seen from above.
    pub(in crate::sim) fn turn_by_itself(&mut self, rate: f32) {
        let rate = rate.clamp(-Orbit::MAX_TURN_RATE, Orbit::MAX_TURN_RATE);
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            orbit.turn_rate = rate;
        }
    }

    /// Starts along a path.
    pub(in crate::sim) fn take_path(&mut self, path: &Arc<CameraPath>) {
        self.fly();
        let path = ActivePath::new(path);
        path.start().apply(self.world, self.entity).expect(CAMERA);
        self.world.resources_mut().insert(path);
        self.world.insert(self.entity, PathProgress::default()).expect(CAMERA);
    }

    /// Gives all of a path one field of view, in rad.
    pub(super) fn set_fov_of_path(&mut self, fov_y: f32) {
        if !self.world.has::<PathProgress>(self.entity) {
            return;
        }
        let mut path = CameraPath::clone(&self.world.resource::<ActivePath>().path);
        for key in &mut path.keys {
            // Rounding must not leave the range of the file.
            key.fov = Some(f64::from(fov_y).to_degrees().clamp(10.0, 120.0));
        }
        self.world.resources_mut().insert(ActivePath::new(&Arc::new(path)));
    }

    /// Starts to orbit `target`, in m, at `distance` m.
    pub(in crate::sim) fn orbit(&mut self, target: Vec3, distance: f32) {
        let position = self.camera().view().position.0;
        let orbit = Orbit::approach(position, &self.camera().controls(), target, distance);
        self.fly();
        self.world.insert(self.entity, orbit).expect(CAMERA);
    }

    /// Makes an orbit continue smoothly from where a fall has moved the camera.
    pub(in crate::sim) fn resume_orbit(&mut self) {
        let CameraView { position, rotation, .. } = self.camera().view();
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            orbit.resume(position, rotation);
        }
    }

    /// Orbits the cube in the middle of the view, or a point as far ahead as the scene's origin.
    fn orbit_ahead(&mut self) {
        let view = self.camera().view();
        let (forward, origin) = view.ahead();
        let hit = view.ray(Vec2::ZERO, 1.0).and_then(|ray| self.cubes().pick(&ray));
        let [nearest, farthest] = Orbit::DISTANCES;
        let distance = hit.map_or(origin, |hit| hit.distance.clamp(nearest, farthest));
        let target = view.position.0 + forward * distance;
        self.orbit(target, distance);
        if let Some(field) = field(self.world) {
            self.end_fall_at(EndlessField::wrapped(field.period, target) - target);
        }
    }

    /// Moves the target of the orbit of a falling camera by the way from an image to the place that it shows, where
    /// the camera is after the fall. Until then it only turns.
    fn end_fall_at(&mut self, way: Vec3) {
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.entity) {
            orbit.shift(way);
        }
    }

    /// Orbits a cube at `distance` m, or as near as suits its size.
    fn approach(&mut self, cube: Entity, distance: Option<f32>) -> Result<(), Error> {
        self.world.get::<&Color>(cube)?;
        let Position(place) = evaluation::position(self.world, cube)?;
        let target = self.image_of(place);
        let edge = self.world.get::<&Scale>(cube)?.0;
        let focused = edge / (2.0 * FOCUS_SHARE * tan(self.camera().lens().fov_y / 2.0));
        self.orbit(target, distance.unwrap_or(focused));
        self.end_fall_at(place - target);
        Ok(())
    }

    /// Returns where a falling camera sees a place.
    fn image_of(&self, place: Vec3) -> Vec3 {
        let eye = self.camera().view().position.0;
        match field(self.world).filter(|_| self.world.has::<Gravity>(self.entity)) {
            Some(field) => eye + EndlessField::wrapped(field.period, place - eye),
            None => place,
        }
    }

    /// Stops turning and moving the camera from one fall mode to the other.
    pub(super) fn stop_glide(&mut self) {
        Glide::stop_motion(self.world);
    }

    pub(super) fn apply(&mut self, pose: Pose) {
        pose.apply(self.world, self.entity).expect(CAMERA);
    }

    pub(super) fn set_widened_view(&mut self, is_on: bool) {
        self.world.resources_mut().insert(WidenedView(is_on));
    }

    fn controls_mut(&mut self) -> &mut Controls {
        self.world.get_mut(self.entity).expect(CAMERA)
    }

    pub(super) fn camera(&self) -> Camera<'_> {
        Camera::new(self.world, self.entity)
    }

    fn cubes(&self) -> Cubes<'_> {
        Cubes::new(self.world)
    }
}

//! Camera: where it looks from, and the rig that holds it.

use glam::{Vec2, Vec3};

use super::{CAMERA, Simulation};
use crate::components::{Color, Controls, Orbit, Position, Scale};
use crate::ecs::{Entity, Error};
use crate::sim::camera::{CameraRig, CameraView, Follow, rotated};

/// How many times its edge the camera is away from a cube that it looks at, so that the cube takes
/// about a quarter of the height of the picture.
const EDGES_AWAY: f32 = 4.5;

/// Nearest and farthest place ahead, in m, that a camera circles if it is given none.
const AHEAD: [f32; 2] = [20.0, 400.0];

impl Simulation {
    /// What the camera sees from.
    #[must_use]
    pub fn camera(&self) -> CameraView {
        CameraView {
            position: *self.world.get(self.camera).expect(CAMERA),
            rotation: *self.world.get(self.camera).expect(CAMERA),
            lens: *self.world.get(self.camera).expect(CAMERA),
        }
    }

    /// What steers the camera; takes effect at the next step.
    pub fn controls_mut(&mut self) -> &mut Controls {
        self.world.get_mut(self.camera).expect(CAMERA)
    }

    /// Turns the view by so many pixels of dragging to the right and down.
    pub fn look(&mut self, right: f32, down: f32) {
        self.controls_mut().look(right, down);
    }

    /// Makes the camera fly faster by so many notches of the wheel, slower if negative; a camera
    /// that circles something goes nearer instead, or away.
    pub fn accelerate(&mut self, notches: f32) {
        match self.world.get_mut::<Orbit>(self.camera) {
            Ok(orbit) => orbit.zoom(notches),
            Err(_) => self.controls_mut().accelerate(notches),
        }
    }

    /// Pushes the camera by so many pixels that two fingers were dragged to the right and down, so
    /// that what is seen goes along with them, and nearer by so many notches.
    pub fn slide(&mut self, right: f32, down: f32, nearer: f32) {
        let controls = *self.controls_mut();
        let by = controls.slide(right, down);
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.camera) {
            orbit.shift(by);
            orbit.zoom(nearer);
        } else {
            let position = self.world.get_mut::<Position>(self.camera).expect(CAMERA);
            position.0 += by + controls.push(nearer);
        }
    }

    /// What holds the camera.
    #[must_use]
    pub fn camera_rig(&self) -> CameraRig {
        match (self.world.has::<Orbit>(self.camera), self.world.has::<Follow>(self.camera)) {
            (false, _) => CameraRig::Fly,
            (true, false) => CameraRig::Orbit,
            (true, true) => CameraRig::Follow,
        }
    }

    /// Goes on to the next rig and returns it: flying, circling the cube `selected` or else what is
    /// ahead, following `selected`, flying again. Without a cube that lives nothing is followed.
    ///
    /// # Errors
    /// The world refused, which is not expected of it.
    pub fn cycle_camera(&mut self, selected: Option<Entity>) -> Result<CameraRig, Error> {
        let cube = selected.filter(|&cube| self.cube(cube).is_some());
        match (self.camera_rig(), cube) {
            (CameraRig::Fly, Some(cube)) => self.focus(cube)?,
            (CameraRig::Fly, None) => self.circle_what_is_ahead()?,
            (CameraRig::Orbit, Some(cube)) => self.follow(cube)?,
            (CameraRig::Orbit | CameraRig::Follow, _) => self.fly()?,
        }
        Ok(self.camera_rig())
    }

    /// Turns to a cube, goes near and circles the place where it is now; a camera that follows a
    /// cube follows this one from now on.
    ///
    /// # Errors
    /// The entity is no cube of this world, or no longer lives.
    pub fn focus(&mut self, cube: Entity) -> Result<(), Error> {
        if self.camera_rig() == CameraRig::Follow {
            return self.follow(cube);
        }
        self.approach_cube(cube, None)
    }

    /// Turns to a cube, goes near and goes along with it from now on. When the cube is gone the
    /// camera goes on circling where it was last.
    ///
    /// # Errors
    /// The entity is no cube of this world, or no longer lives.
    pub fn follow(&mut self, cube: Entity) -> Result<(), Error> {
        self.approach_cube(cube, None)?;
        self.world.insert(self.camera, Follow(cube))
    }

    /// Turns to a cube and goes along with it from now on, as far away as it is, up to 2 km; as
    /// [`follow`](Self::follow) otherwise.
    ///
    /// # Errors
    /// As for [`follow`](Self::follow).
    pub fn follow_from_here(&mut self, cube: Entity) -> Result<(), Error> {
        let at = self.world.get::<Position>(cube)?.0;
        self.approach_cube(cube, Some(self.camera().position.0.distance(at)))?;
        self.world.insert(self.camera, Follow(cube))
    }

    /// The cube that the camera follows.
    #[must_use]
    pub fn followed(&self) -> Option<Entity> {
        self.world.get::<Follow>(self.camera).ok().map(|follow| follow.0)
    }

    /// Lets the camera fly freely from where it is.
    ///
    /// # Errors
    /// The world refused, which is not expected of it.
    pub fn fly(&mut self) -> Result<(), Error> {
        if self.world.has::<Follow>(self.camera) {
            self.world.remove::<Follow>(self.camera)?;
        }
        if self.world.has::<Orbit>(self.camera) {
            self.world.remove::<Orbit>(self.camera)?;
        }
        Ok(())
    }

    /// A camera that circles something and was moved by physics goes back from where it is.
    pub(super) fn resume_orbit(&mut self) {
        let CameraView { position, rotation, .. } = self.camera();
        if let Ok(orbit) = self.world.get_mut::<Orbit>(self.camera) {
            orbit.resume(position, rotation);
        }
    }

    /// The cube in the middle of the view, or what is as far away as the middle of the box.
    fn circle_what_is_ahead(&mut self) -> Result<(), Error> {
        let view = self.camera();
        let forward = rotated(view.rotation.0, Vec3::NEG_Z);
        let middle = view.ray(Vec2::ZERO, 1.0).and_then(|ray| self.pick(&ray));
        let away = match middle {
            Some(hit) => hit.distance,
            None => -view.position.0.dot(forward),
        };
        let away = away.clamp(AHEAD[0], AHEAD[1]);
        self.approach(view.position.0 + forward * away, away)
    }

    pub(super) fn approach(&mut self, target: Vec3, distance: f32) -> Result<(), Error> {
        let position = self.camera().position.0;
        let orbit = Orbit::approach(position, self.controls_mut(), target, distance);
        self.fly()?;
        self.world.insert(self.camera, orbit)
    }

    /// Goes as near to a cube as `distance` says, in m, or as suits its size.
    fn approach_cube(&mut self, cube: Entity, distance: Option<f32>) -> Result<(), Error> {
        self.world.get::<Color>(cube)?;
        let at = self.world.get::<Position>(cube)?.0;
        let edge = self.world.get::<Scale>(cube)?.0;
        self.approach(at, distance.unwrap_or(edge * EDGES_AWAY))
    }
}

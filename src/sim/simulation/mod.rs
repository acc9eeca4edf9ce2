//! Simulation: the front to the world of cubes and camera.

use glam::Vec3;

use crate::components::{
    Acceleration, Color, Controls, Gravity, Lens, Position, Rotation, Scale, Velocity,
};
use crate::ecs::{Changes, Component, Entity, Error, GroupId, SystemId, World};
use crate::sim::bundles::Cube;
use crate::sim::camera_control::camera_control;
use crate::sim::fall_mode::{FallMode, FallSwitch};
use crate::sim::lifecycle::Lifecycle;
use crate::sim::physics::physics;
use crate::sim::scene::{CubeStream, SceneSettings};
use crate::sim::state_hash::StateHash;
use crate::sim::time_step::TimeStep;

/// Where the camera starts, in m: before the box, a little above its middle.
const CAMERA_START: Vec3 = Vec3::new(0.0, 45.0, 275.0);

/// How far it looks down then, in rad, so that the ground is in the picture.
const CAMERA_PITCH: f32 = -0.21;

/// What the camera sees from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CameraView {
    /// Where it is.
    pub position: Position,
    /// Which way it looks.
    pub rotation: Rotation,
    /// How it sees.
    pub lens: Lens,
}

/// A scene that runs: the world, its systems, and the switch between the two [`FallMode`]s.
pub struct Simulation {
    world: World,
    /// `{Position, Rotation, Scale, Color}`: what is drawn. Around the group of what is drawn and falls.
    drawn: GroupId,
    camera: Entity,
    fall: FallSwitch,
    /// The systems that a pause stops: all but camera control.
    pausable: [SystemId; 2],
    paused: bool,
}

impl Simulation {
    /// Makes the scene, everything at rest.
    ///
    /// # Errors
    /// There is not enough memory for so many cubes.
    pub fn new(settings: SceneSettings, mode: FallMode) -> Result<Self, Error> {
        let mut world = World::new();
        world.register::<Position>()?;
        world.register::<Rotation>()?;
        world.register::<Scale>()?;
        world.register::<Color>()?;
        world.register::<Velocity>()?;
        world.register::<Acceleration>()?;
        world.register::<Gravity>()?;
        world.register::<Lens>()?;
        world.register::<Controls>()?;
        let drawn = world.group::<(Position, Rotation, Scale, Color)>()?;
        let falling = world.group::<Cube>()?;

        let mut cubes = CubeStream::new(settings);
        world.reserve::<Cube>(settings.cubes as usize + 1)?;
        world.spawn_batch((0..settings.cubes).map(|_| cubes.anywhere()))?;
        let controls = Controls { pitch: CAMERA_PITCH, ..Controls::default() };
        let camera = world.spawn((
            Position(CAMERA_START),
            controls.rotation(),
            Lens::default(),
            controls,
        ))?;

        world.add_system::<(Position, Rotation, Controls)>("camera control", camera_control)?;
        let pausable = [
            world.add_system::<(Position, Velocity, Acceleration, Gravity)>(
                "physics",
                physics(falling),
            )?,
            world
                .add_system::<(Position, Velocity)>("lifecycle", Lifecycle::new(falling, cubes))?,
        ];
        let mut fall = FallSwitch::new(falling, camera);
        fall.set(mode, &mut world)?;
        Ok(Self { world, drawn, camera, fall, pausable, paused: false })
    }

    /// Runs every system once. While paused only the camera can be moved.
    ///
    /// # Errors
    /// A system was refused a call on the world, which only an entity limit can cause.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), Error> {
        self.world.run(dt.seconds())
    }

    /// Who falls.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.fall.mode()
    }

    /// Makes the cubes or the camera fall: takes physics from the one and gives it to the other.
    /// Positions are kept, velocities start at rest.
    ///
    /// # Errors
    /// The world refused, which is not expected of it.
    pub fn set_mode(&mut self, mode: FallMode) -> Result<(), Error> {
        self.fall.set(mode, &mut self.world)
    }

    /// Whether nothing falls.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops all falling, or lets it go on.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        for system in self.pausable {
            self.world.set_system_enabled(system, !paused).expect("its own systems");
        }
    }

    /// How many cubes there are.
    #[must_use]
    pub fn cubes(&self) -> usize {
        self.world.group_len(self.drawn).expect(DRAWN)
    }

    /// One component of every cube, as they lie, and which of them may have changed when: `T` is
    /// [`Position`], [`Rotation`], [`Scale`] or [`Color`]. Index `i` is the same cube in all four.
    ///
    /// # Panics
    /// `T` is another component.
    #[must_use]
    pub fn drawn<T: Component>(&self) -> (&[T], Changes<'_>) {
        let (values,) = self.world.slices::<(&T,)>(self.drawn).expect(DRAWN);
        (values, self.world.changes::<T>().expect(DRAWN))
    }

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

    /// Makes the camera fly faster by so many notches of the wheel; slower if negative.
    pub fn accelerate(&mut self, notches: f32) {
        self.controls_mut().accelerate(notches);
    }

    /// The entities behind the picture, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// One number for all entities and the bits of their components, in their order, and for what
    /// rests while the camera falls. The position of the random stream is not in it.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        for hashed in [
            hash.array::<Position>(&self.world),
            hash.array::<Rotation>(&self.world),
            hash.array::<Scale>(&self.world),
            hash.array::<Color>(&self.world),
            hash.array::<Velocity>(&self.world),
            hash.array::<Acceleration>(&self.world),
            hash.array::<Gravity>(&self.world),
            hash.array::<Lens>(&self.world),
            hash.array::<Controls>(&self.world),
        ] {
            hashed.expect("every component was registered");
        }
        for (cube, gravity) in self.fall.resting() {
            hash.one(cube, &gravity);
        }
        hash.finish()
    }
}

const DRAWN: &str = "what is drawn is a group of these components";
const CAMERA: &str = "nothing despawns the camera or takes its components";

//! Simulation: the front to the world of cubes and camera.

use glam::Vec3;

use super::camera_control::camera_control;
use super::fall_mode::{FallMode, FallSwitch};
use super::lifecycle::Lifecycle;
use super::physics::physics;
use super::scene::{CubeStream, SceneSettings};
use super::state_hash::StateHash;
use super::time_step::TimeStep;
use crate::components::{Color, Controls, Gravity, Lens, RigidBody, Transform};
use crate::ecs::{Entity, Error, GroupId, SystemId, World};

/// Where the camera starts, in m: before the box, level with its middle.
const CAMERA_START: Vec3 = Vec3::new(0.0, 0.0, 210.0);

/// What the camera sees from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CameraView {
    /// Where it is and which way it looks.
    pub transform: Transform,
    /// How it sees.
    pub lens: Lens,
}

/// A scene that runs: the world, its systems, and the switch between the two [`FallMode`]s.
pub struct Simulation {
    world: World,
    /// `{Transform, Color}`: what is drawn. Around the group of what is drawn and falls.
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
        world.register::<Transform>()?;
        world.register::<Color>()?;
        world.register::<RigidBody>()?;
        world.register::<Gravity>()?;
        world.register::<Lens>()?;
        world.register::<Controls>()?;
        let drawn = world.group::<(Transform, Color)>()?;
        let falling = world.group::<(Transform, Color, RigidBody, Gravity)>()?;

        let mut cubes = CubeStream::new(settings);
        world.reserve::<(Transform, Color, RigidBody, Gravity)>(settings.cubes as usize + 1)?;
        world.spawn_batch((0..settings.cubes).map(|_| cubes.anywhere()))?;
        let camera =
            world.spawn((Transform::at(CAMERA_START), Lens::default(), Controls::default()))?;

        world.add_system::<(Transform, Controls)>("camera control", camera_control)?;
        let pausable = [
            world.add_system::<(Transform, RigidBody, Gravity)>("physics", physics(falling))?,
            world.add_system::<(Transform, RigidBody)>(
                "lifecycle",
                Lifecycle::new(falling, cubes),
            )?,
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
        self.transforms().len()
    }

    /// Transforms of the cubes as they lie; index `i` is the same cube as in
    /// [`colors`](Self::colors).
    #[must_use]
    pub fn transforms(&self) -> &[Transform] {
        let (transforms,) = self.world.slices::<(&Transform,)>(self.drawn).expect(DRAWN);
        transforms
    }

    /// Colours of the cubes as they lie, see [`transforms`](Self::transforms).
    #[must_use]
    pub fn colors(&self) -> &[Color] {
        let (colors,) = self.world.slices::<(&Color,)>(self.drawn).expect(DRAWN);
        colors
    }

    /// Grows whenever [`colors`](Self::colors) may have changed.
    #[must_use]
    pub fn colors_revision(&self) -> u64 {
        self.world.revision::<Color>().expect(DRAWN)
    }

    /// What the camera sees from.
    #[must_use]
    pub fn camera(&self) -> CameraView {
        let transform = *self.world.get(self.camera).expect(CAMERA);
        CameraView { transform, lens: *self.world.get(self.camera).expect(CAMERA) }
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
            hash.array::<Transform>(&self.world),
            hash.array::<Color>(&self.world),
            hash.array::<RigidBody>(&self.world),
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

const DRAWN: &str = "the group of what is drawn lives as long as the simulation";
const CAMERA: &str = "nothing despawns the camera or takes its components";

//! Simulation: the front to the world of cubes and camera.

mod camera;
mod catalogue;
mod cubes;
#[cfg(feature = "scenes")]
mod from_scene;
mod population;
mod scenery;
#[cfg(feature = "snapshot")]
mod snapshot;
#[cfg(feature = "snapshot")]
mod snapshot_check;
#[cfg(feature = "snapshot")]
mod snapshot_file;
#[cfg(feature = "scenes")]
mod to_scene;
mod tuning;

#[cfg(feature = "snapshot")]
pub use self::snapshot::SimulationSnapshot;
#[cfg(feature = "snapshot")]
pub use self::snapshot_file::LoadError;

use glam::Vec3;

use crate::components::FallMode;
use crate::components::{
    Acceleration, AngularVelocity, Color, Controls, Gravity, Lens, Orbit, Position, Rotation,
    Scale, Velocity,
};
use crate::ecs::{Changes, Component, Entity, Error, GroupId, SystemId, World};
use crate::sim::bundles::{Cube, SpinningCube};
use crate::sim::camera::{Follow, fly, follow, orbit};
use crate::sim::fall_mode::FallSwitch;
use crate::sim::lifecycle::Lifecycle;
use crate::sim::physics::physics;
use crate::sim::scene::{CubeStream, SceneSettings};
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::spin::spin;
use crate::sim::state_hash::StateHash;
use crate::sim::time_step::TimeStep;
use crate::sim::tuning::Tuning;

/// Where the camera starts, in m: before the box, a little above its middle.
const CAMERA_START: Vec3 = Vec3::new(0.0, 45.0, 275.0);

/// How far it looks down then, in rad, so that the ground is in the picture.
const CAMERA_PITCH: f32 = -0.21;

/// A scene that runs: the world, its systems, and the switch between the two [`FallMode`]s.
pub struct Simulation {
    world: World,
    /// `{Position, Rotation, Scale, Color}`: what is drawn. Around the group of what is drawn and falls.
    drawn: GroupId,
    /// What is drawn, falls and spins. Inside of the group of what falls.
    spinning: GroupId,
    camera: Entity,
    fall: FallSwitch,
    /// The systems that a pause stops: all but those of the camera.
    pausable: [SystemId; 3],
    paused: bool,
    /// How often the cubes or the camera fell on.
    steps: u64,
    /// The cubes that people drop.
    dropped: CubeStream,
}

impl Simulation {
    /// Makes the scene, everything at rest.
    ///
    /// # Errors
    /// There is not enough memory for so many cubes.
    pub fn new(settings: SceneSettings, mode: FallMode) -> Result<Self, Error> {
        let (mut world, groups) = Self::prepare()?;
        let mut cubes = CubeStream::new(settings);
        world.reserve::<Cube>(settings.cubes as usize + 1)?;
        world.spawn_batch((0..settings.cubes).map(|_| cubes.anywhere()))?;
        let controls = Controls { pitch: CAMERA_PITCH, ..Controls::default() };
        let camera = (Position(CAMERA_START), Lens::default(), controls);
        Self::assemble(world, groups, camera, cubes, mode)
    }

    /// A world without entities, and its groups: what is drawn, what of it falls, and what of that
    /// spins.
    fn prepare() -> Result<(World, [GroupId; 3]), Error> {
        let mut world = World::new();
        catalogue::register(&mut world)?;
        let drawn = world.create_group::<(Position, Rotation, Scale, Color)>()?;
        let falling = world.create_group::<Cube>()?;
        let spinning = world.create_group::<SpinningCube>()?;
        Ok((world, [drawn, falling, spinning]))
    }

    /// Adds the camera and the systems to a world that has its cubes; further ones are from `cubes`.
    fn assemble(
        mut world: World,
        [drawn, falling, spinning]: [GroupId; 3],
        (position, lens, controls): (Position, Lens, Controls),
        cubes: CubeStream,
        mode: FallMode,
    ) -> Result<Self, Error> {
        let camera = world.spawn((position, controls.rotation(), lens, controls))?;
        let dropped = CubeStream::dropped(cubes.settings());
        world.resources_mut().insert(cubes);
        world.resources_mut().insert(SpawnStats::default());
        world.resources_mut().insert(Tuning::default());
        world.schedule_mut().add_system::<(Position, Rotation, Controls)>("camera control", fly)?;
        let pausable = [
            world.schedule_mut().add_system::<(Position, Velocity, Acceleration, Gravity)>(
                "physics",
                physics(falling),
            )?,
            world
                .schedule_mut()
                .add_system::<(Rotation, AngularVelocity)>("spin", spin(spinning))?,
            world
                .schedule_mut()
                .add_system::<(Position, Velocity)>("lifecycle", Lifecycle::new(falling))?,
        ];
        // After all that moves cubes, so that the camera sees them from where they are now.
        world.schedule_mut().add_system::<(Controls, Orbit, Follow)>("camera follow", follow)?;
        world
            .schedule_mut()
            .add_system::<(Position, Rotation, Controls, Orbit)>("camera orbit", orbit)?;
        let mut fall = FallSwitch::new(falling, camera);
        fall.set(mode, scenery::velocities(&world), &mut world)?;
        Ok(Self {
            world,
            drawn,
            spinning,
            camera,
            fall,
            pausable,
            paused: false,
            steps: 0,
            dropped,
        })
    }

    /// Runs every system once. While paused only the camera can be moved.
    ///
    /// # Errors
    /// A system was refused a call on the world, which only an entity limit can cause.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), Error> {
        self.world.run(dt.seconds())?;
        self.steps += u64::from(!self.paused);
        Ok(())
    }

    /// How many steps were run since the scene began; those while paused do not count.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Who falls.
    #[must_use]
    pub fn mode(&self) -> FallMode {
        self.fall.mode()
    }

    /// Makes the cubes or the camera fall: takes physics from the one and gives it to the other.
    /// Positions are kept. Velocities start at rest, but for those of the cubes of a scene file, which
    /// go on as fast as they were.
    ///
    /// # Errors
    /// The world refused, which is not expected of it.
    pub fn set_mode(&mut self, mode: FallMode) -> Result<(), Error> {
        if mode != self.fall.mode() {
            self.fall.set(mode, scenery::velocities(&self.world), &mut self.world)?;
            self.resume_orbit();
        }
        Ok(())
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
            self.world.schedule_mut().set_enabled(system, !paused).expect("its own systems");
        }
    }

    /// Switches one of the [world](Self::world)'s systems on or off; a pause that ends switches all
    /// on that it stops.
    ///
    /// # Errors
    /// The system is of another world.
    pub fn set_system_enabled(&mut self, system: SystemId, enabled: bool) -> Result<(), Error> {
        self.world.schedule_mut().set_enabled(system, enabled)
    }

    /// How many cubes there are.
    #[must_use]
    pub fn cubes(&self) -> usize {
        self.world.group(self.drawn).expect(DRAWN).len()
    }

    /// One component of every cube, as they lie, and which of them may have changed when: `T` is
    /// [`Position`], [`Rotation`], [`Scale`] or [`Color`]. Index `i` is the same cube in all four.
    ///
    /// # Panics
    /// `T` is another component.
    #[must_use]
    pub fn drawn<T: Component>(&self) -> (&[T], Changes<'_>) {
        let (values,) = self.world.group(self.drawn).expect(DRAWN).slices::<(&T,)>().expect(DRAWN);
        (values, self.world.view::<T>().expect(DRAWN).changes())
    }

    /// The entities behind the picture, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// One number for all entities and the bits of their components, in their order, and for what
    /// rests while the camera falls. What entities are called and which templates they are of is not
    /// in it, nor are tuning, pause, counts, light and the positions of the random streams.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        catalogue::hash(&mut hash, &self.world).expect("every component was registered");
        let resting = self.fall.resting().filter(|(cube, _)| self.world.contains(*cube));
        for (cube, physics) in resting {
            hash.one(cube, &physics.body.velocity);
            hash.one(cube, &physics.body.acceleration);
            hash.one(cube, &physics.gravity);
        }
        if let Ok(orbit) = self.world.get::<Orbit>(self.camera) {
            hash.one(self.camera, orbit);
        }
        if let Ok(followed) = self.world.get::<Follow>(self.camera) {
            hash.one(self.camera, &followed.0.to_bits());
        }
        hash.finish()
    }
}

const DRAWN: &str = "what is drawn is a group of these components";
const CAMERA: &str = "nothing despawns the camera or takes its components";

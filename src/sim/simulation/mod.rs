//! The simulation: a world of cubes and a camera, and the systems that move them.

mod from_scene;
mod motion;
mod name_table;
mod pause;
mod scene_context;
pub(super) mod snapshot;
mod snapshot_check;
pub(super) mod snapshot_file;
mod to_scene;

use std::fmt;
use std::time::Duration;

use glam::Vec3;

use crate::components::{
    Acceleration, AngularVelocity, Color, Coloring, Controls, Drag, EndlessField, FallMode,
    Gravity, Lens, Motion, Orbit, Position, Rotation, Velocity,
};
use crate::ecs::{Entity, Error, Pass, SystemId, World};
use crate::sim::SceneSettings;
use crate::sim::bundles::{EvaluatedSpinningCube, SpinningCube};
use crate::sim::camera::{
    CAMERA_FALLS_PITCH, CUBES_FALL_PITCH, Camera, CameraMut, Follow, Glide, PathProgress,
    WidenedView, fly, follow, glide, move_by_itself, orbit, start_glide,
};
use crate::sim::clock::MotionClock;
use crate::sim::coloring;
use crate::sim::component_list;
use crate::sim::cube_generator::{CubeGenerator, MAX_CUBES};
use crate::sim::cubes::{Cubes, CubesMut};
use crate::sim::drag::drag;
use crate::sim::due;
use crate::sim::endless::{self, Period};
use crate::sim::fall_switch::FallSwitch;
use crate::sim::groups::Groups;
use crate::sim::lifecycle::Lifecycle;
use crate::sim::physics;
use crate::sim::restate::restate_all;
use crate::sim::source::SceneSource;
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::spin::{self, spin_by_seed, start_spin, stop_spin};
use crate::sim::state_hash::StateHash;
use crate::sim::time_step::TimeStep;
use crate::sim::timeline::Timeline;
use crate::sim::tuning::Tuning;

/// Start of the camera in the classic scene, in m: at the edge of the box while the cubes fall, else inside.
const CUBES_FALL_START: Vec3 = Vec3::new(0.0, -40.0, 104.0);
const CAMERA_FALLS_START: Vec3 = Vec3::new(60.0, 0.0, 0.0);

const SYSTEM: &str = "the system is one of this world";
const GROUPS: &str = "the groups exist as long as the world";

/// Number of systems that a pause stops.
const PAUSABLE: usize = 6;

/// A running scene: entities, systems, and the switch between the two [`FallMode`]s.
///
/// Cubes and camera are reached through [`cubes`](Self::cubes) and [`camera`](Self::camera), and
/// their `_mut` variants.
pub struct Simulation {
    world: World,
    camera: Entity,
    fall: FallSwitch,
    physics: SystemId,
    spin: SystemId,
    lifecycle: SystemId,
    /// All systems that a pause stops.
    pausable: [SystemId; PAUSABLE],
    /// While paused, which of them the pause has stopped.
    stopped: Option<[bool; PAUSABLE]>,
    steps: u64,
    /// Generates the cubes of [`CubesMut::spawn_at`].
    dropped: CubeGenerator,
}

/// Prints the world and the number of steps.
impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { world, steps, .. } = self;
        f.debug_struct("Simulation")
            .field("world", world)
            .field("steps", steps)
            .finish_non_exhaustive()
    }
}

impl Simulation {
    /// Returns a simulation of a scene, from [`SceneSettings`](crate::sim::SceneSettings) or a scene file.
    ///
    /// ```
    /// use cubefall::scenes::Scene;
    /// use cubefall::sim::{FallMode, SceneSettings, Simulation};
    ///
    /// let classic = SceneSettings { cubes: 1000, ..SceneSettings::default() };
    /// assert_eq!(Simulation::new(classic, FallMode::Cubes)?.cubes().count(), 1000);
    ///
    /// let json = r##"{"version": 1, "name": "one", "entities": [{"position": [0, 9, 0], "color": "#3060ff"}]}"##;
    /// let scene = Scene::parse("one.json", json.as_bytes())?;
    /// let mode = scene.mode;
    /// assert_eq!(Simulation::new(scene, mode)?.cubes().count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are more than [`MAX_CUBES`] cubes, or not enough memory for them.
    pub fn new(source: impl Into<SceneSource>, mode: FallMode) -> Result<Self, Error> {
        Self::with_overrides(source, mode, None, None)
    }

    /// Returns a simulation as [`new`](Self::new) does, with this motion and these factors instead of those of the scene.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with_overrides(
        source: impl Into<SceneSource>,
        mode: FallMode,
        motion: Option<Motion>,
        tuning: Option<Tuning>,
    ) -> Result<Self, Error> {
        let source = source.into();
        if source.cubes() > MAX_CUBES as usize {
            return Err(Error::EntityLimit { limit: MAX_CUBES });
        }
        let motion = motion.unwrap_or(source.motion());
        let tuning = tuning.unwrap_or(source.tuning());
        match source {
            SceneSource::Classic(settings) => {
                let mut simulation = Self::new_classic(settings, mode, motion)?;
                simulation.set_tuning(tuning)?;
                Ok(simulation)
            }
            SceneSource::File(scene) => {
                let mut simulation = Self::from_scene(&scene, mode, tuning)?;
                simulation.set_motion(motion)?;
                Ok(simulation)
            }
        }
    }

    /// Returns a simulation of a classic scene. Each cube spawns with all components, so that none is added to millions later.
    fn new_classic(settings: SceneSettings, mode: FallMode, motion: Motion) -> Result<Self, Error> {
        let mut world = Self::prepare(motion);
        let mut generator = CubeGenerator::new(settings);
        let cubes = (0..settings.cubes).map(|number| {
            let (cube, spin) = (generator.anywhere(number), AngularVelocity::default());
            SpinningCube { cube, spin }
        });
        match motion {
            Motion::Integrated => {
                world.reserve::<SpinningCube>(settings.cubes as usize + 1)?;
                world.spawn_batch(cubes)?;
            }
            Motion::Evaluated => {
                world.reserve::<EvaluatedSpinningCube>(settings.cubes as usize + 1)?;
                let epoch = MotionClock::default().epoch();
                world.spawn_batch(cubes.map(|cube| EvaluatedSpinningCube { cube, epoch }))?;
            }
        }
        let spinning = Groups::of(&world).spinning;
        spin_by_seed(&mut world, spinning, settings.seed)?;
        let camera = Self::default_camera(mode);
        let mut simulation = Self::assemble(world, camera, generator, false);
        simulation.world.resources_mut().insert(Tuning::default());
        simulation.set_coloring(Some(Coloring::default()))?;
        match mode {
            FallMode::Cubes => due::make_calendar(&mut simulation.world)?,
            FallMode::Camera => simulation.fall.set(mode, &mut simulation.world)?,
        }
        Ok(simulation)
    }

    /// Returns the camera of the classic scene, and of scene files without one.
    fn default_camera(mode: FallMode) -> (Position, Lens, Controls) {
        let (position, pitch) = match mode {
            FallMode::Cubes => (CUBES_FALL_START, CUBES_FALL_PITCH),
            FallMode::Camera => (CAMERA_FALLS_START, CAMERA_FALLS_PITCH),
        };
        let controls = Controls { pitch, ..Controls::default() };
        (Position(position), Lens::default(), controls)
    }

    /// Replaces the scene. The pause is kept. Tuning, coloring and motion are kept unless the two scenes
    /// differ in those they start with.
    ///
    /// # Errors
    /// As for [`new`](Self::new); nothing is changed then.
    pub fn reset(&mut self, source: impl Into<SceneSource>, mode: FallMode) -> Result<(), Error> {
        let source = source.into();
        let before = self.source();
        let motion = (source.motion() == before.motion()).then(|| self.motion());
        let tuning = (source.tuning() == before.tuning()).then(|| self.tuning());
        let colored = |source: &SceneSource| (source.coloring(), source.color_by());
        let keeps_coloring = colored(&source) == colored(&before);
        let mut fresh = Self::with_overrides(source, mode, motion, tuning)?;
        if keeps_coloring && fresh.coloring() != self.coloring() {
            fresh.set_coloring(self.coloring())?;
        }
        fresh.set_paused(self.is_paused());
        fresh.set_widened_view(self.has_widened_view());
        *self = fresh;
        Ok(())
    }

    /// Returns a world with components and groups, without entities.
    fn prepare(motion: Motion) -> World {
        let mut world = World::new();
        component_list::register(&mut world);
        Groups::create(&mut world, motion);
        world
    }

    /// Adds the camera and the systems to a world with cubes, which fall. Added cubes come from
    /// `generator`; `keep_velocities` is that of [`FallSwitch`].
    fn assemble(
        mut world: World,
        (position, lens, controls): (Position, Lens, Controls),
        generator: CubeGenerator,
        keep_velocities: bool,
    ) -> Self {
        let camera = world.spawn((position, controls.rotation(), lens, controls));
        let dropped = CubeGenerator::dropped(generator.settings());
        world.resources_mut().insert(generator);
        world.resources_mut().insert(SpawnStats::default());
        world.resources_mut().insert(Tuning { spin: 0.0, ..Tuning::default() });
        world.resources_mut().insert(None::<Coloring>);
        world.resources_mut().insert(Period::default());
        world.resources_mut().insert(WidenedView(true));
        world.resources_mut().insert(Glide::default());
        world.resources_mut().insert(MotionClock::default());
        let update = Pass::Update;
        let mut schedule = world.schedule_mut();
        let path = schedule.add_system::<(Position, Rotation, Controls, Lens, PathProgress)>(
            update,
            "camera path",
            move_by_itself,
        );
        schedule.add_system::<(Position, Controls)>(update, "camera glide", glide);
        schedule.add_system::<(Position, Rotation, Controls)>(update, "camera control", fly);
        let physics = schedule.add_system::<(Position, Velocity, Acceleration, Gravity)>(
            update,
            "physics",
            physics::move_all,
        );
        let drag = schedule
            .add_system::<(Position, Velocity, Acceleration, Gravity, Drag)>(update, "drag", drag);
        let spin =
            schedule.add_system::<(Rotation, AngularVelocity)>(update, "spin", spin::turn_all);
        let lifecycle =
            schedule.add_system::<(Position, Velocity)>(update, "lifecycle", Lifecycle::default());
        let color = schedule.add_system::<(Color, Position, Velocity)>(
            update,
            "color",
            coloring::repaint_moving,
        );
        // After all systems that move cubes, so that the camera follows their current positions.
        schedule.add_system::<(Controls, Orbit, Follow)>(update, "camera follow", follow);
        schedule.add_system::<(Position, Rotation, Controls, Orbit)>(update, "camera orbit", orbit);
        Self {
            fall: FallSwitch::new(camera, keep_velocities),
            world,
            camera,
            physics,
            spin,
            lifecycle,
            pausable: [physics, drag, spin, lifecycle, color, path],
            stopped: None,
            steps: 0,
            dropped,
        }
    }

    /// Runs every system once. While paused only the camera moves.
    ///
    /// # Errors
    /// A cube that respawned found no slot: each of 2^32 was used as often as possible.
    pub fn step(&mut self, dt: TimeStep) -> Result<(), Error> {
        let (scene_dt, mode) = (dt.seconds() * self.tuning().time, self.mode());
        let (is_paused, stands) = (self.is_paused(), !self.is_enabled(self.physics));
        let timeline = self.world.resources_mut().get_mut::<Timeline>();
        let switches = timeline.is_some_and(|timeline| {
            // Cubes that stand still do not rewind, so the time of the scene stands still with them.
            let rests = is_paused || (stands && timeline.rewinds());
            timeline.advance(if rests { 0.0 } else { scene_dt }, mode)
        });
        self.world.run(dt.seconds())?;
        // The step ends at the time of the switch, or less than a step later.
        if switches {
            self.set_mode(mode.flipped())?;
        }
        self.steps += u64::from(!self.is_paused());
        Ok(())
    }

    /// Number of steps since the scene began, without those while paused.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Which entities gravity acts on.
    pub fn mode(&self) -> FallMode {
        self.fall.mode()
    }

    /// Switches the fall mode: takes physics from the cubes and gives it to the camera, or the
    /// reverse. Cubes keep their positions, and those of a scene file their velocities; a camera that has just ended a
    /// fall continues it, and all else starts at rest. The camera glides to the view of the mode within half a second. A
    /// fall ends in the box of cubes: the camera moves by whole periods of the endless field, which cannot be seen.
    ///
    /// # Errors
    /// None that a caller can cause; too little memory ends the process, as for a [`Vec`].
    pub fn set_mode(&mut self, mode: FallMode) -> Result<(), Error> {
        if mode == self.mode() {
            return Ok(());
        }
        let velocity = self.camera().velocity();
        self.fall.set(mode, &mut self.world)?;
        match mode {
            FallMode::Camera => *self.world.get_mut(self.camera)? = velocity,
            FallMode::Cubes => {
                let rotation = self.camera().view().rotation;
                endless::face_cubes(&mut self.world, self.camera, rotation)?;
            }
        }
        self.camera_mut().resume_orbit();
        start_glide(&mut self.world, self.camera, mode, velocity)
    }

    /// Returns the field of cubes around a falling camera.
    pub fn field(&self) -> Option<EndlessField> {
        endless::field(&self.world)
    }

    /// Returns `true` if the view widens while the camera falls.
    pub fn has_widened_view(&self) -> bool {
        let WidenedView(is_on) = *self.world.resource();
        is_on
    }

    /// Sets whether the view widens while the camera falls. Does not affect the simulation.
    pub fn set_widened_view(&mut self, is_on: bool) {
        self.world.resources_mut().insert(WidenedView(is_on));
    }

    /// Time of the lifecycle in the last step; zero while it is disabled.
    pub fn lifecycle_time(&self) -> Duration {
        let system = self.world.schedule().get(self.lifecycle).expect(SYSTEM);
        system.time.filter(|_| system.enabled).unwrap_or_default()
    }

    /// Cubes spawned and removed since the scene began.
    pub fn spawn_stats(&self) -> SpawnStats {
        *self.world.resource()
    }

    /// Read access to the cubes.
    pub fn cubes(&self) -> Cubes<'_> {
        Cubes::new(&self.world)
    }

    /// Write access to the cubes.
    pub fn cubes_mut(&mut self) -> CubesMut<'_> {
        CubesMut::new(&mut self.world, &mut self.fall, &mut self.dropped)
    }

    /// Read access to the camera.
    pub fn camera(&self) -> Camera<'_> {
        Camera::new(&self.world, self.camera)
    }

    /// Write access to the camera.
    pub fn camera_mut(&mut self) -> CameraMut<'_> {
        CameraMut::new(&mut self.world, self.camera)
    }

    /// Factors of gravity, time and spin.
    pub fn tuning(&self) -> Tuning {
        *self.world.resource()
    }

    /// Sets the factors, each [clamped](Tuning::clamped) to its range. A spin above 0 gives every
    /// cube an [`AngularVelocity`] that depends only on the seed and its handle; 0 removes them.
    ///
    /// # Errors
    /// There is not enough memory for the angular velocities. The factors are as before then; cubes with evaluated motion
    /// may have new initial values on the same paths.
    pub fn set_tuning(&mut self, tuning: Tuning) -> Result<(), Error> {
        let (tuning, seed) = (tuning.clamped(), self.seed());
        let (before, groups) = (self.tuning(), Groups::of(&self.world));
        // The time factor acts on the clock only.
        let is_new_path = (before.gravity, before.spin) != (tuning.gravity, tuning.spin);
        if is_new_path {
            restate_all(&mut self.world)?;
        }
        let changed = match (before.spin > 0.0, tuning.spin > 0.0) {
            (false, true) => start_spin(&mut self.world, groups.drawn, seed),
            (true, false) => stop_spin(&mut self.world, groups.spinning),
            _ => Ok(()),
        };
        if changed.is_ok() {
            self.world.resources_mut().insert(tuning);
        }
        if is_new_path {
            // Also after an error: the cubes have been restated.
            due::make_calendar(&mut self.world)?;
        }
        changed
    }

    /// Returns the coloring, or else the default palette with what the scene selects colors by.
    pub fn coloring_or_default(&self) -> Coloring {
        let by = self.source().color_by();
        self.coloring().unwrap_or_else(|| Coloring { by, ..Coloring::default() })
    }

    /// Palette of the cubes; `None` if each has a color of its own.
    pub fn coloring(&self) -> Option<Coloring> {
        *self.world.resource()
    }

    /// Paints all cubes, and those that spawn later. `None` keeps the colors; cubes of a scene file
    /// then respawn with those of their templates.
    ///
    /// # Errors
    /// There is not enough memory. Nothing is changed then.
    pub fn set_coloring(&mut self, coloring: Option<Coloring>) -> Result<(), Error> {
        let before = self.coloring();
        self.world.resources_mut().insert(coloring);
        if let Err(error) = coloring::paint_all(&mut self.world) {
            self.world.resources_mut().insert(before);
            return Err(error);
        }
        coloring::paint_resting(&mut self.world, self.fall.resting())
    }

    /// The world, read-only.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Hash of all entities and the bits of their components in storage order, including the physics
    /// of cubes that hang still. Names, templates, tuning, pause, counts, light, the positions of the random
    /// streams and the clock of integrated motion are not part of it.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        component_list::hash(&mut hash, &self.world);
        for (cube, physics) in self.fall.resting() {
            hash.one(cube, &physics.body.velocity);
            hash.one(cube, &physics.body.acceleration);
            hash.one(cube, &physics.gravity);
        }
        if let Ok(orbit) = self.world.get::<&Orbit>(self.camera) {
            hash.one(self.camera, orbit);
        }
        if let Ok(followed) = self.world.get::<&Follow>(self.camera) {
            hash.one(self.camera, &followed.0.to_bits());
        }
        if let Ok(PathProgress(seconds)) = self.world.get::<&PathProgress>(self.camera) {
            hash.one(self.camera, &seconds.to_bits());
        }
        if self.motion() == Motion::Evaluated {
            hash.one(self.camera, &MotionClock::of(&self.world).units());
        }
        let glide = Glide::of(&self.world);
        if !glide.is_over() {
            hash.one(self.camera, &glide);
        }
        hash.finish()
    }

    fn generator(&self) -> &CubeGenerator {
        self.world.resource()
    }

    fn seed(&self) -> u64 {
        self.generator().settings().seed
    }
}

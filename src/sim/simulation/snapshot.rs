//! Snapshots: the complete state of a simulation, from which it continues to the bit.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Simulation;
use super::name_table::NameTable;
use super::scene_context::SceneContext;
use crate::components::{Coloring, FallMode, Motion};
use crate::ecs::{Entity, Error, Snapshot};
use crate::scenes::{CameraPath, Scene, TimelineSpec};
use crate::sim::bundles::Physics;
use crate::sim::camera::{ActivePath, Glide, NoGround, PathProgress};
use crate::sim::clock::MotionClock;
use crate::sim::component_list;
use crate::sim::cube_generator::{CubeGenerator, MAX_CUBES, SceneSettings};
use crate::sim::due;
use crate::sim::endless::Period;
use crate::sim::evaluation::StoppedSpin;
use crate::sim::fall_switch::FallSwitch;
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::template_spawner::TemplateSpawner;
use crate::sim::timeline::Timeline;
use crate::sim::tuning::Tuning;

/// Latest time on a timeline, in s: 30,000 years.
const MAX_SECONDS: f64 = 1e12;

/// The complete state of a [`Simulation`]. Its serialized form has no version: [`Simulation::save`] writes files with one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SimulationSnapshot {
    world: Snapshot<component_list::All>,
    camera: Entity,
    mode: FallMode,
    motion: Motion,
    /// Evaluated motion turns cubes.
    turns: bool,
    clock: MotionClock,
    /// Physics of the cubes that hang still.
    resting: Vec<(Entity, Physics)>,
    settings: SceneSettings,
    scene: Option<SavedScene>,
    /// Path that the camera is on, as JSON.
    camera_path: Option<String>,
    /// Positions of the random streams of added and of dropped cubes.
    positions: [u128; 2],
    spawn_stats: SpawnStats,
    tuning: Tuning,
    coloring: Option<Coloring>,
    /// Period of the field around a falling camera.
    period: Vec3,
    glide: Glide,
    paused: bool,
    steps: u64,
    /// Time on the timeline of the scene file, in s.
    timeline_seconds: f64,
}

/// The scene file of a simulation.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedScene {
    json: String,
    /// Content hash of the file itself, which may be formatted in another way than `json`.
    hash: u64,
    /// State of each template's random stream.
    positions: Vec<(u64, u128)>,
}

impl Simulation {
    /// Copies the complete state. Positions and velocities beyond their ranges are serialized as the nearest
    /// value in range.
    pub fn snapshot(&self) -> SimulationSnapshot {
        SimulationSnapshot {
            world: Snapshot::take(&self.world),
            camera: self.camera,
            mode: self.mode(),
            motion: self.motion(),
            turns: self.turns(),
            clock: MotionClock::of(&self.world),
            resting: self.fall.resting().collect(),
            settings: self.generator().settings(),
            scene: self.saved_scene(),
            camera_path: self.camera_path().map(|path| path.to_json()),
            positions: [self.generator().word_pos(), self.dropped.word_pos()],
            spawn_stats: self.spawn_stats(),
            tuning: self.tuning(),
            coloring: self.coloring(),
            period: self.period().0,
            glide: Glide::of(&self.world),
            paused: self.is_paused(),
            steps: self.steps,
            timeline_seconds: self.world.resources().get().map_or(0.0, Timeline::seconds),
        }
    }

    pub(super) fn period(&self) -> Period {
        self.world.resources().get().copied().unwrap_or_default()
    }

    /// Returns the path that the camera is on.
    pub(super) fn camera_path(&self) -> Option<&Arc<CameraPath>> {
        self.world.get::<&PathProgress>(self.camera).ok()?;
        self.world.resources().get::<ActivePath>().map(|active| &active.path)
    }

    /// Returns `true` while the camera is on the path of the scene file.
    #[cfg(feature = "cli")]
    pub(crate) fn is_on_path_of_scene(&self) -> bool {
        let context = self.world.resources().get::<SceneContext>();
        let of_scene = context.and_then(|context| context.scene.camera_path.as_ref());
        of_scene.is_some() && of_scene == self.camera_path().map(AsRef::as_ref)
    }

    fn saved_scene(&self) -> Option<SavedScene> {
        let SceneContext { scene, .. } = self.world.resources().get()?;
        let spawner: &TemplateSpawner = self.world.resources().get()?;
        let json = scene.to_json_of_any_size();
        Some(SavedScene { json, hash: scene.content_hash, positions: spawner.progress() })
    }

    /// Restores the resources of a scene file.
    fn restore_scene(&mut self, saved: &SavedScene, seconds: f64) -> Result<(), Error> {
        let scene = Scene::parse_any_size("snapshot", saved.json.as_bytes());
        let mut scene = scene.map_err(|_| Error::SnapshotMismatch)?;
        scene.content_hash = saved.hash;
        let scene = Arc::new(scene);
        let spawner = TemplateSpawner::new(&scene);
        if spawner.progress().len() != saved.positions.len() {
            return Err(Error::SnapshotMismatch);
        }
        self.world.resources_mut().insert(spawner.with_progress(&saved.positions));
        if scene.timeline != TimelineSpec::default() {
            self.world.resources_mut().insert(Timeline::new(scene.timeline, seconds));
        }
        if !scene.ground {
            self.world.resources_mut().insert(NoGround);
        }
        self.world.resources_mut().insert(SceneContext::new(&scene, NameTable::of(&scene)));
        Ok(())
    }

    /// Returns a simulation that continues from a snapshot, to the bit. Its world is a new one:
    /// it refuses handles of the saved world, but entities have the same indices and generations.
    ///
    /// All systems are enabled, except those that a saved pause stops. If spin was disabled, cubes with evaluated
    /// motion are restated: equal up to rounding.
    ///
    /// # Errors
    /// The snapshot is damaged: no simulation has such a state.
    pub fn from_snapshot(snapshot: SimulationSnapshot) -> Result<Self, Error> {
        let SimulationSnapshot { world, mode, settings, scene, tuning, .. } = snapshot;
        if !(0.0..=MAX_SECONDS).contains(&snapshot.timeline_seconds) {
            return Err(Error::SnapshotMismatch);
        }
        if settings.cubes > MAX_CUBES || tuning != tuning.clamped() {
            return Err(Error::SnapshotMismatch);
        }
        let empty = SceneSettings { cubes: 0, ..settings };
        let mut simulation = Self::new(empty, FallMode::Cubes)?;
        simulation.set_motion(snapshot.motion)?;
        world.restore(&mut simulation.world)?;
        // Handles of the saved world become handles of this one.
        let id = simulation.world.id();
        let own =
            |entity: Entity| Entity::from_bits(entity.to_bits(), id).ok_or(Error::SnapshotMismatch);
        let camera = own(snapshot.camera)?;
        let resting = snapshot.resting.into_iter().map(|(cube, physics)| Ok((own(cube)?, physics)));
        let resting: Vec<_> = resting.collect::<Result<_, Error>>()?;
        simulation.fall = FallSwitch::restored(mode, camera, scene.is_some(), resting);
        simulation.camera = camera;
        let [added, dropped] = snapshot.positions;
        let generator = if scene.is_some() { CubeGenerator::added } else { CubeGenerator::new };
        simulation.world.resources_mut().insert(generator(settings).at(added));
        simulation.dropped = CubeGenerator::dropped(settings).at(dropped);
        simulation.world.resources_mut().insert(snapshot.spawn_stats);
        simulation.world.resources_mut().insert(tuning);
        simulation.world.resources_mut().insert(snapshot.clock);
        simulation.world.resources_mut().insert(snapshot.coloring);
        simulation.world.resources_mut().insert(Period(snapshot.period));
        simulation.world.resources_mut().insert(snapshot.glide);
        simulation.steps = snapshot.steps;
        simulation.set_paused(snapshot.paused);
        if let Some(scene) = scene {
            simulation.restore_scene(&scene, snapshot.timeline_seconds)?;
        }
        if let Some(json) = snapshot.camera_path {
            let path = CameraPath::parse("snapshot", json.as_bytes());
            let path = Arc::new(path.map_err(|_| Error::SnapshotMismatch)?);
            simulation.world.resources_mut().insert(ActivePath::new(&path));
        }
        simulation.check()?;
        if snapshot.turns {
            due::make_calendar(&mut simulation.world)?;
        } else {
            // All systems are enabled again. Cubes turn from the rotations at which they stopped.
            simulation.world.resources_mut().insert(StoppedSpin);
            simulation.set_turning(true)?;
        }
        // Arrays that were read have grown by doubling.
        simulation.world.shrink_to(0);
        Ok(simulation)
    }
}

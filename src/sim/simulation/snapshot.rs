//! Snapshot: a simulation in the middle of its fall, to go on from as if nothing had happened.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::scenery::Scenery;
use super::{FallMode, Simulation, catalogue};
use crate::components::{Acceleration, Gravity, RigidBody, Velocity};
use crate::ecs::{Entity, Error, Snapshot};
use crate::scenes::Scene;
use crate::sim::bundles::Physics;
use crate::sim::camera::Follow;
use crate::sim::kinds::Kinds;
use crate::sim::scene::{CubeStream, MOST_CUBES, SceneSettings};
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::tuning::Tuning;

/// All that a [`Simulation`] is made of but its code.
#[derive(Serialize, Deserialize)]
pub struct SimulationSnapshot {
    world: Snapshot<catalogue::All>,
    camera: Entity,
    mode: FallMode,
    /// Who hangs still while the camera falls, and how each will fall again.
    resting: Vec<Resting>,
    stream: SceneSettings,
    /// The scene file it began with, if it did.
    file: Option<SavedScene>,
    /// How far the streams of the scene and of what people drop are drawn.
    positions: [u128; 2],
    spawn_stats: SpawnStats,
    tuning: Tuning,
    paused: bool,
    steps: u64,
}

/// A scene file, and what its templates have come to.
#[derive(Serialize, Deserialize)]
struct SavedScene {
    /// The content of the file, as the program writes it.
    text: String,
    /// Hash of the file as it was.
    hash: u64,
    /// What its entities are called.
    names: Vec<Box<str>>,
    /// How far each template has been drawn from.
    positions: Vec<(u64, u128)>,
}

/// A cube that hangs still.
#[derive(Serialize, Deserialize)]
struct Resting {
    cube: Entity,
    velocity: Velocity,
    acceleration: Acceleration,
    gravity: Gravity,
}

impl Simulation {
    /// Copies everything.
    #[must_use]
    pub fn snapshot(&self) -> SimulationSnapshot {
        let resting = self.fall.resting().map(|(cube, Physics { body, gravity })| Resting {
            cube,
            velocity: body.velocity,
            acceleration: body.acceleration,
            gravity,
        });
        SimulationSnapshot {
            world: Snapshot::take(&self.world).expect("the catalogue names every component"),
            camera: self.camera,
            mode: self.mode(),
            resting: resting.collect(),
            stream: self.stream().settings(),
            file: self.saved_scene(),
            positions: [self.stream().position(), self.dropped.position()],
            spawn_stats: self.spawn_stats(),
            tuning: self.tuning(),
            paused: self.paused,
            steps: self.steps,
        }
    }

    fn saved_scene(&self) -> Option<SavedScene> {
        let Scenery { names, scene, .. } = self.world.resources().get().ok()?;
        let kinds: &Kinds = self.world.resources().get().ok()?;
        let scene = scene.as_ref()?;
        let text = serde_json::to_string(&**scene).expect("a scene is JSON");
        let (names, positions) = (names.clone(), kinds.positions());
        Some(SavedScene { text, hash: scene.content_hash(), names, positions })
    }

    /// Takes over what a scene file says; false if it is none.
    fn resume_scene(&mut self, saved: SavedScene) -> bool {
        let Ok(scene) = serde_json::from_str::<Scene>(&saved.text) else { return false };
        let scene = Arc::new(scene.with_content_hash(saved.hash));
        let kinds = Kinds::new(&scene);
        let sound = kinds.positions().len() == saved.positions.len();
        self.world.resources_mut().insert(kinds.at(&saved.positions));
        self.world.resources_mut().insert(Scenery::of(&scene, saved.names));
        sound
    }

    /// A simulation that goes on from a snapshot, to the bit. Its world is a new one, so handles
    /// from before are refused; entities have the same numbers and generations.
    ///
    /// # Errors
    /// The snapshot is of a world that this program cannot have made.
    pub fn from_snapshot(snapshot: SimulationSnapshot) -> Result<Self, Error> {
        let SimulationSnapshot { world, mode, stream, tuning, .. } = snapshot;
        let mut simulation = Self::new(SceneSettings { cubes: 0, ..stream }, FallMode::Cubes)?;
        world.restore(&mut simulation.world)?;
        let id = simulation.world.id();
        // Handles of the world that was saved become those of this one.
        let own =
            |entity: Entity| Entity::from_bits(entity.to_bits(), id).ok_or(Error::SnapshotMismatch);
        simulation.camera = own(snapshot.camera)?;
        if let Ok(follow) = simulation.world.get_mut::<Follow>(simulation.camera) {
            follow.0 = own(follow.0)?;
        }
        let resting: Result<Vec<_>, Error> = snapshot
            .resting
            .into_iter()
            .map(|Resting { cube, velocity, acceleration, gravity }| {
                let body = RigidBody { velocity, acceleration };
                Ok((own(cube)?, Physics { body, gravity }))
            })
            .collect();
        simulation.fall.resume(mode, simulation.camera, resting?.into_iter());
        let [scene, dropped] = snapshot.positions;
        let cubes = if snapshot.file.is_some() { CubeStream::added } else { CubeStream::new };
        simulation.world.resources_mut().insert(cubes(stream).at(scene));
        simulation.dropped = CubeStream::dropped(stream).at(dropped);
        simulation.world.resources_mut().insert(snapshot.spawn_stats);
        simulation.world.resources_mut().insert(tuning);
        simulation.steps = snapshot.steps;
        simulation.set_paused(snapshot.paused);
        let file = snapshot.file.is_none_or(|file| simulation.resume_scene(file));
        let sound = stream.cubes <= MOST_CUBES && tuning == tuning.clamped();
        if file && sound && simulation.could_have_run()? {
            Ok(simulation)
        } else {
            Err(Error::SnapshotMismatch)
        }
    }

    /// Goes back to a snapshot; see [`from_snapshot`](Self::from_snapshot).
    ///
    /// # Errors
    /// As for [`from_snapshot`](Self::from_snapshot); nothing is changed then.
    pub fn restore(&mut self, snapshot: SimulationSnapshot) -> Result<(), Error> {
        *self = Self::from_snapshot(snapshot)?;
        Ok(())
    }
}

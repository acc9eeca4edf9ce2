//! Population: how many cubes there are, while they fall.

use super::{DRAWN, Simulation};
use crate::components::AngularVelocity;
use crate::ecs::{Entity, Error};
use crate::sim::FallMode;
use crate::sim::SceneSource;
use crate::sim::bundles::{Cube, Physics, SpinningCube};
use crate::sim::scene::{CubeStream, MOST_CUBES, SceneSettings};
use crate::sim::spawn_stats::SpawnStats;
use crate::sim::spin::own_spin;
use crate::sim::tuning::Tuning;

impl Simulation {
    /// How many cubes there are now, and the seed they come from.
    #[must_use]
    pub fn settings(&self) -> SceneSettings {
        SceneSettings { cubes: self.cubes() as u32, seed: self.stream().settings().seed }
    }

    /// Cubes spawned and removed since the scene began.
    #[must_use]
    pub fn spawn_stats(&self) -> SpawnStats {
        *self.world.resources().get().expect(STATS)
    }

    /// Makes it so many cubes, while they fall: further ones are drawn from the random stream, at
    /// rest anywhere in the box and as large as suits so many; if there are too many, the last ones
    /// go. While the camera falls the new cubes hang still like the others, and fall with them later
    /// on.
    ///
    /// # Errors
    /// `count` is above [`MOST_CUBES`], or there is not enough memory. Nothing is changed then.
    pub fn set_cubes(&mut self, count: u32) -> Result<(), Error> {
        if count > MOST_CUBES {
            return Err(Error::EntityLimit { limit: MOST_CUBES });
        }
        let mut stream = self.stream().clone();
        stream.set_cubes(count);
        let living = self.cubes();
        if count as usize > living {
            self.grow(count as usize - living, &mut stream)?;
        } else {
            self.shrink(living - count as usize);
        }
        *self.world.resources_mut().get_mut().expect(STREAM) = stream;
        self.dropped.set_cubes(count);
        Ok(())
    }

    /// Begins a scene in the place of this one, with the pause of this one, and with its [`Tuning`], too,
    /// unless the two scenes have others of their own.
    ///
    /// # Errors
    /// There is not enough memory for so many cubes; nothing is changed then.
    pub fn reset(&mut self, start: &SceneSource, mode: FallMode) -> Result<(), Error> {
        let mut fresh = start.simulation(mode)?;
        if fresh.tuning() == self.start().tuning() {
            fresh.tune(self.tuning())?;
        }
        fresh.set_paused(self.is_paused());
        *self = fresh;
        Ok(())
    }

    fn grow(&mut self, additional: usize, stream: &mut CubeStream) -> Result<(), Error> {
        let spinning = Tuning::of(&self.world).spin > 0.0;
        let world = &mut self.world;
        let cubes = (0..additional).map(|_| stream.anywhere());
        let born = match (self.fall.mode(), spinning) {
            (FallMode::Cubes, false) => {
                world.reserve::<Cube>(additional)?;
                world.spawn_batch(cubes)?
            }
            (FallMode::Cubes, true) => {
                world.reserve::<SpinningCube>(additional)?;
                let spin = AngularVelocity::default();
                world.spawn_batch(cubes.map(|cube| SpinningCube { cube, spin }))?
            }
            (FallMode::Camera, _) => {
                // Room for all of it, also for what is taken up again when they fall.
                world.reserve::<SpinningCube>(additional)?;
                let mut resting: Vec<Physics> = reserved(additional)?;
                let still = cubes.map(|Cube { transform, color, physics }| {
                    resting.push(physics);
                    (transform.position, transform.rotation, transform.scale, color)
                });
                let born = if spinning {
                    let spin = AngularVelocity::default();
                    world.spawn_batch(
                        still.map(|(place, turn, size, color)| (place, turn, size, color, spin)),
                    )?
                } else {
                    world.spawn_batch(still)?
                };
                self.fall.rest(born.iter().copied().zip(resting));
                born
            }
        };
        if spinning {
            let seed = stream.settings().seed;
            for &cube in &born {
                *self.world.get_mut(cube)? = own_spin(seed, cube);
            }
        }
        self.stats_mut().spawned += additional as u64;
        Ok(())
    }

    fn shrink(&mut self, gone: usize) {
        let cubes = self.world.group(self.drawn).expect(DRAWN).entities();
        // From the end, so that nobody changes places.
        let last: Vec<Entity> = cubes.rev().take(gone).collect();
        let despawned = self.world.despawn_batch(&last);
        self.fall.forget_the_dead(&self.world);
        self.stats_mut().removed += despawned as u64;
    }

    pub(super) fn stream(&self) -> &CubeStream {
        self.world.resources().get().expect(STREAM)
    }

    pub(super) fn stats_mut(&mut self) -> &mut SpawnStats {
        self.world.resources_mut().get_mut().expect(STATS)
    }
}

/// An empty array with room for `count` values, or an error where there is no memory for it.
pub(super) fn reserved<T>(count: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| Error::OutOfMemory { entities: count })?;
    Ok(values)
}

const STREAM: &str = "the simulation gave its world a stream of cubes";
const STATS: &str = "the simulation gave its world these counts";

//! Respawning: new cubes replace those that have landed, at the top or where their template says.

use super::bundles::{Cube, EvaluatedCube, EvaluatedSpinningCube, Physics, SpinningCube};
use super::calendar::{Calendar, Entry};
use super::coloring::Painter;
use super::cube_generator::CubeGenerator;
use super::due;
use super::evaluation::Evaluation;
use super::groups::Groups;
use super::landing::Landed;
use super::spin::own_spin;
use super::template_id::TemplateId;
use super::template_spawner::{TemplateSpawner, respawn_other};
use crate::components::{AngularVelocity, Epoch, Motion};
use crate::ecs::{Bundle, Entity, Error, World};

/// The components of a [`TemplateCube`](super::bundles::TemplateCube) as a tuple, with others after them.
macro_rules! with {
    ($cube:expr, $($other:expr),+) => {{
        let (position, rotation, scale, color, velocity, acceleration, gravity, name, template) =
            $cube.into_components();
        (
            position, rotation, scale, color, velocity, acceleration, gravity, name, template,
            $($other),+
        )
    }};
}

/// What new cubes have in common.
#[derive(Clone, Copy)]
struct Spawn {
    painter: Painter,
    /// Seed of the spins.
    seed: u64,
    spins: bool,
    motion: Motion,
    evaluation: Evaluation,
}

impl Spawn {
    /// Finishes a cube that spawns with this handle at the moment when the cube that it replaces had landed, so
    /// that its path does not depend on the time step. Returns its angular velocity and its epoch.
    fn finish(self, new: Entity, ticks_ago: u32, cube: &mut Cube) -> (AngularVelocity, Epoch) {
        self.painter.paint(new, cube);
        let spin = if self.spins { own_spin(self.seed, new) } else { AngularVelocity::default() };
        let epoch = Epoch(self.evaluation.now.wrapping_sub(ticks_ago));
        if self.motion == Motion::Integrated {
            let Cube { transform, physics: Physics { body, gravity }, .. } = cube;
            let moved = (&mut transform.position, &mut body.velocity);
            self.evaluation.advance(epoch, moved, (&body.acceleration, gravity));
            self.evaluation.turn(epoch, &mut transform.rotation, &spin);
        }
        (spin, epoch)
    }
}

/// Respawns landed cubes. Keeps its memory for the next step.
#[derive(Default)]
pub(super) struct Respawner {
    /// The cubes to replace, and then those that replace them.
    cubes: Vec<Entity>,
    /// The entities from templates.
    respawned: Vec<Entity>,
    /// Template and ticks since the landing of each of `cubes`, if these have templates.
    templates: Vec<(TemplateId, u32)>,
}

impl Respawner {
    /// Replaces each cube by a new one, at the top or where its template starts. The new cube spins if the old one did. New
    /// cubes come from the templates of the scene file, or else from the world's [`CubeGenerator`].
    ///
    /// The cubes are in storage order.
    pub(super) fn respawn(&mut self, world: &mut World, landed: &[Landed]) -> Result<(), Error> {
        self.respawned.clear();
        let spawn = Spawn {
            painter: Painter::of(world),
            seed: world.resource::<CubeGenerator>().settings().seed,
            spins: true,
            motion: Groups::of(world).motion,
            evaluation: Evaluation::of(world),
        };
        // Cubes that spin are stored before the others.
        let spinning = landed.partition_point(|it| world.has::<AngularVelocity>(it.cube));
        let (spinning, others) = landed.split_at(spinning);
        for (landed, spins) in [(spinning, true), (others, false)] {
            let spawn = Spawn { spins, ..spawn };
            let result = world.resource_scope(|world, spawner: &mut TemplateSpawner| {
                self.respawn_from_templates(world, spawner, landed, spawn)
            });
            let result = result.or_else(|| {
                world.resource_scope(|world, generator: &mut CubeGenerator| {
                    self.respawn_from_generator(world, generator, landed, spawn)
                })
            });
            result.unwrap_or(Ok(()))?;
        }
        due::enqueue(world, &self.respawned)
    }

    fn respawn_from_generator(
        &mut self,
        world: &mut World,
        generator: &CubeGenerator,
        landed: &[Landed],
        spawn: Spawn,
    ) -> Result<(), Error> {
        let cubes = &mut self.cubes;
        cubes.clear();
        cubes.extend(landed.iter().map(|it| it.cube));
        let new = |number: usize, new: Entity| {
            let mut cube = generator.replacement(new);
            let (spin, epoch) = spawn.finish(new, landed[number].ticks_ago, &mut cube);
            (cube, spin, epoch)
        };
        match (spawn.spins, spawn.motion) {
            (false, Motion::Integrated) => {
                respawn_all(world, cubes, |number, entity| new(number, entity).0)
            }
            (true, Motion::Integrated) => respawn_all(world, cubes, |number, entity| {
                let (cube, spin, _) = new(number, entity);
                SpinningCube { cube, spin }
            }),
            (false, Motion::Evaluated) => respawn_all(world, cubes, |number, entity| {
                let (cube, _, epoch) = new(number, entity);
                EvaluatedCube { cube, epoch }
            }),
            (true, Motion::Evaluated) => respawn_all(world, cubes, |number, entity| {
                let (cube, spin, epoch) = new(number, entity);
                EvaluatedSpinningCube { cube: SpinningCube { cube, spin }, epoch }
            }),
        }?;
        if let Some(calendar) = world.resources_mut().get_mut::<Calendar>() {
            let ticks_ago = landed.iter().map(|it| it.ticks_ago);
            let new = cubes.iter().copied().zip(ticks_ago);
            calendar.enqueue(entries(generator, spawn.evaluation, new));
        }
        Ok(())
    }

    fn respawn_from_templates(
        &mut self,
        world: &mut World,
        spawner: &TemplateSpawner,
        landed: &[Landed],
        spawn: Spawn,
    ) -> Result<(), Error> {
        self.cubes.clear();
        self.templates.clear();
        for &landed in landed {
            let Landed { cube, ticks_ago } = landed;
            let template = world.get::<&TemplateId>(cube).ok().copied();
            if let Some(template) = template.filter(|&it| spawner.spawns_cubes(it)) {
                self.cubes.push(cube);
                self.templates.push((template, ticks_ago));
            } else {
                let seed = spawn.spins.then_some(spawn.seed);
                self.respawned.push(respawn_other(
                    world,
                    spawner,
                    landed,
                    template,
                    seed,
                    spawn.evaluation,
                )?);
            }
        }
        let new = |number: usize, new: Entity| {
            let (template, ticks_ago) = self.templates[number];
            let mut cube = spawner.respawned_cube(template, new);
            let (spin, epoch) = spawn.finish(new, ticks_ago, &mut cube.cube);
            (cube, spin, epoch)
        };
        let cubes = &mut self.cubes;
        match (spawn.spins, spawn.motion) {
            (false, Motion::Integrated) => {
                world.respawn_batch(cubes, |number, entity| new(number, entity).0)
            }
            (true, Motion::Integrated) => world.respawn_batch(cubes, |number, entity| {
                let (cube, spin, _) = new(number, entity);
                with!(cube, spin)
            }),
            (false, Motion::Evaluated) => world.respawn_batch(cubes, |number, entity| {
                let (cube, _, epoch) = new(number, entity);
                with!(cube, epoch)
            }),
            (true, Motion::Evaluated) => world.respawn_batch(cubes, |number, entity| {
                let (cube, spin, epoch) = new(number, entity);
                with!(cube, spin, epoch)
            }),
        }?;
        self.respawned.extend_from_slice(cubes);
        Ok(())
    }
}

/// Returns the entries of replacements, each with the ticks since it spawned. Cubes of a cohort that spawn together
/// land together.
fn entries(
    generator: &CubeGenerator,
    evaluation: Evaluation,
    new: impl Iterator<Item = (Entity, u32)>,
) -> impl Iterator<Item = Entry> {
    let mut last = None;
    new.map(move |(cube, ticks_ago)| {
        let course = (generator.cohort_of(cube), ticks_ago);
        if let Some((known, tick)) = last
            && known == course
        {
            return Entry::new(cube, tick);
        }
        let age = due::age_of_new(cube, &generator.replacement(cube), evaluation.gravity);
        let tick = evaluation.now.wrapping_sub(ticks_ago).wrapping_add(age);
        let is_common = course.0.is_some() && age < due::OLD;
        last = is_common.then_some((course, tick));
        Entry::new(cube, tick)
    })
}

/// Respawns cubes and replaces their handles, on all threads of the current pool.
fn respawn_all<B: Bundle>(
    world: &mut World,
    cubes: &mut [Entity],
    make: impl Fn(usize, Entity) -> B + Sync,
) -> Result<(), Error> {
    #[cfg(parallel)]
    return world.par_respawn_batch(cubes, make);
    #[cfg(not(parallel))]
    world.respawn_batch(cubes, make)
}

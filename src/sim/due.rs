//! Due cubes: of the cubes with evaluated motion, those that have landed, and those with values so old that
//! they are restated.
//!
//! The [`Calendar`] of the world has an entry for each cube, those of a cohort in one range. Scenes that rewind have no
//! calendar, since nothing respawns there.

use super::bundles::{Cube, Physics};
use super::calendar::{Calendar, Entry, EntryRange};
use super::clock::{MotionClock, TICKS_PER_SECOND};
use super::evaluation::Evaluation;
use super::groups::Groups;
use super::landing::{Landed, landing_height, time_to_fall};
use super::parallel::map;
use super::restate::{restate, restate_all};
use super::timeline::rewinds;
use super::tuning::Tuning;
use crate::components::{Acceleration, Epoch, Gravity, Motion, Position, Scale, Velocity};
use crate::ecs::{Entity, Error, Group, World, WorldId};

/// Least age at which values are restated, in ticks: 64 s.
pub(super) const OLD: u32 = 64 * TICKS_PER_SECOND;

/// Cubes are restated at different ages, less than this above [`OLD`], so that those of one moment are not
/// restated in one step. No age reaches 2^24 ticks, up to which `f32` holds each exactly.
const SPREAD: u32 = 63 * TICKS_PER_SECOND;

/// Entries that a calendar may have beyond twice the number of cubes. Then it is made anew, without those of
/// despawned cubes.
const SURPLUS: usize = 1 << 16;

/// Mean length of entry ranges from which cubes are looked up on one thread: those of a range lie side by side in
/// memory, and reading them takes less time than waking other threads.
const LONG_RANGE: usize = 8;

/// Entries made at a time for a new calendar.
const ENTRIES: usize = 1 << 13;

/// Why a cube is due, and at which age of its values, in ticks.
#[derive(Clone, Copy)]
enum Due {
    /// It is below the ground.
    Landed(u32),
    /// Its values are old.
    Old(u32),
}

impl Due {
    fn age(self) -> u32 {
        match self {
            Self::Landed(age) | Self::Old(age) => age,
        }
    }
}

/// The members of the group of falling cubes, with the components from which their landing follows.
struct FallingCubes<'w> {
    group: Group<'w>,
    positions: &'w [Position],
    scales: &'w [Scale],
    velocities: &'w [Velocity],
    accelerations: &'w [Acceleration],
    gravities: &'w [Gravity],
    epochs: &'w [Epoch],
    gravity_factor: f32,
}

impl<'w> FallingCubes<'w> {
    fn of(world: &'w World) -> Result<Self, Error> {
        let group = world.group(Groups::of(world).falling)?;
        let (positions, scales, velocities, accelerations, gravities, epochs) =
            group.slices::<(&Position, &Scale, &Velocity, &Acceleration, &Gravity, &Epoch)>();
        Ok(Self {
            group,
            positions,
            scales,
            velocities,
            accelerations,
            gravities,
            epochs,
            gravity_factor: world.resource::<Tuning>().gravity,
        })
    }

    /// Returns when the cube at an index is due.
    #[inline]
    fn due(&self, index: usize, slot: u32) -> Due {
        let force = (&self.accelerations[index], &self.gravities[index]);
        let moving = (&self.positions[index], &self.velocities[index]);
        due(moving, force, self.scales[index], self.gravity_factor, slot)
    }

    /// Returns the entry of the cube at an index.
    #[inline]
    fn entry(&self, index: usize, cube: Entity) -> Entry {
        let Epoch(epoch) = self.epochs[index];
        Entry::new(cube, epoch.wrapping_add(self.due(index, cube.index()).age()))
    }
}

/// Returns when a cube is due; its slot spreads the ages of old values.
#[inline]
fn due(
    (position, velocity): (&Position, &Velocity),
    (acceleration, gravity): (&Acceleration, &Gravity),
    Scale(edge): Scale,
    gravity_factor: f32,
    slot: u32,
) -> Due {
    let acceleration = acceleration.with_gravity(*gravity, gravity_factor).y;
    let landing = time_to_fall(position.0.y - landing_height(edge), velocity.0.y, acceleration);
    let ticks = landing.map(|seconds| seconds * f64::from(TICKS_PER_SECOND));
    // A multiplicative hash (Knuth, volume 3, 6.4), scaled to the spread.
    let hash = u64::from(slot.wrapping_mul(0x9E37_79B9));
    let old = OLD + ((hash * u64::from(SPREAD)) >> 32) as u32;
    match ticks {
        Some(ticks) if ticks <= f64::from(old) => {
            // Rounded up without a call of `ceil`, which takes as long as the rest.
            let whole = ticks as u32;
            Due::Landed(whole + u32::from(f64::from(whole) < ticks))
        }
        _ => Due::Old(old),
    }
}

/// Returns the age at which a new cube is due, in ticks. It depends on the handle only if it is [`OLD`] or more.
pub(super) fn age_of_new(new: Entity, cube: &Cube, gravity_factor: f32) -> u32 {
    let Cube { transform, physics: Physics { body, gravity }, .. } = cube;
    let moving = (&transform.position, &body.velocity);
    let force = (&body.acceleration, gravity);
    due(moving, force, transform.scale, gravity_factor, new.index()).age()
}

/// Makes the calendar of a world anew: with an entry for each cube if motion is evaluated and cubes respawn,
/// otherwise none.
pub(super) fn make_calendar(world: &mut World) -> Result<(), Error> {
    // The old one is freed before the new one needs memory.
    world.resources_mut().remove::<Calendar>();
    if rewinds(world) || Groups::of(world).motion == Motion::Integrated {
        return Ok(());
    }
    let mut calendar = Calendar::new(MotionClock::of(world).ticks());
    let falling = FallingCubes::of(world)?;
    let (count, mut entries) = (falling.group.len(), Vec::new());
    for start in (0..count).step_by(ENTRIES) {
        map(ENTRIES.min(count - start), &mut entries, |number| {
            let index = start + number;
            falling.group.entity(index).map(|cube| falling.entry(index, cube))
        });
        calendar.enqueue(entries.iter().flatten().copied());
    }
    world.resources_mut().insert(calendar);
    Ok(())
}

/// Restates all cubes if no step has looked at the calendar for as long as values may be old: the lifecycle is
/// disabled. So ages stay exact, and far from where the counter of ticks wraps around.
pub(super) fn restate_unexamined(world: &mut World) -> Result<(), Error> {
    let now = MotionClock::of(world).ticks();
    if world.resources().get().is_some_and(|it: &Calendar| it.is_behind(now, OLD)) {
        restate_all(world)?;
        make_calendar(world)?;
    }
    Ok(())
}

/// Finds the cubes that have come due. Keeps its memory for the next step.
#[derive(Default)]
pub(super) struct DueCubes {
    ranges: Vec<EntryRange>,
    entries: Vec<Entry>,
    found: Vec<Option<Found>>,
    old: Vec<Entity>,
}

/// A living cube that is due.
#[derive(Clone, Copy)]
struct Found {
    index: u32,
    /// The number of its entry.
    entry: u32,
    has_landed: bool,
}

impl DueCubes {
    /// Appends the cubes that have landed after a step of so many ticks to `landed`, in storage order, and
    /// restates those with old values.
    pub(super) fn take_landed(
        &mut self,
        world: &mut World,
        step: u32,
        landed: &mut Vec<Landed>,
    ) -> Result<(), Error> {
        let cubes = world.group(Groups::of(world).falling)?.len();
        if world.resources().get().is_some_and(|it: &Calendar| it.len() > 2 * cubes + SURPLUS) {
            make_calendar(world)?;
        }
        let now = MotionClock::of(world).ticks();
        let Some(calendar) = world.resources_mut().get_mut::<Calendar>() else { return Ok(()) };
        self.ranges.clear();
        calendar.take_due(now, &mut self.ranges);
        self.examine([now, step], world.id(), &FallingCubes::of(world)?, landed);
        let evaluation = Evaluation::of(world);
        for &cube in &self.old {
            restate(world, cube, evaluation)?;
        }
        enqueue(world, &self.old)?;
        self.old.clear();
        Ok(())
    }

    /// Sorts the cubes of the due entries into `landed`, in storage order, and `old`. Skips those that do not fall any
    /// more. A cube keeps its course until all cubes are enqueued anew, or until it is due.
    fn examine(
        &mut self,
        [now, step]: [u32; 2],
        world: WorldId,
        falling: &FallingCubes<'_>,
        landed: &mut Vec<Landed>,
    ) {
        // Mostly the order of the arrays.
        self.ranges.sort_unstable_by_key(|range| range.first_slot());
        self.entries.clear();
        self.entries.extend(self.ranges.iter().flat_map(|range| range.entries()));
        let entries = &self.entries;
        let find = |number: usize| {
            let entry = entries[number];
            let cube = entry.cube(world)?;
            let index = falling.group.index_of(cube)?;
            // Few fall for so long.
            let has_landed = entry.tick.wrapping_sub(falling.epochs[index].0) < OLD
                || matches!(falling.due(index, entry.slot), Due::Landed(_));
            Some(Found { index: index as u32, entry: number as u32, has_landed })
        };
        if entries.len() < LONG_RANGE * self.ranges.len() {
            map(entries.len(), &mut self.found, find);
        } else {
            self.found.clear();
            self.found.extend((0..entries.len()).map(find));
        }
        let place = |found: &Option<Found>| found.map(|found| found.index);
        self.found.sort_unstable_by_key(place);
        self.found.dedup_by_key(|found| place(found));
        landed.reserve(self.found.len());
        for Found { entry, has_landed, .. } in self.found.drain(..).flatten() {
            let entry = self.entries[entry as usize];
            // Made again: a smaller `Found` is sorted faster.
            let Some(cube) = entry.cube(world) else { continue };
            if has_landed {
                landed.push(Landed { cube, ticks_ago: now.wrapping_sub(entry.tick).min(step) });
            } else {
                self.old.push(cube);
            }
        }
    }
}

/// Adds the entries of new cubes. Those that do not fall have none.
pub(super) fn enqueue(world: &mut World, cubes: &[Entity]) -> Result<(), Error> {
    let enqueued = world.resource_scope(|world, calendar: &mut Calendar| {
        let falling = FallingCubes::of(world)?;
        calendar.enqueue(cubes.iter().filter_map(|&cube| {
            let index = falling.group.index_of(cube)?;
            Some(falling.entry(index, cube))
        }));
        Ok(())
    });
    enqueued.unwrap_or(Ok(()))
}

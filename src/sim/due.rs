//! Due cubes: of the cubes with evaluated motion, those that have landed, and those with values so old that
//! they are restated.
//!
//! The [`Calendar`] of the world has an entry for each cube. Scenes that rewind have no calendar, since
//! nothing respawns there.

use super::calendar::Calendar;
use super::clock::{MotionClock, TICKS_PER_SECOND};
use super::groups::Groups;
use super::landing::{Landed, limit, time_to_fall};
use super::restate::restate;
use super::timeline::Timeline;
use super::tuning::Tuning;
use crate::components::{Acceleration, Epoch, Gravity, Motion, Position, Scale, Velocity};
use crate::ecs::{Entity, Error, Group, World};

/// Least age at which values are restated, in ticks: 64 s.
const OLD: u32 = 64 * TICKS_PER_SECOND;

/// Cubes are restated at different ages, less than this above [`OLD`], so that those of one moment are not
/// restated in one step. No age reaches 2^23 ticks, and `f32` holds each of these exactly.
const SPREAD: u32 = 63 * TICKS_PER_SECOND;

/// Entries that a calendar may have beyond twice the number of cubes. Then it is made anew, without those of
/// despawned cubes.
const SURPLUS: usize = 1 << 16;

/// Why a cube is due, and at which age of its values, in ticks.
#[derive(Clone, Copy)]
enum Due {
    /// It is below the floor.
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

    /// Returns when the cube at an index is due; its slot spreads the ages of old values.
    #[inline]
    fn due(&self, index: usize, slot: u32) -> Due {
        let height = self.positions[index].0.y - limit(self.scales[index].0);
        let force = self.gravities[index].0.y * self.gravity_factor;
        let acceleration = self.accelerations[index].0.y + force;
        let landing = time_to_fall(height, self.velocities[index].0.y, acceleration);
        let ticks = landing.map(|seconds| (seconds * f64::from(TICKS_PER_SECOND)).ceil());
        // A multiplicative hash (Knuth, volume 3, 6.4), scaled to the spread.
        let hash = u64::from(slot.wrapping_mul(0x9E37_79B9));
        let old = OLD + ((hash * u64::from(SPREAD)) >> 32) as u32;
        match ticks {
            Some(ticks) if ticks <= f64::from(old) => Due::Landed(ticks as u32),
            _ => Due::Old(old),
        }
    }

    /// Adds the entry of the cube at an index.
    #[inline]
    fn enter(&self, index: usize, slot: u32, calendar: &mut Calendar) {
        let Epoch(epoch) = self.epochs[index];
        calendar.enter(slot, epoch.wrapping_add(self.due(index, slot).age()));
    }
}

/// Makes the calendar of a world anew: with an entry for each cube if motion is evaluated and cubes respawn,
/// otherwise none.
pub(super) fn make_calendar(world: &mut World) -> Result<(), Error> {
    let rewinds = world.resources().get::<Timeline>().is_some_and(Timeline::rewinds);
    if rewinds || Groups::of(world).motion == Motion::Integrated {
        world.resources_mut().remove::<Calendar>();
        return Ok(());
    }
    let mut calendar = Calendar::new(MotionClock::of(world).ticks());
    let falling = FallingCubes::of(world)?;
    for (index, cube) in falling.group.entities().enumerate() {
        falling.enter(index, cube.index(), &mut calendar);
    }
    world.resources_mut().insert(calendar);
    Ok(())
}

/// Adds the entries of new cubes. Those that do not fall have none.
pub(super) fn enter(world: &mut World, cubes: &[Entity]) -> Result<(), Error> {
    let entered = world.resource_scope(|world, calendar: &mut Calendar| {
        let falling = FallingCubes::of(world)?;
        for &cube in cubes {
            if let Some(index) = falling.group.index_in_slot(cube.index()) {
                falling.enter(index, cube.index(), calendar);
            }
        }
        Ok(())
    });
    entered.unwrap_or(Ok(()))
}

/// Finds the cubes that have come due. Keeps its memory for the next step.
#[derive(Default)]
pub(super) struct DueCubes {
    slots: Vec<u32>,
    indices: Vec<usize>,
    old: Vec<Entity>,
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
        calendar.take_due(now, &mut self.slots);
        self.examine([now, step], &FallingCubes::of(world)?, landed);
        for &cube in &self.old {
            restate(world, cube)?;
        }
        enter(world, &self.old)?;
        self.old.clear();
        Ok(())
    }

    /// Sorts out the entries of cubes that were despawned, or have another course than when they were
    /// entered.
    fn examine(
        &mut self,
        [now, step]: [u32; 2],
        falling: &FallingCubes<'_>,
        landed: &mut Vec<Landed>,
    ) {
        let indices = self.slots.drain(..).filter_map(|slot| falling.group.index_in_slot(slot));
        self.indices.extend(indices);
        self.indices.sort_unstable();
        self.indices.dedup();
        for index in self.indices.drain(..) {
            let Some(cube) = falling.group.entity(index) else { continue };
            let age = now.wrapping_sub(falling.epochs[index].0);
            match falling.due(index, cube.index()) {
                Due::Landed(at) if age >= at => {
                    landed.push(Landed { cube, ticks_ago: (age - at).min(step) });
                }
                Due::Old(at) if age >= at => self.old.push(cube),
                _ => {}
            }
        }
    }
}

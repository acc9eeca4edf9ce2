//! A calendar queue: cubes by the tick at which each is due (Brown, "Calendar Queues", 1988).
//!
//! The days of a year are buckets on a ring. A step looks at the entries of the days that have passed since
//! the last one, and at no other cube. An entry of a later year stays in its bucket.
//!
//! Entries are not removed when a cube is despawned: the caller skips those that do not live when they come due.

use crate::ecs::{Entity, WorldId};

/// Ticks per bucket, as a power of 2: 8 ms of simulated time.
const BUCKET_BITS: u32 = 9;

/// Buckets per year, as a power of 2: a year is 128 s.
const YEAR_BITS: u32 = 14;

/// A cube, and the tick at which it is due.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Entry {
    /// Slot and generation of the cube: its handle, without the world that all share.
    pub(super) slot: u32,
    generation: u32,
    pub(super) tick: u32,
}

impl Entry {
    pub(super) fn new(cube: Entity, tick: u32) -> Self {
        Self { slot: cube.index(), generation: cube.generation(), tick }
    }

    /// Returns the handle of the cube, which is of `world`.
    pub(super) fn cube(self, world: WorldId) -> Option<Entity> {
        Entity::from_bits(u64::from(self.generation) << 32 | u64::from(self.slot), world)
    }
}

/// Entries of consecutive slots with the same generation and tick: the cubes of a cohort.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct EntryRange {
    first: Entry,
    count: u32,
}

impl EntryRange {
    /// The slot of the first entry.
    pub(super) fn first_slot(self) -> u32 {
        self.first.slot
    }

    /// The entries, by slot.
    pub(super) fn entries(self) -> impl Iterator<Item = Entry> {
        let Self { first, count } = self;
        (0..count).map(move |number| Entry { slot: first.slot + number, ..first })
    }

    /// Adds an entry, or returns `false` if it does not follow on the last one.
    #[inline]
    fn extend(&mut self, entry: Entry) -> bool {
        let Self { first, count } = self;
        let follows = entry == Entry { slot: first.slot.wrapping_add(*count), ..*first };
        *count += u32::from(follows);
        follows
    }
}

/// A calendar queue of cubes: a resource of worlds with evaluated motion.
pub(super) struct Calendar {
    buckets: Vec<Vec<EntryRange>>,
    /// Empty buckets of the past, whose memory the next ones reuse.
    spare: Vec<Vec<EntryRange>>,
    /// All entries up to this tick were taken.
    reached: u32,
    len: usize,
}

impl Calendar {
    /// Returns an empty calendar that starts at `now`, in ticks.
    pub(super) fn new(now: u32) -> Self {
        let buckets = (0..1 << YEAR_BITS).map(|_| Vec::new()).collect();
        Self { buckets, spare: Vec::new(), reached: now, len: 0 }
    }

    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns whether more than so many ticks have passed since entries were last taken.
    pub(super) fn is_behind(&self, now: u32, ticks: u32) -> bool {
        now.wrapping_sub(self.reached).cast_signed() > ticks.cast_signed()
    }

    /// Adds entries. Those of the past are due at once.
    #[inline]
    pub(super) fn enqueue(&mut self, entries: impl IntoIterator<Item = Entry>) {
        let mut entries = entries.into_iter();
        let Some(first) = entries.next() else { return };
        let mut range = EntryRange { first, count: 1 };
        for entry in entries {
            if !range.extend(entry) {
                self.add(range);
                range = EntryRange { first: entry, count: 1 };
            }
        }
        self.add(range);
    }

    fn add(&mut self, range: EntryRange) {
        let tick = range.first.tick;
        let is_past = tick.wrapping_sub(self.reached).cast_signed() < 0;
        let bucket = bucket_of(if is_past { self.reached } else { tick });
        let bucket = &mut self.buckets[bucket];
        if bucket.capacity() == 0
            && let Some(spare) = self.spare.pop()
        {
            *bucket = spare;
        }
        bucket.push(range);
        self.len += range.count as usize;
    }

    /// Moves the entries that are due at `now` or before to `due`, in no particular order.
    pub(super) fn take_due(&mut self, now: u32, due: &mut Vec<EntryRange>) {
        let passed = now.wrapping_sub(self.reached);
        if passed.cast_signed() < 0 {
            return;
        }
        let first = self.reached >> BUCKET_BITS;
        let days = (now >> BUCKET_BITS).wrapping_sub(first) & (u32::MAX >> BUCKET_BITS);
        for day in 0..=days.min((1 << YEAR_BITS) - 1) {
            let bucket = &mut self.buckets[bucket_of(first.wrapping_add(day) << BUCKET_BITS)];
            bucket.retain(|&range| {
                let is_due = now.wrapping_sub(range.first.tick).cast_signed() >= 0;
                if is_due {
                    self.len -= range.count as usize;
                    due.push(range);
                }
                !is_due
            });
            if bucket.is_empty() && bucket.capacity() > 0 {
                self.spare.push(std::mem::take(bucket));
            }
        }
        self.reached = now;
    }
}

#[inline]
fn bucket_of(tick: u32) -> usize {
    (tick >> BUCKET_BITS) as usize & ((1 << YEAR_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::sim::random::RandomStream;

    fn taken(calendar: &mut Calendar, now: u32) -> Vec<u32> {
        let mut due = Vec::new();
        calendar.take_due(now, &mut due);
        let mut slots: Vec<_> =
            due.iter().flat_map(|range| range.entries()).map(|it| it.slot).collect();
        slots.sort_unstable();
        slots
    }

    fn entry(slot: u32, tick: u32) -> Entry {
        Entry { slot, generation: 1, tick }
    }

    #[test]
    fn entries_come_due_at_their_tick_like_those_of_a_sorted_set() {
        // From shortly before the counter wraps around.
        let (start, mut random) = (u32::MAX - 3_000_000, RandomStream::new(5));
        let (mut calendar, mut expected) = (Calendar::new(start), BTreeSet::new());
        let mut passed = 0_u32;
        for slot in 0..40_000 {
            // Up to three years ahead.
            let ahead = random.below(3 << 23);
            calendar.enqueue([entry(slot, start.wrapping_add(passed).wrapping_add(ahead))]);
            expected.insert((passed + ahead, slot));
            if slot % 10 == 0 {
                passed += random.below(2000);
                let mut due = Vec::new();
                while expected.first().is_some_and(|&(tick, _)| tick <= passed) {
                    due.extend(expected.pop_first().map(|(_, slot)| slot));
                }
                due.sort_unstable();
                assert_eq!(taken(&mut calendar, start.wrapping_add(passed)), due);
                assert_eq!(calendar.len(), expected.len());
            }
        }
        assert!(expected.len() < 40_000);
        let last = start.wrapping_add(passed).wrapping_add(3 << 23);
        assert_eq!(taken(&mut calendar, last).len(), expected.len());
    }

    #[test]
    fn an_entry_of_the_past_is_due_at_once() {
        let mut calendar = Calendar::new(10_000);
        calendar.enqueue([entry(7, 9_000)]);
        assert_eq!(taken(&mut calendar, 10_000), [7]);
        assert_eq!((taken(&mut calendar, 10_000), calendar.len()), (vec![], 0));
    }

    #[test]
    fn an_entry_is_due_at_its_tick_and_not_before() {
        let mut calendar = Calendar::new(0);
        calendar.enqueue([entry(1, 700)]);
        assert!(taken(&mut calendar, 699).is_empty());
        assert_eq!(taken(&mut calendar, 700), [1]);
    }

    #[test]
    fn entries_of_consecutive_slots_are_one_range() {
        let mut calendar = Calendar::new(0);
        // Another tick, slot, or generation starts another range.
        let others = [entry(5, 701), entry(7, 701), Entry { generation: 2, ..entry(8, 701) }];
        calendar.enqueue([entry(3, 700), entry(4, 700)].into_iter().chain(others));
        let mut due = Vec::new();
        calendar.take_due(800, &mut due);
        assert_eq!(due.iter().map(|range| range.count).collect::<Vec<_>>(), [2, 1, 1, 1]);
        let entries: Vec<_> = due.iter().flat_map(|range| range.entries()).collect();
        assert_eq!(entries[..2], [entry(3, 700), entry(4, 700)]);
        assert_eq!((&entries[2..], calendar.len()), (&others[..], 0));
    }

    #[test]
    fn memory_of_past_buckets_is_reused() {
        let mut calendar = Calendar::new(0);
        for step in 0..100_000_u32 {
            calendar.enqueue([entry(step, step * 1000 + 5000)]);
            taken(&mut calendar, step * 1000);
        }
        let in_use = calendar.buckets.iter().filter(|bucket| bucket.capacity() > 0).count();
        assert!(in_use + calendar.spare.len() < 20);
    }
}

//! A world with groups around and inside of each other over the same arrays, and a plain map of what its
//! entities must have.

use std::collections::BTreeMap;

use cubefall::ecs::{Entity, Error, GroupId, World};

/// The component of type `N`: the number of its entity, times ten, plus `N`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Part<const N: u32>(pub(super) u32);

pub(super) const TYPES: usize = 6;

/// Evaluates `$do` with the constant `$N`, the number of a type.
macro_rules! for_type {
    ($number:expr, $N:ident, $do:expr) => {
        match $number {
            0 => {
                const $N: u32 = 0;
                $do
            }
            1 => {
                const $N: u32 = 1;
                $do
            }
            2 => {
                const $N: u32 = 2;
                $do
            }
            3 => {
                const $N: u32 = 3;
                $do
            }
            4 => {
                const $N: u32 = 4;
                $do
            }
            _ => {
                const $N: u32 = 5;
                $do
            }
        }
    };
}

/// How to create a group, and which components it owns and excludes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition {
    create: fn(&mut World) -> GroupId,
    owned: &'static [usize],
    excluded: &'static [usize],
}

const fn group(create: fn(&mut World) -> GroupId, owned: &'static [usize]) -> Definition {
    Definition { create, owned, excluded: &[] }
}

/// Groups over the six types: chains, disjoint ones, ones that join disjoint ones, and exclusions.
#[rustfmt::skip]
pub(super) const GROUPS: &[Definition] = &[
    group(World::create_group::<(Part<0>, Part<1>)>, &[0, 1]),
    group(World::create_group::<(Part<2>, Part<3>)>, &[2, 3]),
    group(World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>)>, &[0, 1, 2, 3]),
    group(World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>, Part<4>)>, &[0, 1, 2, 3, 4]),
    group(World::create_group::<(Part<4>,)>, &[4]),
    group(World::create_group::<(Part<2>, Part<3>, Part<4>)>, &[2, 3, 4]),
    group(World::create_group::<(Part<0>,)>, &[0]),
    Definition { create: World::create_group_without::<(Part<0>, Part<1>), (Part<5>,)>, owned: &[0, 1], excluded: &[5] },
    Definition { create: World::create_group_without::<(Part<0>, Part<1>, Part<2>), (Part<5>,)>, owned: &[0, 1, 2], excluded: &[5] },
    Definition { create: World::create_group_without::<(Part<3>,), (Part<0>,)>, owned: &[3], excluded: &[0] },
    group(World::create_group::<(Part<5>, Part<4>)>, &[4, 5]),
    group(World::create_group::<(Part<0>, Part<4>)>, &[0, 4]),
    group(World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>, Part<4>, Part<5>)>, &[0, 1, 2, 3, 4, 5]),
];

impl Definition {
    fn is_around(&self, inner: &Self) -> bool {
        let within = |one: &[usize], other: &[usize]| one.iter().all(|it| other.contains(it));
        within(self.owned, inner.owned) && within(self.excluded, inner.excluded)
    }

    /// Returns `true` if a world can have both groups.
    fn fits(&self, other: &Self) -> bool {
        self.owned.iter().all(|it| !other.owned.contains(it))
            || self.is_around(other)
            || other.is_around(self)
    }

    fn matches(&self, has: [bool; TYPES]) -> bool {
        self.owned.iter().all(|&owned| has[owned]) && !self.excluded.iter().any(|&not| has[not])
    }
}

/// Components of the entities, by handle, and the groups.
pub(super) struct Twin {
    pub(super) world: World,
    entities: BTreeMap<Entity, (u32, [bool; TYPES])>,
    groups: Vec<(GroupId, Definition)>,
    next: u32,
}

impl Twin {
    pub(super) fn new() -> Self {
        let mut world = World::new();
        for number in 0..TYPES {
            for_type!(number, N, {
                world.register::<Part<N>>();
            });
        }
        Self { world, entities: BTreeMap::new(), groups: Vec::new(), next: 0 }
    }

    /// Makes one call; `at` selects an entity, a group or a definition.
    pub(super) fn act(&mut self, call: u8, at: usize, number: usize) {
        let entity = self.entities.keys().nth(at % self.entities.len().max(1)).copied();
        let group = (!self.groups.is_empty()).then(|| at % self.groups.len());
        match (call, entity, group) {
            (0, ..) => _ = self.create_group(at % GROUPS.len()),
            (1..=6, Some(entity), _) => self.insert(entity, number),
            (7..=9, Some(entity), _) => self.remove(entity, number),
            (10..=12, Some(entity), _) => {
                self.world.despawn(entity).unwrap();
                self.entities.remove(&entity);
            }
            (13, ..) => {
                let gone: Vec<_> = self.entities.keys().copied().step_by(3).collect();
                assert_eq!(self.world.despawn_batch(&gone), gone.len());
                self.entities.retain(|entity, _| !gone.contains(entity));
            }
            (14, _, Some(group)) => {
                let (id, definition) = self.groups[group];
                let group = self.world.group_mut(id).unwrap();
                for_type!(definition.owned[0], N, {
                    group.sort_by::<Part<N>>(|a, b| (a.0 % 70).cmp(&(b.0 % 70)));
                });
            }
            (15, _, Some(group)) => {
                let (id, definition) = self.groups[group];
                for_type!(definition.owned[0], N, {
                    let taken = self.world.take_group::<(Part<N>,)>(id).unwrap();
                    for entity in &taken.entities {
                        assert!(!self.world.has::<Part<N>>(*entity));
                    }
                    let count = taken.entities.len();
                    assert_eq!(self.world.restore_group(taken), count);
                });
            }
            (16, _, Some(group)) => self.remove_group(group),
            _ => self.spawn(number + usize::from(call)),
        }
    }

    /// Creates a group, unless it does not fit to the others.
    pub(super) fn create_group(&mut self, definition: usize) -> Option<GroupId> {
        let definition = GROUPS[definition];
        if !self.groups.iter().all(|(_, other)| other.fits(&definition)) {
            return None;
        }
        let id = (definition.create)(&mut self.world);
        if self.groups.iter().all(|(group, _)| *group != id) {
            self.groups.push((id, definition));
        }
        Some(id)
    }

    /// Removes the group at an index of the list of groups.
    pub(super) fn remove_group(&mut self, at: usize) {
        let (id, _) = self.groups.remove(at);
        assert_eq!(self.world.remove_group(id), Ok(()));
        assert_eq!(self.world.group(id).err(), Some(Error::NoSuchGroup));
    }

    fn insert(&mut self, entity: Entity, number: usize) {
        let (value, has) = self.entities.get_mut(&entity).unwrap();
        if !std::mem::replace(&mut has[number], true) {
            let value = *value;
            for_type!(number, N, self.world.insert(entity, Part::<N>(value * 10 + N)).unwrap());
        }
    }

    fn remove(&mut self, entity: Entity, number: usize) {
        let (value, has) = self.entities.get_mut(&entity).unwrap();
        if std::mem::replace(&mut has[number], false) {
            let value = *value;
            for_type!(number, N, {
                let removed = self.world.remove::<Part<N>>(entity);
                assert_eq!(removed, Ok(Part(value * 10 + N)));
            });
        }
    }

    /// Spawns an entity of one of four kinds.
    pub(super) fn spawn(&mut self, kind: usize) {
        let part = |n| self.next * 10 + n;
        let (p0, p1, p2, p3) = (Part::<0>(part(0)), Part(part(1)), Part(part(2)), Part(part(3)));
        let (p1, p2, p3): (Part<1>, Part<2>, Part<3>) = (p1, p2, p3);
        let p4 = Part::<4>(part(4));
        let (entity, has) = match kind % 4 {
            0 => (self.world.spawn(()), [false; TYPES]),
            1 => (self.world.spawn((p0, p1)), [true, true, false, false, false, false]),
            2 => (self.world.spawn((p3, p0, p2)), [true, false, true, true, false, false]),
            _ => (self.world.spawn((p0, p1, p2, p3, p4)), [true, true, true, true, true, false]),
        };
        self.entities.insert(entity, (self.next, has));
        self.next += 1;
    }

    /// Checks the values of all entities, all arrays, and the members and slices of all groups.
    pub(super) fn check(&self) {
        for (&entity, (value, has)) in &self.entities {
            for (number, has) in has.iter().enumerate() {
                for_type!(number, N, {
                    let expected = has.then_some(Part::<N>(value * 10 + N));
                    assert_eq!(self.world.get::<&Part<N>>(entity).ok().copied(), expected);
                });
            }
        }
        for number in 0..TYPES {
            for_type!(number, N, {
                let view = self.world.view::<&Part<N>>();
                assert_eq!(view.values().len(), view.entities().count());
                for (part, entity) in view.values().iter().zip(view.entities()) {
                    assert_eq!(part.0, self.entities[&entity].0 * 10 + N);
                }
            });
        }
        assert_eq!(self.world.inspect().groups().len(), self.groups.len());
        for (group, definition) in &self.groups {
            let group = self.world.group(*group).unwrap();
            let mut members: Vec<_> = group.entities().collect();
            for &owned in definition.owned {
                for_type!(owned, N, {
                    let parts = group.slices::<&Part<N>>().iter().map(|part| part.0);
                    let expected = members.iter().map(|member| self.entities[member].0 * 10 + N);
                    assert!(parts.eq(expected), "the slices are parallel");
                });
            }
            members.sort_unstable();
            let expected = self.entities.iter().filter(|(_, (_, has))| definition.matches(*has));
            assert!(members.into_iter().eq(expected.map(|(&entity, _)| entity)), "{definition:?}");
        }
    }
}

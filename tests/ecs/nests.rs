//! Groups created in any order around and inside of each other, over the same arrays.

use std::collections::BTreeMap;

use cubefall::ecs::{Entity, Error, GroupId, World};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The component of type `N`: the number of its entity, times ten, plus `N`.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Part<const N: u32>(u32);

const TYPES: usize = 6;

/// Calls `$do!` for the number of a type.
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

/// Components of the entities, by handle, and what each group owns and excludes.
struct Twin {
    world: World,
    entities: BTreeMap<Entity, (u32, [bool; TYPES])>,
    groups: Vec<(GroupId, Vec<usize>, Vec<usize>)>,
    next: u32,
}

type CreateGroup = fn(&mut World) -> Result<GroupId, Error>;

/// Groups over the six types: chains, disjoint ones, ones that join disjoint ones, and exclusions.
#[rustfmt::skip]
const GROUPS: &[(CreateGroup, &[usize], &[usize])] = &[
    (World::create_group::<(Part<0>, Part<1>)>, &[0, 1], &[]),
    (World::create_group::<(Part<2>, Part<3>)>, &[2, 3], &[]),
    (World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>)>, &[0, 1, 2, 3], &[]),
    (World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>, Part<4>)>, &[0, 1, 2, 3, 4], &[]),
    (World::create_group::<(Part<4>,)>, &[4], &[]),
    (World::create_group::<(Part<2>, Part<3>, Part<4>)>, &[2, 3, 4], &[]),
    (World::create_group::<(Part<0>,)>, &[0], &[]),
    (World::create_group_without::<(Part<0>, Part<1>), (Part<5>,)>, &[0, 1], &[5]),
    (World::create_group_without::<(Part<0>, Part<1>, Part<2>), (Part<5>,)>, &[0, 1, 2], &[5]),
    (World::create_group_without::<(Part<3>,), (Part<0>,)>, &[3], &[0]),
    (World::create_group::<(Part<5>, Part<4>)>, &[4, 5], &[]),
    (World::create_group::<(Part<0>, Part<1>, Part<2>, Part<3>, Part<4>, Part<5>)>, &[0, 1, 2, 3, 4, 5], &[]),
];

impl Twin {
    fn new() -> Self {
        let mut world = World::new();
        for number in 0..TYPES {
            for_type!(number, N, {
                world.register::<Part<N>>().unwrap();
            });
        }
        Self { world, entities: BTreeMap::new(), groups: Vec::new(), next: 0 }
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

    fn spawn(&mut self, kind: u32) {
        let value = self.next;
        self.next += 1;
        let (entity, has) = match kind % 4 {
            0 => (self.world.spawn(()), [false; TYPES]),
            1 => {
                let bundle = (Part::<0>(value * 10), Part::<1>(value * 10 + 1));
                (self.world.spawn(bundle), [true, true, false, false, false, false])
            }
            2 => {
                let bundle =
                    (Part::<3>(value * 10 + 3), Part::<0>(value * 10), Part::<2>(value * 10 + 2));
                (self.world.spawn(bundle), [true, false, true, true, false, false])
            }
            _ => {
                let part = |n| value * 10 + n;
                let bundle = (
                    Part::<0>(part(0)),
                    Part::<1>(part(1)),
                    Part::<2>(part(2)),
                    Part::<3>(part(3)),
                    Part::<4>(part(4)),
                );
                (self.world.spawn(bundle), [true, true, true, true, true, false])
            }
        };
        self.entities.insert(entity.unwrap(), (value, has));
    }

    fn check(&self) {
        for (&entity, (value, has)) in &self.entities {
            for (number, has) in has.iter().enumerate() {
                for_type!(number, N, {
                    let expected = has.then_some(Part::<N>(value * 10 + N));
                    assert_eq!(self.world.get::<Part<N>>(entity).ok().copied(), expected);
                });
            }
        }
        for number in 0..TYPES {
            for_type!(number, N, {
                let view = self.world.view::<Part<N>>().unwrap();
                assert_eq!(view.values().len(), view.entities().len());
                for (part, entity) in view.values().iter().zip(view.entities()) {
                    assert_eq!(part.0, self.entities[&entity].0 * 10 + N);
                }
            });
        }
        for (group, owned, excluded) in &self.groups {
            let group = self.world.group(*group).unwrap();
            let matches = |has: &[bool; TYPES]| {
                owned.iter().all(|&owned| has[owned]) && !excluded.iter().any(|&not| has[not])
            };
            let mut members: Vec<_> = group.entities().collect();
            for &owned in owned {
                for_type!(owned, N, {
                    let (parts,) = group.slices::<(&Part<N>,)>().unwrap();
                    let expected = members.iter().map(|member| self.entities[member].0 * 10 + N);
                    assert!(
                        parts.iter().map(|part| part.0).eq(expected),
                        "the slices are parallel"
                    );
                });
            }
            members.sort_unstable();
            let expected = self.entities.iter().filter(|(_, (_, has))| matches(has));
            assert!(members.into_iter().eq(expected.map(|(&entity, _)| entity)), "{owned:?}");
        }
    }
}

#[test]
fn members_and_slices_are_right_for_groups_created_in_any_order() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..60 {
        let mut twin = Twin::new();
        let mut below = |count: usize| (random.next_u64() % count.max(1) as u64) as usize;
        for _ in 0..300 {
            let any = |twin: &Twin, at: usize| twin.entities.keys().nth(at).copied();
            let at = below(twin.entities.len());
            let (choice, number) = (below(20), below(TYPES));
            match (choice, any(&twin, at)) {
                (0, _) => {
                    let (create, owned, excluded) = GROUPS[below(GROUPS.len())];
                    // Groups that overlap are refused.
                    if let Ok(id) = create(&mut twin.world)
                        && twin.groups.iter().all(|(group, ..)| *group != id)
                    {
                        twin.groups.push((id, owned.to_vec(), excluded.to_vec()));
                    }
                }
                (1..=6, Some(entity)) => twin.insert(entity, number),
                (7..=9, Some(entity)) => twin.remove(entity, number),
                (10..=12, Some(entity)) => {
                    twin.world.despawn(entity).unwrap();
                    twin.entities.remove(&entity);
                }
                (13, Some(_)) => {
                    let gone: Vec<_> = twin.entities.keys().copied().step_by(3).collect();
                    assert_eq!(twin.world.despawn_batch(&gone), gone.len());
                    twin.entities.retain(|entity, _| !gone.contains(entity));
                }
                (14, Some(_)) if !twin.groups.is_empty() => {
                    let (id, owned, _) = twin.groups[below(twin.groups.len())].clone();
                    let group = twin.world.group_mut(id).unwrap();
                    for_type!(owned[0], N, {
                        group.sort_by::<Part<N>>(|a, b| (a.0 % 70).cmp(&(b.0 % 70))).unwrap();
                    });
                }
                (15, Some(_)) if !twin.groups.is_empty() => {
                    let (id, owned, _) = twin.groups[below(twin.groups.len())].clone();
                    for_type!(owned[0], N, {
                        let taken = twin.world.take_group::<(Part<N>,)>(id).unwrap();
                        for entity in &taken.entities {
                            assert!(!twin.world.has::<Part<N>>(*entity));
                        }
                        let count = taken.entities.len();
                        assert_eq!(twin.world.restore_group(taken), Ok(count));
                    });
                }
                _ => twin.spawn(number as u32 + choice as u32),
            }
        }
        twin.check();
    }
}

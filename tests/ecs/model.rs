//! The world against a naive twin: random operations, and every invariant after each of them.

use std::collections::BTreeMap;

use cubefall::ecs::{Entity, GroupId, World};

/// Four components; the number of each is its place in [`Twin`].
macro_rules! components {
    ($($name:ident)*) => { $(#[derive(Clone, Copy, PartialEq, Debug)] struct $name(u64);)* };
}
components!(A B C D);

/// What an entity should have, by component.
type Twin = [Option<u64>; 4];

/// Pseudo-random numbers (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
/// 2014).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

struct Pair {
    world: World,
    twin: BTreeMap<u64, (Entity, Twin)>,
    dead: Vec<Entity>,
    /// `{A, B}`, around `{A, B, C}`; and `{D}` of those without C.
    groups: Vec<(GroupId, u8, u8)>,
}

impl Pair {
    fn new() -> Self {
        let mut world = World::new();
        world.register::<A>().unwrap();
        world.register::<B>().unwrap();
        world.register::<C>().unwrap();
        world.register::<D>().unwrap();
        Self { world, twin: BTreeMap::new(), dead: Vec::new(), groups: Vec::new() }
    }

    fn form_groups(&mut self) {
        let world = &mut self.world;
        self.groups = vec![
            (world.group::<(A, B, C)>().unwrap(), 0b0111, 0),
            (world.group::<(A, B)>().unwrap(), 0b0011, 0),
            (world.group_without::<(D,), (C,)>().unwrap(), 0b1000, 0b0100),
        ];
    }

    fn live(&self, random: &mut SplitMix) -> Option<Entity> {
        let nth = random.below(self.twin.len().max(1));
        self.twin.values().nth(nth).map(|(entity, _)| *entity)
    }

    fn spawn(&mut self, random: &mut SplitMix) {
        let value = random.next();
        let (entity, twin) = match random.below(6) {
            0 => (self.world.spawn(()), [None; 4]),
            1 => (self.world.spawn((A(value), B(value))), [Some(value), Some(value), None, None]),
            2 => (
                self.world.spawn((A(value), B(value), C(value))),
                [Some(value), Some(value), Some(value), None],
            ),
            3 => (self.world.spawn((D(value), A(value), B(value), C(value))), [Some(value); 4]),
            4 => (self.world.spawn((B(value),)), [None, Some(value), None, None]),
            _ => (self.world.spawn((D(value),)), [None, None, None, Some(value)]),
        };
        let entity = entity.unwrap();
        assert!(
            self.twin.insert(entity.to_bits(), (entity, twin)).is_none(),
            "a handle given twice"
        );
    }

    fn despawn(&mut self, entity: Entity) {
        let alive = self.twin.remove(&entity.to_bits()).is_some();
        assert_eq!(self.world.despawn(entity).is_ok(), alive);
        self.dead.push(entity);
    }

    fn insert(&mut self, entity: Entity, component: usize, value: u64) {
        let world = &mut self.world;
        let done = match component {
            0 => world.insert(entity, A(value)),
            1 => world.insert(entity, B(value)),
            2 => world.insert(entity, C(value)),
            _ => world.insert(entity, D(value)),
        };
        let place = self.twin.get_mut(&entity.to_bits()).map(|(_, twin)| &mut twin[component]);
        let free = place.filter(|place| place.is_none());
        assert_eq!(done.is_ok(), free.is_some());
        if let Some(place) = free {
            *place = Some(value);
        }
    }

    fn remove(&mut self, entity: Entity, component: usize) {
        let world = &mut self.world;
        let done = match component {
            0 => world.remove::<A>(entity).map(|value| value.0),
            1 => world.remove::<B>(entity).map(|value| value.0),
            2 => world.remove::<C>(entity).map(|value| value.0),
            _ => world.remove::<D>(entity).map(|value| value.0),
        };
        let taken =
            self.twin.get_mut(&entity.to_bits()).and_then(|(_, twin)| twin[component].take());
        assert_eq!(done.ok(), taken);
    }

    fn check(&self) {
        if let [(inner, ..), (outer, ..), _] = self.groups[..] {
            let [inner, outer] =
                [inner, outer].map(|group| self.world.group_entities(group).unwrap());
            let outer: Vec<_> = outer.take(inner.len()).collect();
            assert_eq!(outer, inner.collect::<Vec<_>>(), "the nested group is a prefix");
        }
        assert_eq!(self.world.len(), self.twin.len());
        let query = self.world.query::<(Option<&A>, Option<&B>, Option<&C>, Option<&D>)>().unwrap();
        let mut visited = 0;
        for (entity, (a, b, c, d)) in query.iter() {
            let found = [a.map(|x| x.0), b.map(|x| x.0), c.map(|x| x.0), d.map(|x| x.0)];
            assert_eq!((entity, found), self.twin[&entity.to_bits()]);
            visited += 1;
        }
        assert_eq!(visited, self.twin.len());
        for &(group, owned, excluded) in &self.groups {
            let fits = |twin: &Twin| {
                let has = (0..4).filter(|&i| twin[i].is_some()).fold(0, |bits, i| bits | 1 << i);
                has & owned == owned && has & excluded == 0
            };
            let members: Vec<_> = self.world.group_entities(group).unwrap().collect();
            let expected = self.twin.values().filter(|(_, twin)| fits(twin)).count();
            assert_eq!(members.len(), expected);
            assert!(members.iter().all(|entity| fits(&self.twin[&entity.to_bits()].1)));
            macro_rules! check_slice {
                ($component:ident, $bit:literal) => {
                    if owned & $bit != 0 {
                        let (slice,) = self.world.slices::<(&$component,)>(group).unwrap();
                        assert_eq!(slice.len(), members.len());
                        let pairs = members.iter().zip(slice);
                        pairs.for_each(|(&entity, value)| {
                            assert_eq!(self.world.get(entity), Ok(value))
                        });
                    }
                };
            }
            check_slice!(A, 0b0001);
            check_slice!(B, 0b0010);
            check_slice!(C, 0b0100);
            check_slice!(D, 0b1000);
        }
    }
}

#[test]
fn random_operations_agree_with_the_twin_and_keep_every_invariant() {
    for seed in 0..40 {
        let mut random = SplitMix(seed);
        let mut pair = Pair::new();
        let grouped_from = random.below(200);
        for step in 0..500 {
            if step == grouped_from {
                pair.form_groups();
            }
            let component = random.below(4);
            let value = random.next();
            let target = match random.below(8) {
                0 => pair.dead.get(random.below(pair.dead.len().max(1))).copied(),
                _ => pair.live(&mut random),
            };
            match (random.below(10), target) {
                (0..3, _) | (_, None) => pair.spawn(&mut random),
                (3..5, Some(entity)) => pair.despawn(entity),
                (5..8, Some(entity)) => pair.insert(entity, component, value),
                (_, Some(entity)) => pair.remove(entity, component),
            }
            pair.check();
        }
    }
}

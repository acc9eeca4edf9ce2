//! Random orders of random systems: on any number of threads they do to a world, and see of it,
//! what they do and see when each of them has the world for itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use cubefall::ecs::{Error, GroupId, SystemId, Tick, World};
use proptest::prelude::*;
use rayon::ThreadPool;

use super::Frozen;
use super::stages::pools;

#[derive(Clone, Copy, PartialEq, Debug)]
struct A(u64);
#[derive(Clone, Copy, PartialEq, Debug)]
struct B(u64);
#[derive(Clone, Copy, PartialEq, Debug)]
struct C(u64);
#[derive(Clone, Copy, PartialEq, Debug)]
struct D(u64);

/// One entry of an order.
#[derive(Clone, Debug)]
struct Entry {
    kind: usize,
    /// Makes each do something else.
    salt: u64,
    inner_group: bool,
    draws: bool,
    enabled: bool,
}

fn order() -> impl Strategy<Value = Vec<Entry>> {
    let some = prop::bool::weighted;
    let entry = (0..KINDS, any::<u64>(), some(0.3), some(0.2), some(0.8));
    let entry = entry.prop_map(|(kind, salt, inner_group, draws, enabled)| Entry {
        kind,
        salt,
        inner_group,
        draws,
        enabled,
    });
    prop::collection::vec(entry, 0..14)
}

/// A world with an order of systems.
struct Ordered {
    world: World,
    /// That of the four components, and inside it that of who has the tag, too.
    groups: [GroupId; 2],
    /// By system: all it has seen so far, mixed together.
    seen: Vec<Arc<AtomicU64>>,
    /// Whether each system has the whole world instead of slices only.
    apart: bool,
}

/// What can be told from the outside.
type Outcome = (Vec<(A, B, C, D)>, [u64; 4], Vec<u64>, Vec<bool>);

impl Ordered {
    fn new(order: &[Entry], apart: bool) -> Self {
        let mut world = World::new();
        world.register::<A>().unwrap();
        world.register::<B>().unwrap();
        world.register::<C>().unwrap();
        world.register::<D>().unwrap();
        world.register::<Frozen>().unwrap();
        let outer = world.group::<(A, B, C, D)>().unwrap();
        let inner = world.group::<(A, B, C, D, Frozen)>().unwrap();
        for i in 0..40 {
            let entity = world.spawn((A(i), B(i + 100), C(i + 200), D(i + 300))).unwrap();
            if i % 3 == 0 {
                world.insert(entity, Frozen).unwrap();
            }
        }
        let mut ordered = Self { world, groups: [outer, inner], seen: Vec::new(), apart };
        for entry in order {
            let seen = Arc::new(AtomicU64::new(0));
            let system = ordered.add(entry, Arc::clone(&seen)).unwrap();
            ordered.world.set_system_enabled(system, entry.enabled).unwrap();
            ordered.seen.push(seen);
        }
        ordered
    }

    fn outcome(mut self) -> Outcome {
        let before = self.revisions();
        for _ in 0..3 {
            self.world.run(0.5).unwrap();
            self.world.draw().unwrap();
        }
        let after = self.revisions();
        let (a, b, c, d) = self.world.slices::<(&A, &B, &C, &D)>(self.groups[0]).unwrap();
        let values = (0..a.len()).map(|i| (a[i], b[i], c[i], d[i])).collect();
        let seen = self.seen.iter().map(|seen| seen.load(Ordering::SeqCst)).collect();
        let ran = self.world.systems().map(|info| info.time.is_some()).collect();
        (values, std::array::from_fn(|i| after[i] - before[i]), seen, ran)
    }

    fn revisions(&self) -> [u64; 4] {
        let world = &self.world;
        [world.changes::<A>(), world.changes::<B>(), world.changes::<C>(), world.changes::<D>()]
            .map(|changes| changes.unwrap().latest)
    }
}

fn mix(sum: u64, value: u64) -> u64 {
    (sum ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Spawns an entity and gives the tag to another one, which moves others in all arrays.
fn stir(world: &mut World, salt: u64) -> Result<(), Error> {
    world.spawn((A(salt), B(salt), C(salt), D(salt)))?;
    let untagged = world.query::<(&A,)>()?.without::<(Frozen,)>()?.iter().last();
    let entity = untagged.map(|(entity, _)| entity);
    entity.map_or(Ok(()), |entity| world.insert(entity, Frozen))
}

/// `Ordered::add`, which adds a system of a kind: by its number, what it reads and what it changes.
/// What it sees of the one goes into the other.
macro_rules! kinds {
    ($($kind:literal: [$($read:ident: $R:ident),*] [$($change:ident: $C:ident),*])+) => {
        /// How many kinds there are, with the one that has the world in any case.
        const KINDS: usize = [$($kind),+].len() + 1;

        impl Ordered {
            fn add(&mut self, entry: &Entry, seen: Arc<AtomicU64>) -> Result<SystemId, Error> {
                let Entry { kind, salt, inner_group, draws, .. } = *entry;
                let (group, world) = (self.groups[usize::from(inner_group)], &mut self.world);
                match kind {
                    $($kind => {
                        let work = move |$($read: &[$R],)* $($change: &mut [$C],)*| {
                            let mut sum = salt;
                            for i in 0..[$($read.len(),)* $($change.len(),)*][0] {
                                $(sum = mix(sum, $read[i].0);)*
                                $(sum = mix(sum, $change[i].0);)*
                                $($change[i].0 = mix($change[i].0, sum);)*
                            }
                            seen.store(mix(seen.load(Ordering::SeqCst), sum), Ordering::SeqCst);
                        };
                        let over_world = {
                            let work = work.clone();
                            move |world: &mut World, _: Tick| {
                                let ($($read,)* $($change,)*) =
                                    world.slices_mut::<($(&$R,)* $(&mut $C,)*)>(group)?;
                                work($($read,)* $($change,)*);
                                Ok(())
                            }
                        };
                        let over_slices =
                            move |($($read,)* $($change,)*): ($(&[$R],)* $(&mut [$C],)*), _: Tick| {
                                work($($read,)* $($change,)*);
                            };
                        match (self.apart, draws) {
                            (true, false) => world.add_system::<()>("", over_world),
                            (true, true) => world.add_draw_system::<()>("", over_world),
                            (false, false) => world
                                .add_slice_system::<($(&$R,)* $(&mut $C,)*)>("", group, over_slices),
                            (false, true) => world.add_draw_slice_system::<($(&$R,)* $(&mut $C,)*)>(
                                "",
                                group,
                                over_slices,
                            ),
                        }
                    })+
                    _ => {
                        world.add_system::<()>("", move |world: &mut World, _: Tick| stir(world, salt))
                    }
                }
            }
        }
    };
}

kinds! {
    0: [] [a: A]
    1: [] [b: B]
    2: [] [c: C]
    3: [] [d: D]
    4: [a: A] [b: B]
    5: [a: A] [c: C]
    6: [a: A] [d: D]
    7: [b: B] [a: A]
    8: [b: B] [c: C]
    9: [c: C] [d: D]
    10: [d: D] [a: A]
    11: [d: D, a: A] [b: B]
    12: [a: A, b: B] [c: C]
    13: [d: D] [b: B, c: C]
    14: [] [a: A, b: B]
    15: [] [c: C, d: D]
    16: [a: A] []
    17: [b: B, c: C, d: D] []
    18: [a: A, b: B, c: C, d: D] []
    19: [] [a: A, b: B, c: C, d: D]
}

static POOLS: LazyLock<[ThreadPool; 3]> = LazyLock::new(pools);

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_systems_has_the_same_outcome_on_any_number_of_threads(order in order()) {
        let alone = Ordered::new(&order, true).outcome();
        for pool in &*POOLS {
            let outcome = pool.install(|| Ordered::new(&order, false).outcome());
            prop_assert_eq!(&outcome, &alone);
        }
    }
}

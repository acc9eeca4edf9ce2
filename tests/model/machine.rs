//! A world and its model: applies operations to both and compares them after every step.

use cubefall::ecs::{
    Bundle, Component, Entity, Error, Group, GroupId, Limits, TakenGroup, World, WorldId,
};

use super::op::{Bits, Op};
use super::twin::{Handle, LAST_GENERATION, MOST, Outcome, Twin, Values, bits_of, has};

macro_rules! components {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, Copy, PartialEq, Debug)]
            struct $name(u64);

            impl From<u64> for $name {
                fn from(value: u64) -> Self {
                    Self(value)
                }
            }
        )*
    };
}
components!(A B C D);

/// Evaluates an expression for the component type with a number.
macro_rules! by_component {
    ($number:expr, |$component:ident| $call:expr) => {
        match $number {
            0 => {
                type $component = A;
                $call
            }
            1 => {
                type $component = B;
                $call
            }
            2 => {
                type $component = C;
                $call
            }
            _ => {
                type $component = D;
                $call
            }
        }
    };
}

/// Evaluates an expression for the bundle of the components that are present.
macro_rules! with_bundle {
    ($values:expr, |$bundle:ident| $call:expr) => {
        with_bundle!(
            $values, $bundle, $call,
            [] [A 0] [B 1] [C 2] [D 3] [B 1, A 0] [A 0, C 2] [A 0, D 3] [C 2, B 1] [B 1, D 3] [C 2, D 3]
            [A 0, C 2, B 1] [D 3, A 0, B 1] [A 0, C 2, D 3] [B 1, D 3, C 2] [D 3, C 2, B 1, A 0]
        )
    };
    ($values:expr, $bundle:ident, $call:expr, $([$($component:ident $at:literal),*])*) => {{
        let values: Values = $values;
        match bits_of(&values) {
            $(bits if bits == 0 $(| 1 << $at)* => {
                let $bundle = ($($component(values[$at].unwrap()),)*);
                $call
            })*
            _ => unreachable!("all sets are listed"),
        }
    }};
}

/// Owned and excluded components of the inner, the outer and the third group.
const GROUPS: [(Bits, Bits); 3] = [(0b0111, 0), (0b0011, 0), (0b1000, 0b0100)];

pub(crate) struct Machine {
    world: World,
    twin: Twin,
    /// The groups that exist, in the order of [`GROUPS`].
    groups: [Option<GroupId>; 3],
    taken: TakenGroup<(C,)>,
    foreign: World,
}

fn new_world() -> World {
    let limits = Limits { entities: MOST as u32, generation: LAST_GENERATION };
    let mut world = World::with_limits(limits);
    world.register::<A>();
    world.register::<B>();
    world.register::<C>();
    world.register::<D>();
    world
}

fn handle(entity: Entity) -> Handle {
    (entity.index(), entity.generation())
}

fn entity((slot, generation): Handle, world: WorldId) -> Entity {
    Entity::from_bits(u64::from(generation) << 32 | u64::from(slot), world).unwrap()
}

impl Machine {
    pub(crate) fn new() -> Self {
        let mut foreign = new_world();
        foreign.spawn((A(0), B(0), C(0), D(0)));
        Self {
            world: new_world(),
            twin: Twin::default(),
            groups: [None; 3],
            taken: TakenGroup::default(),
            foreign,
        }
    }

    /// Applies the operation to both and compares results and content.
    pub(crate) fn step(&mut self, op: Op) {
        let before = self.twin.clone();
        let expected = self.twin.apply(op);
        let outcome = self.apply(op, &before);
        assert_eq!(outcome, expected, "{op:?}");
        self.check();
    }

    /// Returns a hash of the content of the world and of the order of its arrays and groups.
    pub(crate) fn digest(&self) -> u64 {
        let mut sum = self.twin.next;
        let mut mix = |number: u64| {
            sum = (sum.rotate_left(9) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        };
        let query = self.world.query::<(Entity, Option<&A>, Option<&B>, Option<&C>, Option<&D>)>();
        for (entity, a, b, c, d) in query {
            mix(entity.to_bits());
            let values = [a.map(|v| v.0), b.map(|v| v.0), c.map(|v| v.0), d.map(|v| v.0)];
            for value in values {
                mix(value.unwrap_or_default());
            }
        }
        self.world.view::<&A>().values().iter().for_each(|value| mix(value.0));
        self.world.view::<&C>().values().iter().for_each(|value| mix(value.0));
        for group in self.groups.into_iter().flatten() {
            self.world.group(group).unwrap().entities().for_each(|entity| mix(entity.to_bits()));
        }
        sum
    }

    fn apply(&mut self, op: Op, before: &Twin) -> Outcome {
        let mut outcome = Outcome::default();
        let mut numbers = before.clone();
        let world_id = self.world.id();
        let pick = |pick| before.pick(pick).map(|handle| entity(handle, world_id));
        let world = &mut self.world;
        match op {
            Op::Spawn(bits) => {
                outcome.spawned.extend(spawn(world, numbers.values(bits)).map(handle));
            }
            Op::SpawnBatch(bits, count) => {
                let values: Vec<_> = (0..count).map(|_| numbers.values(bits)).collect();
                outcome.spawned = spawn_batch(world, bits, &values);
            }
            Op::Despawn(picked) => {
                let despawn = |entity| world.despawn(entity).is_ok().into();
                outcome.done = pick(picked).map_or(0, despawn);
            }
            Op::Respawn(picked, bits) => {
                let mut before = before.clone();
                let values = before.pick(picked).and_then(|handle| before.get(handle).copied());
                let bits = bits.unwrap_or(values.as_ref().map_or(0, bits_of));
                let values = numbers.values(bits);
                let new = pick(picked)
                    .and_then(|old| with_bundle!(values, |bundle| world.respawn(old, bundle).ok()));
                outcome.spawned.extend(new.map(handle));
                outcome.done = outcome.spawned.len();
            }
            Op::DespawnBatch(step) => {
                let history = before.history.iter().step_by(step.into());
                let batch: Vec<_> = history.map(|&handle| entity(handle, world_id)).collect();
                outcome.done = world.despawn_batch(&batch);
            }
            Op::Insert(picked, component) => {
                let insert = |entity| insert(world, entity, component, before.next + 1);
                outcome.done = pick(picked).map_or(0, insert);
            }
            Op::Remove(picked, component) => {
                outcome.done = pick(picked).map_or(0, |entity| {
                    by_component!(component, |X| world.remove::<X>(entity).is_ok().into())
                });
            }
            Op::Replace(picked, component) => {
                let value = before.next + 1;
                outcome.done = pick(picked).map_or(0, |entity| {
                    by_component!(component, |X| world
                        .get_mut(entity)
                        .map(|component| *component = X::from(value))
                        .is_ok()
                        .into())
                });
            }
            Op::Exchange(picked, c_for_d) => {
                let value = before.next + 1;
                outcome.done = pick(picked).map_or(0, |entity| {
                    if c_for_d {
                        world.exchange::<C, D>(entity, D(value)).is_ok().into()
                    } else {
                        world.exchange::<D, C>(entity, C(value)).is_ok().into()
                    }
                });
            }
            Op::Clear => {
                outcome.done = world.len();
                // In slot order, like the model.
                world.clear();
            }
            Op::Group => self.form_groups(before.wants_third_group()),
            Op::RemoveGroup(number) => outcome.done = self.remove_group(number),
            Op::Sort => self.sort(),
            Op::TakeGroup => {
                if let Some(inner) = self.groups[0]
                    && self.taken.entities.is_empty()
                {
                    self.taken = world.take_group(inner).unwrap();
                    outcome.done = self.taken.entities.len();
                }
            }
            Op::RestoreGroup => {
                outcome.done = world.restore_group(std::mem::take(&mut self.taken));
            }
            Op::Commands { spawned, insert: (picked, component), despawn } => {
                if world.len() < MOST {
                    let mut commands = world.commands();
                    let values = numbers.values(spawned);
                    outcome.spawned.push(handle(spawn_command(&mut commands, values)));
                    let value = numbers.next + 1;
                    let mut others = 0;
                    if let Some(entity) = pick(picked) {
                        others += 1;
                        by_component!(component, |X| commands.insert(entity, X::from(value)));
                    }
                    if let Some(entity) = pick(despawn) {
                        others += 1;
                        commands.despawn(entity);
                    }
                    outcome.done = others - commands.apply(world).len();
                }
            }
            Op::Foreign(null) => self.check_foreign_handle(null),
        }
        outcome
    }

    /// Checks that every call refuses a handle of another world, and the null handle.
    fn check_foreign_handle(&mut self, null: bool) {
        let theirs = self.foreign.entities(cubefall::ecs::Signature::EMPTY).next().unwrap();
        let entity = if null { Entity::NULL } else { theirs };
        let world = &mut self.world;
        let refused = [
            world.despawn(entity).is_err(),
            world.respawn(entity, ()).is_err(),
            world.insert(entity, A(1)).is_err(),
            world.remove::<A>(entity).is_err(),
            world.get::<&A>(entity).is_err(),
            world.exchange::<A, B>(entity, B(1)).is_err(),
            world.despawn_batch(&[entity]) == 0,
            !world.contains(entity),
        ];
        assert_eq!(refused, [true; 8]);
    }

    fn form_groups(&mut self, third: bool) {
        let world = &mut self.world;
        // The outer group is created first or last. Creating a group again changes nothing.
        let early = world.len().is_multiple_of(2);
        let outer = early.then(|| world.create_group::<(A, B)>());
        let inner = world.create_group::<(A, B, C)>();
        let outer = outer.unwrap_or_else(|| world.create_group::<(A, B)>());
        let third = third.then(|| world.create_group_without::<(D,), (C,)>());
        let created = [Some(inner), Some(outer), third];
        for (group, created) in self.groups.iter_mut().zip(created) {
            assert!(group.is_none() || created.is_none() || *group == created);
            *group = group.or(created);
        }
    }

    /// Removes a group, if it exists, and returns the number of removed groups.
    fn remove_group(&mut self, number: u8) -> usize {
        let Some(group) = self.groups[usize::from(number)].take() else { return 0 };
        assert_eq!(self.world.remove_group(group), Ok(()));
        assert_eq!(self.world.remove_group(group), Err(Error::NoSuchGroup));
        assert!(self.world.group(group).is_err());
        1
    }

    fn sort(&mut self) {
        let len = |group: Option<GroupId>| {
            group.map_or(0, |group| self.world.group(group).map_or(0, Group::len))
        };
        let inner = len(self.groups[0]);
        if let Some(group) = self.groups[1].or(self.groups[0]) {
            self.world.group_mut(group).unwrap().sort_by::<B>(|a, b| b.0.cmp(&a.0));
            let sorted = self.world.group(group).unwrap().slices::<&B>();
            let (inside, behind) = sorted.split_at(inner);
            assert!([inside, behind].iter().all(|part| part.is_sorted_by(|a, b| a.0 >= b.0)));
        } else {
            self.world.sort_by::<C>(|a, b| b.0.cmp(&a.0));
            let sorted = self.world.view::<&C>();
            assert!(sorted.values().is_sorted_by(|a, b| a.0 >= b.0));
        }
    }

    /// Checks every invariant.
    fn check(&self) {
        let world = &self.world;
        let query = world.query::<(Entity, Option<&A>, Option<&B>, Option<&C>, Option<&D>)>();
        let held = query.iter().map(|(entity, a, b, c, d)| {
            let values = [a.map(|v| v.0), b.map(|v| v.0), c.map(|v| v.0), d.map(|v| v.0)];
            (handle(entity), values)
        });
        assert!(held.eq(self.twin.alive().map(|(handle, values)| (handle, *values))));
        assert_eq!(world.len(), self.twin.alive().count());
        self.check_array::<A>(0);
        self.check_array::<B>(1);
        self.check_array::<C>(2);
        self.check_array::<D>(3);
        self.check_groups();
        let recent = self.twin.history.iter().rev().take(2 * MOST);
        for &past in recent {
            let alive = self.twin.alive().any(|(handle, _)| handle == past);
            assert_eq!(world.contains(entity(past, world.id())), alive);
        }
    }

    /// Checks that an array has exactly the components of its type, and that handles and dense
    /// indices agree.
    fn check_array<T: Component + PartialEq + std::fmt::Debug>(&self, number: usize) {
        let view = self.world.view::<&T>();
        let having = self.twin.alive().filter(|(_, values)| values[number].is_some()).count();
        assert_eq!((view.values().len(), view.entities().count()), (having, having));
        for (entity, value) in view.entities().zip(view.values()) {
            assert_eq!(view.get(entity), Some(value));
            assert_eq!(self.world.get::<&T>(entity), Ok(value));
        }
    }

    fn check_groups(&self) {
        let members = |group| self.world.group(group).unwrap().entities();
        if let [Some(inner), Some(outer), _] = self.groups {
            let prefix = members(outer).take(members(inner).len());
            assert!(members(inner).eq(prefix), "the nested group is a prefix");
        }
        for (group, (owned, excluded)) in self.groups.into_iter().zip(GROUPS) {
            let Some(group) = group else { continue };
            let fits = |values: &Values| {
                has(values, owned)
                    && (0..4).all(|i| excluded & (1 << i) == 0 || values[i].is_none())
            };
            let fitting = self.twin.alive().filter(|(_, values)| fits(values)).count();
            assert_eq!(members(group).len(), fitting);
            self.check_slice::<A>(group, owned & 1);
            self.check_slice::<B>(group, owned & 2);
            self.check_slice::<C>(group, owned & 4);
            self.check_slice::<D>(group, owned & 8);
        }
    }

    fn check_slice<T: Component + PartialEq + std::fmt::Debug>(&self, group: GroupId, owned: Bits) {
        if owned != 0 {
            let slice = self.world.group(group).unwrap().slices::<&T>();
            let members = self.world.group(group).unwrap().entities();
            assert_eq!(slice.len(), members.len());
            members
                .zip(slice)
                .for_each(|(entity, value)| assert_eq!(self.world.get::<&T>(entity), Ok(value)));
        }
    }
}

fn insert(world: &mut World, entity: Entity, component: u8, value: u64) -> usize {
    by_component!(component, |X| world.insert(entity, X::from(value)).is_ok().into())
}

fn spawn(world: &mut World, values: Values) -> Option<Entity> {
    with_bundle!(values, |bundle| world.try_spawn(bundle).ok())
}

fn spawn_command(commands: &mut cubefall::ecs::Commands, values: Values) -> Entity {
    with_bundle!(values, |bundle| commands.spawn(bundle))
}

fn spawn_batch(world: &mut World, bits: Bits, values: &[Values]) -> Vec<Handle> {
    let spawned = match bits {
        0 => batch(world, values, |_| ()),
        0b0011 => batch(world, values, |[a, b, ..]| (A(a), B(b))),
        0b0111 => batch(world, values, |[a, b, c, _]| (C(c), A(a), B(b))),
        0b1111 => batch(world, values, |[a, b, c, d]| (A(a), B(b), C(c), D(d))),
        // One by one, as the batch of any bundle has to be.
        _ if world.len() + values.len() > MOST => Vec::new(),
        _ => values.iter().map(|&values| spawn(world, values).unwrap()).collect(),
    };
    spawned.into_iter().map(handle).collect()
}

fn batch<X: Bundle>(
    world: &mut World,
    values: &[Values],
    bundle: fn([u64; 4]) -> X,
) -> Vec<Entity> {
    let bundles = values.iter().map(|values| bundle(values.map(Option::unwrap_or_default)));
    world.spawn_batch(bundles).unwrap_or_default()
}

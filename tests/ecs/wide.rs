//! Worlds with more component types than the 32 bits of one cell of a row, and with as many as there can
//! be.

use cubefall::ecs::{Entity, GroupId, MAX_COMPONENT_TYPES, Signature, Template, World};
use serde::{Deserialize, Serialize};

use super::{Frozen, panic_of};

const MAX: usize = MAX_COMPONENT_TYPES;

/// A component type of its own for every number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Wide<const N: u32>(u32);

/// The calls for one of the types.
struct Calls {
    insert: fn(&mut World, Entity, u32),
    get: fn(&World, Entity) -> Option<u32>,
    remove: fn(&mut World, Entity) -> u32,
    create_group: fn(&mut World) -> GroupId,
}

const fn calls<const N: u32>() -> Calls {
    Calls {
        insert: |world, entity, value| world.insert(entity, Wide::<N>(value)).unwrap(),
        get: |world, entity| world.get::<&Wide<N>>(entity).ok().map(|wide| wide.0),
        remove: |world, entity| world.remove::<Wide<N>>(entity).unwrap().0,
        create_group: World::create_group::<(Wide<N>,)>,
    }
}

macro_rules! all_calls {
    ($($tens:literal)*) => { [$(
        calls::<{ 10 * $tens }>(), calls::<{ 10 * $tens + 1 }>(), calls::<{ 10 * $tens + 2 }>(),
        calls::<{ 10 * $tens + 3 }>(), calls::<{ 10 * $tens + 4 }>(), calls::<{ 10 * $tens + 5 }>(),
        calls::<{ 10 * $tens + 6 }>(), calls::<{ 10 * $tens + 7 }>(), calls::<{ 10 * $tens + 8 }>(),
        calls::<{ 10 * $tens + 9 }>(),
    )*] };
}

/// Calls for more types than a world can have, in the order of their numbers.
static ALL: [Calls; 130] = all_calls!(0 1 2 3 4 5 6 7 8 9 10 11 12);

/// Gives the components from `from` to `to` to an entity; the value of each is its number, plus `plus`.
fn insert(world: &mut World, entity: Entity, from: usize, to: usize, plus: u32) {
    for (calls, number) in ALL[from..to].iter().zip(from as u32..) {
        (calls.insert)(world, entity, number + plus);
    }
}

/// Checks that an entity has exactly the components from `from` to `to`.
fn assert_has(world: &World, entity: Entity, from: usize, to: usize, plus: u32) {
    for (number, calls) in ALL.iter().enumerate() {
        let expected = (from..to).contains(&number).then_some(number as u32 + plus);
        assert_eq!((calls.get)(world, entity), expected, "type {number} of {entity}");
    }
}

#[test]
fn entities_keep_their_components_beyond_32_types() {
    let mut world = World::new();
    let group = world.create_group::<(Wide<0>, Wide<1>)>();
    let entities: Vec<_> = (0..5).map(|_| world.spawn(())).collect();
    insert(&mut world, entities[0], 0, 32, 0);
    insert(&mut world, entities[1], 0, 2, 100);
    insert(&mut world, entities[3], 1, 5, 200);
    insert(&mut world, entities[4], 0, 32, 300);
    assert_eq!(world.inspect().component_types().len(), 32);
    insert(&mut world, entities[3], 32, 33, 200);

    assert_has(&world, entities[0], 0, 32, 0);
    assert_has(&world, entities[1], 0, 2, 100);
    assert_has(&world, entities[2], 0, 0, 0);
    assert_eq!((ALL[32].remove)(&mut world, entities[3]), 232);
    assert_has(&world, entities[3], 1, 5, 200);
    assert_has(&world, entities[4], 0, 32, 300);
    let members = world.group(group).unwrap();
    assert!(members.entities().eq([entities[0], entities[1], entities[4]]));
    assert_eq!(members.slices::<&Wide<1>>(), [Wide(1), Wide(101), Wide(301)]);
}

#[test]
fn one_entity_can_have_a_component_of_every_type() {
    let mut world = World::new();
    let [first, full] = [world.spawn(()), world.spawn(())];
    insert(&mut world, first, 0, MAX, 1000);
    insert(&mut world, full, 0, MAX, 0);
    assert_has(&world, full, 0, MAX, 0);
    assert_eq!(world.signature(full).unwrap().bits().count_zeros(), 0);
    for number in (0..MAX).step_by(2) {
        assert_eq!((ALL[number].remove)(&mut world, full), number as u32);
    }
    assert_eq!(world.signature(full).unwrap().len(), MAX / 2);
    world.despawn(first).unwrap();
    for (number, calls) in ALL[..MAX].iter().enumerate() {
        assert_eq!((calls.get)(&world, full), (number % 2 == 1).then_some(number as u32));
    }
    world.despawn(full).unwrap();
    assert!(world.inspect().memory()[2..].iter().all(|array| array.len == 0));
}

#[test]
fn a_type_beyond_the_largest_number_panics_with_its_name() {
    let mut world = World::new();
    let entity = world.spawn(());
    insert(&mut world, entity, 0, MAX, 0);
    let name = std::any::type_name::<Frozen>();
    let refused = panic_of(|| _ = world.register::<Frozen>());
    assert_eq!(
        refused,
        format!("cannot register component {name}: a world has at most {MAX} component types")
    );
    assert_eq!(panic_of(|| _ = world.spawn((Frozen, Wide::<0>(7)))), refused);
    assert_eq!(panic_of(|| _ = world.query_mut::<&mut Frozen>()), refused);
    let mut template = Template::new();
    assert!(template.insert(Wide::<0>(7)) && template.insert(Frozen));
    assert_eq!(panic_of(|| _ = world.spawn_template(&template)), refused);
    let mut commands = world.commands();
    let reserved = commands.spawn_template(&template);
    assert_eq!(panic_of(|| _ = commands.apply(&mut world)), refused);
    assert_eq!(world.query::<&Frozen>().iter().count(), 0, "reading needs no number");
    assert_eq!(world.len(), 1);
    assert_has(&world, entity, 0, MAX, 0);
    assert_eq!(world.register::<Wide<63>>().index(), 63, "it is registered already");
    assert_eq!(world.spawn(()).index(), reserved.index(), "the slot is free again");
}

#[test]
fn groups_of_types_with_high_numbers_have_their_members() {
    type Late = (Wide<63>, Wide<0>, Wide<1>, Wide<50>);
    let mut world = World::new();
    let early = world.create_group_without::<(Wide<0>, Wide<1>), (Wide<2>,)>();
    let entities: Vec<_> = (0..8).map(|_| world.spawn(())).collect();
    for &entity in &entities {
        insert(&mut world, entity, 0, 2, entity.index());
        insert(&mut world, entity, 40, 64, entity.index());
    }
    let late = world.create_group_without::<Late, (Wide<2>,)>();
    let outside = world.create_group_without::<(Wide<55>,), (Wide<62>,)>();
    (ALL[62].remove)(&mut world, entities[5]);
    (ALL[50].remove)(&mut world, entities[6]);
    insert(&mut world, entities[7], 2, 3, 0);
    assert_eq!(world.despawn_batch(&entities[..2]), 2);
    let sorted = |world: &World, group| {
        let mut members: Vec<_> = world.group(group).unwrap().entities().collect();
        members.sort_unstable();
        members
    };
    assert_eq!(sorted(&world, late), entities[2..6]);
    assert_eq!(sorted(&world, early), entities[2..7]);
    assert_eq!(sorted(&world, outside), [entities[5]]);
    let slots = world.group(late).unwrap().slices::<&Wide<63>>().iter().map(|it| it.0 - 63);
    let members = world.group(late).unwrap().entities();
    assert!(slots.eq(members.map(Entity::index)));
}

#[test]
fn batches_with_types_beyond_32_have_their_components() {
    let mut world = World::new();
    let wide = world.spawn(());
    insert(&mut world, wide, 0, 60, 0);
    let bundle = |i: u32| (Wide::<0>(i), Wide::<31>(i + 1), Wide::<32>(i + 2), Wide::<59>(i + 3));
    let batch = world.spawn_batch((0..20).map(bundle)).unwrap();
    for (entity, i) in batch.iter().zip(0..) {
        let values = world.get::<(&Wide<0>, &Wide<31>, &Wide<32>, &Wide<59>)>(*entity);
        assert_eq!(values, Ok((&Wide(i), &Wide(i + 1), &Wide(i + 2), &Wide(i + 3))));
    }
    let signature = world.signature_of::<(Wide<59>, Wide<0>)>();
    assert_eq!(world.entities(signature).count(), 21);
    let fiftieth = Signature::EMPTY.with(world.register::<Wide<50>>());
    assert_eq!(world.entities(fiftieth).count(), 1);
}

#[test]
fn a_world_can_have_a_group_of_every_type() {
    let mut world = World::new();
    let entities: Vec<_> = (0..4).map(|_| world.spawn(())).collect();
    insert(&mut world, entities[1], 0, MAX, 0);
    let groups: Vec<_> = ALL[..MAX].iter().map(|calls| (calls.create_group)(&mut world)).collect();
    insert(&mut world, entities[3], 0, MAX, 300);
    insert(&mut world, entities[0], MAX - 3, MAX, 100);
    let lens = |world: &World| {
        groups.iter().map(|&group| world.group(group).unwrap().len()).collect::<Vec<_>>()
    };
    assert_eq!(lens(&world), [vec![2; MAX - 3], vec![3; 3]].concat());
    world.despawn(entities[1]).unwrap();
    assert_eq!(lens(&world), [vec![1; MAX - 3], vec![2; 3]].concat());
    assert_has(&world, entities[0], MAX - 3, MAX, 100);
    assert_has(&world, entities[3], 0, MAX, 300);
    for group in groups {
        world.remove_group(group).unwrap();
    }
    assert_has(&world, entities[3], 0, MAX, 300);
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_of_40_types_restores_all_of_them() {
    use cubefall::ecs::{Both, Snapshot};
    #[rustfmt::skip]
    type First = (
        Wide<0>, Wide<1>, Wide<2>, Wide<3>, Wide<4>, Wide<5>, Wide<6>, Wide<7>, Wide<8>, Wide<9>,
        Wide<10>, Wide<11>, Wide<12>, Wide<13>, Wide<14>, Wide<15>,
    );
    #[rustfmt::skip]
    type Second = (
        Wide<16>, Wide<17>, Wide<18>, Wide<19>, Wide<20>, Wide<21>, Wide<22>, Wide<23>, Wide<24>,
        Wide<25>, Wide<26>, Wide<27>, Wide<28>, Wide<29>, Wide<30>, Wide<31>,
    );
    #[rustfmt::skip]
    type Third = (
        Wide<32>, Wide<33>, Wide<34>, Wide<35>, Wide<36>, Wide<37>, Wide<38>, Wide<39>,
    );
    type Forty = Both<First, Both<Second, Third>>;

    let mut world = World::new();
    world.create_group::<(Wide<3>, Wide<38>)>();
    let entities: Vec<_> = (0..6).map(|_| world.spawn(())).collect();
    insert(&mut world, entities[1], 0, 40, 0);
    insert(&mut world, entities[2], 30, 40, 500);
    insert(&mut world, entities[4], 3, 39, 900);
    world.despawn(entities[3]).unwrap();
    let text = serde_json::to_string(&Snapshot::<Forty>::take(&world)).unwrap();

    // A world with other types, and with the same group.
    let mut restored = World::new();
    let group = restored.create_group::<(Wide<3>, Wide<38>)>();
    restored.spawn((super::Velocity(1.0),));
    serde_json::from_str::<Snapshot<Forty>>(&text).unwrap().restore(&mut restored).unwrap();
    let own = |entity: Entity| Entity::from_bits(entity.to_bits(), restored.id()).unwrap();
    assert_has(&restored, own(entities[0]), 0, 0, 0);
    assert_has(&restored, own(entities[1]), 0, 40, 0);
    assert_has(&restored, own(entities[2]), 30, 40, 500);
    assert_has(&restored, own(entities[4]), 3, 39, 900);
    let members = restored.group(group).unwrap().entities();
    assert!(members.eq([own(entities[1]), own(entities[4])]));
    assert_eq!((restored.len(), restored.view::<&super::Velocity>().values().len()), (5, 0));
    assert_eq!(restored.spawn(()).to_bits(), world.spawn(()).to_bits());
}

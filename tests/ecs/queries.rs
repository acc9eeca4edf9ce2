use cubefall::ecs::{Entity, Error, Query, Signature, Terms, World};

use super::{
    Frozen, Name, Position, Velocity, named_twice, panic_of, spawn_moving, velocities, world,
};

#[test]
fn queries_filter_by_optional_with_and_without() {
    let mut world = world();
    let plain = world.spawn((Velocity(1.0),));
    let named = world.spawn((Velocity(2.0), Name("b".into())));
    let frozen = world.spawn((Velocity(3.0), Name("c".into()), Frozen));
    world.spawn((Name("no velocity".into()),));

    let found: Vec<_> = world.query::<(Entity, &Velocity, Option<&Name>)>().iter().collect();
    let name = |text: &str| Name(text.into());
    let (b, c) = (name("b"), name("c"));
    assert_eq!(
        found,
        [
            (plain, &Velocity(1.0), None),
            (named, &Velocity(2.0), Some(&b)),
            (frozen, &Velocity(3.0), Some(&c)),
        ]
    );
    let query = || world.query::<(Entity, &Velocity)>();
    let entities = |query: Query<&World, (Entity, &Velocity)>| {
        query.iter().map(|(entity, _)| entity).collect::<Vec<_>>()
    };
    assert_eq!(entities(query().with::<&Name>()), [named, frozen]);
    assert_eq!(entities(query().with::<(&Name, &Frozen)>()), [frozen]);
    assert_eq!(entities(query().without::<&Name>()), [plain]);
    assert_eq!(entities(query().without::<(&Frozen, &Position)>()), [plain, named]);
    assert_eq!(entities(query().with::<&Name>().without::<&Frozen>()), [named]);
}

#[test]
fn a_query_with_optional_terms_only_matches_all_entities() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    world.remove::<Velocity>(entities[1]).unwrap();
    world.despawn(entities[0]).unwrap();
    let found: Vec<_> = world.query::<(Entity, Option<&Velocity>)>().iter().collect();
    assert_eq!(found, [(entities[1], None), (entities[2], Some(&Velocity(2.0)))]);
}

#[test]
fn query_mut_changes_components() {
    let mut world = world();
    spawn_moving(&mut world, 4);
    let named = world.spawn((Velocity(10.0), Name("n".into())));
    let query = world.query_mut::<(&mut Velocity, Option<&mut Name>)>();
    query.for_each(|(velocity, name)| {
        velocity.0 *= 2.0;
        if let Some(name) = name {
            name.0.push('!');
        }
    });
    assert_eq!(velocities(&world), [0.0, 2.0, 4.0, 6.0, 20.0]);
    assert_eq!(world.get::<&Name>(named), Ok(&Name("n!".into())));
    let query = world.query_mut::<&mut Velocity>().without::<&Name>();
    query.for_each(|velocity| velocity.0 = 0.0);
    assert_eq!(velocities(&world), [0.0, 0.0, 0.0, 0.0, 20.0]);
}

#[test]
fn a_query_outside_of_a_group_skips_its_members() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let inside = world.spawn((Position([0.0; 3]), Velocity(1.0)));
    let lone = world.spawn((Velocity(2.0),));
    let named = world.spawn((Velocity(3.0), Name("n".into())));
    world.spawn((Position([1.0; 3]), Velocity(4.0), Name("m".into())));
    let entities = |query: Query<&World, Entity>| query.iter().collect::<Vec<_>>();
    let query = world.query::<Entity>().with::<&Velocity>().outside(group).unwrap();
    // The last spawn has moved the first non-member to the end.
    assert_eq!(entities(query), [named, lone]);
    let query = world.query::<Entity>().with::<&Name>().outside(group).unwrap();
    assert_eq!(entities(query), [named]);
    let query = world.query::<(&Position, &Velocity)>().outside(group).unwrap();
    assert_eq!(query.iter().count(), 0);
    world.remove::<Position>(inside).unwrap();
    let query = world.query_mut::<(Entity, &mut Velocity)>().outside(group).unwrap();
    let mut visited = Vec::new();
    query.for_each(|(entity, _)| visited.push(entity));
    visited.sort_unstable();
    assert_eq!(visited, [inside, lone, named]);
}

/// Returns the messages of the panics of a loop and of `for_each`.
fn panics_of_loops<Q: Terms>(world: &mut World) -> [String; 2] {
    [
        panic_of(|| world.query_mut::<Q>().into_iter().for_each(|_| ())),
        panic_of(|| world.query_mut::<Q>().for_each(|_| ())),
    ]
}

#[test]
fn a_component_cannot_be_borrowed_twice() {
    let mut world = world();
    spawn_moving(&mut world, 1);
    let twice = [named_twice::<Velocity>(), named_twice::<Velocity>()];
    let panics = panics_of_loops::<(&mut Velocity, &Position, &mut Velocity)>(&mut world);
    assert_eq!(panics, twice);
    assert_eq!(panics_of_loops::<(&mut Velocity, Option<&Velocity>)>(&mut world), twice);
    assert_eq!(panics_of_loops::<(&Velocity, &Velocity)>(&mut world), twice);
}

#[test]
fn a_component_may_be_named_twice_to_read_it() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    let (one, other) = world.get::<(&Velocity, Option<&Velocity>)>(entity).unwrap();
    assert_eq!(Some(one), other);
    assert_eq!(world.query::<(&Velocity, &Velocity)>().iter().count(), 1);
}

#[test]
fn a_query_cannot_be_outside_of_two_groups() {
    let mut world = world();
    let first = world.create_group::<(Position, Velocity)>();
    let second = world.create_group::<(Name,)>();
    let query = world.query::<&Velocity>().outside(first).unwrap();
    assert_eq!(
        panic_of(|| drop(query.outside(second))),
        "a query can exclude the members of one group only"
    );
    world.remove_group(second).unwrap();
    assert_eq!(world.query::<&Velocity>().outside(second).err(), Some(Error::NoSuchGroup));
}

#[test]
fn queries_use_the_order_of_the_smallest_array_or_of_the_group() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 6);
    for i in [4, 1, 3] {
        world.insert(entities[i], Position([0.0; 3])).unwrap();
    }
    let order = |world: &World| {
        let query = world.query::<(&Velocity, &Position)>();
        query.iter().map(|(velocity, _)| velocity.0).collect::<Vec<_>>()
    };
    assert_eq!(order(&world), [4.0, 1.0, 3.0]);
    let group = world.create_group::<(Position, Velocity)>();
    let in_group = world.group(group).unwrap().slices::<&Velocity>();
    assert_eq!(order(&world), in_group.iter().map(|velocity| velocity.0).collect::<Vec<_>>());
}

#[test]
fn queries_match_components_registered_after_the_entities() {
    struct Late;
    let mut world = world();
    let entities = spawn_moving(&mut world, 2);
    world.register::<Late>();
    world.insert(entities[1], Late).unwrap();
    let found: Vec<_> = world.query::<(Entity, &Velocity)>().with::<&Late>().iter().collect();
    assert_eq!(found, [(entities[1], &Velocity(1.0))]);
}

#[test]
fn an_entity_without_components_matches_the_empty_signature_only() {
    let mut world = world();
    let bare = world.spawn(());
    let moving = spawn_moving(&mut world, 1)[0];
    assert_eq!(world.signature(bare), Ok(Signature::EMPTY));
    assert_eq!(world.entities(Signature::EMPTY).collect::<Vec<_>>(), [bare, moving]);
    let signature = world.signature_of::<(Velocity,)>();
    assert_eq!(world.entities(signature).collect::<Vec<_>>(), [moving]);
}

#[test]
fn size_hints_are_exact_for_groups_and_upper_bounds_otherwise() {
    let mut world = world();
    world.create_group::<(Position, Velocity)>();
    spawn_moving(&mut world, 7);
    for i in 0..3_u8 {
        world.spawn((Position([i.into(); 3]), Velocity(0.0), Name(i.to_string())));
    }
    assert_eq!(world.query::<(&Position, &Velocity)>().iter().size_hint(), (3, Some(3)));
    assert_eq!(world.query::<(&Velocity, &Name)>().iter().size_hint(), (0, Some(3)));
    assert_eq!(world.query::<Option<&Name>>().iter().size_hint(), (0, Some(10)));
    let query = world.query::<(&Position, &Velocity)>();
    let mut iter = query.iter();
    iter.next();
    assert_eq!(iter.size_hint(), (2, Some(2)));
}

#[test]
fn a_query_changes_several_components() {
    let mut world = world();
    let entity = world.spawn((Position([1.0; 3]), Velocity(2.0)));
    let query = world.query_mut::<(&mut Position, &mut Velocity)>();
    query.for_each(|(position, velocity)| std::mem::swap(&mut position.0[0], &mut velocity.0));
    assert_eq!(world.get::<&Position>(entity), Ok(&Position([2.0, 1.0, 1.0])));
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(1.0)));
}

#[test]
fn get_many_mut_refuses_repeated_entities() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 4);
    let bare = world.spawn(());
    world.despawn(entities[3]).unwrap();
    let [a, b] = world.get_many_mut::<Velocity, 2>([entities[2], entities[0]]).unwrap();
    std::mem::swap(a, b);
    let mut refused = |entities| world.get_many_mut::<Velocity, 3>(entities).err();
    let [e0, e1, _, gone] = entities[..] else { unreachable!() };
    assert_eq!(refused([e0, e1, e0]), Some(Error::EntityTwice(e0)));
    assert_eq!(refused([e0, gone, e1]), Some(Error::NoSuchEntity(gone)));
    let missing = Error::Missing(bare, std::any::type_name::<Velocity>());
    assert_eq!(refused([e0, bare, e1]), Some(missing));
    assert_eq!(velocities(&world), [2.0, 1.0, 0.0]);
}

#[test]
fn a_view_finds_components_by_handle() {
    let (mut world, mut other) = (world(), world());
    let entities = spawn_moving(&mut world, 3);
    let foreign = spawn_moving(&mut other, 1)[0];
    world.remove::<Velocity>(entities[0]).unwrap();
    world.despawn(entities[1]).unwrap();
    let view = world.view::<&Velocity>();
    for absent in [entities[0], entities[1], foreign, Entity::NULL] {
        assert_eq!(view.get(absent), None);
    }
    assert_eq!(view.get(entities[2]), Some(&Velocity(2.0)));
    assert_eq!(view.values(), [Velocity(2.0)]);
}

#[test]
fn an_iterator_of_a_query_can_be_cloned() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 4);
    world.track_changes::<Position>();
    world.insert(entities[2], Frozen).unwrap();
    world.insert(entities[3], Position([0.0; 3])).unwrap();
    let start = world.checkpoint();
    world.get_mut::<Position>(entities[3]).unwrap().0[0] = 1.0;
    let mut pairs = Vec::new();
    let mut all = world.query::<(Entity, &Velocity)>().iter();
    while let Some((one, _)) = all.next() {
        pairs.extend(all.clone().map(|(other, _)| [one.index(), other.index()]));
    }
    assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    let any = world.query::<(Entity, Option<&Frozen>)>().iter();
    assert_eq!(any.clone().count(), any.count());
    let changed = world.query::<Entity>().changed::<Position>(start).iter();
    assert!(changed.clone().chain(changed).eq([entities[3]; 2]));
}

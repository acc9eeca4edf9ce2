use cubefall::ecs::{Entity, Error, Query, Signature, World};

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

#[test]
fn queries_filter_by_optional_with_and_without() {
    let mut world = world();
    let plain = world.spawn((Velocity(1.0),)).unwrap();
    let named = world.spawn((Velocity(2.0), Name("b".into()))).unwrap();
    let frozen = world.spawn((Velocity(3.0), Name("c".into()), Frozen)).unwrap();
    world.spawn((Name("no velocity".into()),)).unwrap();

    let found: Vec<_> = world.query::<(&Velocity, Option<&Name>)>().unwrap().iter().collect();
    let name = |text: &str| Name(text.into());
    let (b, c) = (name("b"), name("c"));
    assert_eq!(
        found,
        [
            (plain, (&Velocity(1.0), None)),
            (named, (&Velocity(2.0), Some(&b))),
            (frozen, (&Velocity(3.0), Some(&c))),
        ]
    );
    let query = || world.query::<(&Velocity,)>().unwrap();
    let entities =
        |query: Query<&World, (&Velocity,)>| query.iter().map(|(e, _)| e).collect::<Vec<Entity>>();
    assert_eq!(entities(query().with::<(Name,)>().unwrap()), [named, frozen]);
    assert_eq!(entities(query().without::<(Name,)>().unwrap()), [plain]);
    assert_eq!(
        entities(query().with::<(Name,)>().unwrap().without::<(Frozen,)>().unwrap()),
        [named]
    );
}

#[test]
fn a_query_with_optional_terms_only_matches_all_entities() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    world.remove::<Velocity>(entities[1]).unwrap();
    world.despawn(entities[0]).unwrap();
    let found: Vec<_> = world.query::<(Option<&Velocity>,)>().unwrap().iter().collect();
    assert_eq!(found, [(entities[1], (None,)), (entities[2], (Some(&Velocity(2.0)),))]);
}

#[test]
fn query_mut_changes_components() {
    let mut world = world();
    spawn_moving(&mut world, 4);
    let named = world.spawn((Velocity(10.0), Name("n".into()))).unwrap();
    let query = world.query_mut::<(&mut Velocity, Option<&mut Name>)>().unwrap();
    query
        .for_each(|_, (velocity, name)| {
            velocity.0 *= 2.0;
            if let Some(name) = name {
                name.0.push('!');
            }
        })
        .unwrap();
    assert_eq!(velocities(&world), [0.0, 2.0, 4.0, 6.0, 20.0]);
    assert_eq!(world.get(named), Ok(&Name("n!".into())));
    let query = world.query_mut::<(&mut Velocity,)>().unwrap().without::<(Name,)>().unwrap();
    query.for_each(|_, (velocity,)| velocity.0 = 0.0).unwrap();
    assert_eq!(velocities(&world), [0.0, 0.0, 0.0, 0.0, 20.0]);
}

#[test]
fn a_query_outside_of_a_group_skips_its_members() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>().unwrap();
    let inside = world.spawn((Position([0.0; 3]), Velocity(1.0))).unwrap();
    let lone = world.spawn((Velocity(2.0),)).unwrap();
    let named = world.spawn((Velocity(3.0), Name("n".into()))).unwrap();
    world.spawn((Position([1.0; 3]), Velocity(4.0), Name("m".into()))).unwrap();
    let query = world.query::<(&Velocity,)>().unwrap().outside(group).unwrap();
    // The last spawn has moved the first non-member to the end.
    assert_eq!(query.iter().map(|(entity, _)| entity).collect::<Vec<_>>(), [named, lone]);
    let query = world.query::<(&Name,)>().unwrap().outside(group).unwrap();
    assert_eq!(query.iter().map(|(entity, _)| entity).collect::<Vec<_>>(), [named]);
    let query = world.query::<(&Position, &Velocity)>().unwrap().outside(group).unwrap();
    assert_eq!(query.iter().count(), 0);
    world.remove::<Position>(inside).unwrap();
    let query = world.query_mut::<(&mut Velocity,)>().unwrap().outside(group).unwrap();
    let mut visited = Vec::new();
    query.for_each(|entity, _| visited.push(entity)).unwrap();
    visited.sort_unstable();
    assert_eq!(visited, [inside, lone, named]);
}

#[test]
fn a_component_cannot_be_borrowed_twice() {
    let mut world = world();
    spawn_moving(&mut world, 1);
    let twice = Error::NamedTwice(std::any::type_name::<Velocity>());
    let query = world.query_mut::<(&mut Velocity, &Position, &mut Velocity)>().unwrap();
    assert_eq!(query.for_each(|_, _| ()), Err(twice));
    let query = world.query_mut::<(&mut Velocity, Option<&Velocity>)>().unwrap();
    assert_eq!(query.for_each(|_, _| ()), Err(twice));
}

#[test]
fn queries_use_the_order_of_the_smallest_array_or_of_the_group() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 6);
    for i in [4, 1, 3] {
        world.insert(entities[i], Position([0.0; 3])).unwrap();
    }
    let order = |world: &World| {
        let query = world.query::<(&Velocity, &Position)>().unwrap();
        query.iter().map(|(_, (velocity, _))| velocity.0).collect::<Vec<_>>()
    };
    assert_eq!(order(&world), [4.0, 1.0, 3.0]);
    let group = world.create_group::<(Position, Velocity)>().unwrap();
    let (in_group,) = world.group(group).unwrap().slices::<(&Velocity,)>().unwrap();
    assert_eq!(order(&world), in_group.iter().map(|velocity| velocity.0).collect::<Vec<_>>());
}

#[test]
fn queries_match_components_registered_after_the_entities() {
    struct Late;
    let mut world = world();
    let entities = spawn_moving(&mut world, 2);
    world.register::<Late>().unwrap();
    world.insert(entities[1], Late).unwrap();
    let found: Vec<_> =
        world.query::<(&Velocity,)>().unwrap().with::<(Late,)>().unwrap().iter().collect();
    assert_eq!(found, [(entities[1], (&Velocity(1.0),))]);
}

#[test]
fn an_entity_without_components_matches_the_empty_signature_only() {
    let mut world = world();
    let bare = world.spawn(()).unwrap();
    let moving = spawn_moving(&mut world, 1)[0];
    assert_eq!(world.signature(bare), Ok(Signature::EMPTY));
    assert_eq!(world.entities(Signature::EMPTY).collect::<Vec<_>>(), [bare, moving]);
    let signature = world.signature_of::<(Velocity,)>().unwrap();
    assert_eq!(world.entities(signature).collect::<Vec<_>>(), [moving]);
}

#[test]
fn size_hints_are_exact_for_groups_and_upper_bounds_otherwise() {
    let mut world = world();
    world.create_group::<(Position, Velocity)>().unwrap();
    spawn_moving(&mut world, 7);
    for i in 0..3_u8 {
        world.spawn((Position([i.into(); 3]), Velocity(0.0), Name(i.to_string()))).unwrap();
    }
    assert_eq!(world.query::<(&Position, &Velocity)>().unwrap().iter().size_hint(), (3, Some(3)));
    assert_eq!(world.query::<(&Velocity, &Name)>().unwrap().iter().size_hint(), (0, Some(3)));
    assert_eq!(world.query::<(Option<&Name>,)>().unwrap().iter().size_hint(), (0, Some(10)));
    let query = world.query::<(&Position, &Velocity)>().unwrap();
    let mut iter = query.iter();
    iter.next();
    assert_eq!(iter.size_hint(), (2, Some(2)));
}

#[test]
fn a_query_changes_several_components() {
    let mut world = world();
    let entity = world.spawn((Position([1.0; 3]), Velocity(2.0))).unwrap();
    let query = world.query_mut::<(&mut Position, &mut Velocity)>().unwrap();
    query
        .for_each(|_, (position, velocity)| std::mem::swap(&mut position.0[0], &mut velocity.0))
        .unwrap();
    assert_eq!(world.get(entity), Ok(&Position([2.0, 1.0, 1.0])));
    assert_eq!(world.get(entity), Ok(&Velocity(1.0)));
}

#[test]
fn get_many_mut_refuses_repeated_entities() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 4);
    let bare = world.spawn(()).unwrap();
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
    let view = world.view::<Velocity>().unwrap();
    for absent in [entities[0], entities[1], foreign, Entity::NULL] {
        assert_eq!(view.get(absent), None);
    }
    assert_eq!(view.get(entities[2]), Some(&Velocity(2.0)));
    assert_eq!(view.values(), [Velocity(2.0)]);
}

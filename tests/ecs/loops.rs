//! `for` loops over queries that change components, in arrays of different order.

use std::collections::BTreeSet;

use cubefall::ecs::{Entity, World};
use proptest::prelude::*;

use super::{Frozen, Name, Position, Velocity, spawn_moving, velocities, world};

/// Gives a `Position` to the entities at some indices, in this order, with the index as its value.
fn place(world: &mut World, entities: &[Entity], order: &[usize]) {
    for &i in order {
        world.insert(entities[i], Position([i as f32; 3])).unwrap();
    }
}

#[test]
fn a_loop_changes_components_in_arrays_of_different_order() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 8);
    place(&mut world, &entities, &[6, 1, 5, 3]);
    let mut visited = Vec::new();
    for (position, velocity) in world.query_mut::<(&mut Position, &mut Velocity)>() {
        visited.push(position.0[0]);
        position.0[1] = velocity.0;
        velocity.0 += 100.0;
    }
    // The order of the positions, which are fewer; the velocities are in another order.
    assert_eq!(visited, [6.0, 1.0, 5.0, 3.0]);
    assert!(world.query::<&Position>().into_iter().all(|at| at.0[0] == at.0[1]));
    assert_eq!(velocities(&world), [0.0, 101.0, 2.0, 103.0, 4.0, 105.0, 106.0, 7.0]);
}

#[test]
fn a_loop_changes_optional_components_in_another_order() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 6);
    place(&mut world, &entities, &[4, 0, 3]);
    let mut without = 0;
    for (velocity, position) in world.query_mut::<(&Velocity, Option<&mut Position>)>() {
        match position {
            Some(position) => position.0[1] = velocity.0,
            None => without += 1,
        }
    }
    assert_eq!(without, 3);
    let positions: Vec<_> = world.query::<&Position>().iter().map(|at| at.0).collect();
    assert_eq!(positions, [[4.0, 4.0, 4.0], [0.0, 0.0, 0.0], [3.0, 3.0, 3.0]]);
}

#[test]
fn a_loop_gives_each_element_once_and_with_its_entity() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 9);
    place(&mut world, &entities, &[8, 2, 7, 0, 5]);
    let items: Vec<_> = world
        .query_mut::<(Entity, &mut Velocity, &mut Position)>()
        .into_iter()
        .map(|(entity, velocity, _)| (entity, velocity))
        .collect();
    // All references are held at the same time.
    for (entity, velocity) in items {
        assert_eq!(entities[velocity.0 as usize], entity);
        velocity.0 += 0.5;
    }
    assert_eq!(velocities(&world), [0.5, 1.0, 2.5, 3.0, 4.0, 5.5, 6.0, 7.5, 8.5]);
}

#[test]
fn a_loop_over_the_members_of_a_group_changes_other_components_too() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 7);
    // Array order of the names: 0, 1, 2, ...; of the members: 5, 2, 6.
    for (i, &entity) in entities.iter().enumerate() {
        world.insert(entity, Name(i.to_string())).unwrap();
    }
    place(&mut world, &entities, &[5, 2, 6]);
    let group = world.create_group::<(Position, Velocity)>();
    for (position, velocity, name) in
        world.query_mut::<(&mut Position, &Velocity, Option<&mut Name>)>()
    {
        name.unwrap().0.push('!');
        position.0[0] += velocity.0;
    }
    assert_eq!(world.group(group).unwrap().len(), 3);
    for (i, &entity) in entities.iter().enumerate() {
        let (name, position) = world.get::<(&Name, Option<&Position>)>(entity).unwrap();
        let member = [5, 2, 6].contains(&i);
        assert_eq!(name.0, format!("{i}{}", if member { "!" } else { "" }));
        assert_eq!(position.map(|at| at.0[0]), member.then_some(2.0 * i as f32));
    }
}

#[test]
fn a_loop_can_end_early() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 5);
    place(&mut world, &entities, &[3, 1, 2]);
    let query = world.query_mut::<(&mut Velocity, &Position)>();
    query.into_iter().take(2).for_each(|(velocity, _)| velocity.0 = -1.0);
    assert_eq!(velocities(&world), [0.0, -1.0, 2.0, -1.0, 4.0]);
}

#[test]
fn a_read_query_can_be_iterated_several_times_and_by_several_loops() {
    let mut world = world();
    spawn_moving(&mut world, 3);
    let query = world.query::<&Velocity>();
    let mut pairs = 0;
    for a in &query {
        pairs += query.iter().filter(|b| a.0 < b.0).count();
    }
    assert_eq!(pairs, 3);
}

#[test]
fn try_for_each_stops_at_the_first_error_and_returns_it() {
    let mut world = world();
    spawn_moving(&mut world, 5);
    let stopped = world.query_mut::<&mut Velocity>().try_for_each(|velocity| {
        velocity.0 += 10.0;
        if velocity.0 == 12.0 { Err("the third") } else { Ok(()) }
    });
    assert_eq!(stopped, Err("the third"));
    assert_eq!(velocities(&world), [10.0, 11.0, 12.0, 3.0, 4.0]);
    let all = world.query_mut::<&Velocity>().try_for_each(|_| Ok::<_, ()>(()));
    assert_eq!(all, Ok(()));
}

#[test]
fn try_for_each_stops_in_arrays_of_different_order() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 5);
    place(&mut world, &entities, &[4, 1, 3]);
    let query = world.query_mut::<(&Position, &mut Velocity)>();
    let stopped = query.try_for_each(|(position, velocity)| {
        velocity.0 += 10.0;
        if position.0[0] == 1.0 { Err("the second") } else { Ok(()) }
    });
    assert_eq!(stopped, Err("the second"));
    assert_eq!(velocities(&world), [0.0, 11.0, 2.0, 3.0, 14.0]);
}

#[test]
fn for_each_gives_optional_components_of_members() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 4);
    place(&mut world, &entities, &[2, 0]);
    world.create_group::<(Position, Velocity)>();
    let mut visited = Vec::new();
    world.query_mut::<(&Position, Option<&mut Velocity>)>().for_each(|(position, velocity)| {
        visited.push((position.0[0], velocity.map(|velocity| velocity.0)));
    });
    assert_eq!(visited, [(2.0, Some(2.0)), (0.0, Some(0.0))]);
}

/// What a loop visited: entity, velocity, and position.
type Visited = Vec<(Entity, f32, Option<f32>)>;

fn visit(
    visited: &mut Visited,
    (entity, velocity, position): (Entity, &mut Velocity, Option<&mut Position>),
) {
    visited.push((entity, velocity.0, position.as_ref().map(|at| at.0[0])));
    velocity.0 += 0.25;
    if let Some(position) = position {
        position.0[0] -= velocity.0;
    }
}

/// Returns entity and components of all entities, in slot order.
fn content(world: &World) -> Vec<(Entity, Option<Velocity>, Option<Position>)> {
    let query = world.query::<(Entity, Option<&Velocity>, Option<&Position>)>();
    query.iter().map(|(entity, a, b)| (entity, a.copied(), b.copied())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_loop_and_for_each_and_fold_do_the_same(
        changes in prop::collection::vec((0_u8..4, any::<usize>()), 0..80),
        group in 0_u8..4,
        narrow: bool,
    ) {
        let mut world = world();
        let mut entities = Vec::new();
        match group {
            0 => _ = world.create_group::<(Velocity, Position)>(),
            1 => _ = world.create_group::<(Position, Frozen)>(),
            2 => _ = world.create_group_without::<(Velocity,), (Position,)>(),
            _ => {}
        }
        for (i, (kind, at)) in changes.into_iter().enumerate() {
            let value = i as f32;
            let some = entities.get(at % entities.len().max(1)).copied().unwrap_or(Entity::NULL);
            match kind {
                0 => entities.push(world.spawn((Velocity(value), Frozen))),
                1 => entities.push(world.spawn((Velocity(value), Position([value; 3])))),
                2 => _ = world.insert(some, Position([value; 3])),
                _ => _ = world.remove::<Velocity>(some),
            }
        }
        let before = content(&world);
        let mut one = Visited::new();

        let query = world.query_mut::<(Entity, &mut Velocity, Option<&mut Position>)>();
        let query = if narrow { query.with::<&Position>() } else { query };
        for items in query {
            visit(&mut one, items);
        }
        let after = content(&world);

        let distinct: BTreeSet<_> = one.iter().map(|visited| visited.0).collect();
        prop_assert_eq!(distinct.len(), one.len());

        for fold in [false, true] {
            for &(entity, velocity, position) in &before {
                let values = world.query_one_mut::<(Option<&mut Velocity>, Option<&mut Position>)>(entity).unwrap();
                if let (Some(to), Some(from)) = (values.0, velocity) { *to = from; }
                if let (Some(to), Some(from)) = (values.1, position) { *to = from; }
            }
            let query = world.query_mut::<(Entity, &mut Velocity, Option<&mut Position>)>();
            let query = if narrow { query.with::<&Position>() } else { query };
            let mut other = Visited::new();
            if fold {
                let mut items = query.into_iter();
                // A part of the items has been visited before.
                if let Some(first) = items.next() { visit(&mut other, first); }
                other = items.fold(other, |mut other, items| { visit(&mut other, items); other });
            } else {
                query.for_each(|items| visit(&mut other, items));
            }
            prop_assert_eq!(&one, &other);
            prop_assert_eq!(&content(&world), &after);

            let query = world.query::<(Entity, &Velocity, Option<&Position>)>();
            let query = if narrow { query.with::<&Position>() } else { query };
            let looped: Vec<_> = { let mut all = vec![]; for items in &query { all.push(items); } all };
            let folded = query.iter().fold(vec![], |mut all, items| { all.push(items); all });
            prop_assert_eq!(looped, folded);
        }
    }
}

#[test]
fn a_loop_over_some_components_of_a_group_visits_the_members_and_then_the_others() {
    let mut world = world();
    world.create_group::<(Position, Velocity, Name)>();
    let entities = spawn_moving(&mut world, 8);
    place(&mut world, &entities, &[6, 1, 5, 3]);
    // Only 5 and 6 become members. The arrays have the others in different orders.
    for i in [4, 5, 6] {
        world.insert(entities[i], Name(i.to_string())).unwrap();
    }
    let index = |entity: Entity| entities.iter().position(|other| *other == entity).unwrap();
    let is_of_its_entity = |entity, position: &Position, velocity: &Velocity| {
        let index = index(entity) as f32;
        position.0[0] == index && velocity.0 % 100.0 == index
    };

    let query = world.query::<(Entity, &Position, &Velocity, Option<&Name>)>();
    assert_eq!(query.iter().size_hint(), (2, Some(4)));
    let mut copy = query.iter();
    copy.next();
    assert_eq!((copy.clone().count(), copy.count()), (3, 3));
    let mut visited = Vec::new();
    for (entity, position, velocity, name) in query {
        assert!(is_of_its_entity(entity, position, velocity));
        visited.push((index(entity), name.cloned()));
    }
    assert_eq!(visited[..2], [5, 6].map(|index| (index, Some(Name(index.to_string())))));
    let others = visited[2..].iter().map(|(index, name)| (*index, name.is_none()));
    assert_eq!(others.collect::<BTreeSet<_>>(), [(1, true), (3, true)].into());

    let mut again = Vec::new();
    for (velocity, position, entity) in world.query_mut::<(&mut Velocity, &mut Position, Entity)>()
    {
        assert!(is_of_its_entity(entity, position, velocity));
        position.0[1] += 1.0;
        velocity.0 += 100.0;
        again.push(index(entity));
    }
    assert!(visited.iter().map(|(index, _)| index).eq(&again));
    world.query_mut::<(&mut Velocity, &Position)>().for_each(|(velocity, position)| {
        velocity.0 += 100.0 * position.0[1];
    });
    let velocity = |&entity: &Entity| world.get::<&Velocity>(entity).unwrap().0;
    let velocities: Vec<_> = entities.iter().map(velocity).collect();
    assert_eq!(velocities, [0.0, 301.0, 2.0, 503.0, 4.0, 705.0, 806.0, 7.0]);

    let error = world.query_mut::<(&Position, &mut Velocity)>().try_for_each(|(position, _)| {
        if position.0[0] == 6.0 { Err(position.0[0]) } else { Ok(()) }
    });
    assert_eq!(error, Err(6.0));
}

#[test]
fn a_query_for_exactly_a_group_visits_no_other_entity_whatever_is_nested_in_it() {
    let mut world = world();
    world.create_group::<(Position, Velocity)>();
    world.create_group::<(Position, Velocity, Name)>();
    let members: Vec<_> = (0..3_u8)
        .map(|i| world.spawn((Position([0.0; 3]), Velocity(i.into()), Name(String::new()))))
        .collect();
    for _ in 0..100 {
        world.spawn((Position([0.0; 3]),));
        world.spawn((Velocity(0.0),));
    }
    let query = world.query::<(Entity, &Position, &Velocity)>();
    assert_eq!(query.iter().size_hint(), (3, Some(3)));
    assert!(query.iter().map(|(entity, ..)| entity).eq(members.iter().copied()));
    // An optional component does not prevent that the members come first, with theirs.
    let query = world.query::<(&Position, Option<&Velocity>)>();
    let velocities: Vec<_> = query.iter().map(|(_, velocity)| velocity.map(|it| it.0)).collect();
    assert_eq!(velocities[..3], [0.0, 1.0, 2.0].map(Some));
    assert_eq!(velocities[3..], [None; 100]);
    let query = world.query_mut::<(&mut Velocity, Option<&mut Position>)>();
    let counts = query.into_iter().fold([0, 0], |[with, without], (velocity, position)| {
        velocity.0 += 10.0;
        if position.is_some() { [with + 1, without] } else { [with, without + 1] }
    });
    assert_eq!(counts, [3, 100]);
    assert!(
        members
            .iter()
            .zip(10_u8..)
            .all(|(&entity, i)| { world.get::<&Velocity>(entity) == Ok(&Velocity(i.into())) })
    );
}

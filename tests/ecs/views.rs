//! Views: one component of any entity while another is changed.

use cubefall::ecs::Entity;

use super::{Frozen, Position, Velocity, named_twice, panic_of, spawn_moving, velocities, world};

struct Target(Entity);

#[test]
fn a_loop_over_velocities_reads_the_position_of_another_entity() {
    let mut world = world();
    let plane = world.spawn((Position([8.0; 3]),));
    let gone = world.spawn((Position([9.0; 3]),));
    world.despawn(gone).unwrap();
    for target in [plane, gone, Entity::NULL] {
        world.spawn((Position([2.0; 3]), Velocity(0.0), Target(target)));
    }
    let (mut velocities, positions, targets) =
        world.view_mut::<(&mut Velocity, &Position, &Target)>();
    for (entity, velocity) in velocities.iter_mut() {
        let target = targets.get(entity).and_then(|target| positions.get(target.0));
        velocity.0 = target.map_or(-1.0, |target| target.0[0]);
    }
    assert_eq!(super::velocities(&world), [8.0, -1.0, -1.0]);
}

#[test]
fn several_views_change_different_components_of_any_entity() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    let place = world.spawn((Position([0.0; 3]),));
    let (mut velocities, mut positions) = world.view_mut::<(&mut Velocity, &mut Position)>();
    positions.get_mut(place).unwrap().0[1] = velocities.get(entities[2]).unwrap().0;
    velocities.get_mut(entities[0]).unwrap().0 = 7.0;
    assert_eq!(velocities.get_mut(place), None);
    assert_eq!(positions.get(entities[0]), None);
    assert_eq!(world.get::<&Position>(place), Ok(&Position([0.0, 2.0, 0.0])));
    assert_eq!(super::velocities(&world), [7.0, 1.0, 2.0]);
}

#[test]
fn views_of_stale_and_foreign_handles_are_none() {
    let (mut world, mut other) = (world(), super::world());
    let entities = spawn_moving(&mut world, 2);
    let foreign = spawn_moving(&mut other, 1)[0];
    world.despawn(entities[1]).unwrap();
    let mut view = world.view_mut::<&mut Velocity>();
    for absent in [entities[1], foreign, Entity::NULL] {
        assert_eq!(view.get(absent), None);
        assert_eq!(view.get_mut(absent), None);
    }
}

#[test]
fn a_view_has_the_members_of_a_group_first() {
    let mut world = world();
    let alone = world.spawn((Velocity(1.0),));
    let member = world.spawn((Velocity(2.0), Frozen));
    world.create_group::<(Velocity, Frozen)>();
    let view = world.view::<&Velocity>();
    assert!(view.entities().eq([member, alone]));
    assert_eq!((view.get(alone), view.get(member)), (Some(&Velocity(1.0)), Some(&Velocity(2.0))));
    let mut view = world.view_mut::<&mut Velocity>();
    let visited: Vec<_> = view.iter_mut().map(|(entity, value)| (entity, value.0)).collect();
    assert_eq!(visited, [(member, 2.0), (alone, 1.0)]);
}

#[test]
fn a_view_marks_only_what_it_changes() {
    let mut world = world();
    let entities: Vec<_> = world.spawn_batch((0..100_u8).map(|i| (Velocity(i.into()),))).unwrap();
    let before = world.view::<&Velocity>().changes().latest();
    let mut view = world.view_mut::<&mut Velocity>();
    assert!(view.get(entities[5]).is_some());
    assert!(view.as_view().entities().eq(entities.iter().copied()));
    assert_eq!(view.as_view().iter().last(), Some((entities[99], &Velocity(99.0))));
    view.get_mut(entities[50]).unwrap().0 = 0.5;
    assert_eq!(world.view::<&Velocity>().changes().since(before), Some(&[50][..]));
    world.view_mut::<&mut Velocity>().iter_mut().for_each(|(_, velocity)| velocity.0 = 0.0);
    assert!(world.view::<&Velocity>().changes().everywhere() > before);
    assert_eq!(velocities(&world), [0.0; 100]);
}

#[test]
fn a_view_that_changes_a_component_cannot_name_it_twice() {
    let mut world = world();
    let twice = panic_of(|| _ = world.view_mut::<(&mut Velocity, &Position, &Velocity)>());
    assert_eq!(twice, named_twice::<Velocity>());
    let (one, other) = world.view::<(&Velocity, &Velocity)>();
    assert_eq!(one.values(), other.values(), "views that read may");
}

#[test]
fn a_view_knows_its_length() {
    let mut world = world();
    let entities = world.spawn_batch((0..9_u8).map(|i| (Velocity(i.into()),))).unwrap();
    let view = world.view::<&Velocity>();
    assert_eq!((view.len(), view.is_empty(), view.iter().len()), (9, false, 9));
    assert!(view.entities().eq(entities));
    assert!(world.view::<&Frozen>().is_empty());
}

#[test]
fn a_view_is_iterated_by_value_and_by_reference() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    world.insert(entities[2], Frozen).unwrap();
    world.create_group::<(Velocity, Frozen)>();
    let view = world.view::<&Velocity>();
    let mut visited = Vec::new();
    for (entity, velocity) in &view {
        visited.push((entity, velocity.0));
    }
    let [first, second, member] = entities[..] else { unreachable!() };
    assert_eq!(visited, [(member, 2.0), (second, 1.0), (first, 0.0)]);
    let mut iter = view.into_iter();
    iter.next();
    assert!(iter.clone().eq([(second, &Velocity(1.0)), (first, &Velocity(0.0))]));
    assert_eq!((iter.len(), format!("{iter:?}")), (2, "ViewIter { left: 2, .. }".to_owned()));
}

#[test]
fn an_index_of_the_array_leads_to_its_entity() {
    let mut world = world();
    world.create_group::<(Position, Velocity)>();
    let entities = spawn_moving(&mut world, 4);
    for &member in &entities[2..] {
        world.insert(member, Position([0.0; 3])).unwrap();
    }
    let view = world.view::<&Velocity>();
    let found: Vec<_> = (0..5).map(|dense| view.entity(dense)).collect();
    assert!(found[..4].iter().copied().eq(view.entities().map(Some)));
    assert_eq!(found[4], None);
    assert_eq!(world.view::<&Frozen>().entity(0), None);
}

use cubefall::ecs::{ComponentType, Entity, Error, World};

use super::{
    Frozen, Name, Position, Velocity, named_twice, panic_of, spawn_moving, velocities, world,
};

#[test]
fn inserted_components_are_read_changed_and_removed() {
    let mut world = world();
    let entity = world.spawn(());
    assert!(!world.has::<Velocity>(entity));
    let name = std::any::type_name::<Velocity>();
    assert_eq!(world.get::<&Velocity>(entity), Err(Error::Missing(entity, name)));
    world.insert(entity, Velocity(2.0)).unwrap();
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(2.0)));
    world.get_mut::<Velocity>(entity).unwrap().0 += 1.0;
    assert_eq!(world.remove(entity), Ok(Velocity(3.0)));
    assert!(!world.has::<Velocity>(entity) && world.contains(entity));
}

#[test]
fn removing_moves_the_last_element_into_the_hole() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 4);
    world.remove::<Velocity>(entities[1]).unwrap();
    assert_eq!(velocities(&world), [0.0, 3.0, 2.0]);
    assert_eq!(world.get::<&Velocity>(entities[3]), Ok(&Velocity(3.0)));
}

#[test]
fn invalid_calls_return_an_error_and_change_nothing() {
    let mut world = world();
    let entity = spawn_moving(&mut world, 1)[0];
    let (velocity, name) = (std::any::type_name::<Velocity>(), std::any::type_name::<Name>());
    assert_eq!(world.remove::<Name>(entity), Err(Error::Missing(entity, name)));
    assert_eq!(world.get_mut::<Name>(entity), Err(Error::Missing(entity, name)));
    assert_eq!(world.insert(entity, Velocity(8.0)), Err(Error::AlreadyPresent(entity, velocity)));
    let twice = panic_of(|| _ = world.spawn((Velocity(1.0), Velocity(2.0))));
    assert_eq!(twice, named_twice::<Velocity>());
    assert_eq!((velocities(&world), world.len()), (vec![0.0], 1));
    for error in [Error::Missing(entity, name), Error::AlreadyPresent(entity, velocity)] {
        let text = error.to_string();
        assert!(text.contains("0v1") && text.contains("ecs::"), "{text}");
    }
}

#[test]
fn every_call_that_changes_a_component_registers_its_type() {
    struct Tag;
    type Call = fn(&mut World, Entity);
    let calls: &[Call] = &[
        |world, _| _ = world.register::<Tag>(),
        |world, entity| world.insert(entity, Tag).unwrap(),
        |world, _| _ = world.spawn((Tag,)),
        |world, _| _ = world.spawn_batch([(Tag,)]).unwrap(),
        |world, _| world.reserve::<(Tag,)>(1).unwrap(),
        |world, _| _ = world.create_group::<(Tag,)>(),
        |world, _| _ = world.on_added::<Tag>(|_, _| ()),
        |world, _| _ = world.query_mut::<&mut Tag>(),
        |world, _| _ = world.view_mut::<&mut Tag>().iter_mut().count(),
        |world, _| _ = world.signature_of::<(Tag,)>(),
        |world, _| world.track_changes::<Tag>(),
    ];
    for call in calls {
        let mut world = World::new();
        let entity = world.spawn((Velocity(1.0),));
        assert_eq!(world.component_type::<Tag>(), None);
        call(&mut world, entity);
        assert_eq!(world.component_type::<Tag>().map(ComponentType::index), Some(1));
        assert_eq!(velocities(&world), [1.0]);
    }
}

#[test]
fn elements_and_entities_map_to_each_other() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 40);
    for entity in entities.iter().step_by(3) {
        world.despawn(*entity).unwrap();
    }
    for (entity, velocity) in world.query::<(Entity, &Velocity)>() {
        assert_eq!(world.get::<&Velocity>(entity), Ok(velocity));
        assert!(entities.contains(&entity));
    }
}

#[test]
fn reserving_keeps_the_content_and_reports_missing_memory() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 3);
    world.reserve::<(Velocity, Position)>(10_000).unwrap();
    let refused = world.reserve::<(Velocity,)>(usize::MAX / 8);
    assert_eq!(refused, Err(Error::OutOfMemory { entities: usize::MAX / 8 }));
    assert_eq!(
        (velocities(&world), world.get::<&Velocity>(entities[2])),
        (vec![0.0, 1.0, 2.0], Ok(&Velocity(2.0)))
    );
}

#[test]
fn a_reused_slot_has_no_component_of_its_former_entity() {
    let mut world = world();
    let old = spawn_moving(&mut world, 1)[0];
    world.despawn(old).unwrap();
    let new = world.spawn(());
    assert_eq!(new.index(), old.index());
    assert!(!world.has::<Velocity>(old) && !world.has::<Velocity>(new));
}

#[test]
fn older_entities_can_have_a_component_registered_later() {
    struct Late(u64);
    let mut world = world();
    let entities = spawn_moving(&mut world, 5);
    world.despawn(entities[3]).unwrap();
    world.register::<Late>();
    world.insert(entities[4], Late(7)).unwrap();
    assert_eq!(world.get::<&Late>(entities[4]).unwrap().0, 7);
    assert_eq!(world.get::<&Velocity>(entities[2]), Ok(&Velocity(2.0)));
    assert_eq!(world.spawn((Late(1), Frozen)).index(), entities[3].index());
}

#[test]
fn shrinking_keeps_the_content() {
    let mut world = world();
    let entities = spawn_moving(&mut world, 50);
    world.reserve::<(Velocity,)>(10_000).unwrap();
    let memory = |world: &World| {
        let name = std::any::type_name::<Velocity>();
        *world.inspect().memory().iter().find(|memory| memory.name == name).unwrap()
    };
    assert!(memory(&world).bytes >= 10_000 * 8);
    world.shrink_to(1_000);
    assert!((1_000 * 8..2_000 * 8).contains(&memory(&world).bytes), "{:?}", memory(&world));
    world.shrink_to(0);
    // Value and slot of each, when each of the four chunks was changed, and one page of dense indices.
    let most = 50 * (8 + 4) + 4 * 8 + (1024 * 4 + 8);
    assert!(memory(&world).bytes <= most, "{:?}", memory(&world));
    assert_eq!(memory(&world).len, 50);
    assert_eq!(world.get::<&Velocity>(entities[49]), Ok(&Velocity(49.0)));
    // What it keeps holds that many without another allocation.
    world.reserve::<(Velocity,)>(10_000).unwrap();
    let reserved = memory(&world).bytes;
    world.shrink_to(20_000);
    assert_eq!(memory(&world).bytes, reserved);
}

#[test]
fn sorting_keeps_entities_and_values_together() {
    let orders: [&[f32]; 6] = [
        &[],
        &[1.0],
        &[1.0, 2.0, 3.0, 4.0],
        &[4.0, 3.0, 2.0, 1.0],
        &[3.0, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0],
        &[1.0, 2.0, 3.0, 0.5],
    ];
    for order in orders {
        let mut world = world();
        let entities: Vec<_> = order.iter().map(|&v| world.spawn((Velocity(v),))).collect();
        world.sort_by::<Velocity>(|a, b| a.0.total_cmp(&b.0));
        let mut sorted = order.to_vec();
        sorted.sort_by(f32::total_cmp);
        assert_eq!(velocities(&world), sorted);
        for (&entity, &value) in entities.iter().zip(order) {
            assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(value)));
        }
    }
}

#[test]
fn equal_elements_keep_their_order() {
    let mut world = world();
    let entities: Vec<_> = (0..20_u8).map(|i| world.spawn((Velocity(f32::from(i % 3)),))).collect();
    world.sort_by::<Velocity>(|a, b| a.0.total_cmp(&b.0));
    let sorted: Vec<_> = world.view::<&Velocity>().entities().collect();
    let expected = (0..3).flat_map(|rest| entities.iter().copied().skip(rest).step_by(3));
    assert_eq!(sorted, expected.collect::<Vec<_>>());
}

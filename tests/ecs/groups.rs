use cubefall::ecs::{Entity, Error, GroupId, World};

use super::{Frozen, Name, Position, Velocity, named_twice, panic_of, world};

fn both(i: u8) -> (Position, Velocity) {
    (Position([i.into(); 3]), Velocity(i.into()))
}

/// Returns the members and checks that both arrays agree with them.
fn members(world: &World, group: GroupId) -> Vec<Entity> {
    let (positions, velocities) = world.group(group).unwrap().slices::<(&Position, &Velocity)>();
    let members: Vec<_> = world.group(group).unwrap().entities().collect();
    assert_eq!([positions.len(), velocities.len()], [members.len(); 2]);
    for (i, &entity) in members.iter().enumerate() {
        assert_eq!(world.group(group).unwrap().entity(i), Some(entity));
        assert_eq!(world.get::<&Position>(entity), Ok(&positions[i]));
        assert_eq!(world.get::<&Velocity>(entity), Ok(&velocities[i]));
    }
    assert_eq!(world.group(group).unwrap().entity(members.len()), None);
    members
}

#[test]
fn members_are_a_common_prefix_of_the_owned_arrays() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let entities: Vec<_> = (0..6).map(|i| world.spawn(both(i))).collect();
    let lone = world.spawn((Velocity(9.0),));
    assert_eq!(members(&world, group), entities);
    world.remove::<Position>(entities[1]).unwrap();
    assert_eq!(members(&world, group).len(), 5);
    world.insert(lone, Position([9.0; 3])).unwrap();
    assert!(members(&world, group).contains(&lone));
    world.insert(entities[1], Position([1.0; 3])).unwrap();
    assert_eq!(members(&world, group).len(), 7);
}

#[test]
fn despawning_any_member_keeps_the_prefix() {
    for victim in 0..5 {
        let mut world = world();
        let group = world.create_group::<(Position, Velocity)>();
        let mut entities = Vec::new();
        for i in 0..5 {
            entities.push(world.spawn(both(i)));
            world.spawn((Velocity(100.0),));
        }
        world.despawn(entities[victim]).unwrap();
        let left = members(&world, group);
        assert_eq!(left.len(), 4);
        assert!(!left.contains(&entities[victim]));
    }
}

#[test]
fn a_group_created_late_has_the_same_members() {
    let build = |late: bool| {
        let mut world = world();
        let early = (!late).then(|| world.create_group::<(Position, Velocity)>());
        for i in 0..20_u8 {
            let _ = match i % 3 {
                0 => world.spawn(both(i)),
                1 => world.spawn((Velocity(i.into()),)),
                _ => world.spawn((Position([i.into(); 3]),)),
            };
        }
        let group = early.unwrap_or_else(|| world.create_group::<(Position, Velocity)>());
        let mut bits: Vec<_> = members(&world, group).iter().map(|e| e.to_bits()).collect();
        bits.sort_unstable();
        bits
    };
    assert_eq!(build(true), build(false));
    assert_eq!(build(true).len(), 7);
}

#[test]
fn a_group_may_own_arrays_of_different_length() {
    let mut world = world();
    for i in 0..200_u8 {
        world.spawn((Velocity(i.into()),));
    }
    let group = world.create_group::<(Position, Velocity)>();
    assert!(members(&world, group).is_empty());
    let one = world.spawn(both(7));
    assert_eq!(members(&world, group), [one]);
}

#[test]
fn overlapping_groups_must_be_nested() {
    let mut world = world();
    let drawn = world.create_group::<(Position, Velocity)>();
    let clash = panic_of(|| _ = world.create_group::<(Velocity, Name)>());
    let name = std::any::type_name::<Velocity>();
    assert_eq!(
        clash,
        format!(
            "component {name} is owned by another group, and neither group is nested in the other"
        )
    );
    let malformed = "a group must own at least one component, and none that it excludes";
    assert_eq!(panic_of(|| _ = world.create_group::<()>()), malformed);
    let excluding = panic_of(|| _ = world.create_group_without::<(Name,), (Name,)>());
    assert_eq!(excluding, malformed);
    assert_eq!(world.inspect().groups().len(), 1, "refused groups are not created");
    let again = world.create_group::<(Velocity, Position)>();
    assert_eq!(again, drawn, "the same components are the same group");
    assert_ne!(world.create_group::<(Name,)>(), drawn, "a group of other components");
}

/// Returns the message of the panic for a component that a group does not own.
fn not_owned<T>() -> String {
    format!("component {} is not owned by the group", std::any::type_name::<T>())
}

#[test]
fn slices_of_components_that_a_group_does_not_own_are_refused() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let members = world.group(group).unwrap();
    assert_eq!(panic_of(|| _ = members.slices::<(&Position, &Name)>()), not_owned::<Name>());
    let never_used = panic_of(|| _ = members.slices::<&u8>());
    assert_eq!(never_used, not_owned::<u8>());
    let handles = panic_of(|| _ = members.slices::<(Entity, &Position)>());
    let returned = "which `Group::entities` and `GroupMut::entities_and_slices_mut` return";
    assert!(handles.contains(returned), "{handles}");
    let members = world.group_mut(group).unwrap();
    assert_eq!(panic_of(|| _ = members.slices_mut::<&mut Name>()), not_owned::<Name>());
    let members = world.group_mut(group).unwrap();
    let twice = panic_of(|| _ = members.slices_mut::<(&mut Velocity, &Velocity)>());
    assert_eq!(twice, named_twice::<Velocity>());
}

#[test]
fn handles_and_slices_of_a_group_are_in_the_same_order() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let entities: Vec<_> = (0..5).map(|i| world.spawn(both(i))).collect();
    world.spawn((Velocity(9.0),));
    world.despawn(entities[1]).unwrap();
    let latest = world.view::<&Velocity>().changes().latest();
    let group_mut = world.group_mut(group).unwrap();
    let (handles, (positions, velocities)) =
        group_mut.entities_and_slices_mut::<(&Position, &mut Velocity)>();
    assert_eq!([handles.len(), positions.len(), velocities.len()], [4; 3]);
    for (entity, velocity) in handles.zip(velocities) {
        velocity.0 = 100.0 + entity.index() as f32;
    }
    for entity in members(&world, group) {
        assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(100.0 + entity.index() as f32)));
    }
    let changed = world.view::<&Velocity>().changes().since(latest);
    assert_eq!(changed, Some(&[0, 1, 2, 3][..]), "those of the members");
    let refused = panic_of(|| {
        _ = world.group_mut(group).unwrap().entities_and_slices_mut::<&mut Name>();
    });
    assert_eq!(refused, not_owned::<Name>());
}

#[test]
fn groups_of_another_world_are_refused() {
    let (mut world, mut elsewhere) = (world(), super::world());
    world.create_group::<(Position, Velocity)>();
    let other = elsewhere.create_group::<(Position, Velocity)>();
    assert_eq!(world.group_mut(other).err(), Some(Error::NoSuchGroup));
    assert_eq!(world.group(other).err(), Some(Error::NoSuchGroup));
    assert_eq!(world.remove_group(other), Err(Error::NoSuchGroup));
}

#[test]
fn an_entity_with_an_excluded_component_is_no_member() {
    let mut world = world();
    let moving = world.create_group_without::<(Position, Velocity), (Frozen,)>();
    let entities: Vec<_> = (0..4).map(|i| world.spawn(both(i))).collect();
    world.insert(entities[1], Frozen).unwrap();
    let cold = world.spawn((Position([8.0; 3]), Velocity(8.0), Frozen));
    let left = members(&world, moving);
    assert!(left.len() == 3 && !left.contains(&entities[1]) && !left.contains(&cold));
    world.remove::<Frozen>(cold).unwrap();
    assert!(members(&world, moving).contains(&cold));
    world.despawn(entities[1]).unwrap();
    assert_eq!(members(&world, moving).len(), 4);
}

#[test]
fn values_follow_their_entity_through_every_swap() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let entities: Vec<_> = (0..9).map(|i| world.spawn(both(i))).collect();
    for i in [4, 0, 8, 2] {
        world.remove::<Velocity>(entities[i]).unwrap();
    }
    for i in [0, 4] {
        world.insert(entities[i], Velocity(i as f32)).unwrap();
    }
    members(&world, group);
    for (i, &entity) in entities.iter().enumerate() {
        assert_eq!(world.get::<&Position>(entity), Ok(&Position([i as f32; 3])));
        assert_eq!(world.has::<Velocity>(entity), ![8, 2].contains(&i));
    }
}

#[test]
fn a_refused_insert_does_not_enter_the_group_again() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    let entity = world.spawn(both(1));
    assert!(world.insert(entity, Velocity(2.0)).is_err());
    assert_eq!(members(&world, group), [entity]);
}

#[test]
fn groups_may_own_one_or_three_arrays() {
    let mut world = world();
    let one = world.create_group::<(Name,)>();
    let named = world.spawn((Name("a".into()),));
    assert_eq!(world.group(one).unwrap().entities().collect::<Vec<_>>(), [named]);
    let three = world.create_group::<(Name, Position, Velocity)>();
    let (position, velocity) = both(3);
    let full = world.spawn((position, velocity, Name("b".into())));
    assert_eq!(world.group(three).unwrap().entities().collect::<Vec<_>>(), [full]);
    assert_eq!(world.group(one).unwrap().len(), 2);
}

/// Creates an outer group and a group nested in it, in either order.
fn nested(outer_first: bool, world: &mut World) -> (GroupId, GroupId) {
    if outer_first {
        let outer = world.create_group::<(Position, Velocity)>();
        (outer, world.create_group::<(Position, Velocity, Name, Frozen)>())
    } else {
        let inner = world.create_group::<(Position, Velocity, Name, Frozen)>();
        (world.create_group::<(Position, Velocity)>(), inner)
    }
}

#[test]
fn nested_groups_keep_both_prefixes_through_the_mode_switch() {
    for outer_first in [true, false] {
        let mut world = world();
        let full =
            |i: u8| (Position([i.into(); 3]), Velocity(i.into()), Name(i.to_string()), Frozen);
        let before = world.spawn(full(99));
        let (outer, inner) = nested(outer_first, &mut world);
        let entities: Vec<_> = (0..7).map(|i| world.spawn(full(i))).collect();
        let camera = world.spawn((Velocity(50.0),));

        for &entity in entities.iter().chain([&before]) {
            world.remove::<Name>(entity).unwrap();
            world.remove::<Frozen>(entity).unwrap();
        }
        world.insert(camera, Name("camera".into())).unwrap();
        world.insert(camera, Frozen).unwrap();
        assert_eq!((members(&world, outer).len(), members(&world, inner).len()), (8, 0));

        for &entity in entities.iter().rev() {
            world.insert(entity, Frozen).unwrap();
            world.insert(entity, Name("again".into())).unwrap();
            let falling = members(&world, inner);
            assert_eq!(
                members(&world, outer)[..falling.len()],
                falling,
                "the nested group is a prefix"
            );
        }
        assert_eq!((members(&world, outer).len(), members(&world, inner).len()), (8, 7));
        world.despawn(entities[3]).unwrap();
        world.despawn(before).unwrap();
        assert_eq!((members(&world, outer).len(), members(&world, inner).len()), (6, 6));
    }
}

#[test]
fn sorting_a_group_keeps_its_arrays_parallel_and_the_nested_prefix() {
    let mut world = world();
    let (outer, inner) = nested(true, &mut world);
    for i in [5, 2, 9, 0, 7] {
        world.spawn(both(i));
    }
    for i in [4, 8, 1] {
        let (position, velocity) = both(i);
        world.spawn((position, velocity, Name(i.to_string()), Frozen));
    }
    world.spawn((Velocity(-1.0),));
    world.group_mut(outer).unwrap().sort_by::<Velocity>(|a, b| a.0.total_cmp(&b.0));
    members(&world, outer);
    members(&world, inner);
    let velocities = world.group(outer).unwrap().slices::<&Velocity>();
    let sorted: Vec<_> = velocities.iter().map(|velocity| velocity.0).collect();
    assert_eq!(sorted, [1.0, 4.0, 8.0, 0.0, 2.0, 5.0, 7.0, 9.0]);
    let (names, velocities) = world.group(inner).unwrap().slices::<(&Name, &Velocity)>();
    assert!(names.iter().zip(velocities).all(|(name, velocity)| name.0 == velocity.0.to_string()));
}

#[test]
fn an_owned_array_cannot_be_sorted_alone() {
    let mut world = world();
    let group = world.create_group::<(Position, Velocity)>();
    world.spawn(both(2));
    let owned = panic_of(|| world.sort_by::<Velocity>(|a, b| b.0.total_cmp(&a.0)));
    let name = std::any::type_name::<Velocity>();
    assert_eq!(owned, format!("component {name} is owned by a group: sort the group instead"));
    let members = world.group_mut(group).unwrap();
    assert_eq!(panic_of(|| members.sort_by::<Name>(|a, b| a.0.cmp(&b.0))), not_owned::<Name>());
}

#[cfg(feature = "parallel")]
#[test]
fn chunks_cover_each_member_once_for_any_size_and_number_of_threads() {
    let sizes = [(0, 1), (1, 1), (10, 1), (10, 3), (10, 10), (10, 11), (200, 7)];
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (count, size) in sizes {
            let mut world = world();
            let group = world.create_group::<(Position, Velocity)>();
            world.spawn_batch((0..count).map(both)).unwrap();
            let lens = std::sync::Mutex::new(Vec::new());
            let visit = |(positions, velocities): (&mut [Position], &[Velocity])| {
                assert_eq!(positions.len(), velocities.len());
                lens.lock().unwrap().push(positions.len());
                for (position, velocity) in positions.iter_mut().zip(velocities) {
                    assert_eq!(position.0[0], velocity.0);
                    position.0[1] += 1.0;
                }
            };
            let members = world.group_mut(group).unwrap();
            pool.install(|| members.par_for_each_chunk::<(&mut Position, &Velocity)>(size, visit));
            let lens = lens.into_inner().unwrap();
            assert_eq!(lens.iter().sum::<usize>(), usize::from(count));
            assert!(lens.iter().all(|&len| len <= size));
            let positions = world.group(group).unwrap().slices::<&Position>();
            assert!(positions.iter().all(|position| position.0[1] == position.0[0] + 1.0));
        }
    }
}

use cubefall::ecs::{ComponentType, Limits, SlotCounts, World};

use super::{Frozen, Name, Position, Velocity, world};

const HERE: Position = Position([0.0; 3]);

fn names(world: &World, components: impl Iterator<Item = ComponentType>) -> Vec<&'static str> {
    let name = |component| world.inspect().component_name(component).unwrap();
    components.map(|component| name(component).rsplit(':').next().unwrap()).collect()
}

#[test]
fn component_types_are_listed_in_the_order_of_registration() {
    let world = world();
    let listed = names(&world, world.inspect().component_types());
    assert_eq!(listed, ["Position", "Velocity", "Name", "Frozen"]);
    assert_eq!(World::new().inspect().component_types().len(), 0);
}

#[test]
fn groups_are_listed_with_components_and_length_outer_first() {
    let mut world = world();
    let inner = world.create_group_without::<(Position, Velocity), (Frozen,)>();
    let outer = world.create_group::<(Position,)>();
    world.spawn((HERE, Velocity(1.0)));
    let still = world.spawn((HERE, Velocity(2.0), Frozen));
    world.spawn((HERE,));

    let groups: Vec<_> = world.inspect().groups().collect();
    assert_eq!([groups[0].id, groups[1].id], [outer, inner]);
    assert_eq!([groups[0].len, groups[1].len], [3, 1]);
    assert_eq!(names(&world, groups[0].owned.iter()), ["Position"]);
    assert_eq!(names(&world, groups[1].owned.iter()), ["Position", "Velocity"]);
    assert_eq!(names(&world, groups[1].excluded.iter()), ["Frozen"]);
    world.remove::<Frozen>(still).unwrap();
    assert_eq!(world.inspect().groups().map(|group| group.len).collect::<Vec<_>>(), [3, 2]);
}

#[test]
fn debug_prints_counts_and_array_lengths() {
    let mut world = world();
    world.spawn((HERE, Velocity(1.0)));
    let printed = format!("{world:?}");
    assert!(printed.starts_with("World { entities: 1, arrays: [("), "{printed}");
    assert!(printed.contains("Velocity\", 1), "), "{printed}");
}

#[test]
fn dense_index_and_array_entity_are_inverse() {
    let mut world = world();
    world.create_group::<(Position, Velocity)>();
    let alone = world.spawn((HERE,));
    let both = world.spawn((HERE, Velocity(1.0)));
    let [position, velocity] =
        [world.component_type::<Position>().unwrap(), world.component_type::<Velocity>().unwrap()];
    assert_eq!(world.inspect().array_len(position), Some(2));
    // Members of the group come first.
    assert_eq!(world.inspect().array_entity(position, 0), Some(both));
    assert_eq!(world.inspect().array_entity(position, 1), Some(alone));
    assert_eq!(world.inspect().array_entity(position, 2), None);
    assert_eq!(world.inspect().dense_index(position, alone), Some(1));
    assert_eq!(world.inspect().dense_index(velocity, both), Some(0));
    assert_eq!(world.inspect().dense_index(velocity, alone), None);

    world.despawn(both).unwrap();
    assert_eq!(world.inspect().dense_index(position, both), None, "the handle is stale");
    assert_eq!(world.inspect().dense_index(position, alone), Some(0));

    let small = {
        let mut small = World::new();
        small.register::<Name>();
        small
    };
    assert_eq!(small.inspect().array_len(velocity), None, "there is no second component type");
    assert_eq!(small.inspect().array_entity(velocity, 0), None);
    assert_eq!(
        small.inspect().dense_index(position, alone),
        None,
        "the handle is of another world"
    );
}

#[test]
fn slots_are_alive_free_reserved_or_retired() {
    let mut world = World::with_limits(Limits { generation: 2, ..Limits::default() });
    world.register::<Velocity>();
    let entities = world.spawn_batch((0..5_u8).map(|i| (Velocity(i.into()),))).unwrap();
    assert_eq!(world.inspect().slots(), SlotCounts { used: 5, alive: 5, free: 0 });
    world.despawn(entities[1]).unwrap();
    assert_eq!(world.despawn_batch(&[entities[3], entities[4]]), 2);
    assert_eq!(world.inspect().slots(), SlotCounts { used: 5, alive: 2, free: 3 });
    assert_eq!(world.inspect().entity_in_slot(1), None);
    assert_eq!(world.inspect().entity_in_slot(2), Some(entities[2]));
    assert_eq!(world.inspect().entity_in_slot(9), None);

    // Generation 2 is the last one.
    let again = world.spawn((Velocity(9.0),));
    assert_eq!((again.generation(), world.inspect().slots().free), (2, 2));
    world.despawn(again).unwrap();
    assert_eq!(world.inspect().slots(), SlotCounts { used: 5, alive: 2, free: 2 });

    let mut commands = world.commands();
    commands.spawn((Velocity(1.0),));
    let later = commands.spawn((Velocity(2.0),));
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.inspect().entity_in_slot(later.index()), Some(later));
    let slots = world.inspect().slots();
    assert_eq!((slots.used, slots.alive, slots.free), (7, 4, 2));
}

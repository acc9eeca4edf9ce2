//! Snapshots restored in worlds with other component types, and the handles in components.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

use cubefall::ecs::{Both, Entity, Error, GroupId, MapEntities, Snapshot, World};
use serde::{Deserialize, Serialize};

use super::{Frozen, panic_of};

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Place(f32);
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Label(String);
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Links(Vec<Entity>, Option<Entity>);

impl MapEntities for Links {
    fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
        self.0.map_entities(map);
        self.1.map_entities(map);
    }
}

fn label(text: &str) -> Label {
    Label(text.into())
}

/// Returns the handle with the same bits in another world.
fn in_world(entity: Entity, world: &World) -> Entity {
    Entity::from_bits(entity.to_bits(), world.id()).unwrap()
}

#[test]
fn components_that_are_not_named_are_left_out() {
    let mut world = World::new();
    let both = world.spawn((Place(1.0), label("both")));
    let other = world.spawn((label("other"),));
    let snapshot = Snapshot::<(Place,)>::take(&world);
    world.spawn((Place(3.0), label("later")));
    snapshot.restore(&mut world).unwrap();
    assert_eq!(world.get::<(&Place, Option<&Label>)>(both), Ok((&Place(1.0), None)));
    assert!(world.signature(other).unwrap().is_empty());
    assert_eq!((world.len(), world.view::<&Label>().values().len()), (2, 0));
    // Both arrays work as before.
    world.insert(other, label("again")).unwrap();
    assert_eq!(world.view::<&Label>().get(other), Some(&label("again")));
    let last = world.spawn((label("last"), Place(4.0)));
    world.despawn(both).unwrap();
    assert_eq!(world.get::<(&Place, &Label)>(last), Ok((&Place(4.0), &label("last"))));
}

#[test]
fn a_component_that_a_group_depends_on_cannot_be_left_out() {
    let message = |name: &str| {
        format!("component {name} cannot be left out of a snapshot: a group depends on it")
    };
    let mut world = World::new();
    let owning = world.create_group::<(Place, Label)>();
    let refused = panic_of(|| drop(Snapshot::<(Place,)>::take(&world)));
    assert_eq!(refused, message(std::any::type_name::<Label>()));
    world.remove_group(owning).unwrap();
    drop(Snapshot::<(Place,)>::take(&world));
    world.create_group_without::<(Place,), (Frozen,)>();
    let refused = panic_of(|| drop(Snapshot::<(Place,)>::take(&world)));
    assert_eq!(refused, message(std::any::type_name::<Frozen>()));
}

#[test]
fn a_component_cannot_be_named_twice() {
    let mut world = World::new();
    world.spawn((Place(1.0),));
    let twice = panic_of(|| drop(Snapshot::<(Place, Place)>::take(&world)));
    assert_eq!(twice, super::named_twice::<Place>());
}

#[test]
fn a_component_that_was_never_used_can_be_named() {
    let mut world = World::new();
    let entity = world.spawn((Place(1.0),));
    let snapshot = Snapshot::<(Label, Place)>::take(&world);
    let mut fresh = World::new();
    snapshot.restore(&mut fresh).unwrap();
    let entity = in_world(entity, &fresh);
    assert_eq!(fresh.get::<(&Place, Option<&Label>)>(entity), Ok((&Place(1.0), None)));
    fresh.insert(entity, label("new")).unwrap();
    assert_eq!(fresh.get::<&Label>(entity), Ok(&label("new")));
}

type Create = fn(&mut World) -> GroupId;

/// Returns the members of the groups, each as the bits of the handles in their order.
fn members(world: &World, groups: &[GroupId]) -> Vec<Vec<u64>> {
    let bits = |&group| world.group(group).unwrap().entities().map(Entity::to_bits).collect();
    groups.iter().map(bits).collect()
}

/// Restores a snapshot of a world with the groups in one order, as text, in worlds where types have other
/// numbers and the groups were created in other orders.
fn assert_restored_in_any_order(groups: &[Create], orders: &[&[usize]]) {
    let mut world = World::new();
    let ids: Vec<_> = groups.iter().map(|create| create(&mut world)).collect();
    for i in 0..12_u8 {
        let place = Place(i.into());
        match i % 3 {
            0 => _ = world.spawn((place,)),
            1 => _ = world.spawn((place, label("b"), i)),
            _ => _ = world.spawn((label("c"), place)),
        }
    }
    let take = || Snapshot::<(Place, Label, u8)>::take(&world);
    for &order in orders {
        let mut other = World::new();
        other.register::<Frozen>();
        other.register::<u8>();
        other.register::<Label>();
        other.spawn((Frozen, 7_u8));
        let mut created = vec![None; groups.len()];
        for &number in order {
            created[number] = Some(groups[number](&mut other));
        }
        let created: Vec<_> = created.into_iter().flatten().collect();
        let text = serde_json::to_string(&take()).unwrap();
        let snapshot: Snapshot<(Place, Label, u8)> = serde_json::from_str(&text).unwrap();
        assert_eq!(snapshot.restore(&mut other), Ok(()), "{order:?}");
        assert_eq!(members(&other, &created), members(&world, &ids));
        let content = |world: &World| {
            let query = world.query::<(Entity, Option<&Place>, Option<&Label>, Option<&u8>)>();
            let values = query.iter().map(|(entity, place, label, number)| {
                (entity.to_bits(), place.copied(), label.cloned(), number.copied())
            });
            values.collect::<Vec<_>>()
        };
        assert_eq!(content(&other), content(&world));
        let next = other.spawn((Place(1.0), label("d"), 1_u8));
        assert_eq!(other.get::<(&Label, &u8)>(next), Ok((&label("d"), &1)));
    }
}

#[test]
fn a_snapshot_is_restored_where_types_have_other_numbers() {
    assert_restored_in_any_order(&[], &[&[]]);
}

#[test]
fn nested_groups_are_restored_where_they_were_created_in_another_order() {
    let groups: [Create; 2] =
        [World::create_group::<(Place, Label)>, World::create_group::<(Place,)>];
    assert_restored_in_any_order(&groups, &[&[0, 1], &[1, 0]]);
}

#[test]
fn a_group_inside_of_two_others_is_restored_where_it_was_created_in_another_order() {
    let groups: [Create; 3] = [
        World::create_group::<(Place,)>,
        World::create_group::<(Label,)>,
        World::create_group::<(Place, Label)>,
    ];
    let orders: [&[usize]; 4] = [&[0, 1, 2], &[1, 0, 2], &[2, 0, 1], &[2, 1, 0]];
    assert_restored_in_any_order(&groups, &orders);
}

/// With which of the groups around it the inner group shares a list of members, for an array that these do
/// not own, depends on the numbers of the types and on the order in which the groups were created.
#[test]
fn a_snapshot_is_restored_where_arrays_share_other_lists_of_members() {
    let groups: [Create; 3] = [
        World::create_group::<(Place,)>,
        World::create_group::<(Label,)>,
        World::create_group::<(Place, Label, u8)>,
    ];
    assert_restored_in_any_order(&groups, &[&[0, 1, 2], &[2, 0, 1], &[2, 1, 0]]);
}

#[test]
fn a_snapshot_is_restored_where_a_group_was_removed_before() {
    let mut source = World::new();
    let group = source.create_group::<(Place, Label)>();
    let member = source.spawn((Place(1.0), label("m")));
    let take = || Snapshot::<(Place, Label)>::take(&source);
    let mut target = World::new();
    let removed = [target.create_group::<(Place,)>(), target.create_group::<(Label,)>()];
    let same = target.create_group::<(Place, Label)>();
    for group in removed {
        target.remove_group(group).unwrap();
    }
    assert_eq!(take().restore(&mut target), Ok(()), "it has the same groups");
    assert_eq!(members(&target, &[same]), members(&source, &[group]));
    assert_eq!(target.get::<&Place>(in_world(member, &target)), Ok(&Place(1.0)));
}

#[test]
fn a_world_restores_its_own_snapshot_after_its_groups_were_removed() {
    let mut world = World::new();
    let groups = [world.create_group::<(Place,)>(), world.create_group::<(Place, Label)>()];
    let entity = world.spawn((Place(1.0), label("m")));
    for group in groups {
        world.remove_group(group).unwrap();
    }
    let snapshot = Snapshot::<(Place, Label)>::take(&world);
    world.despawn(entity).unwrap();
    assert_eq!(snapshot.restore(&mut world), Ok(()));
    assert_eq!(world.get::<(&Place, &Label)>(entity), Ok((&Place(1.0), &label("m"))));
}

/// A world with an entity that has a label, and one with links to it.
fn linked() -> (World, [Entity; 2]) {
    let mut world = World::new();
    let target = world.spawn((label("target"),));
    let links = world.spawn((Links(vec![target, target], Some(target)),));
    (world, [target, links])
}

/// Checks that all links of a restored world lead to the target in it.
fn assert_linked(world: &World, [target, links]: [Entity; 2]) {
    let target = in_world(target, world);
    let expected = Links(vec![target, target], Some(target));
    assert_eq!(world.get::<&Links>(in_world(links, world)), Ok(&expected));
    assert_eq!(world.get::<&Label>(target), Ok(&label("target")));
}

#[test]
fn registered_references_lead_to_the_restored_world() {
    let (world, entities) = linked();
    let mut other = World::new();
    other.register_references::<Links>();
    Snapshot::<(Links, Label)>::take(&world).restore(&mut other).unwrap();
    assert_linked(&other, entities);
}

#[test]
fn handles_in_collections_are_mapped() {
    let mut world = World::new();
    let entities = world.spawn_batch([1.0, 2.0, 3.0].map(|at| (Place(at),))).unwrap();
    let next = |entity: Entity| entities[(entity.index() as usize + 1) % 3];
    let mapped = [entities[1], entities[2]];
    let mut deque = VecDeque::from([entities[0], entities[1]]);
    deque.map_entities(&mut |it| next(it));
    assert_eq!(deque, mapped);
    let mut set: HashSet<_> = [entities[0], entities[1]].into();
    set.map_entities(&mut |it| next(it));
    assert_eq!(set, mapped.into());
    let mut set: BTreeSet<_> = [entities[0], entities[1]].into();
    set.map_entities(&mut |it| next(it));
    assert_eq!(set, mapped.into());
    let mut map = BTreeMap::from([("a", entities[0]), ("b", entities[1])]);
    map.map_entities(&mut |it| next(it));
    assert!(map.into_values().eq(mapped));
    let mut map = HashMap::from([(entities[0], (entities[1], 0.5_f32))]);
    map.map_entities(&mut |it| next(it));
    assert_eq!(map, [(mapped[0], (mapped[1], 0.5))].into());
}

#[test]
fn deserialized_handles_outside_of_components_are_adopted() {
    let mut world = World::new();
    let foreign = World::new().spawn(());
    let entities = [world.spawn(()), world.spawn(())];
    let text = serde_json::to_string(&[entities[1], Entity::NULL, entities[0]]).unwrap();
    let mut saved: Vec<Entity> = serde_json::from_str(&text).unwrap();
    assert!(!world.contains(saved[0]));
    saved.push(foreign);
    world.adopt(&mut saved);
    assert_eq!(saved, [entities[1], Entity::NULL, entities[0], foreign]);
}

#[test]
fn registered_references_of_a_deserialized_snapshot_lead_to_the_restored_world() {
    let (mut world, entities) = linked();
    world.register_references::<Links>();
    let text = serde_json::to_string(&Snapshot::<(Links, Label)>::take(&world)).unwrap();
    let parse = || serde_json::from_str::<Snapshot<(Links, Label)>>(&text).unwrap();
    let mut other = World::new();
    other.register_references::<Links>();
    parse().restore(&mut other).unwrap();
    assert_linked(&other, entities);
    // The saved world itself.
    parse().restore(&mut world).unwrap();
    assert_linked(&world, entities);
}

#[test]
fn references_that_are_not_registered_stay_as_they_are() {
    let (world, [target, links]) = linked();
    let mut other = World::new();
    let snapshot = Snapshot::<(Links, Label)>::take(&world);
    let text = serde_json::to_string(&snapshot).unwrap();
    snapshot.restore(&mut other).unwrap();
    let found = other.get::<&Links>(in_world(links, &other)).unwrap();
    assert_eq!(found.1, Some(target), "the handle of the saved world");
    serde_json::from_str::<Snapshot<(Links, Label)>>(&text).unwrap().restore(&mut other).unwrap();
    let links = in_world(links, &other);
    let found = other.get::<&Links>(links).unwrap().1.unwrap();
    assert_eq!(found.to_bits(), target.to_bits());
    assert_eq!(other.get::<&Label>(found), Err(Error::ForeignEntity(found)), "of no world");
}

#[test]
fn references_to_a_third_world_are_left_alone() {
    let (mut world, third) = (World::new(), linked());
    let own = world.spawn(());
    let foreign = third.1[0];
    assert_eq!(own.to_bits(), foreign.to_bits());
    let links = world.spawn((Links(vec![own, foreign, Entity::NULL], Some(foreign)),));
    let mut other = World::new();
    other.register_references::<Links>();
    Snapshot::<(Links,)>::take(&world).restore(&mut other).unwrap();
    let own = in_world(own, &other);
    let expected = Links(vec![own, foreign, Entity::NULL], Some(foreign));
    assert_eq!(other.get::<&Links>(in_world(links, &other)), Ok(&expected));
}

/// Panics when a value above 0 is dropped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Bomb(u8);

impl Drop for Bomb {
    fn drop(&mut self) {
        assert!(self.0 == 0, "boom");
    }
}

#[test]
fn a_destructor_that_panics_during_a_restore_leaves_the_restored_world() {
    type Saved = Snapshot<Both<(Bomb,), (Place, Links)>>;
    let mut world = World::new();
    world.register_references::<Links>();
    let target = world.spawn((Bomb(0), Place(1.0)));
    let saved = serde_json::to_string(&Saved::take(&world)).unwrap();
    world.despawn(target).unwrap();
    for bomb in [0, 1, 0] {
        world.spawn((Bomb(bomb), Place(2.0), Links(vec![target], None)));
    }
    let saved: Saved = serde_json::from_str(&saved).unwrap();
    let restored = catch_unwind(AssertUnwindSafe(|| saved.restore(&mut world)));
    assert!(restored.is_err(), "the panic goes on");
    assert_eq!(
        world.query::<(&Bomb, &Place)>().iter().collect::<Vec<_>>(),
        [(&Bomb(0), &Place(1.0))]
    );
    assert_eq!(world.get::<&Place>(target), Ok(&Place(1.0)));
    assert!(world.view::<&Links>().values().is_empty());
}

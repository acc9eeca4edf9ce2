//! Removing groups that are alone, around others or inside of others.

use cubefall::ecs::{Error, GroupId};

use super::parts::{Part, Twin};

// Positions in `GROUPS`.
const FIRST: usize = 0; // owns 0, 1
const SECOND: usize = 1; // owns 2, 3
const BOTH: usize = 2; // owns 0, 1, 2, 3
const ALL: usize = 3; // owns 0, 1, 2, 3, 4
const FIFTH: usize = 4; // owns 4
const EXCLUDING: usize = 7; // owns 0, 1; excludes 5
const ACROSS: usize = 11; // owns 0, 4

/// Returns a world with these groups and entities of every kind.
fn twin(groups: &[usize]) -> (Twin, Vec<GroupId>) {
    let mut twin = Twin::new();
    let ids = groups.iter().map(|&group| twin.create_group(group).unwrap()).collect();
    (0..24).for_each(|kind| twin.spawn(kind));
    (0..6).for_each(|at| twin.act(1, 5 * at, 5));
    twin.check();
    (twin, ids)
}

/// Removes one of several groups, and checks all entities and the other groups, then and after further
/// calls, and again when the group was created anew.
fn remove_one(groups: &[usize], removed: usize) {
    let (mut twin, _) = twin(groups);
    let further = |twin: &mut Twin| {
        for i in 0..40 {
            // Inserts, removals and despawns; then a spawn.
            twin.act((i % 12 + 1) as u8, 7 * i, i % 6);
            twin.spawn(i);
        }
        twin.check();
    };
    twin.remove_group(removed);
    twin.check();
    further(&mut twin);
    twin.create_group(groups[removed]).unwrap();
    twin.check();
    further(&mut twin);
}

#[test]
fn a_lone_group_can_be_removed() {
    remove_one(&[FIRST], 0);
    remove_one(&[FIRST, SECOND], 0);
}

#[test]
fn the_outer_of_nested_groups_can_be_removed() {
    remove_one(&[FIRST, ALL], 0);
    remove_one(&[ALL, FIRST], 1);
}

#[test]
fn the_inner_of_nested_groups_can_be_removed() {
    remove_one(&[FIRST, ALL], 1);
    remove_one(&[ALL, FIRST], 0);
}

#[test]
fn the_middle_of_nested_groups_can_be_removed() {
    remove_one(&[FIRST, BOTH, ALL], 1);
    remove_one(&[ALL, FIRST, BOTH], 2);
}

#[test]
fn a_group_inside_of_two_others_can_be_removed() {
    remove_one(&[FIRST, SECOND, BOTH], 2);
    remove_one(&[ALL, FIRST, SECOND], 0);
}

#[test]
fn one_of_two_groups_around_another_can_be_removed() {
    remove_one(&[FIRST, SECOND, BOTH], 0);
    remove_one(&[ALL, FIRST, SECOND], 2);
}

#[test]
fn a_group_with_exclusion_can_be_removed() {
    remove_one(&[EXCLUDING], 0);
    remove_one(&[FIRST, EXCLUDING], 0);
    remove_one(&[FIRST, EXCLUDING], 1);
}

#[test]
fn removing_a_group_keeps_the_order_of_all_arrays() {
    let (mut twin, ids) = twin(&[FIRST, BOTH]);
    let order = |twin: &Twin| {
        let (first, third) = twin.world.view::<(&Part<0>, &Part<2>)>();
        (first.entities().collect::<Vec<_>>(), third.entities().collect::<Vec<_>>())
    };
    let before = order(&twin);
    let inner: Vec<_> = twin.world.group(ids[1]).unwrap().entities().collect();
    twin.remove_group(0);
    assert_eq!(order(&twin), before);
    assert!(twin.world.group(ids[1]).unwrap().entities().eq(inner), "members stay in front");
    twin.remove_group(0);
    assert_eq!(order(&twin), before);
}

#[test]
fn the_handle_of_a_removed_group_is_an_error_although_the_group_is_created_again() {
    let (mut twin, ids) = twin(&[FIRST]);
    twin.remove_group(0);
    let again = twin.create_group(FIRST).unwrap();
    assert_ne!(again, ids[0]);
    let world = &mut twin.world;
    assert_eq!(world.remove_group(ids[0]), Err(Error::NoSuchGroup));
    assert_eq!(world.group_mut(ids[0]).err(), Some(Error::NoSuchGroup));
    assert_eq!(world.take_group::<(Part<0>,)>(ids[0]).err(), Some(Error::NoSuchGroup));
    assert!(world.group(again).is_ok());
}

#[test]
fn an_array_of_a_removed_group_can_be_sorted_alone_and_owned_by_another_group() {
    let (mut twin, _) = twin(&[FIRST, ALL]);
    assert!(twin.create_group(FIFTH).is_some(), "it is around the group of all");
    twin.remove_group(1);
    assert!(twin.create_group(SECOND).is_some(), "its arrays are free");
    twin.remove_group(0);
    twin.world.sort_by::<Part<0>>(|a, b| b.0.cmp(&a.0));
    twin.check();
    let view = twin.world.view::<&Part<0>>();
    assert!(view.values().is_sorted_by(|a, b| a.0 >= b.0));
}

/// The members of the group of all are first kept in two lists, and then in one. The other list is used
/// again for a later group.
#[test]
fn a_group_that_uses_a_joined_list_again_has_its_own_members() {
    let (mut twin, _) = twin(&[FIRST, FIFTH, ALL]);
    twin.remove_group(0);
    twin.remove_group(0);
    twin.create_group(ACROSS).unwrap();
    twin.check();
    twin.remove_group(0);
    twin.remove_group(0);
    twin.check();
    twin.create_group(FIRST).unwrap();
    twin.check();
    twin.create_group(SECOND).unwrap();
    twin.check();
}

/// The group of both keeps the list of the removed group for itself.
#[test]
fn taking_from_a_group_removes_the_members_of_an_inner_group_from_all_of_its_lists() {
    let (mut twin, ids) = twin(&[FIRST, SECOND, BOTH]);
    twin.remove_group(0);
    let taken = twin.world.take_group::<(Part<2>,)>(ids[1]).unwrap();
    twin.world.restore_group(taken);
    twin.check();
    twin.remove_group(1);
    twin.create_group(FIRST).unwrap();
    twin.check();
}

/// The last group takes an array out of a list that others stay in, with an owner that has fewer members.
#[test]
fn a_list_has_no_members_left_of_an_array_that_another_list_takes() {
    let mut twin = Twin::new();
    for definition in [3, 1, 11] {
        twin.create_group(definition).unwrap();
    }
    twin.remove_group(2);
    for definition in [2, 4, 6] {
        twin.create_group(definition).unwrap();
    }
    twin.remove_group(4);
    twin.create_group(12).unwrap();
    twin.remove_group(1);
    twin.spawn(3);
    twin.create_group(0).unwrap();
    // The entity enters the innermost group.
    twin.act(1, 0, 5);
    twin.check();
}

//! Templates: components that are known only at run time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cubefall::ecs::{Error, Limits, Template, World};

use super::{Frozen, Name, Position, Velocity, panic_of, velocities, world};

fn moving() -> Template {
    let mut template = Template::new();
    assert!(template.insert(Velocity(3.0)));
    assert!(template.insert(Name("n".into())));
    template
}

#[test]
fn every_entity_of_a_template_has_clones_of_its_values() {
    let mut world = World::new();
    let template = moving();
    let [a, b] = [world.spawn_template(&template), world.spawn_template(&template)];
    world.get_mut::<Name>(a).unwrap().0.push('!');
    let values = |entity| world.get::<(&Velocity, &Name)>(entity);
    assert_eq!(values(a), Ok((&Velocity(3.0), &Name("n!".into()))));
    assert_eq!(values(b), Ok((&Velocity(3.0), &Name("n".into()))));
    assert_eq!(world.signature(a).unwrap().len(), 2);
}

#[test]
fn a_second_value_of_a_type_is_refused() {
    let mut template = moving();
    assert!(!template.insert(Velocity(8.0)));
    let names = [std::any::type_name::<Velocity>(), std::any::type_name::<Name>()];
    assert!(template.names().eq(names));
    let mut world = world();
    world.spawn_template(&template);
    assert_eq!(velocities(&world), [3.0]);
}

#[test]
fn a_variant_of_a_template_has_other_values() {
    let (template, mut variant) = (moving(), moving());
    variant.set(Velocity(8.0));
    variant.set(Frozen);
    let mut world = world();
    let [plain, other] = [&template, &variant].map(|it| world.spawn_template(it));
    assert_eq!(world.get::<(&Velocity, &Name)>(other), Ok((&Velocity(8.0), &Name("n".into()))));
    assert_eq!((world.has::<Frozen>(other), world.has::<Frozen>(plain)), (true, false));
    assert_eq!(world.get::<&Velocity>(plain), Ok(&Velocity(3.0)));
}

#[test]
fn entities_of_a_template_enter_their_groups() {
    let mut world = world();
    let group = world.create_group::<(Velocity, Name)>();
    let outside = world.create_group_without::<(Position,), (Name,)>();
    let placed = world.spawn((Position([0.0; 3]),));
    let entity = world.spawn_template(&moving());
    world.insert_template(placed, &moving()).unwrap();
    assert!(world.group(group).unwrap().entities().eq([entity, placed]));
    assert!(world.group(outside).unwrap().is_empty());
    assert_eq!(world.group(group).unwrap().slices::<&Velocity>(), [Velocity(3.0); 2]);
}

#[test]
fn a_refused_template_adds_nothing() {
    let mut world = world();
    let named = world.spawn((Name("own".into()),));
    let refused = Err(Error::AlreadyPresent(named, std::any::type_name::<Name>()));
    assert_eq!(world.insert_template(named, &moving()), refused);
    assert!(!world.has::<Velocity>(named) && velocities(&world).is_empty());
    assert_eq!(world.get::<&Name>(named), Ok(&Name("own".into())));
    world.despawn(named).unwrap();
    assert_eq!(world.insert_template(named, &moving()), Err(Error::NoSuchEntity(named)));
}

#[test]
fn an_empty_template_spawns_an_entity_without_components() {
    let mut world = world();
    let entity = world.spawn_template(&Template::new());
    assert!(world.signature(entity).unwrap().is_empty());
    assert_eq!(world.insert_template(entity, &Template::default()), Ok(()));
}

#[test]
fn a_panicking_clone_changes_nothing() {
    struct PanicsOnClone;
    impl Clone for PanicsOnClone {
        fn clone(&self) -> Self {
            panic!("boom");
        }
    }

    let mut world = world();
    let entity = world.spawn((Frozen,));
    let mut template = moving();
    assert!(template.insert(PanicsOnClone));
    let inserted = catch_unwind(AssertUnwindSafe(|| world.insert_template(entity, &template)));
    assert!(inserted.is_err() && velocities(&world).is_empty());
    assert_eq!(world.signature(entity).unwrap().len(), 1);
    let spawned = catch_unwind(AssertUnwindSafe(|| world.spawn_template(&template)));
    assert!(spawned.is_err() && world.len() == 1);
}

#[test]
fn a_template_that_is_spawned_beyond_the_entity_limit_panics() {
    let mut world = World::with_limits(Limits { entities: 0, ..Limits::default() });
    let refused = panic_of(|| _ = world.spawn_template(&moving()));
    assert_eq!(refused, "cannot spawn an entity: the limit of 0 entities is reached");
}

#[test]
fn a_recorded_template_is_spawned_with_the_values_that_it_had() {
    let mut world = world();
    let mut template = moving();
    let mut commands = world.commands();
    let entity = commands.spawn_template(&template);
    assert!(template.insert(Frozen));
    assert!(!world.contains(entity));
    assert_eq!(commands.apply(&mut world), []);
    assert_eq!(world.get::<&Velocity>(entity), Ok(&Velocity(3.0)));
    assert!(world.has::<Name>(entity) && !world.has::<Frozen>(entity));
}

#[test]
fn a_template_can_have_two_types_of_the_same_name() {
    fn insert_both(template: &mut Template) -> bool {
        #[derive(Clone)]
        struct Local(#[expect(dead_code, reason = "only the type matters")] u8);
        template.insert(Local(1)) && {
            #[derive(Clone)]
            struct Local(#[expect(dead_code, reason = "only the type matters")] u16);
            template.insert(Local(2))
        }
    }
    assert!(insert_both(&mut Template::new()));
}

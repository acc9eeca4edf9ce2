//! Hierarchy: entities that move with their parent, and are despawned with it. An observer sends the
//! children of a despawned parent through a channel to a system, which despawns them.
//!
//! Run it with `cargo run --example hierarchy --no-default-features --features sim`.

use std::sync::mpsc;

use cubefall::ecs::{Entity, Error, Pass, System, SystemArgs, World};

struct Name(&'static str);

/// Position relative to the parent.
struct Local(i32, i32);

/// Position in the world.
#[derive(Clone, Copy)]
struct Global(i32, i32);

const ORIGIN: Global = Global(0, 0);

struct Parent(Entity);

#[derive(Default)]
struct Children(Vec<Entity>);

fn attach(child: Entity, parent: Entity, world: &mut World) -> Result<(), Error> {
    // First what can fail, so that a refused child is in no list.
    world.get_or_insert_with(parent, Children::default)?;
    world.insert(child, Parent(parent))?;
    world.get_mut::<Children>(parent)?.0.push(child);
    Ok(())
}

/// Sets the positions of all entities, depth first: those of a parent before those of its children.
fn follow_parents(world: &mut World, _: SystemArgs) {
    let roots = world.query::<Entity>().with::<&Local>().without::<&Parent>();
    let mut open: Vec<_> = roots.into_iter().map(|root| (root, ORIGIN)).collect();
    let (mut globals, locals, children) = world.view_mut::<(&mut Global, &Local, &Children)>();
    while let Some((entity, parent)) = open.pop() {
        // A list of children may contain the stale handle of a child that was despawned.
        let (Some(global), Some(local)) = (globals.get_mut(entity), locals.get(entity)) else {
            continue;
        };
        *global = Global(parent.0 + local.0, parent.1 + local.1);
        if let Some(Children(children)) = children.get(entity) {
            open.extend(children.iter().map(|&child| (child, *global)));
        }
    }
}

/// Adds an observer of despawned parents, and returns the system that despawns their children.
fn despawn_children(world: &mut World) -> impl System {
    let (sender, orphans) = mpsc::channel();
    world.on_removed::<Children>(move |_, children| {
        for &child in &children.0 {
            // Fails only if the system was removed.
            let _ = sender.send(child);
        }
    });
    move |world: &mut World, _: SystemArgs| {
        // Despawning a child sends its own children to the end of the channel.
        for orphan in orphans.try_iter() {
            // Fails only if the child was despawned before its parent.
            let _ = world.despawn(orphan);
        }
    }
}

fn run(world: &mut World, event: &str) -> Result<(), Error> {
    world.run(1.0)?;
    println!("{event}: {} entities", world.len());
    for (name, Global(x, y), parent) in world.query::<(&Name, &Global, Option<&Parent>)>() {
        let parent = parent.and_then(|parent| world.get::<&Name>(parent.0).ok());
        let parent = parent.map_or("sea", |parent| parent.0);
        println!("  {:<6} on the {parent:<6} at ({x}, {y})", name.0);
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut world = World::new();
    let despawn_children = despawn_children(&mut world);
    let mut schedule = world.schedule_mut();
    schedule.add_system::<(Children,)>(Pass::Update, "despawn children", despawn_children);
    schedule.add_system::<(Local, Global)>(Pass::Update, "follow parents", follow_parents);

    let mut spawn = |name, x, y| world.spawn((Name(name), Local(x, y), ORIGIN));
    let (ship, mast) = (spawn("ship", 100, 50), spawn("mast", -5, 0));
    let (turret, barrel) = (spawn("turret", 0, 4), spawn("barrel", 3, 0));
    for (child, parent) in [(mast, ship), (turret, ship), (barrel, turret)] {
        attach(child, parent, &mut world)?;
    }
    run(&mut world, "start")?;
    *world.get_mut(ship)? = Local(200, 60);
    *world.get_mut(turret)? = Local(0, 9);
    run(&mut world, "ship and turret moved")?;
    world.despawn(mast)?;
    run(&mut world, "mast despawned")?;
    world.despawn(ship)?;
    run(&mut world, "ship despawned")
}

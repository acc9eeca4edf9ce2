//! Runs the examples and compares every line of their output.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Returns the path of an example: `target/debug/examples`, beside the `deps` that this test runs from.
///
/// `cargo test` builds the examples first, `cargo test --test examples` does not.
fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.extend(["examples", &format!("{name}{}", std::env::consts::EXE_SUFFIX)]);
    assert!(path.exists(), "no {}: run `cargo test` (it builds the examples)", path.display());
    path
}

fn run(name: &str, arguments: &[&str]) -> Output {
    Command::new(example(name)).args(arguments).output().unwrap()
}

/// Asserts that an example succeeds, and compares its output.
#[track_caller]
fn assert_prints(name: &str, arguments: &[&str], expected: &str) {
    let output = run(name, arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed == expected, "{name} printed\n{printed}\nexpected\n{expected}");
}

/// Asserts that `templates` fails with exit code 1 and a message that starts with `expected`, and spawns
/// nothing.
#[track_caller]
fn assert_refuses(arguments: &[&str], expected: &str) {
    let output = run("templates", arguments);
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{output:?}");
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with(expected), "printed\n{message}\nexpected\n{expected}");
}

#[test]
fn entity_versions_refuses_stale_and_foreign_handles() {
    let expected = "\
goblin 0v1 has health 10
goblin 0v1 is despawned, 0 left
cannot read goblin 0v1: entity 0v1 does not exist
cannot despawn goblin 0v1, 0 left: entity 0v1 does not exist
dragon 0v2 reuses slot 0: generation 2 after 1
cannot read goblin 0v1: entity 0v1 does not exist
cannot despawn goblin 0v1, 1 left: entity 0v1 does not exist
dragon 0v2 has health 500
mine 0v1, theirs 0v1: same slot and generation true, same handle false
mine 0v1 has health 1
cannot read theirs 0v1: entity 0v1 belongs to another world
cannot despawn theirs 0v1, 1 left: entity 0v1 belongs to another world
theirs 0v1 has health 2
";
    assert_prints("entity_versions", &[], expected);
}

#[test]
fn health_regen_changes_only_entities_with_all_components_of_a_system() {
    // One point in each of the frames 120, 240, 360, 480 and 600: 90 + 5, and 98 + 5 limited to 100.
    // The rat loses one in each of the frames 150, 300, 450 and 600: the second system counts by itself.
    // A frame moves the knight by (1/4, -1/2) from (10, 0), and the cloud by (1, 0) from (0, 90).
    let expected = "\
after 0 frames
  knight health 90   position 10, 0
  troll  health 98   position 3, 4
  statue health 50   position 7, 7
  rat    health 9    position none
  cloud  health none position 0, 90
  wind   health none position none
after 119 frames
  knight health 90   position 39.75, -59.5
  troll  health 98   position 3, 4
  statue health 50   position 7, 7
  rat    health 9    position none
  cloud  health none position 119, 90
  wind   health none position none
after 120 frames
  knight health 91   position 40, -60
  troll  health 99   position 3, 4
  statue health 50   position 7, 7
  rat    health 9    position none
  cloud  health none position 120, 90
  wind   health none position none
after 600 frames
  knight health 95   position 160, -300
  troll  health 100  position 3, 4
  statue health 50   position 7, 7
  rat    health 5    position none
  cloud  health none position 600, 90
  wind   health none position none
";
    assert_prints("health_regen", &[], expected);
}

#[test]
fn movement_mask_matches_by_bits() {
    // After n frames the ball is at y = 10 - 0.98 (1 + .. + n). The draft starts with an upward
    // velocity of 0.98, so it ends at y = 2 + 3 * 0.98 - 0.98 (1 + 2 + 3) = 2 - 2.94.
    let expected = "\
tree     mask 101, entity 0v1
ball     mask 111, entity 1v1
draft    mask 011, entity 2v1
bare     mask 000, entity 3v1
movement mask 011, matches [1v1, 2v1]
drawing  mask 101, matches [0v1, 1v1]
frame 1
  draw tree at (5.00, 0.00)
  draw ball at (1.00, 9.02)
frame 2
  draw tree at (5.00, 0.00)
  draw ball at (2.00, 7.06)
frame 3
  draw tree at (5.00, 0.00)
  draw ball at (3.00, 4.12)
draft has no appearance and is at (-6.00, -0.94)
";
    assert_prints("movement_mask", &[], expected);
}

#[test]
fn name_tooltip_shows_the_entity_under_the_cursor() {
    // A rectangle contains its upper left corner but not its right edge (10 + 100).
    let expected = "\
(60, 60) 0v1: [The Prancing Pony]
(10, 20) 0v1: [The Prancing Pony]
(110, 60) no entity, no tooltip
(215, 65) 1v1: [well]
(320, 10) 2v1: no name, no tooltip
(0, 0) no entity, no tooltip
";
    assert_prints("name_tooltip", &[], expected);
}

#[test]
fn tile_movement_stops_collidable_entities_only_and_runs_twice_when_added_twice() {
    // The wall stops the hero in turn 4. Without `Collidable` the hero is on it in turn 5. The ghost
    // moves one tile in every turn and is on its wall in turn 2. In turn 7 both move two tiles.
    let expected = "\
the hero @ walks on grass but not through a wall; the ghost g does
.@..#....  .g#......
.,@.#....  ..g......
.,.@#....  ..#g.....
.,.@#....  ..#.g....
the hero without Collidable
.,..@....  ..#..g...
.,..#@...  ..#...g..
the movement system added twice
.,..#..@.  ..#.....g
";
    assert_prints("tile_movement", &[], expected);
}

#[test]
fn templates_spawns_all_of_the_bundled_file_or_those_that_are_named() {
    let all = r#"0v1 is a guard: Name "guard" Health 80 Position [4.0,0.5]
1v1 is a door: Name "oak door" Position [10.0,0.0] Appearance ["+","brown"] Solid null
2v1 is a coal vein: Name "coal vein" Position [12.0,3.0] Appearance ["%","black"] Solid null Minable null
3v1 is a curse: Name "curse"
"#;
    assert_prints("templates", &[], all);
    let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/templates.json");
    let named = r#"0v1 is a guard: Name "guard" Health 80 Position [4.0,0.5]
1v1 is a guard: Name "guard" Health 80 Position [4.0,0.5]
2v1 is a curse: Name "curse"
"#;
    assert_prints("templates", &[bundled, "guard", "guard", "curse"], named);
}

#[test]
fn templates_names_template_component_and_line_of_an_error_and_spawns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("templates.json");
    let file = path.to_str().unwrap();
    // Every file starts with a valid template.
    let assert_refuses_text = |text: &str, expected: &str| {
        fs::write(&path, format!("{{ \"rock\": {{ \"Solid\": null }},\n{text} }}")).unwrap();
        assert_refuses(&[file], &format!("cannot load {file}: {expected}"));
    };
    assert_refuses_text(
        r#""ghost": { "Name": "ghost", "Ectoplasm": 3 }"#,
        "template ghost: component Ectoplasm: unknown, expected one of \
         Name, Health, Position, Appearance, Solid, Minable at line 2",
    );
    assert_refuses_text(
        r#""dragon": { "Name": "dragon", "Health": "plenty" }"#,
        r#"template dragon: component Health: invalid type: string "plenty", expected u32 at line 2"#,
    );
    assert_refuses_text(
        "\"dragon\": { \"Name\": \"dragon\",\n\"Name\": \"wyvern\" }",
        "template dragon: component Name: occurs twice at line 3",
    );
    assert_refuses_text(r#""rock": {}"#, "template rock: occurs twice at line 2");
    assert_refuses_text(
        r#""dragon": ["Name"]"#,
        "template dragon: invalid type: sequence, expected an object at line 2",
    );
    assert_refuses_text(
        r#""dragon": { "Name": }"#,
        "template dragon: component Name: expected value at line 2",
    );
}

#[test]
fn templates_refuses_a_missing_file_and_an_unknown_template() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.json");
    let missing = missing.to_str().unwrap();
    assert_refuses(&[missing], &format!("cannot load {missing}: "));
    let bundled = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/templates.json");
    let expected = format!("cannot spawn ghost: {bundled} has no such template");
    assert_refuses(&[bundled, "guard", "ghost"], &expected);
}

#[test]
fn homing_missiles_follow_their_target_until_it_is_despawned() {
    // Missile a moves two tiles per turn and the plane one. So the gap of 5 shrinks by one per turn, and
    // in turn 4 they are beside each other. From then on missile b keeps its course: two tiles west.
    let expected = "\
missile 1v1, a, follows the plane 0v1
missile 2v1, b, follows the plane 0v1
.....P...................  .........................  a.......................b
..a...P...............b..  .........................  .........................
....a..P............b....  .........................  .........................
......a.P.........b......  .........................  .........................
missile 1v1 hits 0v1
................b........  .........................  .........................
the cloud 0v2 is in the slot of the plane; missile b does not follow it
..............b..........  .........................  ............C............
............b............  .........................  ............C............
..........b..............  .........................  ............C............
";
    assert_prints("homing", &[], expected);
}

#[test]
fn hierarchy_moves_and_despawns_children_with_their_parent() {
    // A position is the sum of those on the way to the root: (100, 50) + (0, 4) + (3, 0) is the barrel.
    let expected = "\
start: 4 entities
  ship   on the sea    at (100, 50)
  mast   on the ship   at (95, 50)
  turret on the ship   at (100, 54)
  barrel on the turret at (103, 54)
ship and turret moved: 4 entities
  ship   on the sea    at (200, 60)
  mast   on the ship   at (195, 60)
  turret on the ship   at (200, 69)
  barrel on the turret at (203, 69)
mast despawned: 3 entities
  ship   on the sea    at (200, 60)
  barrel on the turret at (203, 69)
  turret on the ship   at (200, 69)
ship despawned: 0 entities
";
    assert_prints("hierarchy", &[], expected);
}

#[test]
fn falling_cubes_match_the_closed_form() {
    let output = run("falling_cubes", &[]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let fallen: Vec<_> = printed
        .lines()
        .filter_map(|line| line.strip_prefix("  fell ")?.split_once(", g t^2 / 2 = "))
        .collect();
    // Each of 60 steps rounds a height below 64 m by at most 2^-19 m, in total 0.1 mm: the last digit, 1 cm, may differ
    // by one.
    let meters = |text: &str| text.strip_suffix(" m").unwrap().parse::<f64>().unwrap();
    let differs =
        |&(fell, expected): &(&str, &str)| (meters(fell) - meters(expected)).abs() > 0.011;
    assert!(fallen.len() == 3 && !fallen.iter().any(differs), "{printed}");
    assert!(fallen[0].1 != fallen[1].1, "each cube has its own gravity: {printed}");
    // The exact distance for standard gravity and one second from rest is 4.903325 m.
    let meters = format!("{:.3}", 9.806_65_f64 / 2.0);
    let camera = format!(
        "10000 cubes rest, 1 camera falls\n0 cubes moved\ncamera 10000v1 fell {meters} m\n"
    );
    assert!(printed.ends_with(&camera), "{printed}");
}

/// The cubefall code of `docs/ecs-for-users-of.md`.
mod users_of_other_libraries {
    use std::collections::BTreeMap;

    use cubefall::ecs::{Entity, Error, Pass, SystemArgs, World};

    #[derive(Default)]
    struct Position {
        x: f32,
        y: f32,
    }

    struct Velocity {
        x: f32,
        y: f32,
    }

    struct Health(u32);
    struct Frozen;
    struct Score(u32);
    struct Wind(f32);
    struct Grid(BTreeMap<i32, Entity>);

    fn movement(world: &mut World, args: SystemArgs) {
        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            position.x += velocity.x * args.dt;
            position.y += velocity.y * args.dt;
        }
    }

    #[test]
    fn their_code_runs() -> Result<(), Error> {
        let mut world = World::new();
        let player = world.spawn((Position::default(), Velocity { x: 1.0, y: 0.0 }, Health(100)));
        world.spawn((Position::default(), Frozen, Health(0)));

        let health = world.get::<&Health>(player)?;
        println!("{} points", health.0);

        world.get_mut::<Health>(player)?.0 -= 10;
        assert_eq!(world.get::<&Health>(player)?.0, 90);

        for (position, velocity) in world.query_mut::<(&mut Position, &Velocity)>() {
            position.x += velocity.x;
        }
        assert_eq!(world.get::<&Position>(player)?.x, 1.0);

        let moving = world.create_group::<(Position, Velocity)>();
        let members = world.group_mut(moving)?;
        let (positions, velocities) = members.slices_mut::<(&mut Position, &Velocity)>();
        for (position, velocity) in positions.iter_mut().zip(velocities) {
            position.x += velocity.x;
        }
        assert_eq!(world.get::<&Position>(player)?.x, 2.0);

        let thawed = world.query::<(&Position, Option<&Health>)>().without::<&Frozen>();
        for (position, health) in thawed {
            println!("{} {}", position.x, health.map_or(0, |health| health.0));
        }
        assert_eq!(world.query::<&Position>().without::<&Frozen>().iter().count(), 1);

        let mut commands = world.commands();
        for (entity, health) in world.query::<(Entity, &Health)>() {
            if health.0 == 0 {
                commands.despawn(entity);
            }
        }
        assert!(commands.apply(&mut world).is_empty());
        assert_eq!(world.len(), 1);

        world.resources_mut().insert(Score(0));
        world.resource_mut::<Score>().0 += 1;
        assert_eq!(world.resource::<Score>().0, 1);

        world.resources_mut().insert(Wind(0.5));
        world.resources_mut().insert(Grid(BTreeMap::new()));
        let Wind(wind) = *world.resource();
        for velocity in world.query_mut::<&mut Velocity>() {
            velocity.x += wind;
        }
        let scope = world.resource_scope(|world, grid: &mut Grid| {
            for (entity, position) in world.query::<(Entity, &Position)>() {
                grid.0.insert(position.x as i32, entity);
            }
        });
        scope.expect("the grid was inserted before");
        assert_eq!(world.get::<&Velocity>(player)?.x, 1.5);
        assert_eq!(world.resource::<Grid>().0[&2], player);

        let mut schedule = world.schedule_mut();
        schedule.add_system::<(Position, Velocity)>(Pass::Update, "movement", movement);
        world.run(0.5)?;
        assert_eq!(world.get::<&Position>(player)?.x, 2.75);

        world.track_changes::<Health>();
        let start = world.checkpoint();
        world.get_mut::<Health>(player)?.0 -= 10;
        for (entity, health) in world.query::<(Entity, &Health)>().changed::<Health>(start) {
            println!("{entity} has {} points", health.0);
        }
        assert_eq!(world.query::<Entity>().changed::<Health>(start).iter().next(), Some(player));

        world.on_removed::<Health>(|entity, health| {
            println!("{entity} had {} points", health.0);
        });
        world.despawn(player)
    }
}

/// The code of `docs/ecs.md` for snapshots; the other code of that page is compiled by the doctests.
#[cfg(feature = "serde")]
mod snapshots {
    use cubefall::ecs::{Entity, MapEntities, Snapshot, World};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Serialize, Deserialize)]
    struct Name(String);

    #[derive(Clone, Serialize, Deserialize)]
    struct Parent(Entity);

    impl MapEntities for Parent {
        fn map_entities(&mut self, map: &mut dyn FnMut(Entity) -> Entity) {
            self.0.map_entities(map);
        }
    }

    #[test]
    fn restored_references_find_their_entities() -> Result<(), Box<dyn std::error::Error>> {
        let mut world = World::new();
        let ship = world.spawn((Name("ship".to_owned()),));
        world.spawn((Name("mast".to_owned()), Parent(ship)));

        let text = serde_json::to_string(&Snapshot::<(Name, Parent)>::take(&world))?;

        let mut restored = World::new();
        restored.register_references::<Parent>();
        let snapshot: Snapshot<(Name, Parent)> = serde_json::from_str(&text)?;
        snapshot.restore(&mut restored)?;

        let parent = restored.single::<&Parent>()?.0;
        assert_eq!(restored.get::<&Name>(parent)?.0, "ship");
        Ok(())
    }
}

/// Returns the lines of a text without indentation.
fn unindented(text: &str) -> String {
    text.lines().flat_map(|line| [line.trim_start(), "\n"]).collect()
}

#[test]
fn code_of_the_ecs_pages_that_no_doctest_compiles_is_in_this_file() {
    let compiled = unindented(include_str!("examples.rs"));
    let pages = [
        (include_str!("../docs/ecs-for-users-of.md"), "```rust\n"),
        (include_str!("../docs/ecs.md"), "```rust,ignore\n"),
    ];
    for (page, fence) in pages {
        let page = unindented(page);
        let blocks: Vec<_> = page.split(fence).skip(1).collect();
        assert!(!blocks.is_empty());
        for block in blocks {
            let (code, _) = block.split_once("```").unwrap();
            assert!(compiled.contains(code), "not compiled:\n{code}");
        }
    }
}

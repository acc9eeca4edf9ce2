//! Runs the examples and compares every line of their output.

use std::path::PathBuf;
use std::process::Command;

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

/// Runs an example and compares its output.
#[track_caller]
fn assert_prints(name: &str, expected: &str) {
    let output = Command::new(example(name)).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed == expected, "{name} printed\n{printed}\nexpected\n{expected}");
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
    assert_prints("entity_versions", expected);
}

#[test]
fn health_regen_changes_only_entities_with_both_components() {
    // One point in each of the frames 120, 240, 360, 480 and 600: 90 + 5, and 98 + 5 limited to 100.
    // A frame moves the knight by (1/4, -1/2) from (10, 0), and the cloud by (1, 0) from (0, 90).
    let expected = "\
after 0 frames
  knight health 90   position 10, 0
  troll  health 98   position 3, 4
  statue health 50   position 7, 7
  cloud  health none position 0, 90
  wind   health none position none
after 119 frames
  knight health 90   position 39.75, -59.5
  troll  health 98   position 3, 4
  statue health 50   position 7, 7
  cloud  health none position 119, 90
  wind   health none position none
after 120 frames
  knight health 91   position 40, -60
  troll  health 99   position 3, 4
  statue health 50   position 7, 7
  cloud  health none position 120, 90
  wind   health none position none
after 600 frames
  knight health 95   position 160, -300
  troll  health 100  position 3, 4
  statue health 50   position 7, 7
  cloud  health none position 600, 90
  wind   health none position none
";
    assert_prints("health_regen", expected);
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
    assert_prints("movement_mask", expected);
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
    assert_prints("name_tooltip", expected);
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
    assert_prints("tile_movement", expected);
}

#[test]
fn templates_spawns_valid_files_and_names_the_component_of_an_error() {
    let expected = r#"0v1, guard: health Some(80), position Some([4.0, 0.5])
1v1, guard: health Some(80), position Some([4.0, 0.5])
2v1, oak door: health None, position Some([10.0, 0.0])
3v1, curse: health None, position None
cannot load: template ghost, component Ectoplasm: unknown component
cannot load: template dragon, component Health: invalid type: string "plenty", expected u32
"#;
    assert_prints("templates", expected);
}

#[test]
fn falling_cubes_match_the_closed_form() {
    // The exact distance for standard gravity and one second from rest is 4.903325 m. Each of 60
    // steps rounds a height below 64 m by at most 2^-19 m, in total less than half a millimetre.
    let metres = format!("{:.3}", 9.806_65_f64 / 2.0);
    let expected = format!(
        "\
10000 cubes fall for 1 s: g t^2 / 2 = {metres} m
cube 0v1 fell {metres} m
cube 1v1 fell {metres} m
cube 2v1 fell {metres} m
10000 cubes rest, 1 camera falls
0 cubes moved
camera 10000v1 fell {metres} m
"
    );
    assert_prints("falling_cubes", &expected);
}

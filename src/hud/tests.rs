//! The HUD without a window: egui is told what the mouse does.

use std::time::Duration;

use egui::{Event, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, vec2};

use super::*;
use crate::components::Color;
use crate::ecs::Entity;
use crate::input::Action;
use crate::render::Quality;
use crate::sim::{FallMode, SceneSettings, Simulation, Tuning};

const SCENE: SceneSettings = SceneSettings { cubes: 300, seed: 7 };

/// A HUD, and what it is shown.
struct Stage {
    hud: Hud,
    simulation: Simulation,
    history: History,
    graphics: GraphicsInfo,
    selected: Option<Entity>,
    hovered: Option<Entity>,
    time: f64,
    actions: Vec<Action>,
    again: Duration,
    /// A click takes less time than a picture.
    at_once: bool,
}

impl Stage {
    fn new() -> Self {
        let mut stage = Self {
            hud: Hud::new(Panels::default()),
            simulation: Simulation::new(SCENE, FallMode::Cubes).unwrap(),
            history: History::new(),
            graphics: GraphicsInfo {
                max_cubes: 1_000_000,
                can_cull: true,
                ..GraphicsInfo::default()
            },
            selected: None,
            hovered: None,
            time: 0.0,
            actions: Vec::new(),
            again: Duration::ZERO,
            at_once: false,
        };
        stage.settle();
        stage
    }

    /// One look, a sixtieth of a second after the one before.
    fn look(&mut self, events: Vec<Event>) -> HudOutput {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0))),
            time: Some(self.time),
            events,
            focused: true,
            ..RawInput::default()
        };
        let model = Model {
            simulation: &self.simulation,
            scene: "classic",
            seed: SCENE.seed,
            history: &self.history,
            graphics: &self.graphics,
            selected: self.selected,
            hovered: self.hovered,
            gamepad: "none",
            idle: self.simulation.is_paused(),
        };
        let shown = self.hud.show(input, &model);
        self.again = shown.again;
        self.actions.extend(self.hud.take_actions());
        shown
    }

    /// Looks until everything has its place.
    fn settle(&mut self) {
        for _ in 0..4 {
            self.look(Vec::new());
        }
    }

    /// Clicks so far on the way from the left to the right end of a widget; what was asked for.
    fn click_at(&mut self, name: &str, share: f32) -> Vec<Action> {
        let place = self.hud.layout.of(name);
        let [x, y, width, height] = place.unwrap_or_else(|| panic!("no widget {name}"));
        let pos = Pos2::new(x as f32 + width as f32 * share, y as f32 + height as f32 / 2.0);
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::default(),
        };
        if self.at_once {
            self.look(vec![Event::PointerMoved(pos), button(true), button(false)]);
        } else {
            self.look(vec![Event::PointerMoved(pos)]);
            self.look(vec![button(true)]);
            self.look(vec![button(false)]);
        }
        self.settle();
        std::mem::take(&mut self.actions)
    }

    fn click(&mut self, name: &str) -> Vec<Action> {
        self.click_at(name, 0.5)
    }
}

#[test]
fn each_button_asks_for_what_its_key_does() {
    let mut stage = Stage::new();
    for (name, action) in [
        ("pause", Action::TogglePause),
        ("reset", Action::Reset),
        ("vsync", Action::ToggleVsync),
        ("full screen", Action::ToggleFullscreen),
        ("camera", Action::CycleCamera),
        ("help", Action::ToggleHelp),
        ("inspector", Action::ToggleInspector),
        ("screenshot", Action::Screenshot),
        ("save state", Action::SaveState),
        ("load state", Action::LoadState),
        ("hide UI", Action::ToggleHud),
    ] {
        assert_eq!(stage.click(name), [action], "{name}");
    }
    assert_eq!(stage.click("camera-falls"), [Action::SetMode(FallMode::Camera)]);
    assert_eq!(stage.click("medium"), [Action::SetQuality(Quality::Medium)]);
    assert_eq!(stage.click("culling"), [Action::SetCulling(true)]);
    assert_eq!(stage.click("new seed"), [Action::SetSeed(8)]);
}

#[test]
fn a_step_is_to_be_had_only_while_paused() {
    let mut stage = Stage::new();
    assert_eq!(stage.click("step"), []);
    stage.simulation.set_paused(true);
    stage.settle();
    assert_eq!(stage.click("step"), [Action::Step]);
}

#[test]
fn the_count_slider_runs_from_one_to_the_most_by_powers() {
    let mut stage = Stage::new();
    let asked = |actions: Vec<Action>| match actions[..] {
        [Action::SetCubes(cubes), ..] => cubes,
        _ => panic!("{actions:?}"),
    };
    assert_eq!(asked(stage.click_at("count", 0.99)), 1_000_000);
    assert_eq!(asked(stage.click_at("count", 0.01)), 1);
    let middle = asked(stage.click_at("count", 0.5));
    assert!((500..2000).contains(&middle), "{middle}");
}

#[test]
fn gravity_time_and_spin_have_a_slider_each() {
    let mut stage = Stage::new();
    let classic = Tuning::default();
    let last = |actions: Vec<Action>| actions.last().copied();
    let asked = last(stage.click_at("gravity", 0.99));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { gravity: 4.0, ..classic })));
    let asked = last(stage.click_at("time", 0.01));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { time: 0.0, ..classic })));
    let asked = last(stage.click_at("spin", 0.5));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { spin: 2.0, ..classic })));

    assert_eq!(stage.click("reset sliders"), [], "it is already");
    stage.simulation.set_tuning(Tuning { gravity: 0.5, ..stage.simulation.tuning() }).unwrap();
    stage.settle();
    assert_eq!(stage.click("reset sliders"), [Action::SetTuning(classic)]);
}

#[test]
fn a_click_that_is_over_before_the_next_picture_counts() {
    let mut stage = Stage::new();
    stage.at_once = true;
    assert_eq!(stage.click("pause"), [Action::TogglePause]);
    assert_eq!(stage.click_at("count", 0.99).first(), Some(&Action::SetCubes(1_000_000)));
}

#[test]
fn a_count_can_be_typed_as_on_the_command_line() {
    let mut stage = Stage::new();
    assert_eq!(stage.click("count value"), []);
    assert!(stage.hud.context().text_edit_focused());
    let key = |key, pressed| Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: Modifiers::default(),
    };
    let all = Event::Key {
        key: Key::A,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    };
    stage.look(vec![all]);
    stage.look(vec![Event::Text("20k".into())]);
    assert_eq!(stage.actions, [], "it is not typed to the end");
    stage.look(vec![key(Key::Enter, true), key(Key::Enter, false)]);
    stage.settle();
    assert_eq!(stage.actions.first(), Some(&Action::SetCubes(20_000)));
    assert!(!stage.hud.context().text_edit_focused(), "keys are the app's again");
}

#[test]
fn the_inspector_switches_systems() {
    let mut stage = Stage::new();
    stage.hud.panels.inspector = true;
    stage.settle();
    let systems: Vec<_> =
        stage.simulation.world().schedule().systems().map(|system| system.id).collect();
    assert_eq!(stage.click("system physics"), [Action::SetSystemEnabled(systems[1], false)]);
    stage.simulation.set_system_enabled(systems[1], false).unwrap();
    stage.settle();
    assert_eq!(stage.click("system physics"), [Action::SetSystemEnabled(systems[1], true)]);
}

#[test]
fn the_inspector_shows_a_world_of_any_size_in_either_mode() {
    let mut stage = Stage::new();
    stage.hud.panels.inspector = true;
    for (cubes, mode) in [(0, FallMode::Cubes), (1, FallMode::Camera), (50_000, FallMode::Camera)] {
        stage.simulation = Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap();
        stage.settle();
        assert!(!stage.look(Vec::new()).triangles.is_empty());
    }
}

#[test]
fn a_selected_cube_can_be_gone_to_and_taken_away() {
    let mut stage = Stage::new();
    let color = stage.simulation.world().component_type::<Color>().unwrap();
    let cube = stage.simulation.world().inspect().array_entity(color, 17).unwrap();
    (stage.selected, stage.hovered) = (Some(cube), Some(cube));
    stage.hud.panels.inspector = true;
    stage.settle();
    assert_eq!(stage.click("focus"), [Action::Focus]);
    assert_eq!(stage.click("despawn"), [Action::Despawn]);
    // It may be gone before the app has noticed.
    stage.simulation.cubes_mut().despawn(cube).unwrap();
    stage.settle();
    assert_eq!(stage.click("focus"), [], "there is no such panel any more");
}

#[test]
fn a_click_on_a_title_folds_the_panel_up_and_down() {
    let mut stage = Stage::new();
    stage.click("controls");
    assert!(!stage.hud.panels.controls && stage.hud.panels.statistics);
    stage.click("controls");
    assert!(stage.hud.panels.controls);
}

#[test]
fn without_panels_help_and_messages_there_is_nothing_to_show() {
    let mut stage = Stage::new();
    stage.hud.panels.shown = false;
    assert!(!stage.hud.is_active());
    stage.hud.notify(Tone::Done, "Saved cubes.png");
    assert!(stage.hud.is_active());
    stage.look(Vec::new());
    assert!(stage.again <= Duration::from_secs(10), "it comes back to take the message away");
    stage.time += 10.0;
    stage.look(Vec::new());
    assert!(!stage.hud.is_active());
    stage.hud.panels.help = true;
    assert!(stage.hud.is_active());
}

#[test]
fn a_hud_at_rest_asks_for_no_further_look() {
    let mut stage = Stage::new();
    stage.simulation.set_paused(true);
    stage.hud.panels.inspector = true;
    stage.click("pause");
    // The boundaries of groups take a moment to their layout.
    (0..60).for_each(|_| drop(stage.look(Vec::new())));
    assert!(stage.again > Duration::from_hours(1), "{:?}", stage.again);
}

#[test]
fn a_new_device_gets_the_whole_textures_again() {
    let mut stage = Stage::new();
    assert!(stage.look(Vec::new()).textures.set.is_empty(), "it has them already");
    stage.hud.panels.controls = false;
    stage.hud.renew();
    let mut shown = stage.look(Vec::new());
    let whole = shown.textures.set.values().all(|changes| changes[0].is_whole());
    assert!(whole && !shown.textures.set.is_empty() && !stage.hud.panels.controls);
    shown.textures.clear();
}

#[test]
fn panels_fit_into_small_windows() {
    let mut stage = Stage::new();
    stage.hud.panels = Panels { inspector: true, help: true, ..Panels::default() };
    stage
        .hud
        .notify(Tone::Failed, "A long message that does not fit into a window that small at all");
    for size in [vec2(1.0, 1.0), vec2(120.0, 60.0), vec2(320.0, 240.0)] {
        stage.time += 1.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(stage.time),
            ..RawInput::default()
        };
        let model = Model {
            simulation: &stage.simulation,
            scene: "classic",
            seed: SCENE.seed,
            history: &stage.history,
            graphics: &stage.graphics,
            selected: None,
            hovered: None,
            gamepad: "none",
            idle: false,
        };
        drop(stage.hud.show(input, &model));
    }
}

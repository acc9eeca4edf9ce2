//! The HUD without a window, driven by simulated mouse and key events.

use std::time::Duration;

use egui::epaint::ClippedShape;
use egui::{
    Event, Id, Key, Modifiers, PointerButton, Pos2, RawInput, Rect, Shape, TouchDeviceId, TouchId,
    TouchPhase, Vec2, pos2, vec2,
};

use super::*;
use crate::benchmark::FrameSample;
use crate::components::{Color, Motion};
use crate::ecs::Entity;
use crate::input::{Action, CONTROLS};
use crate::render::{DrawStats, Quality};
use crate::sim::{FallMode, SceneSettings, Simulation, Tuning};

const SCENE: SceneSettings = SceneSettings { cubes: 300, seed: 7 };

/// The primary button.
fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::default(),
    }
}

/// A HUD and its model.
pub(super) struct Fixture {
    pub(super) hud: Hud,
    /// Size of the window in points.
    pub(super) size: Vec2,
    pub(super) simulation: Simulation,
    history: History,
    graphics: GraphicsInfo,
    pub(super) selected: Option<Entity>,
    hovered: Option<Entity>,
    pub(super) progress: Option<Progress>,
    recent: Vec<String>,
    time: f64,
    pub(super) actions: Vec<Action>,
    repaint_after: Duration,
    /// Whether press and release arrive in the same frame.
    fast_click: bool,
}

impl Fixture {
    pub(super) fn new() -> Self {
        let mut fixture = Self {
            size: vec2(1280.0, 960.0),
            hud: Hud::new(Panels::default()),
            simulation: Simulation::new(SCENE, FallMode::Cubes).unwrap(),
            history: History::default(),
            graphics: GraphicsInfo {
                max_cubes: 5_000_000,
                comfortable_cubes: 1_000_000,
                can_cull: true,
                ..GraphicsInfo::default()
            },
            selected: None,
            hovered: None,
            progress: None,
            recent: Vec::new(),
            time: 0.0,
            actions: Vec::new(),
            repaint_after: Duration::ZERO,
            fast_click: false,
        };
        fixture.run_layout();
        fixture
    }

    /// Shows one HUD frame, 1/60 s after the previous one.
    pub(super) fn frame(&mut self, events: Vec<Event>) -> HudOutput {
        self.time += 1.0 / 60.0;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size)),
            time: Some(self.time),
            events,
            focused: true,
            ..RawInput::default()
        };
        let model = Model {
            attract: true,
            simulation: &self.simulation,
            scene: "classic",
            seed: SCENE.seed,
            history: &self.history,
            graphics: &self.graphics,
            selected: self.selected,
            hovered: self.hovered,
            gamepad: "none",
            suite: None,
            idle: self.simulation.is_paused(),
            progress: self.progress.as_ref(),
            slots: SaveSlots { current: 1, saved: [false; 9] },
            recent: &self.recent,
            ui_scale: 100,
        };
        let output = self.hud.show(input, &model);
        self.repaint_after = output.repaint_after;
        self.actions.extend(self.hud.take_actions());
        output
    }

    /// Shows frames until the layout no longer changes.
    pub(super) fn run_layout(&mut self) {
        for _ in 0..4 {
            self.frame(Vec::new());
        }
    }

    /// Clicks a widget at this share of its width. Returns the resulting actions.
    fn click_at(&mut self, name: &str, share: f32) -> Vec<Action> {
        let rect = self.hud.layout.of(name);
        let [x, y, width, height] = rect.unwrap_or_else(|| panic!("no widget {name}"));
        let pos = Pos2::new(x as f32 + width as f32 * share, y as f32 + height as f32 / 2.0);
        if self.fast_click {
            self.frame(vec![Event::PointerMoved(pos), button(pos, true), button(pos, false)]);
        } else {
            self.frame(vec![Event::PointerMoved(pos)]);
            self.frame(vec![button(pos, true)]);
            self.frame(vec![button(pos, false)]);
        }
        self.run_layout();
        std::mem::take(&mut self.actions)
    }

    pub(super) fn click(&mut self, name: &str) -> Vec<Action> {
        self.click_at(name, 0.5)
    }

    /// Drags from one place to another.
    pub(super) fn drag(&mut self, from: Pos2, to: Pos2) {
        self.frame(vec![Event::PointerMoved(from)]);
        self.frame(vec![button(from, true)]);
        for step in 1..=10 {
            self.frame(vec![Event::PointerMoved(from.lerp(to, step as f32 / 10.0))]);
        }
        self.frame(vec![button(to, false)]);
        self.run_layout();
    }

    /// Presses and releases a key.
    fn press(&mut self, key: Key) {
        self.frame(
            [true, false].map(|pressed| key_event(key, pressed, Modifiers::default())).into(),
        );
        self.run_layout();
    }

    /// Selects the text of the field that is edited.
    fn select_all(&mut self) {
        self.frame(vec![key_event(Key::A, true, Modifiers::COMMAND)]);
    }
}

fn key_event(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

#[test]
fn each_button_has_the_action_of_its_key() {
    let mut fixture = Fixture::new();
    for (name, action) in [
        ("pause", Action::TogglePause),
        ("reset", Action::Reset),
        ("vsync", Action::ToggleVsync),
        ("full screen", Action::ToggleFullscreen),
        ("camera", Action::CycleCamera),
        ("copy camera", Action::CopyCamera),
        ("copy link", Action::CopyLink),
        ("help", Action::ToggleHelp),
        ("inspector", Action::ToggleInspector),
        ("screenshot", Action::Screenshot),
        ("save state", Action::SaveState),
        ("load state", Action::LoadState),
        ("hide UI", Action::ToggleHud),
    ] {
        assert_eq!(fixture.click(name), [action], "{name}");
    }
    assert_eq!(fixture.click("camera-falls"), [Action::SetMode(FallMode::Camera)]);
    assert_eq!(fixture.click("medium"), [Action::SetQuality(Quality::Medium)]);
    assert_eq!(fixture.click("evaluated"), [Action::SetMotion(Motion::Evaluated)]);
    assert_eq!(fixture.click("culling"), [Action::SetCulling(true)]);
    assert_eq!(fixture.click("attract"), [Action::SetAttract(false)]);
    assert_eq!(fixture.click("widen view"), [Action::SetWidenedView(false)]);
    assert_eq!(fixture.click("new seed"), [Action::SetSeed(8)]);
}

#[test]
fn the_list_of_keys_has_a_button_that_closes_it() {
    let mut fixture = Fixture::new();
    fixture.hud.panels.help = true;
    fixture.run_layout();
    assert_eq!(fixture.click("close keys"), [Action::ToggleHelp]);
}

#[test]
fn the_list_of_keys_scrolls_with_keys() {
    let mut fixture = Fixture::new();
    fixture.size = vec2(640.0, 240.0);
    fixture.hud.panels.help = true;
    fixture.run_layout();
    let mut end_is_visible = |key| {
        fixture.press(key);
        // The list moves for a moment.
        (0..60).for_each(|_| drop(fixture.frame(Vec::new())));
        fixture.hud.layout.visible["end of keys"].is_positive()
    };
    assert!(!end_is_visible(Key::ArrowDown));
    assert!(end_is_visible(Key::End));
    assert!(!end_is_visible(Key::Home));
    let pages = [Key::PageDown; 8].map(&mut end_is_visible);
    assert!(!pages[0] && pages[7], "{pages:?}");
}

#[test]
fn step_is_enabled_only_while_paused() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.click("step"), []);
    fixture.simulation.set_paused(true);
    fixture.run_layout();
    assert_eq!(fixture.click("step"), [Action::Step]);
}

#[test]
fn the_count_slider_is_logarithmic_from_one_to_the_maximum() {
    let mut fixture = Fixture::new();
    let requested_count = |actions: Vec<Action>| match actions[..] {
        [Action::SetCubes(cubes), ..] => cubes,
        _ => panic!("{actions:?}"),
    };
    assert_eq!(requested_count(fixture.click_at("count", 0.99)), 1_000_000);
    assert_eq!(requested_count(fixture.click_at("count", 0.01)), 1);
    let middle = requested_count(fixture.click_at("count", 0.5));
    assert!((500..2000).contains(&middle), "{middle}");
}

#[test]
fn a_dragged_count_is_applied_once_when_the_slider_is_released() {
    let mut fixture = Fixture::new();
    let place = fixture.hud.layout.visible["count"];
    let at = |share: f32| place.left_center() + vec2(place.width() * share, 0.0);
    fixture.drag(at(0.4), at(0.97));
    assert_eq!(fixture.actions, [Action::SetCubes(1_000_000)]);
}

#[test]
fn a_large_count_leaves_the_panel_its_width() {
    let mut fixture = Fixture::new();
    let panel = fixture.hud.layout.of("controls panel").unwrap();
    fixture.graphics.comfortable_cubes = 100_000_000;
    let place = fixture.hud.layout.visible["count"];
    let end = place.right_center() - vec2(1.0, 0.0);
    fixture.frame(vec![Event::PointerMoved(end)]);
    fixture.frame(vec![button(end, true)]);
    fixture.run_layout();
    assert_eq!(fixture.hud.layout.of("controls panel"), Some(panel));
    fixture.frame(vec![button(end, false)]);
    assert_eq!(fixture.actions, [Action::SetCubes(100_000_000)]);
}

#[test]
fn only_windows_with_two_columns_dock_the_inspector() {
    for (width, docks) in [(640.0, true), (600.0, false)] {
        let mut fixture = Fixture::new();
        fixture.hud.panels.inspector = true;
        fixture.size = vec2(width, 900.0);
        fixture.run_layout();
        assert_eq!(fixture.hud.layout.of("dock left").is_some(), docks, "{width}");
    }
}

#[test]
fn more_than_a_comfortable_count_can_be_typed() {
    let mut fixture = Fixture::new();
    fixture.click("count value");
    fixture.select_all();
    fixture.frame(vec![Event::Text("4M".into())]);
    fixture.press(Key::Enter);
    assert_eq!(fixture.actions, [Action::SetCubes(4_000_000)]);
}

#[test]
fn escape_cancels_the_edit_of_a_number() {
    let mut fixture = Fixture::new();
    fixture.click("count value");
    fixture.select_all();
    fixture.frame(vec![Event::Text("4M".into())]);
    fixture.press(Key::Escape);
    assert_eq!(fixture.actions, []);
    assert!(!fixture.hud.context().text_edit_focused());
    fixture.click("count value");
    fixture.press(Key::Enter);
    assert_eq!(fixture.actions, [], "nothing of the edit is left");
}

#[test]
fn a_running_operation_is_shown_without_panels_and_can_be_canceled() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.click("measure score"), [Action::MeasureScore]);
    assert_eq!(fixture.click("find maximum"), [Action::FindMaximum]);
    fixture.hud.panels.shown = false;
    fixture.hud.is_busy = true;
    fixture.progress = Some(Progress { text: "500 of 1,000 cubes".into(), share: Some(0.5) });
    assert!(fixture.hud.is_active());
    fixture.run_layout();
    assert_eq!(fixture.click("cancel"), [Action::Cancel]);
}

#[test]
fn recent_scenes_and_slots_can_be_chosen() {
    let mut fixture = Fixture::new();
    fixture.recent = vec!["/tmp/own.json".into(), "galaxy".into()];
    fixture.click("scene");
    assert_eq!(fixture.click("recent 1"), [Action::OpenRecent(1)]);
    assert_eq!(fixture.click("slot 4"), [Action::SelectSlot(4)]);
    assert_eq!(fixture.click("larger UI"), [Action::ScaleUi(1)]);
    assert_eq!(fixture.click("default UI"), [Action::ScaleUi(0)]);
}

#[test]
fn gravity_time_and_spin_sliders_set_and_reset_the_tuning() {
    let mut fixture = Fixture::new();
    let classic = Tuning::default();
    let last = |actions: Vec<Action>| actions.last().copied();
    let asked = last(fixture.click_at("gravity", 0.99));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { gravity: 4.0, ..classic })));
    let asked = last(fixture.click_at("time", 0.01));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { time: 0.0, ..classic })));
    let asked = last(fixture.click_at("spin", 0.5));
    assert_eq!(asked, Some(Action::SetTuning(Tuning { spin: 2.0, ..classic })));

    assert_eq!(fixture.click("reset sliders"), [], "already reset");
    fixture.simulation.set_tuning(Tuning { gravity: 0.5, ..fixture.simulation.tuning() }).unwrap();
    fixture.run_layout();
    assert_eq!(fixture.click("reset sliders"), [Action::SetTuning(classic)]);
}

#[test]
fn a_press_and_release_within_one_frame_is_a_click() {
    let mut fixture = Fixture::new();
    fixture.fast_click = true;
    assert_eq!(fixture.click("pause"), [Action::TogglePause]);
    assert_eq!(fixture.click_at("count", 0.99).first(), Some(&Action::SetCubes(1_000_000)));
}

#[test]
fn a_count_can_be_typed_as_on_the_command_line() {
    let mut fixture = Fixture::new();
    assert_eq!(fixture.click("count value"), []);
    assert!(fixture.hud.context().text_edit_focused());
    fixture.select_all();
    fixture.frame(vec![Event::Text("20k".into())]);
    assert_eq!(fixture.actions, [], "editing has not ended");
    fixture.press(Key::Enter);
    assert_eq!(fixture.actions.first(), Some(&Action::SetCubes(20_000)));
    assert!(!fixture.hud.context().text_edit_focused(), "the text field has no focus any more");
}

#[test]
fn the_inspector_switches_systems_on_and_off() {
    let mut fixture = Fixture::new();
    fixture.hud.panels.inspector = true;
    fixture.size.y = 2000.0;
    fixture.run_layout();
    let mut systems = fixture.simulation.world().schedule().systems();
    let physics = systems.find(|system| system.name == "physics").unwrap().id;
    drop(systems);
    assert_eq!(fixture.click("system physics"), [Action::SetSystemEnabled(physics, false)]);
    fixture.simulation.set_system_enabled(physics, false).unwrap();
    fixture.run_layout();
    assert_eq!(fixture.click("system physics"), [Action::SetSystemEnabled(physics, true)]);
}

#[test]
fn the_inspector_draws_worlds_of_any_size_in_both_modes() {
    let mut fixture = Fixture::new();
    fixture.hud.panels.inspector = true;
    fixture.size.y = 2000.0;
    for (cubes, mode) in [(0, FallMode::Cubes), (1, FallMode::Camera), (50_000, FallMode::Camera)] {
        fixture.simulation = Simulation::new(SceneSettings { cubes, seed: 1 }, mode).unwrap();
        fixture.run_layout();
        let alive = fixture.simulation.world().inspect().slots().alive;
        let slots = format!("Entities: {}; ", crate::units::count(alive));
        let texts = &fixture.hud.texts;
        assert!(texts.iter().any(|text| text.starts_with(&slots)), "{slots} in {texts:?}");
    }
}

#[test]
fn a_selected_cube_can_be_focused_and_despawned() {
    let mut fixture = Fixture::new();
    let color = fixture.simulation.world().component_type::<Color>().unwrap();
    let cube = fixture.simulation.world().inspect().array_entity(color, 17).unwrap();
    (fixture.selected, fixture.hovered) = (Some(cube), Some(cube));
    fixture.hud.panels.inspector = true;
    fixture.run_layout();
    assert_eq!(fixture.click("focus"), [Action::Focus]);
    assert_eq!(fixture.click("despawn"), [Action::Despawn]);
    // The cube may disappear before the app updates the selection.
    fixture.simulation.cubes_mut().despawn(cube).unwrap();
    fixture.hud.layout.visible.clear();
    fixture.run_layout();
    assert!(!fixture.hud.layout.visible.contains_key("focus"), "the panel is closed");
}

#[test]
fn a_tooltip_is_shown_while_a_cube_is_hovered() {
    let mut fixture = Fixture::new();
    let color = fixture.simulation.world().component_type::<Color>().unwrap();
    let cube = fixture.simulation.world().inspect().array_entity(color, 17).unwrap();
    let mut shown = |hovered| {
        fixture.hovered = hovered;
        fixture.run_layout();
        fixture.frame(vec![Event::PointerMoved(pos2(600.0, 500.0))]).triangles.len()
    };
    let [without, with, again] = [None, Some(cube), None].map(&mut shown);
    assert!(with > without && again == without, "{without}, {with}, {again}");
}

#[test]
fn a_click_on_a_title_collapses_and_opens_the_panel() {
    let mut fixture = Fixture::new();
    fixture.click("controls");
    assert!(!fixture.hud.panels.controls && fixture.hud.panels.statistics);
    fixture.click("controls");
    assert!(fixture.hud.panels.controls);
}

#[test]
fn the_first_frame_shows_the_panels_at_their_place() {
    let mut fixture = Fixture::new();
    let panels = || Panels { inspector: true, ..Panels::default() };
    fixture.hud = Hud::new(panels());
    fixture.run_layout();
    let place = fixture.hud.layout.visible["ECS"];
    fixture.hud = Hud::new(panels());
    fixture.frame(Vec::new());
    assert!(fixture.hud.texts.iter().any(|text| text == "fps"), "{:?}", fixture.hud.texts);
    let first = fixture.hud.layout.visible["ECS"];
    assert!((first.top() - place.top()).abs() < 2.0, "{first} and {place}");
}

#[test]
fn the_hud_is_active_only_with_panels_help_or_messages() {
    let mut fixture = Fixture::new();
    fixture.hud.panels.shown = false;
    assert!(!fixture.hud.is_active());
    fixture.hud.notify(Tone::Done, "Saved cubes.png");
    assert!(fixture.hud.is_active());
    fixture.frame(Vec::new());
    assert!(fixture.repaint_after <= Duration::from_secs(10), "a repaint removes the message");
    fixture.time += 10.0;
    fixture.frame(Vec::new());
    assert!(!fixture.hud.is_active());
    fixture.hud.panels.help = true;
    assert!(fixture.hud.is_active());
}

#[test]
fn an_idle_hud_requests_no_repaint() {
    let mut fixture = Fixture::new();
    fixture.simulation.set_paused(true);
    fixture.hud.panels.inspector = true;
    fixture.click("pause");
    // The boundaries of groups take a moment to their layout.
    (0..60).for_each(|_| drop(fixture.frame(Vec::new())));
    assert!(fixture.repaint_after > Duration::from_hours(1), "{:?}", fixture.repaint_after);
}

#[test]
fn after_a_reset_the_output_contains_whole_textures() {
    let mut fixture = Fixture::new();
    assert!(fixture.frame(Vec::new()).textures.set.is_empty(), "already uploaded");
    fixture.hud.panels.controls = false;
    let width = |fixture: &Fixture| {
        let fonts = [theme::mono(11.5), theme::sans(12.0)];
        let context = fixture.hud.context();
        context.fonts_mut(|view| fonts.map(|font| view.glyph_width(&font, 'm')))
    };
    let before = width(&fixture);
    fixture.hud.reset_textures();
    let mut output = fixture.frame(Vec::new());
    let whole = output.textures.set.values().all(|changes| changes[0].is_whole());
    assert!(whole && !output.textures.set.is_empty() && !fixture.hud.panels.controls);
    assert_eq!(width(&fixture), before, "texts have the same fonts");
    output.textures.clear();
}

#[test]
fn the_fonts_have_the_characters_of_numbers_and_keys() {
    let fixture = Fixture::new();
    let keys = CONTROLS.iter().map(|(keys, _)| *keys).collect::<String>();
    let context = fixture.hud.context();
    let has = |text| context.fonts_mut(|fonts| fonts.has_glyphs(&theme::mono(11.5), text));
    assert!(has(&keys) && has("0123456789.,%+-\u{2212}…°µ²³×·±≤≥→"));
    assert!(!has("\u{10fffd}"));
}

#[test]
fn panels_in_windows_of_any_size_do_not_panic() {
    let mut fixture = Fixture::new();
    fixture.hud.panels = Panels { inspector: true, help: true, ..Panels::default() };
    fixture
        .hud
        .notify(Tone::Failed, "A long message that does not fit into a window that small at all");
    for size in [vec2(1.0, 1.0), vec2(120.0, 60.0), vec2(320.0, 240.0)] {
        fixture.size = size;
        fixture.run_layout();
    }
}

#[test]
fn an_inspector_that_opens_in_a_column_that_scrolls_is_visible() {
    let mut fixture = Fixture::new();
    fixture.size = vec2(320.0, 240.0);
    fixture.run_layout();
    let top = |fixture: &Fixture| fixture.hud.layout.of("ECS").map(|[_, y, ..]| y);
    fixture.hud.panels.inspector = true;
    fixture.run_layout();
    assert!(top(&fixture).is_none_or(|y| y >= 240), "below the window: {:?}", top(&fixture));
    fixture.hud.reveal_inspector();
    fixture.run_layout();
    assert!(top(&fixture).is_some_and(|y| (0..100).contains(&y)), "{:?}", top(&fixture));
}

/// Returns the texts of shapes, in the order in which they are drawn.
pub(super) fn texts(shapes: &[ClippedShape]) -> Vec<String> {
    fn add(shape: &Shape, texts: &mut Vec<String>) {
        match shape {
            Shape::Text(text) => texts.push(text.galley.text().to_owned()),
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, texts)),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for clipped in shapes {
        add(&clipped.shape, &mut texts);
    }
    texts
}

#[test]
fn figures_stand_beside_their_names() {
    let mut fixture = Fixture::new();
    // Two of a hundred frames take 40 ms, the latest second of them 10 ms each.
    for number in 0..3000_u64 {
        let slow = number % 50 == 0 && number < 2900;
        let time = if slow { 40_000_000 } else { 10_000_000 };
        let sample = FrameSample { frame: time, upload_bytes: 2000, ..FrameSample::default() };
        let spawn_stats = [number, number];
        fixture.history.push(&LiveFrame { sample, spawn_stats, ..LiveFrame::default() });
    }
    fixture.graphics.draw_stats = DrawStats { total: 300, full: 120, small: 30 };
    fixture.run_layout();
    let value = |fixture: &Fixture, name: &str, offset: isize| {
        let texts = &fixture.hud.texts;
        let at = texts.iter().position(|text| text == name);
        let at = at.unwrap_or_else(|| panic!("no {name} in {texts:?}"));
        texts[at.checked_add_signed(offset).unwrap()].clone()
    };
    for (name, offset, expected) in [
        ("fps", -1, "100"),
        ("fps", 1, "10.00 ms"),
        ("Median, ms", 1, "10.00"),
        ("p99, ms", 1, "40.00"),
        ("1 % low, fps", 1, "25.0"),
        ("Drawn / total", -1, "150 / 300"),
        ("Spawned / removed per s", -1, "100 / 100"),
    ] {
        assert_eq!(value(&fixture, name, offset), expected, "{name}");
    }
    fixture.simulation.set_paused(true);
    fixture.run_layout();
    assert_eq!(value(&fixture, "Spawned / removed per s", -1), "0.0 / 0.0");
    assert!(fixture.hud.texts.iter().any(|text| text == "Idle"));
}

#[test]
fn a_finger_that_swipes_up_on_a_slider_keeps_its_value() {
    let mut fixture = Fixture::new();
    let place = fixture.hud.layout.visible["gravity"];
    let touch = |phase, pos| Event::Touch {
        device_id: TouchDeviceId(0),
        id: TouchId(1),
        phase,
        pos,
        force: None,
    };
    let mut swipe = |to: Vec2| {
        let from = place.left_center() + vec2(place.width() * 0.9, 0.0);
        fixture.frame(vec![
            touch(TouchPhase::Start, from),
            Event::PointerMoved(from),
            button(from, true),
        ]);
        for step in 1..=10 {
            let at = from + to * (step as f32 / 10.0);
            fixture.frame(vec![touch(TouchPhase::Move, at), Event::PointerMoved(at)]);
        }
        fixture.frame(vec![
            touch(TouchPhase::End, from + to),
            button(from + to, false),
            Event::PointerGone,
        ]);
        fixture.run_layout();
        std::mem::take(&mut fixture.actions)
    };
    assert_eq!(swipe(vec2(0.0, -60.0)), []);
    assert_ne!(swipe(vec2(-40.0, 0.0)), []);
}

#[test]
fn a_tooltip_is_beside_the_pointer_and_inside_the_window() {
    let mut fixture = Fixture::new();
    let color = fixture.simulation.world().component_type::<Color>().unwrap();
    fixture.hovered = fixture.simulation.world().inspect().array_entity(color, 17);
    for pointer in [pos2(5.0, 5.0), pos2(1275.0, 5.0), pos2(5.0, 955.0), pos2(1275.0, 955.0)] {
        fixture.frame(vec![Event::PointerMoved(pointer)]);
        fixture.run_layout();
        let area = Id::unique("cube under the pointer");
        let rect = fixture.hud.context().memory(|memory| memory.area_rect(area)).unwrap();
        assert!(Rect::from_min_size(Pos2::ZERO, fixture.size).contains_rect(rect), "{rect}");
        // 14 points away along both axes.
        let gap = rect.distance_to_pos(pointer);
        assert!((15.0..25.0).contains(&gap), "{rect} is {gap} from {pointer}");
    }
}

#[test]
fn the_layout_of_a_scene_without_cubes_gives_no_action() {
    let mut fixture = Fixture::new();
    let settings = SceneSettings { cubes: 0, seed: 1 };
    fixture.simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    fixture.run_layout();
    assert_eq!(fixture.actions, []);
}

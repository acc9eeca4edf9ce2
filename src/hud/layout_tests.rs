//! Where the panels are, in windows of many sizes: nothing overlaps, and everything can be reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{
    Event, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Rect, TouchPhase, Vec2, vec2,
};

use super::arrangement::TWO_COLUMNS;
use super::tests::Fixture;
use super::*;
use crate::components::Color;
use crate::input::{Action, Dock};
use crate::scenes::Scene;
use crate::sim::{FallMode, Simulation};

const PANELS: [&str; 4] = ["statistics panel", "controls panel", "selected panel", "ECS panel"];

/// Windows in pixels.
const WINDOWS: [Vec2; 8] = [
    vec2(960.0, 540.0),
    vec2(780.0, 1688.0),
    vec2(640.0, 480.0),
    vec2(800.0, 600.0),
    vec2(1024.0, 640.0),
    vec2(1280.0, 720.0),
    vec2(1920.0, 1080.0),
    vec2(3840.0, 2160.0),
];

const SCALES: [f32; 3] = [1.0, 1.5, 2.0];

/// Shows all panels in a window.
fn open(size: Vec2, dock: Dock) -> Fixture {
    let mut fixture = Fixture::new();
    let color = fixture.simulation.world().component_type::<Color>().unwrap();
    fixture.selected = fixture.simulation.world().inspect().array_entity(color, 17);
    fixture.hud.panels = Panels { inspector: true, dock, ..Panels::default() };
    fixture.size = size;
    fixture.run_layout();
    fixture.run_layout();
    fixture.hud.layout.visible.clear();
    fixture.run_layout();
    fixture
}

/// Returns the visible part of a panel, if it is not scrolled out of its column.
fn visible_panel(fixture: &Fixture, name: &str) -> Option<Rect> {
    fixture.hud.layout.visible.get(name).copied().filter(Rect::is_positive)
}

/// Returns the panels that overlap, leave the window or are missing.
fn faults(fixture: &Fixture) -> Vec<String> {
    let screen = Rect::from_min_size(Pos2::ZERO, fixture.size);
    let mut faults = Vec::new();
    let rects: Vec<_> =
        PANELS.iter().filter_map(|&name| Some((name, visible_panel(fixture, name)?))).collect();
    for (i, &(name, rect)) in rects.iter().enumerate() {
        if !screen.contains_rect(rect.shrink(0.5)) {
            faults.push(format!("{name} {rect} leaves {screen}"));
        }
        for &(other, place) in &rects[..i] {
            let common = rect.intersect(place);
            if common.width() > 0.5 && common.height() > 0.5 {
                faults.push(format!("{name} {rect} overlaps {other} {place}"));
            }
        }
    }
    faults
}

/// Returns the widgets of which the middle and the whole height are visible.
fn visible(fixture: &Fixture) -> impl Iterator<Item = String> {
    let screen = Rect::from_min_size(Pos2::ZERO, fixture.size);
    let layout = &fixture.hud.layout;
    layout.visible.iter().filter_map(move |(name, &part)| {
        let [_, y, _, height] = layout.of(name)?;
        let part = part.intersect(screen);
        let is_whole = part.width() > 5.0
            && part.top() <= y as f32 + 1.0
            && part.bottom() >= (y + height) as f32 - 1.0;
        (is_whole && !PANELS.contains(&name.as_str())).then(|| name.clone())
    })
}

/// Turns the wheel with the pointer at `place`.
fn scroll(fixture: &mut Fixture, place: Pos2, by: Vec2) {
    let wheel = Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: by,
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
        modifiers: Modifiers::default(),
    };
    fixture.frame(vec![Event::PointerMoved(place), wheel]);
}

/// Scrolls in every panel until all widgets were seen. Returns those that were not.
fn unreachable(fixture: &mut Fixture, all: &BTreeSet<String>) -> BTreeSet<String> {
    let mut missing = all.clone();
    for panel in PANELS {
        // Down, then up and to the right, and down there.
        for step in [vec2(0.0, -1.0), vec2(-1.0, 1.0), vec2(0.0, -1.0)] {
            for _ in 0..30 {
                visible(fixture).for_each(|name| _ = missing.remove(&name));
                if missing.is_empty() {
                    return missing;
                }
                // A panel may be scrolled out of its column, where others are then.
                let candidates = [panel].into_iter().chain(PANELS);
                let place = candidates.into_iter().find_map(|name| visible_panel(fixture, name));
                let place = place.expect("some panel is visible");
                let by = step * vec2(60.0, (0.4 * place.height()).clamp(20.0, 200.0));
                scroll(fixture, place.center(), by);
            }
        }
    }
    missing
}

#[test]
fn panels_are_apart_inside_the_window_beside_its_middle_and_every_widget_can_be_reached() {
    let all: BTreeSet<_> = visible(&open(vec2(3840.0, 2160.0), Dock::Left)).collect();
    assert!(all.len() > 50, "{all:?}");
    for (window, scale) in WINDOWS.map(|window| SCALES.map(|scale| (window, scale))).concat() {
        // Docks at the sides differ from the rest only by their widths.
        let docks = if scale == 1.0 { 3 } else { 1 };
        for dock in [Dock::Bottom, Dock::Left, Dock::Right].into_iter().take(docks) {
            let context = format!("{window} at scale {scale}, docked {dock:?}");
            let mut fixture = open(window / scale, dock);
            assert_eq!(faults(&fixture), [""; 0], "{context}");
            // A followed cube is in the middle.
            let middle = Rect::from_center_size((fixture.size / 2.0).to_pos2(), Vec2::splat(24.0));
            for panel in PANELS {
                let place = visible_panel(&fixture, panel);
                let covers = place.is_some_and(|place| place.intersects(middle));
                assert!(!covers, "{panel} {place:?}, {context}");
            }
            let mut expected = all.clone();
            expected.retain(|name| fixture.size.x >= TWO_COLUMNS || !name.starts_with("dock "));
            let missing = unreachable(&mut fixture, &expected);
            assert!(missing.is_empty(), "{missing:?}, {context}");
        }
    }
}

#[test]
fn a_long_name_stays_in_the_panel_of_its_cube() {
    let text = format!(
        r##"{{"version": 1, "name": "a", "templates": {{"{}": {{"count": 20, "position": [0, 0, 0],
        "color": "#ff8000"}}}}}}"##,
        "n".repeat(64)
    );
    let scene = Arc::new(Scene::parse("a.json", text.as_bytes()).unwrap());
    let mut fixture = Fixture::new();
    fixture.simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
    let color = fixture.simulation.world().component_type::<Color>().unwrap();
    fixture.selected = fixture.simulation.world().inspect().array_entity(color, 17);
    fixture.size = vec2(1000.0, 640.0);
    fixture.run_layout();
    fixture.run_layout();
    assert!(fixture.simulation.name(fixture.selected.unwrap()).is_some());
    assert_eq!(faults(&fixture), [""; 0]);
}

#[test]
fn the_default_window_shows_all_controls_without_scrolling() {
    let mut fixture = Fixture::new();
    fixture.size = vec2(1280.0, 720.0);
    fixture.run_layout();
    fixture.run_layout();
    fixture.hud.layout.visible.clear();
    fixture.run_layout();
    let shown: BTreeSet<_> = visible(&fixture).collect();
    for name in ["smaller UI", "hide UI"] {
        assert!(shown.contains(name), "{name} of {shown:?}");
    }
}

#[test]
fn controls_stay_scrolled_when_the_inspector_opens() {
    let mut fixture = Fixture::new();
    fixture.size = vec2(1280.0, 400.0);
    fixture.run_layout();
    let place = visible_panel(&fixture, "controls panel").unwrap().center();
    let unscrolled = fixture.hud.layout.of("inspector");
    scroll(&mut fixture, place, vec2(0.0, -100.0));
    for _ in 0..30 {
        fixture.frame(Vec::new());
    }
    let scrolled = fixture.hud.layout.of("inspector");
    assert_ne!(scrolled, unscrolled);
    fixture.hud.panels.inspector = true;
    fixture.run_layout();
    assert_eq!(fixture.hud.layout.of("inspector"), scrolled);
}

#[test]
fn a_panel_that_is_too_wide_is_a_fault() {
    let mut fixture = open(vec2(1280.0, 720.0), Dock::Bottom);
    fixture.hud.added_width = 700.0;
    fixture.run_layout();
    assert!(!faults(&fixture).is_empty());
}

#[test]
fn the_inspector_is_moved_by_buttons_and_by_dragging_its_title() {
    let mut fixture = open(vec2(1280.0, 720.0), Dock::Bottom);
    assert_eq!(fixture.click("dock left"), [Action::DockInspector(Dock::Left)]);
    let title = fixture.hud.layout.visible["ECS"];
    for (x, dock) in [(20.0, Dock::Left), (1270.0, Dock::Right), (600.0, Dock::Bottom)] {
        fixture.drag(title.left_center() + vec2(40.0, 0.0), Pos2::new(x, 500.0));
        assert_eq!(fixture.actions, [Action::DockInspector(dock)]);
        fixture.actions.clear();
        assert!(fixture.hud.panels.inspector, "a drag is no click");
    }
    fixture.hud.panels.dock = Dock::Right;
    fixture.run_layout();
    let place = fixture.hud.layout.visible["ECS panel"];
    assert!(place.left() > 640.0 && place.top() > 8.0, "{place}");
}

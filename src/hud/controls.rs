//! Controls: sliders and buttons for everything that keys do, and more.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::Path;

use egui::{
    Align2, Button, Checkbox, ComboBox, DragValue, Rect, Response, Sense, Slider, Ui, UiBuilder,
    vec2,
};

use super::layout::Layout;
use super::panel::{beside, beside_with_gap, heading};
use super::{Model, theme};
use crate::cli::parse_count;
use crate::components::{ColorBy, Coloring, Motion, Palette};
use crate::input::Action;
use crate::render::Quality;
use crate::scenes::bundled;
use crate::sim::{CameraRig, FallMode, Tuning};
use crate::units;

/// Largest seed that the widget can set: egui's values are `f64`, exact up to 2^53 - 1.
const LARGEST_SEED: f64 = 9_007_199_254_740_991.0;

const LABEL_WIDTH: f32 = 58.0;
const VALUE_WIDTH: f32 = 62.0;

/// Lays out the widgets and collects their actions.
pub(super) struct Controls<'a> {
    pub(super) layout: &'a mut Layout,
    pub(super) actions: &'a mut Vec<Action>,
    /// Number of cubes at which the slider is held.
    pub(super) dragged_count: &'a mut Option<f64>,
    /// Esc has canceled the edit of a number, so that changes do not count.
    pub(super) edit_is_canceled: bool,
}

impl Controls<'_> {
    pub(super) fn show(&mut self, ui: &mut Ui, model: &Model<'_>) {
        self.mode(ui, model);
        self.camera(ui, model);
        heading(ui, "Scene");
        self.scene(ui, model);
        self.cubes(ui, model);
        self.coloring(ui, model);
        heading(ui, "Motion");
        self.motion(ui, model);
        heading(ui, "Graphics");
        self.quality(ui, model);
        heading(ui, "Window");
        self.window(ui, model);
    }

    fn mode(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let mode = model.simulation.mode();
        let [left, right] = beside(ui);
        for (at, own, text) in
            [(left, FallMode::Cubes, "Cubes fall"), (right, FallMode::Camera, "Camera falls")]
        {
            let hint = "Entities that gravity acts on (M)";
            if self.choice(ui, at, own.name(), text, mode == own).on_hover_text(hint).clicked() {
                self.actions.push(Action::SetMode(own));
            }
        }
        let [pause, step, reset] = beside(ui);
        let paused = model.simulation.is_paused();
        let text = if paused { "Resume" } else { "Pause" };
        self.act(ui, pause, "pause", text, "Space", Action::TogglePause);
        let mut place = ui.new_child(UiBuilder::new().max_rect(step));
        if !paused {
            place.disable();
        }
        self.act(&mut place, step, "step", "Step", "Single step while paused (.)", Action::Step);
        self.act(ui, reset, "reset", "Reset", "Start the scene again (R)", Action::Reset);
    }

    /// Camera rig; a click selects the next.
    fn camera(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let rig = model.simulation.camera().rig();
        let text = match rig {
            CameraRig::Fly => "Camera: fly",
            CameraRig::Orbit => "Camera: orbit",
            CameraRig::Follow => "Camera: follow cube",
            CameraRig::Path => "Camera: on its path",
        };
        let [whole] = beside(ui);
        self.act(
            ui,
            whole,
            "camera",
            text,
            "Next camera: fly, orbit, follow (C)",
            Action::CycleCamera,
        );
        let [left, right] = beside(ui);
        let hint = "Copy flags that place another camera here (K)";
        self.act(ui, left, "copy camera", "Copy camera", hint, Action::CopyCamera);
        let hint = "Copy scene and camera as a text for `cubefall --open`";
        self.act(ui, right, "copy link", "Copy link", hint, Action::CopyLink);
    }

    fn scene(&mut self, ui: &mut Ui, model: &Model<'_>) {
        ui.horizontal(|ui| {
            label(ui, "Scene");
            let menu = ComboBox::from_id_salt("scene")
                .selected_text(model.scene)
                .width(ui.available_width() - 46.0)
                .truncate()
                .height(360.0)
                .show_ui(ui, |ui| {
                    for &scene in bundled() {
                        let response = ui.selectable_label(false, scene.name);
                        self.layout.record(&format!("scene {}", scene.name), &response);
                        if response.clicked() {
                            self.actions.push(Action::StartScene(scene));
                        }
                    }
                    if !model.recent.is_empty() {
                        heading(ui, "Recent");
                    }
                    for (entry, recent) in model.recent.iter().enumerate() {
                        let name = Path::new(recent).file_name().map(OsStr::to_string_lossy);
                        let name = name.unwrap_or_default();
                        let response = ui.selectable_label(false, name).on_hover_text(recent);
                        self.layout.record(&format!("recent {entry}"), &response);
                        if response.clicked() {
                            self.actions.push(Action::OpenRecent(entry));
                        }
                    }
                });
            self.layout.record("scene", &menu.response);
            menu.response.on_hover_text("Bundled scenes; or drop a scene file onto the window");
            let save = ui.add_sized(vec2(40.0, 19.0), Button::new("Save"));
            self.layout.record("save scene", &save);
            if save.on_hover_text("Save the current state as a scene file").clicked() {
                self.actions.push(Action::SaveScene);
            }
        });
    }

    fn cubes(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.cubes().count() as f64;
        let graphics = model.graphics;
        let comfortable = f64::from(graphics.comfortable_cubes).max(now).max(1.0);
        let scale = Scale {
            range: 1.0..=comfortable,
            largest: f64::from(graphics.max_cubes).max(comfortable),
            logarithmic: true,
            format: &|value| units::count(to_count(value)),
            parse: &|text| parse_count(&text.replace(',', "")).ok().map(f64::from),
        };
        // While the slider is dragged its value stays here, and is applied when it is released.
        let shown = self.dragged_count.unwrap_or(now);
        let change = self.slider(ui, "count", "Cubes", shown, &scale);
        if change.released {
            *self.dragged_count = None;
            if change.value != now {
                self.actions.push(Action::SetCubes(to_count(change.value)));
            }
        } else if change.value != shown {
            *self.dragged_count = Some(change.value);
        }
        let [left, right] = beside(ui);
        let hint = "Add cubes until 60 frames per second are lost, and name the largest count that holds \
                    them";
        self.act(ui, left, "find maximum", "Find my maximum", hint, Action::FindMaximum);
        let hint = "Measure for a minute how many cubes hold 60 frames per second at standard settings. The \
                    window rests meanwhile.";
        let hint = format!("{hint} {}", model.score);
        self.act(ui, right, "measure score", "Measure my score", hint.trim(), Action::MeasureScore);
        let mut seed = model.seed as f64;
        ui.horizontal(|ui| {
            label(ui, "Seed");
            let value = DragValue::new(&mut seed)
                .range(0.0..=LARGEST_SEED)
                .clamp_existing_to_range(false)
                .max_decimals(0)
                .speed(0.05)
                .update_while_editing(false);
            let width = (ui.available_width() - 46.0).max(20.0);
            let response = ui.add_sized(vec2(width, 19.0), value);
            self.layout.record("seed", &response);
            if response.changed() && !self.edit_is_canceled {
                self.actions.push(Action::SetSeed(to_seed(seed)));
            }
            let new = ui.add_sized(vec2(40.0, 19.0), Button::new("New"));
            self.layout.record("new seed", &new);
            if new.on_hover_text("New seed").clicked() {
                self.actions.push(Action::SetSeed(model.seed.wrapping_add(1)));
            }
        });
    }

    /// Palette, and what selects colours of it.
    fn coloring(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.coloring();
        let Coloring { palette, by } = now.unwrap_or_default();
        ui.horizontal(|ui| {
            label(ui, "Colors");
            let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            let shown = now.map_or("of the scene", |it| it.palette.name());
            let choices = Palette::ALL.map(|it| (it.name(), Coloring { palette: it, by }));
            self.coloring_menu(ui, "palette", (shown, width), &choices)
                .on_hover_text("Palette of the cubes (P)");
            let choices = ColorBy::ALL.map(|it| (it.name(), Coloring { palette, by: it }));
            self.coloring_menu(ui, "color by", (by.name(), width), &choices)
                .on_hover_text("What selects the place of a cube in the palette");
        });
    }

    fn coloring_menu(
        &mut self,
        ui: &mut Ui,
        name: &str,
        (shown, width): (&str, f32),
        choices: &[(&str, Coloring)],
    ) -> Response {
        let menu = ComboBox::from_id_salt(name).selected_text(shown).width(width).truncate();
        let menu = menu.show_ui(ui, |ui| {
            for &(text, coloring) in choices {
                let response = ui.selectable_label(text == shown, text);
                self.layout.record(&format!("{name} {text}"), &response);
                if response.clicked() {
                    self.actions.push(Action::SetColoring(coloring));
                }
            }
        });
        self.layout.record(name, &menu.response);
        menu.response
    }

    /// Where the motion of falling cubes is computed.
    fn evaluation(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.motion();
        let [left, right] = beside(ui);
        for (at, own, text, hint) in [
            (
                left,
                Motion::Integrated,
                "Integrated",
                "The CPU moves every cube in every frame and uploads its position",
            ),
            (
                right,
                Motion::Evaluated,
                "Evaluated",
                "A cube is uploaded once, at birth; the GPU computes where it is, and the CPU works for \
                 births only",
            ),
        ] {
            if self.choice(ui, at, own.name(), text, now == own).on_hover_text(hint).clicked() {
                self.actions.push(Action::SetMotion(own));
            }
        }
    }

    fn motion(&mut self, ui: &mut Ui, model: &Model<'_>) {
        self.evaluation(ui, model);
        let now = model.simulation.tuning();
        let mut wanted = now;
        let factor = |max: f32| Scale {
            range: 0.0..=f64::from(max),
            largest: f64::from(max),
            logarithmic: false,
            format: &|value| format!("\u{d7} {value:.2}"),
            parse: &|text| text.trim_start_matches(['\u{d7}', ' ']).parse().ok(),
        };
        for (name, text, max, value) in [
            ("gravity", "Gravity", Tuning::MAX_GRAVITY, &mut wanted.gravity),
            ("time", "Time", Tuning::MAX_TIME, &mut wanted.time),
            ("spin", "Spin", Tuning::MAX_SPIN, &mut wanted.spin),
        ] {
            let before = f64::from(*value);
            let change = self.slider(ui, name, text, before, &factor(max));
            if change.value != before {
                *value = change.value as f32;
            }
        }
        if wanted != now {
            self.actions.push(Action::SetTuning(wanted));
        }
        let initial = model.simulation.source().tuning();
        let [left, right] = beside(ui);
        let mut place = ui.new_child(UiBuilder::new().max_rect(left));
        if now == initial {
            place.disable();
        }
        let response = place.place(left, Button::new("Reset sliders").truncate());
        self.layout.record("reset sliders", &response);
        let hint = "Set gravity, time and spin to the values of the scene";
        if response.on_hover_text(hint).clicked() {
            self.actions.push(Action::SetTuning(initial));
        }
        self.widened_view(ui, right, model);
    }

    /// Checkbox of the view that widens while the camera falls.
    fn widened_view(&mut self, ui: &mut Ui, at: Rect, model: &Model<'_>) {
        let mut is_on = model.simulation.has_widened_view();
        let response = ui.place(at, Checkbox::new(&mut is_on, "Widen view"));
        self.layout.record("widen view", &response);
        if response.on_hover_text("Widen the view while the camera falls").changed() {
            self.actions.push(Action::SetWidenedView(is_on));
        }
    }

    fn quality(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let graphics = model.graphics;
        let thirds: [Rect; 3] = beside(ui);
        for (at, quality) in thirds.into_iter().zip(Quality::ALL) {
            let chosen = graphics.quality == Some(quality);
            let hint = match quality {
                Quality::Low => "Cubes, ground and sky",
                Quality::Medium => "Adds fog, 4x MSAA and depth shading",
                Quality::High => "Adds shadows, ambient occlusion and bloom",
            };
            let choice = self.choice(ui, at, quality.name(), quality.name(), chosen);
            if choice.on_hover_text(hint).clicked() {
                self.actions.push(Action::SetQuality(quality));
            }
        }
        ui.horizontal(|ui| {
            let mut culling = graphics.culling;
            ui.add_enabled_ui(graphics.can_cull, |ui| {
                let response = ui.checkbox(&mut culling, "Culling");
                self.layout.record("culling", &response);
                if response.on_hover_text("Skip cubes outside the view").changed() {
                    self.actions.push(Action::SetCulling(culling));
                }
            });
            let mut vsync = graphics.present_mode.waits_for_vblank();
            let response = ui.checkbox(&mut vsync, "Vsync");
            self.layout.record("vsync", &response);
            if response.on_hover_text("Wait for the display before each frame (V)").changed() {
                self.actions.push(Action::ToggleVsync);
            }
            let mut attract = model.attract;
            let response = ui.checkbox(&mut attract, "Attract");
            self.layout.record("attract", &response);
            let hint = "Let the camera drift until the next input, here and at every start";
            if response.on_hover_text(hint).changed() {
                self.actions.push(Action::SetAttract(attract));
            }
        });
    }

    fn window(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let [left, right] = beside(ui);
        let text = if model.graphics.fullscreen { "Leave full screen" } else { "Full screen" };
        self.act(ui, left, "full screen", text, "F11", Action::ToggleFullscreen);
        self.act(ui, right, "inspector", "ECS inspector", "I", Action::ToggleInspector);
        let [left, right] = beside(ui);
        self.act(ui, left, "screenshot", "Save screenshot", "F12", Action::Screenshot);
        self.act(ui, right, "help", "Keys", "H", Action::ToggleHelp);
        let [left, right] = beside(ui);
        self.act(ui, left, "save state", "Save state", "F5", Action::SaveState);
        self.act(ui, right, "load state", "Load state", "F9", Action::LoadState);
        self.slots(ui, model);
        self.ui_scale(ui, model);
        let [whole] = beside(ui);
        self.act(
            ui,
            whole,
            "hide UI",
            "Hide UI (F1)",
            "Press F1 to show it again",
            Action::ToggleHud,
        );
    }

    /// Slots of saved states; those with a state have a dot.
    fn slots(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let slots: [Rect; 9] = beside_with_gap(ui, 2.0);
        let saved = model.slots.saved;
        for (number, (at, is_saved)) in (1_u8..).zip(slots.into_iter().zip(saved)) {
            let chosen = model.slots.current == number;
            let response =
                self.choice(ui, at, &format!("slot {number}"), &number.to_string(), chosen);
            if is_saved {
                let dot = at.right_top() + vec2(-4.0, 4.0);
                ui.painter().circle_filled(dot, 1.5, theme::GOOD);
            }
            let state = if is_saved { "holds a state" } else { "empty" };
            let hint = format!("Slot {number} of saved states: {state} (Ctrl+{number})");
            if response.on_hover_text(hint).clicked() {
                self.actions.push(Action::SelectSlot(number));
            }
        }
    }

    fn ui_scale(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let [smaller, size, larger] = beside(ui);
        let text = format!("UI {} %", model.ui_scale);
        self.act(ui, smaller, "smaller UI", "\u{2212}", "Ctrl+Minus", Action::ScaleUi(-1));
        self.act(ui, size, "default UI", &text, "Default size (Ctrl+0)", Action::ScaleUi(0));
        self.act(ui, larger, "larger UI", "+", "Ctrl+Plus", Action::ScaleUi(1));
    }

    /// Adds a button with the same action as a key. `name` identifies it in the layout.
    fn act(&mut self, ui: &mut Ui, at: Rect, name: &str, text: &str, hint: &str, action: Action) {
        let response = ui.place(at, Button::new(text).truncate());
        self.layout.record(name, &response);
        if response.on_hover_text(hint).clicked() {
            self.actions.push(action);
        }
    }

    /// Adds one button of a group of which one is selected.
    fn choice(
        &mut self,
        ui: &mut Ui,
        at: Rect,
        name: &str,
        text: &str,
        selected: bool,
    ) -> Response {
        let button = Button::selectable(selected, text).frame_when_inactive(true).truncate();
        let response = ui.place(at, button);
        self.layout.record(name, &response);
        response
    }

    /// Adds a slider with an editable number. Returns its value, and whether it is final.
    fn slider(
        &mut self,
        ui: &mut Ui,
        name: &str,
        text: &str,
        before: f64,
        scale: &Scale<'_>,
    ) -> Change {
        let mut value = before;
        ui.horizontal(|ui| {
            label(ui, text);
            let spacing = ui.spacing().item_spacing.x;
            let rest = ui.available_width() - VALUE_WIDTH - spacing;
            ui.spacing_mut().slider_width = rest.max(20.0);
            let slider = Slider::new(&mut value, scale.range.clone())
                .logarithmic(scale.logarithmic)
                .show_value(false);
            let slider = ui.add(slider);
            self.layout.record(name, &slider);
            let typed = DragValue::new(&mut value)
                .range(*scale.range.start()..=scale.largest)
                .speed((before * 0.01).max(0.01))
                .custom_formatter(|value, _| (scale.format)(value))
                .custom_parser(scale.parse)
                .update_while_editing(false);
            let typed = ui.add_sized(vec2(VALUE_WIDTH, 19.0), typed);
            self.layout.record(&format!("{name} value"), &typed);
            if self.edit_is_canceled {
                return Change { value: before, released: false };
            }
            let dragged = slider.is_pointer_button_down_on() || typed.dragged();
            let changed = slider.changed() || typed.changed();
            let stopped = slider.drag_stopped() || slider.clicked() || typed.drag_stopped();
            Change { value, released: stopped || (changed && !dragged) }
        })
        .inner
    }
}

/// The value of a slider after a frame.
struct Change {
    value: f64,
    /// The pointer was released, or a number was typed.
    released: bool,
}

/// Range of a slider, and its values as text.
struct Scale<'a> {
    range: RangeInclusive<f64>,
    /// Largest value that can be typed.
    largest: f64,
    logarithmic: bool,
    format: &'a dyn Fn(f64) -> String,
    parse: &'a dyn Fn(&str) -> Option<f64>,
}

fn label(ui: &mut Ui, text: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(LABEL_WIDTH, 19.0), Sense::hover());
    let at = rect.left_center();
    ui.painter().text(at, Align2::LEFT_CENTER, text, theme::sans(11.5), theme::WEAK);
}

fn to_count(value: f64) -> u32 {
    value.round().clamp(1.0, u32::MAX.into()) as u32
}

fn to_seed(value: f64) -> u64 {
    value.round().clamp(0.0, LARGEST_SEED) as u64
}

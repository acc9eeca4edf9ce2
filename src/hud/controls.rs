//! Controls: all that can be asked for with the mouse.

use std::ops::RangeInclusive;

use egui::{
    Align2, Button, ComboBox, DragValue, Rect, Response, Sense, Slider, Ui, UiBuilder, vec2,
};

use super::layout::Layout;
use super::panel::{beside, heading};
use super::{Model, theme};
use crate::cli::parse_count;
use crate::input::Action;
use crate::render::Quality;
use crate::scenes::bundled;
use crate::sim::{CameraRig, FallMode, Tuning};
use crate::units;

/// Largest seed that can be set here: the numbers behind a widget are f64.
const LARGEST_SEED: f64 = 9_007_199_254_740_991.0;

const NAME_WIDTH: f32 = 58.0;
const VALUE_WIDTH: f32 = 62.0;

/// Widgets, and what is asked for with them.
pub(super) struct Controls<'a> {
    pub(super) layout: &'a mut Layout,
    pub(super) actions: &'a mut Vec<Action>,
}

impl Controls<'_> {
    pub(super) fn show(&mut self, ui: &mut Ui, model: &Model<'_>) {
        self.fall(ui, model);
        self.camera(ui, model);
        heading(ui, "scene");
        self.scene(ui, model);
        self.cubes(ui, model);
        heading(ui, "motion");
        self.motion(ui, model);
        heading(ui, "screenshot");
        self.picture(ui, model);
        heading(ui, "window");
        self.window(ui, model);
    }

    fn fall(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let mode = model.simulation.mode();
        let [left, right] = beside(ui);
        for (at, own, text) in
            [(left, FallMode::Cubes, "cubes fall"), (right, FallMode::Camera, "camera falls")]
        {
            let hint = "Who has a rigid body and gravity (M)";
            if self.choice(ui, at, own.name(), text, mode == own).on_hover_text(hint).clicked() {
                self.actions.push(Action::SetMode(own));
            }
        }
        let [pause, step, reset] = beside(ui);
        let paused = model.simulation.is_paused();
        let text = if paused { "go on" } else { "pause" };
        self.act(ui, pause, "pause", text, "Space", Action::TogglePause);
        let mut place = ui.new_child(UiBuilder::new().max_rect(step));
        if !paused {
            place.disable();
        }
        self.act(&mut place, step, "step", "step", "one step while paused (.)", Action::Step);
        self.act(ui, reset, "reset", "reset", "begin again (R)", Action::Reset);
    }

    /// What holds the camera: a click goes on to the next.
    fn camera(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let rig = model.simulation.camera().rig();
        let text = match rig {
            CameraRig::Fly => "camera: flies freely",
            CameraRig::Orbit => "camera: circles a place",
            CameraRig::Follow => "camera: follows a cube",
        };
        let [whole] = beside(ui);
        self.act(ui, whole, "camera", text, "fly, circle, follow (C)", Action::CycleCamera);
    }

    fn scene(&mut self, ui: &mut Ui, model: &Model<'_>) {
        ui.horizontal(|ui| {
            name(ui, "scene");
            let shown = ComboBox::from_id_salt("scene")
                .selected_text(model.scene)
                .width(ui.available_width() - 46.0)
                .truncate()
                .show_ui(ui, |ui| {
                    for &scene in bundled() {
                        let response = ui.selectable_label(false, scene.name);
                        self.layout.note(&format!("scene {}", scene.name), &response);
                        if response.clicked() {
                            self.actions.push(Action::StartScene(scene));
                        }
                    }
                });
            self.layout.note("scene", &shown.response);
            shown.response.on_hover_text("or drop a scene file onto the window");
            let save = ui.add_sized(vec2(40.0, 19.0), Button::new("save"));
            self.layout.note("save scene", &save);
            if save.on_hover_text("as a scene file, with everything as it is now").clicked() {
                self.actions.push(Action::SaveScene);
            }
        });
    }

    fn cubes(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let count = model.simulation.cubes().count() as f64;
        let most = f64::from(model.graphics.max_cubes);
        let scale = Scale {
            range: 1.0..=most.max(count),
            logarithmic: true,
            format: &|value| units::count(to_count(value)),
            parse: &|text| parse_count(&text.replace(',', "")).ok().map(f64::from),
        };
        if let Some(count) = self.slider(ui, "count", count, &scale) {
            self.actions.push(Action::SetCubes(to_count(count)));
        }
        let mut seed = model.seed as f64;
        ui.horizontal(|ui| {
            name(ui, "seed");
            let value = DragValue::new(&mut seed)
                .range(0.0..=LARGEST_SEED)
                .clamp_existing_to_range(false)
                .max_decimals(0)
                .speed(0.05)
                .update_while_editing(false);
            let width = (ui.available_width() - 46.0).max(20.0);
            let response = ui.add_sized(vec2(width, 19.0), value);
            self.layout.note("seed", &response);
            if response.changed() {
                self.actions.push(Action::SetSeed(to_seed(seed)));
            }
            let next = ui.add_sized(vec2(40.0, 19.0), Button::new("next"));
            self.layout.note("new seed", &next);
            if next.on_hover_text("another scene").clicked() {
                self.actions.push(Action::SetSeed(model.seed.wrapping_add(1)));
            }
        });
    }

    fn motion(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.tuning();
        let mut wanted = now;
        let factor = |most: f32| Scale {
            range: 0.0..=f64::from(most),
            logarithmic: false,
            format: &|value| format!("\u{d7} {value:.2}"),
            parse: &|text| text.trim_start_matches(['\u{d7}', ' ']).parse().ok(),
        };
        for (name, most, value) in [
            ("gravity", Tuning::MAX_GRAVITY, &mut wanted.gravity),
            ("time", Tuning::MAX_TIME, &mut wanted.time),
            ("spin", Tuning::MAX_SPIN, &mut wanted.spin),
        ] {
            if let Some(set) = self.slider(ui, name, f64::from(*value), &factor(most)) {
                *value = set as f32;
            }
        }
        if wanted != now {
            self.actions.push(Action::SetTuning(wanted));
        }
        let began = model.simulation.source().tuning();
        ui.add_enabled_ui(now != began, |ui| {
            let [whole] = beside(ui);
            let response = ui.place(whole, Button::new("reset sliders"));
            self.layout.note("reset sliders", &response);
            if response.on_hover_text("gravity, time and spin as the scene has them").clicked() {
                self.actions.push(Action::SetTuning(began));
            }
        });
    }

    fn picture(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let graphics = model.graphics;
        let thirds: [Rect; 3] = beside(ui);
        for (at, quality) in thirds.into_iter().zip(Quality::ALL) {
            let chosen = graphics.quality == Some(quality);
            let hint = match quality {
                Quality::Low => "cubes, ground, sky",
                Quality::Medium => "also fog and smooth edges",
                Quality::High => "also shadows",
            };
            let choice = self.choice(ui, at, quality.name(), quality.name(), chosen);
            if choice.on_hover_text(hint).clicked() {
                self.actions.push(Action::SetQuality(quality));
            }
        }
        ui.horizontal(|ui| {
            let mut culling = graphics.culling;
            ui.add_enabled_ui(graphics.can_cull, |ui| {
                let response = ui.checkbox(&mut culling, "culling");
                self.layout.note("culling", &response);
                if response.on_hover_text("leave out cubes that are not in the picture").changed() {
                    self.actions.push(Action::SetCulling(culling));
                }
            });
            let mut vsync = graphics.present_mode.waits_for_vblank();
            let response = ui.checkbox(&mut vsync, "vsync");
            self.layout.note("vsync", &response);
            if response.on_hover_text("pictures wait for the display (V)").changed() {
                self.actions.push(Action::ToggleVsync);
            }
        });
    }

    fn window(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let [left, right] = beside(ui);
        let text = if model.graphics.fullscreen { "window" } else { "full screen" };
        self.act(ui, left, "full screen", text, "F11", Action::ToggleFullscreen);
        self.act(ui, right, "inspector", "ECS inspector", "I", Action::ToggleInspector);
        let [left, right] = beside(ui);
        self.act(ui, left, "screenshot", "save picture", "F12", Action::Screenshot);
        self.act(ui, right, "help", "keys", "H", Action::ToggleHelp);
        let [left, right] = beside(ui);
        self.act(
            ui,
            left,
            "save state",
            "save state",
            "everything as it is now (F5)",
            Action::SaveState,
        );
        self.act(ui, right, "load state", "load state", "to what was kept (F9)", Action::LoadState);
        let [whole] = beside(ui);
        self.act(ui, whole, "hide UI", "hide all this", "F1 brings it back", Action::ToggleHud);
    }

    /// A button that does what a key does.
    fn act(&mut self, ui: &mut Ui, at: Rect, place: &str, text: &str, hint: &str, action: Action) {
        let response = ui.place(at, Button::new(text));
        self.layout.note(place, &response);
        if response.on_hover_text(hint).clicked() {
            self.actions.push(action);
        }
    }

    /// One of several buttons of which one is chosen.
    fn choice(&mut self, ui: &mut Ui, at: Rect, place: &str, text: &str, chosen: bool) -> Response {
        let button = Button::selectable(chosen, text).frame_when_inactive(true);
        let response = ui.place(at, button);
        self.layout.note(place, &response);
        response
    }

    /// A slider and the number it stands for, which can be typed as well; what it was set to.
    fn slider(&mut self, ui: &mut Ui, place: &str, before: f64, scale: &Scale<'_>) -> Option<f64> {
        let mut value = before;
        ui.horizontal(|ui| {
            name(ui, place);
            let spacing = ui.spacing().item_spacing.x;
            let rest = ui.available_width() - VALUE_WIDTH - spacing;
            ui.spacing_mut().slider_width = rest.max(20.0);
            let slider = Slider::new(&mut value, scale.range.clone())
                .logarithmic(scale.logarithmic)
                .show_value(false);
            let slider = ui.add(slider);
            self.layout.note(place, &slider);
            let typed = DragValue::new(&mut value)
                .range(scale.range.clone())
                .speed((before * 0.01).max(0.01))
                .custom_formatter(|value, _| (scale.format)(value))
                .custom_parser(scale.parse)
                .update_while_editing(false);
            let typed = ui.add_sized(vec2(VALUE_WIDTH, 19.0), typed);
            self.layout.note(&format!("{place} value"), &typed);
            (slider.changed() || typed.changed()).then_some(value)
        })
        .inner
    }
}

/// What a slider runs over, and how its values are written and read.
struct Scale<'a> {
    range: RangeInclusive<f64>,
    logarithmic: bool,
    format: &'a dyn Fn(f64) -> String,
    parse: &'a dyn Fn(&str) -> Option<f64>,
}

fn name(ui: &mut Ui, text: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(NAME_WIDTH, 19.0), Sense::hover());
    let at = rect.left_center();
    ui.painter().text(at, Align2::LEFT_CENTER, text, theme::sans(11.5), theme::WEAK);
}

#[expect(clippy::cast_sign_loss, reason = "cut to the range before")]
fn to_count(value: f64) -> u32 {
    value.round().clamp(1.0, u32::MAX.into()) as u32
}

#[expect(clippy::cast_sign_loss, reason = "cut to the range before")]
fn to_seed(value: f64) -> u64 {
    value.round().clamp(0.0, LARGEST_SEED) as u64
}

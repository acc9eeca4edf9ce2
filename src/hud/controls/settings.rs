//! Controls of motion, graphics and the window.

use egui::{Checkbox, Rect, Ui, UiBuilder, vec2};

use super::{Controls, Scale};
use crate::components::Motion;
use crate::hud::panel::{beside, beside_with_gap};
use crate::hud::{Model, theme};
use crate::input::Action;
use crate::render::Quality;
use crate::sim::Tuning;

impl Controls<'_> {
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
                "A cube is uploaded once, when it spawns; the GPU computes where it is, and the CPU works \
                 for new cubes only, and for colors by height, speed or age",
            ),
        ] {
            if self.choice(ui, at, own.name(), text, now == own).on_hover_text(hint).clicked() {
                self.actions.push(Action::SetMotion(own));
            }
        }
    }

    pub(super) fn motion(&mut self, ui: &mut Ui, model: &Model<'_>) {
        self.evaluation(ui, model);
        let now = model.simulation.tuning();
        let mut wanted = now;
        let factor = |max: f32| Scale {
            range: 0.0..=f64::from(max),
            largest: f64::from(max),
            logarithmic: false,
            format: &|value| {
                let decimals = if value > 0.0 && value < 0.005 { 4 } else { 2 };
                format!("\u{d7} {value:.decimals$}")
            },
            parse: &|text| {
                let number = text.trim().trim_start_matches(['\u{d7}', ' ']).replace(',', ".");
                number.parse().ok().filter(|value: &f64| value.is_finite())
            },
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
        let hint = "Set gravity, time and spin to the values of the scene";
        let action = Action::SetTuning(initial);
        self.act(&mut place, left, "reset sliders", "Reset sliders", hint, action);
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

    pub(super) fn quality(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let graphics = model.graphics;
        let thirds: [Rect; 3] = beside(ui);
        for (at, quality) in thirds.into_iter().zip(Quality::ALL) {
            let chosen = graphics.quality == Some(quality);
            let hint = match quality {
                Quality::Low => "Cubes, ground and sky",
                Quality::Medium => "Adds fog, 4x MSAA, dither and ambient occlusion by depth",
                Quality::High if graphics.adapter.backend == "gl" => "Adds shadows",
                Quality::High => "Adds shadows, ambient occlusion in screen space, and bloom",
            };
            let choice = self.choice(ui, at, quality.name(), quality.name(), chosen);
            if choice.on_hover_text(hint).clicked() {
                self.actions.push(Action::SetQuality(quality));
            }
        }
        ui.horizontal(|ui| {
            let mut culling = graphics.culling && graphics.can_cull;
            ui.add_enabled_ui(graphics.can_cull, |ui| {
                let response = ui.checkbox(&mut culling, "Culling");
                self.layout.record("culling", &response);
                let response = response.on_disabled_hover_text("Not available with this geometry");
                if response.on_hover_text("Skip cubes outside the view").changed() {
                    self.actions.push(Action::SetCulling(culling));
                }
            });
            // A browser always waits.
            if cfg!(not(web)) {
                let mut vsync = graphics.present_mode.waits_for_vblank();
                let response = ui.checkbox(&mut vsync, "Vsync");
                self.layout.record("vsync", &response);
                if response.on_hover_text("Wait for the display before each frame (V)").changed() {
                    self.actions.push(Action::ToggleVsync);
                }
            }
            let mut attract = model.attract;
            let response = ui.checkbox(&mut attract, "Attract");
            self.layout.record("attract", &response);
            let hint = "Let the camera drift until the next input, now and at later starts";
            if response.on_hover_text(hint).changed() {
                self.actions.push(Action::SetAttract(attract));
            }
        });
    }

    pub(super) fn window(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let [left, right] = beside(ui);
        let text = if model.graphics.fullscreen { "Leave full screen" } else { "Full screen" };
        self.act(ui, left, "full screen", text, "F11", Action::ToggleFullscreen);
        self.act(ui, right, "inspector", "ECS inspector", "I", Action::ToggleInspector);
        let [left, right] = beside(ui);
        self.act(ui, left, "screenshot", "Save screenshot", "F12", Action::Screenshot);
        self.act(ui, right, "help", "Keys", "H", Action::ToggleHelp);
        #[cfg(web)]
        {
            let [whole] = beside(ui);
            let text =
                if model.records_video { "End the video (F2)" } else { "Record a video (F2)" };
            let hint = "Record what the page shows; hide the UI first (F1) to leave it out";
            self.act(ui, whole, "video", text, hint, Action::ToggleVideo);
        }
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
            "Press F1, or put three fingers on the screen, to show it again",
            Action::ToggleHud,
        );
    }

    /// Slots of saved states; those with a state have a dot.
    fn slots(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let slots: [Rect; 9] = beside_with_gap(ui, 2.0);
        // A digit has to fit in a narrow panel.
        let padding = std::mem::replace(&mut ui.spacing_mut().button_padding.x, 1.0);
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
        ui.spacing_mut().button_padding.x = padding;
    }

    fn ui_scale(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let [smaller, size, larger] = beside(ui);
        let text = format!("UI {} %", model.ui_scale);
        self.act(ui, smaller, "smaller UI", "\u{2212}", "Ctrl+Minus", Action::ScaleUi(-1));
        self.act(ui, size, "default UI", &text, "Default size (Ctrl+0)", Action::ScaleUi(0));
        self.act(ui, larger, "larger UI", "+", "Ctrl+Plus", Action::ScaleUi(1));
    }
}

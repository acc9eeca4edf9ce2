//! Controls: sliders and buttons for most actions of keys, and for actions that have no key.

mod finger;
mod scene;
mod settings;

use std::ops::RangeInclusive;

use egui::{Align2, Button, DragValue, Rect, Response, Sense, Slider, Stroke, Ui, UiBuilder, vec2};

use super::layout::Layout;
use super::panel::{beside, heading};
use super::{Model, theme};
use crate::input::Action;
use crate::sim::{CameraRig, FallMode};

const LABEL_WIDTH: f32 = 58.0;
/// Enough space for 100,000,000 cubes.
const VALUE_WIDTH: f32 = 80.0;

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
        ui.spacing_mut().item_spacing.y = 5.0;
        self.mode(ui, model);
        self.camera(ui, model);
        heading(ui, "Scene");
        self.scene(ui, model);
        self.cubes(ui, model);
        self.measurements(ui, model);
        self.seed(ui, model);
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
            "Next camera: fly, orbit, follow the selected cube (C)",
            Action::CycleCamera,
        );
        if cfg!(web) {
            let [whole] = beside(ui);
            let hint = "Copy an address that opens this scene, its factors and camera, and the number of cubes of the \
                        classic scene";
            self.act(ui, whole, "copy link", "Copy link", hint, Action::CopyLink);
        } else {
            let [left, right] = beside(ui);
            let hint = "Copy the camera as flags (K)";
            self.act(ui, left, "copy camera", "Copy camera", hint, Action::CopyCamera);
            let hint = "Copy scene, factors and camera, and the number of cubes of the classic scene, as a text for \
                        `cubefall --open`";
            self.act(ui, right, "copy link", "Copy link", hint, Action::CopyLink);
        }
    }

    /// Adds a button with the same action as a key. `name` identifies it in the layout.
    fn act(&mut self, ui: &mut Ui, at: Rect, name: &str, text: &str, hint: &str, action: Action) {
        let response = ui.place(at, Button::new(text).truncate());
        let response = response.on_hover_text(hint).on_disabled_hover_text(hint);
        self.on_click(name, &response, action);
    }

    /// Records a widget, and requests `action` if it was clicked.
    fn on_click(&mut self, name: &str, response: &Response, action: Action) {
        self.layout.record(name, response);
        if response.clicked() {
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
        if selected {
            // The fill alone differs too little for weak eyes.
            let line = Stroke::new(2.0, theme::STRONG);
            ui.painter().hline(at.x_range(), at.bottom() - 1.0, line);
        }
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
        // The text has fewer decimals than the value, which must stay if the text does.
        let unedited = (scale.format)(before);
        let parse = |text: &str| if text == unedited { Some(before) } else { (scale.parse)(text) };
        ui.horizontal(|ui| {
            label(ui, text);
            ui.spacing_mut().button_padding.x = 2.0;
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
                .custom_parser(parse)
                .update_while_editing(false);
            let typed = ui.add_sized(vec2(VALUE_WIDTH, 19.0), typed);
            self.layout.record(&format!("{name} value"), &typed);
            let keeps = [&slider, &typed].map(|widget| finger::keeps_value(ui, widget));
            if self.edit_is_canceled || keeps.contains(&true) {
                return Change { value: before, released: false, held: false };
            }
            let dragged = slider.is_pointer_button_down_on() || typed.dragged();
            let changed = slider.changed() || typed.changed();
            let stopped = slider.drag_stopped() || slider.clicked() || typed.drag_stopped();
            let held = dragged || typed.has_focus();
            Change { value, released: stopped || (changed && !dragged), held }
        })
        .inner
    }
}

/// The value of a slider after a frame.
struct Change {
    value: f64,
    /// The pointer was released, or a number was typed.
    released: bool,
    /// The pointer holds it, or its number is being typed.
    held: bool,
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

//! Help: the list of keys, in the middle of the window.

use egui::{
    Align, Align2, Area, Context, Grid, Id, Key, Label, Order, RichText, ScrollArea, Ui, vec2,
};

use super::layout::Layout;
use super::theme;
use crate::input::{Action, CONTROLS};

/// Largest width of the list, in points, and the share of its first column.
const WIDTH: f32 = 640.0;
const KEY_SHARE: f32 = 0.32;

/// Distance that an arrow key scrolls, in points.
const LINE: f32 = 40.0;

/// Shows the keys, and `gamepad`, the names of the connected gamepads. The button closes the list without a keyboard.
pub(super) fn show(
    context: &Context,
    gamepad: &str,
    layout: &mut Layout,
    actions: &mut Vec<Action>,
) {
    let window = context.content_rect().size();
    Area::new(Id::unique("help"))
        .order(Order::Foreground)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .fade_in(false)
        .show(context, |ui| {
            theme::panel().inner_margin(16).show(ui, |ui| {
                let width = (window.x - 60.0).clamp(80.0, WIDTH);
                ui.set_max_width(width);
                ui.set_max_height((window.y - 48.0).max(60.0));
                ui.horizontal(|ui| {
                    ui.label(RichText::new("Keys").size(16.0).color(theme::STRONG));
                    ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                        let close = ui.button("Close");
                        layout.record("close keys", &close);
                        if close.clicked() {
                            actions.push(Action::ToggleHelp);
                        }
                    });
                });
                ui.add_space(4.0);
                let height = (window.y - 80.0).max(40.0);
                ScrollArea::vertical().max_height(height).show(ui, |ui| {
                    scroll(ui, height);
                    let columns = [KEY_SHARE * width, (1.0 - KEY_SHARE) * width - 34.0];
                    let grid = Grid::new("keys").num_columns(2).spacing(vec2(18.0, 5.0));
                    grid.min_row_height(14.0).show(ui, |ui| {
                        for &(key, what) in CONTROLS {
                            let key =
                                RichText::new(key).font(theme::mono(12.5)).color(theme::ACCENT);
                            cell(ui, columns[0], key);
                            cell(ui, columns[1], RichText::new(what).size(12.5));
                            ui.end_row();
                        }
                    });
                    ui.add_space(4.0);
                    let text = format!("Gamepads: {gamepad}");
                    let end = ui.label(RichText::new(text).size(11.5).color(theme::WEAK));
                    layout.record("end of keys", &end);
                });
            });
        });
}

/// Scrolls a list of this height by the keys that were pressed.
fn scroll(ui: &Ui, height: f32) {
    let pressed = |key| ui.input(|input| input.num_presses(key) as f32);
    let [lines, pages, ends] =
        [[Key::ArrowUp, Key::ArrowDown], [Key::PageUp, Key::PageDown], [Key::Home, Key::End]]
            .map(|[up, down]| pressed(up) - pressed(down));
    let delta = LINE * lines + (height - LINE) * pages + 1e4 * ends;
    if delta != 0.0 {
        ui.scroll_with_delta(vec2(0.0, delta));
    }
}

/// Adds a cell whose text wraps.
fn cell(ui: &mut Ui, width: f32, text: RichText) {
    ui.vertical(|ui| {
        ui.set_width(width);
        ui.add(Label::new(text).wrap());
    });
}

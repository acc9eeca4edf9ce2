//! Help: the list of keys, in the middle of the window.

use egui::{Align2, Area, Context, Grid, Id, Order, RichText, ScrollArea, vec2};

use super::theme;
use crate::input::CONTROLS;

/// Shows the keys, and `gamepad`, the names of the connected gamepads.
pub(super) fn show(context: &Context, gamepad: &str) {
    let window = context.content_rect().size();
    Area::new(Id::unique("help"))
        .order(Order::Foreground)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .fade_in(false)
        .show(context, |ui| {
            theme::panel().inner_margin(16).show(ui, |ui| {
                ui.set_max_width((window.x - 60.0).max(80.0));
                ui.set_max_height((window.y - 80.0).max(60.0));
                ui.label(RichText::new("Keys").size(16.0).color(theme::STRONG));
                ui.add_space(4.0);
                ScrollArea::vertical().max_height((window.y - 110.0).max(40.0)).show(ui, |ui| {
                    Grid::new("keys").num_columns(2).spacing(vec2(18.0, 5.0)).show(ui, |ui| {
                        for &(key, what) in CONTROLS {
                            ui.label(
                                RichText::new(key).font(theme::mono(12.5)).color(theme::ACCENT),
                            );
                            ui.label(RichText::new(what).size(12.5));
                            ui.end_row();
                        }
                    });
                    ui.add_space(4.0);
                    let text = format!("Gamepads: {gamepad}");
                    ui.label(RichText::new(text).size(11.5).color(theme::WEAK));
                });
            });
        });
}

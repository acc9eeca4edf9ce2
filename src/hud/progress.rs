//! Progress: what a running operation does, with a button that cancels it.

use egui::{Align2, Area, Button, Context, Id, Order, ProgressBar, RichText, vec2};

use super::layout::Layout;
use super::model::Progress;
use super::theme;
use crate::input::Action;

const WIDTH: f32 = 300.0;

/// Shows the progress at the upper edge of the window.
pub(super) fn show(
    context: &Context,
    layout: &mut Layout,
    progress: &Progress,
    actions: &mut Vec<Action>,
) {
    Area::new(Id::unique("progress"))
        .order(Order::Foreground)
        .anchor(Align2::CENTER_TOP, vec2(0.0, theme::MARGIN))
        .fade_in(false)
        .show(context, |ui| {
            theme::panel().show(ui, |ui| {
                let window = context.content_rect().width();
                ui.set_width(WIDTH.min(window - 4.0 * theme::MARGIN));
                ui.label(RichText::new(&progress.text).color(theme::STRONG));
                if let Some(share) = progress.share {
                    ui.add(ProgressBar::new(share).desired_height(6.0).fill(theme::ACCENT));
                }
                let cancel = ui.add(Button::new("Cancel (Esc)"));
                layout.record("cancel", &cancel);
                if cancel.on_hover_text("Keep the cubes that are there").clicked() {
                    actions.push(Action::Cancel);
                }
            });
        });
}

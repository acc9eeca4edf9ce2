//! Progress: what a running operation does, with a button that cancels it.

use egui::{Align2, Area, Button, Context, Id, Order, ProgressBar, Rect, RichText};

use super::layout::Layout;
use super::model::Progress;
use super::theme;
use crate::input::Action;

/// Smallest and largest width, in points.
const WIDTHS: [f32; 2] = [120.0, 300.0];

/// Shows the progress at the upper edge of the area without panels.
pub(super) fn show(
    context: &Context,
    free: Rect,
    layout: &mut Layout,
    progress: &Progress,
    actions: &mut Vec<Action>,
) {
    Area::new(Id::unique("progress"))
        .order(Order::Foreground)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(free.center_top())
        .fade_in(false)
        .show(context, |ui| {
            theme::panel().show(ui, |ui| {
                let border = theme::panel().total_margin().sum().x;
                ui.set_width((free.width() - border).clamp(WIDTHS[0], WIDTHS[1]));
                ui.label(RichText::new(&progress.text).color(theme::STRONG));
                if let Some(share) = progress.share {
                    ui.add(ProgressBar::new(share).desired_height(6.0).fill(theme::ACCENT));
                }
                let cancel = ui.add(Button::new("Cancel (Esc)"));
                layout.record("cancel", &cancel);
                if cancel.clicked() {
                    actions.push(Action::Cancel);
                }
            });
        });
}

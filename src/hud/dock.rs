//! Dock: where the inspector is docked, and how it is moved.

use egui::{
    Context, CursorIcon, Id, LayerId, Order, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui,
};

use super::layout::Layout;
use super::panel::block;
use super::theme;
use crate::input::{Action, Dock};

/// Edges of the window that count as left and right, as a share of its width.
const SIDE: f32 = 0.3;

const DOCKS: [(Dock, &str, &str); 3] = [
    (Dock::Left, "dock left", "Dock at the left"),
    (Dock::Bottom, "dock bottom", "Dock at the bottom"),
    (Dock::Right, "dock right", "Dock at the right"),
];

/// Shows a button for each edge at the right end of the title, and moves the panel when the title is
/// dragged.
pub(super) fn show(
    ui: &mut Ui,
    layout: &mut Layout,
    title: &Response,
    docked: Dock,
    actions: &mut Vec<Action>,
) {
    for (i, (dock, name, hint)) in DOCKS.into_iter().enumerate() {
        let right = title.rect.right() - 18.0 * (DOCKS.len() - 1 - i) as f32;
        let rect = Rect::from_min_max(
            Pos2::new(right - 14.0, title.rect.center().y - 6.0),
            Pos2::new(right, title.rect.center().y + 6.0),
        );
        let button = ui.interact(rect, title.id.with(name), Sense::click());
        layout.record(name, &button);
        let color = if button.hovered() || dock == docked { theme::STRONG } else { theme::WEAK };
        let stroke = Stroke::new(1.0, color);
        ui.painter().rect_stroke(rect, 1.0, stroke, StrokeKind::Inside);
        block(ui.painter(), part(rect.shrink(1.0), dock, 0.35), color);
        if button.on_hover_text(hint).clicked() {
            actions.push(Action::DockInspector(dock));
        }
    }
    if !title.dragged() && !title.drag_stopped() {
        return;
    }
    let Some(pointer) = ui.ctx().pointer_latest_pos() else { return };
    let target = nearest(ui.ctx(), pointer);
    if title.drag_stopped() {
        actions.push(Action::DockInspector(target));
    } else {
        ui.set_cursor_icon(CursorIcon::Grabbing);
        let layer = LayerId::new(Order::Foreground, Id::unique("dock"));
        let place = part(ui.ctx().content_rect().shrink(theme::MARGIN), target, SIDE);
        ui.ctx().layer_painter(layer).rect(
            place,
            6.0,
            theme::dim(theme::ACCENT, 0.3).gamma_multiply(0.5),
            Stroke::new(2.0, theme::ACCENT),
            StrokeKind::Inside,
        );
    }
}

/// Returns the edge that a pointer is nearest to.
fn nearest(context: &Context, pointer: Pos2) -> Dock {
    let window = context.content_rect();
    let x = (pointer.x - window.left()) / window.width();
    if x < SIDE {
        Dock::Left
    } else if x > 1.0 - SIDE {
        Dock::Right
    } else {
        Dock::Bottom
    }
}

/// Returns the part of a rectangle at an edge.
fn part(rect: Rect, dock: Dock, share: f32) -> Rect {
    let (width, height) = (rect.width() * share, rect.height() * share);
    match dock {
        Dock::Left => rect.with_max_x(rect.left() + width),
        Dock::Right => rect.with_min_x(rect.right() - width),
        Dock::Bottom => rect.with_min_y(rect.bottom() - height),
    }
}

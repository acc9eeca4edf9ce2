//! Panel: a collapsible part of the HUD, and the elements it is made of.

use egui::emath::GuiRounding as _;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rect, Response, ScrollArea, Sense, Shape, Stroke,
    Ui, Vec2, pos2, vec2,
};

use super::layout::Layout;
use super::theme;

/// Offset that puts monospaced numbers on the baseline of proportional text.
pub(super) const MONO_DOWN: Vec2 = vec2(0.0, 1.0);

/// Height of the title, in points.
const TITLE: f32 = 16.0;

/// A panel within a column.
#[derive(Clone, Copy)]
pub(super) struct Panel {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// Width of the column, in points.
    pub(super) width: f32,
    /// Smallest width of the contents; narrower panels scroll sideways.
    pub(super) min_content: f32,
    /// Largest height, beyond which the contents scroll; `None` if the column scrolls.
    pub(super) max_height: Option<f32>,
}

impl Panel {
    /// Shows the title and, while open, the contents. A click on the title opens or collapses the panel.
    /// Returns the height that it needs without scrolling, and the title.
    pub(super) fn show(
        self,
        ui: &mut Ui,
        layout: &mut Layout,
        open: &mut bool,
        contents: impl FnOnce(&mut Ui, &mut Layout),
    ) -> (f32, Response) {
        let Self { name, title, width, min_content, max_height } = self;
        let frame = theme::panel();
        let border = frame.total_margin().sum();
        let spacing = ui.spacing().item_spacing.y;
        let chrome = border.y + TITLE + if *open { spacing } else { 0.0 };
        let panel = frame.show(ui, |ui| {
            ui.set_width((width - border.x).max(20.0));
            let bar = title_bar(ui, title, *open);
            layout.record(name, &bar);
            if bar.clicked() {
                *open = !*open;
            }
            let mut height = 0.0;
            if *open {
                let scrolls_sideways = ui.available_width() < min_content;
                let max_height = max_height.map_or(f32::INFINITY, |height| height - chrome);
                let area = ScrollArea::new([scrolls_sideways, max_height.is_finite()])
                    .id_salt(name)
                    .auto_shrink([false, true])
                    .max_height(max_height.max(20.0))
                    .min_scrolled_height(20.0)
                    .show(ui, |ui| {
                        ui.set_width(
                            ui.clip_rect().width().min(ui.available_width()).max(min_content),
                        );
                        contents(ui, layout);
                    });
                height = area.content_size.y;
            }
            (chrome + height, bar)
        });
        layout.record(&format!("{name} panel"), &panel.response);
        panel.inner
    }
}

fn title_bar(ui: &mut Ui, title: &str, open: bool) -> Response {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::click_and_drag());
    let color = if response.hovered() { theme::STRONG } else { theme::WEAK };
    let at = pos2(rect.left() + 4.0, rect.center().y);
    let corners = if open {
        [vec2(-4.0, -2.5), vec2(4.0, -2.5), vec2(0.0, 3.5)]
    } else {
        [vec2(-2.5, -4.0), vec2(3.5, 0.0), vec2(-2.5, 4.0)]
    };
    let corners = corners.map(|corner| at + corner).to_vec();
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
    let text = pos2(rect.left() + 14.0, rect.center().y);
    ui.painter().text(text, Align2::LEFT_CENTER, title, theme::sans(12.5), color);
    response
}

/// Returns rectangles for `N` buttons that share one line.
pub(super) fn beside<const N: usize>(ui: &mut Ui) -> [Rect; N] {
    let gap = ui.spacing().item_spacing.x;
    beside_with_gap(ui, gap)
}

/// Returns rectangles for `N` buttons that share one line, with a gap between them in points.
pub(super) fn beside_with_gap<const N: usize>(ui: &mut Ui, gap: f32) -> [Rect; N] {
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    let step = (line.width() + gap) / N as f32;
    std::array::from_fn(|i| {
        let left = line.left() + step * i as f32;
        Rect::from_min_size(pos2(left, line.top()), vec2(step - gap, line.height()))
    })
}

/// Adds a line with a name on the left and a value on the right. `hint` is its tooltip, with the name if that is cut off.
pub(super) fn row(ui: &mut Ui, name: &str, value: &str, hint: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let right = rect.right_center() + MONO_DOWN;
    let value =
        ui.painter().text(right, Align2::RIGHT_CENTER, value, theme::mono(11.5), theme::TEXT);
    let width = value.left() - rect.left() - 6.0;
    let is_cut =
        shortened_text(ui, rect.left_center(), name, theme::sans(11.5), theme::WEAK, width);
    let hint = if is_cut { format!("{name}. {hint}") } else { hint.to_owned() };
    if !hint.is_empty() {
        response.on_hover_text(hint);
    }
}

/// Draws one line of text that starts at `at`, and ends with an ellipsis if it is wider than `width`.
/// Returns whether it is.
pub(super) fn shortened_text(
    ui: &Ui,
    at: Pos2,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> bool {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(0.0));
    let galley = ui.painter().layout_job(job);
    let elided = galley.elided;
    ui.painter().galley(at - vec2(0.0, galley.size().y / 2.0), galley, color);
    elided
}

/// Adds a heading with a rule.
pub(super) fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(3.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::sans(10.5), theme::WEAK);
    let rule = rect.left() + galley.size().x + 6.0;
    let at = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(at, galley, theme::WEAK);
    let stroke = Stroke::new(1.0, theme::dim(theme::WEAK, 0.3));
    ui.painter().hline(rule..=rect.right(), rect.center().y, stroke);
}

/// Draws a filled rectangle on whole pixels, without the anti-aliased edges that would quadruple its
/// triangles.
pub(super) fn block(painter: &Painter, rect: Rect, color: Color32) {
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(rect.round_to_pixels(painter.pixels_per_point()), color);
    painter.add(mesh);
}

/// Draws a colored square to the right of `at`.
pub(super) fn swatch(ui: &Ui, at: Pos2, color: Color32) {
    let middle = at + Vec2::new(theme::SWATCH.x / 2.0, 0.0);
    block(ui.painter(), Rect::from_center_size(middle, theme::SWATCH), color);
}

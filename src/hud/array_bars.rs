//! Array bars: packed arrays, groups and slots, drawn to scale.

use egui::{
    Align2, Color32, Id, Mesh, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2,
};

use super::panel::{MONO_DOWN, block, swatch};
use super::theme;
use crate::ecs::{ComponentType, Entity, GroupInfo, Signature, World};
use crate::units;

const NAME_WIDTH: f32 = 108.0;
const NUMBERS_WIDTH: f32 = 132.0;
const ROW: f32 = 15.0;

/// Duration of a boundary's animation, in s.
const ANIMATION: f32 = 0.45;

/// Animation ids of nested groups' boundaries, outermost first.
const GROUP_IDS: [&str; 3] = ["outer", "middle", "inner"];

/// Returns the brightness of an element that is in this many groups, from 0 to 1.
pub(super) fn shade(groups: usize) -> f32 {
    [0.28, 0.6, 0.85, 1.0][groups.min(3)]
}

/// Returns the horizontal span of the bar, between the name and the numbers; equal for all lines.
pub(super) fn span(line: Rect) -> Rect {
    let x = line.left() + NAME_WIDTH..=line.right() - NUMBERS_WIDTH;
    Rect::from_x_y_ranges(x, line.y_range())
}

fn line(ui: &mut Ui, height: f32) -> (Rect, Response) {
    ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover())
}

/// Returns the component's type name without its module path.
pub(super) fn short_name(world: &World, component: ComponentType) -> &'static str {
    let name = world.inspect().component_name(component).unwrap_or_default();
    name.rsplit("::").next().unwrap_or(name)
}

/// Returns the names of components for a sentence.
pub(super) fn names(world: &World, components: Signature) -> String {
    let names: Vec<_> = components.iter().map(|it| short_name(world, it)).collect();
    if names.is_empty() { "no components".to_owned() } else { names.join(", ") }
}

/// Data common to all bars.
pub(super) struct ArrayBars<'a> {
    pub(super) world: &'a World,
    /// Outermost first.
    pub(super) groups: Vec<GroupInfo>,
    /// Length of the longest array, which sets the scale.
    pub(super) longest: usize,
    /// Entities marked as cameras.
    pub(super) cameras: Vec<Entity>,
    /// Entity marked by a line in each of its arrays.
    pub(super) selected: Option<Entity>,
    /// Array index under the pointer in the previous frame, in any array.
    pub(super) pointed: Option<usize>,
}

impl ArrayBars<'_> {
    fn x(&self, span: Rect, position: f32) -> f32 {
        span.left() + span.width() * (position / self.longest.max(1) as f32).min(1.0)
    }

    /// Draws one array: name, bar, length and memory. Returns the index under the pointer.
    pub(super) fn row(&self, ui: &mut Ui, component: ComponentType, bytes: usize) -> Option<usize> {
        let (line, response) = line(ui, ROW);
        let span = span(line).shrink2(vec2(0.0, 2.5));
        let color = theme::component(component.index());
        let len = self.world.inspect().array_len(component).unwrap_or_default();
        swatch(ui, line.left_center(), color);
        let painter = ui.painter();
        let name = line.left_center() + vec2(13.0, 0.0);
        let text = short_name(self.world, component);
        painter.text(name, Align2::LEFT_CENTER, text, theme::sans(11.5), theme::TEXT);
        let end = line.right_center() + MONO_DOWN;
        let text = units::bytes(bytes as f64);
        painter.text(end, Align2::RIGHT_CENTER, text, theme::mono(11.0), theme::WEAK);
        let text = units::count(len);
        let at = end - vec2(58.0, 0.0);
        painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(11.0), theme::TEXT);

        block(painter, span, ui.visuals().extreme_bg_color);
        let id = Id::unique("array").with(component.index());
        let moved = |what: &str, position: usize| {
            ui.ctx().animate_value_with_time(id.with(what), position as f32, ANIMATION)
        };
        // Drawn from the outermost group inwards, each over the one before.
        let fill = |position: f32, keep: f32| {
            if position > 0.0 {
                // A single element among millions stays visible.
                let right = self.x(span, position).max(span.left() + 3.0);
                let part = Rect::from_x_y_ranges(span.left()..=right, span.y_range());
                block(painter, part, theme::dim(color, keep));
            }
        };
        fill(moved("length", len), shade(0));
        let owners = self.groups.iter().enumerate();
        let owners = owners.filter(|(_, group)| group.owned.contains(component));
        let boundaries: Vec<f32> = owners
            .map(|(depth, group)| {
                let boundary = moved(GROUP_IDS[depth.min(GROUP_IDS.len() - 1)], group.len);
                fill(boundary, shade(depth + 1));
                boundary
            })
            .collect();
        for boundary in boundaries {
            let x = self.x(span, boundary);
            painter.vline(x, span.y_range().expand(1.5), Stroke::new(1.5, theme::STRONG));
        }
        for &camera in &self.cameras {
            if let Some(position) = self.world.inspect().dense_index(component, camera) {
                let x = self.x(span, position as f32 + 0.5);
                mark(ui, pos2(x, span.top() - 1.0), theme::WARNING);
            }
        }
        let selected =
            self.selected.and_then(|cube| self.world.inspect().dense_index(component, cube));
        if let Some(position) = selected {
            let x = self.x(span, position as f32 + 0.5);
            line_on_bar(ui, x, span.y_range().expand(2.0), Stroke::new(2.0, theme::SELECTED));
        }
        if let Some(pointed) = self.pointed.filter(|&pointed| pointed < len) {
            let x = self.x(span, pointed as f32 + 0.5);
            line_on_bar(ui, x, span.y_range().expand(2.5), Stroke::new(1.0, theme::GOOD));
        }

        let over = response.hover_pos().filter(|over| span.x_range().contains(over.x));
        let position = self.position(span, over?).filter(|&position| position < len)?;
        if let Some(entity) = self.world.inspect().array_entity(component, position) {
            response.on_hover_text_at_pointer(format!("index {position}: entity {entity}"));
        }
        Some(position)
    }

    fn position(&self, span: Rect, over: Pos2) -> Option<usize> {
        let share = ((over.x - span.left()) / span.width()).max(0.0);
        let last = self.longest.checked_sub(1)?;
        Some(((share * self.longest as f32) as usize).min(last))
    }

    /// Draws a bracket over the elements of a group.
    pub(super) fn bracket(&self, ui: &mut Ui, group: &GroupInfo, name: &str) {
        let (line, response) = line(ui, 19.0);
        let components = names(self.world, group.owned);
        response.on_hover_text(format!("The group owns {components}"));
        let span = span(line);
        let painter = ui.painter();
        let id = Id::unique("bracket").with(name);
        let len = ui.ctx().animate_value_with_time(id, group.len as f32, ANIMATION);
        let right = self.x(span, len);
        let y = line.top() + 3.0;
        let stroke = Stroke::new(1.0, theme::TEXT);
        painter.hline(span.left()..=right, y, stroke);
        painter.vline(span.left(), y - 3.0..=y, stroke);
        painter.vline(right, y - 3.0..=y, stroke);
        let text = format!("Group {name}: {}", units::count(group.len));
        let at = pos2(span.left() + 2.0, y + 1.0);
        let text = painter.text(at, Align2::LEFT_TOP, text, theme::sans(10.5), theme::TEXT);
        let width = 11.0 * group.owned.iter().count() as f32;
        let left = (text.right() + 8.0).min(line.right() - width + 3.0);
        for (i, component) in group.owned.iter().enumerate() {
            let at = pos2(left + 11.0 * i as f32, text.center().y);
            swatch(ui, at, theme::component(component.index()));
        }
    }
}

/// Draws a vertical line with a dark rim, which shows on a bar of any color.
fn line_on_bar(ui: &Ui, x: f32, y: Rangef, stroke: Stroke) {
    let rim = Stroke::new(stroke.width + 2.0, ui.visuals().extreme_bg_color);
    ui.painter().vline(x, y, rim);
    ui.painter().vline(x, y, stroke);
}

/// Draws a small triangle that points down to `tip`.
pub(super) fn mark(ui: &Ui, tip: Pos2, color: Color32) {
    let corners = vec![tip + vec2(-3.5, -4.0), tip + vec2(3.5, -4.0), tip + vec2(0.0, 1.5)];
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
}

/// Draws the slots, brighter with a higher generation. Returns the highest generation of those drawn.
pub(super) fn slots(ui: &mut Ui, world: &World) -> u32 {
    const CELL: f32 = 2.0;
    let (line, response) = line(ui, ROW);
    let span = span(line).shrink2(vec2(0.0, 2.5));
    let painter = ui.painter();
    let used = world.inspect().slots().used;
    let name = line.left_center() + vec2(13.0, 0.0);
    painter.text(name, Align2::LEFT_CENTER, "Slots", theme::sans(11.5), theme::TEXT);
    let at = line.right_center() + MONO_DOWN - vec2(58.0, 0.0);
    let text = units::count(used);
    painter.text(at, Align2::RIGHT_CENTER, text, theme::mono(11.0), theme::TEXT);

    let cells = ((span.width() / CELL) as usize).min(used);
    let slot = |cell: usize| (cell * used / cells.max(1)) as u32;
    let lives = |cell| {
        world.inspect().entity_in_slot(slot(cell)).map_or(0, |entity: Entity| entity.generation())
    };
    let most = (0..cells).map(lives).max().unwrap_or(0);
    let mut mesh = Mesh::default();
    let width = span.width() / cells.max(1) as f32;
    for cell in 0..cells {
        let left = span.left() + width * cell as f32;
        let rect = Rect::from_x_y_ranges(left..=left + width, span.y_range());
        let color = match lives(cell) {
            0 => ui.visuals().extreme_bg_color,
            lives => theme::dim(theme::ACCENT, 0.25 + 0.75 * (lives as f32 / most as f32).powi(2)),
        };
        mesh.add_colored_rect(rect, color);
    }
    painter.add(mesh);
    response.on_hover_text(
        "A slot is reused after its entity is despawned. Its generation then increases by one, so \
         that old handles are rejected.",
    );
    most
}

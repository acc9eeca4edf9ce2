//! Overlay: the HUD as a whole, and which of its panels are open.

use std::fmt;
use std::time::Duration;

use egui::style::ScrollAnimation;
use egui::{
    Align, Area, ClippedPrimitive, Context, Event, FullOutput, Id, Key, Order, PlatformOutput,
    RawInput, Rect, ScrollArea, TexturesDelta, Ui, ViewportId,
};

use serde::{Deserialize, Serialize};

use super::arrangement::{Arrangement, Column, PanelId, TWO_COLUMNS};
use super::controls::Controls;
use super::inspector::Inspector;
use super::layout::Layout;
use super::panel::Panel;
use super::statistics::{self, Memory};
use super::toasts::{Toasts, Tone};
use super::{Model, cube, dock, help, progress, theme};
use crate::benchmark::resident_memory;
use crate::input::{Action, Dock};

/// Time between two readings of memory use, in s.
const MEMORY_INTERVAL: f64 = 0.5;

/// Height of a panel before its first layout, in points.
const FIRST_HEIGHT: f32 = 300.0;

/// Smallest window that shows panels, in points.
pub const MIN_WINDOW: [f32; 2] = [200.0, 120.0];

/// Which panels are open. Saved with the preferences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Panels {
    /// Whether any panel is visible; `false` hides all, whatever the other fields say.
    pub shown: bool,
    /// Frame times and device.
    pub statistics: bool,
    /// Sliders and buttons.
    pub controls: bool,
    /// The ECS inspector.
    pub inspector: bool,
    /// Components of the selected cube; visible only while a cube is selected.
    pub selected: bool,
    /// The list of keys.
    pub help: bool,
    /// Where the inspector is.
    pub dock: Dock,
}

impl Default for Panels {
    /// Statistics, controls and the selected cube.
    fn default() -> Self {
        Self {
            shown: true,
            statistics: true,
            controls: true,
            inspector: false,
            selected: true,
            help: false,
            dock: Dock::default(),
        }
    }
}

/// Result of laying out one HUD frame.
pub struct HudOutput {
    /// Tessellated shapes in drawing order.
    pub triangles: Vec<ClippedPrimitive>,
    /// Pixels per point.
    pub scale: f32,
    /// Texture changes to apply before drawing.
    pub textures: TexturesDelta,
    /// Requests to the window system, such as the pointer shape.
    pub platform: PlatformOutput,
    /// Time until the HUD has to be laid out again even without new input.
    pub repaint_after: Duration,
}

/// Prints the number of meshes, the scale and when the next frame is due.
impl fmt::Debug for HudOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HudOutput")
            .field("triangles", &self.triangles.len())
            .field("scale", &self.scale)
            .field("repaint_after", &self.repaint_after)
            .finish_non_exhaustive()
    }
}

/// All panels, messages and tooltips.
pub struct Hud {
    context: Context,
    /// Which panels are open.
    pub panels: Panels,
    toasts: Toasts,
    inspector: Inspector,
    memory: Memory,
    /// Time of the next reading of memory use, in s.
    memory_due: f64,
    pub(super) layout: Layout,
    actions: Vec<Action>,
    /// Number of cubes at which the slider is held, or at which its number began to be typed.
    dragged_count: Option<f64>,
    /// Layouts for which changes of numbers are ignored, because Esc canceled the edit of one.
    canceled_layouts: u8,
    /// Layouts that still scroll to the inspector.
    reveal_layouts: u8,
    /// Heights that the panels need, as of the latest layout, by [`PanelId`].
    heights: [f32; 4],
    /// Area without panels.
    free: Rect,
    /// Makes panels too wide, in points, to see the tests of the layout fail.
    #[cfg(test)]
    pub(super) added_width: f32,
    /// Texts of the latest layout, in the order in which they are drawn.
    #[cfg(test)]
    pub(super) texts: Vec<String>,
    /// An operation runs, whose progress is visible even while all panels are hidden.
    pub is_busy: bool,
}

/// Prints which panels are open.
impl fmt::Debug for Hud {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hud").field("panels", &self.panels).finish_non_exhaustive()
    }
}

impl Hud {
    /// Creates a HUD with these panels open.
    pub fn new(panels: Panels) -> Self {
        Self {
            context: themed_context(),
            panels,
            toasts: Toasts::default(),
            inspector: Inspector::default(),
            memory: Memory::default(),
            memory_due: 0.0,
            layout: Layout::new(),
            actions: Vec::new(),
            dragged_count: None,
            canceled_layouts: 0,
            reveal_layouts: 0,
            heights: [FIRST_HEIGHT; 4],
            free: Rect::EVERYTHING,
            #[cfg(test)]
            added_width: 0.0,
            #[cfg(test)]
            texts: Vec::new(),
            is_busy: false,
        }
    }

    /// Returns the egui context, to which the app passes window events.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Forgets the textures of a lost device and keeps all other state. The next output contains every
    /// texture in full.
    pub fn reset_textures(&mut self) {
        let memory = self.context.memory(Clone::clone);
        self.context = themed_context();
        self.context.memory_mut(|kept| *kept = memory);
        // Until the first frame, they are part of the memory.
        theme::set_fonts(&self.context);
    }

    /// Returns whether the number of cubes is being dragged or typed.
    pub fn holds_count(&self) -> bool {
        self.dragged_count.is_some()
    }

    /// Returns `true` if there is anything to draw.
    pub fn is_active(&self) -> bool {
        self.panels.shown || self.panels.help || self.is_busy || !self.toasts.is_empty()
    }

    /// Removes all messages.
    pub fn clear_messages(&mut self) {
        self.toasts = Toasts::default();
    }

    /// Shows a message for some seconds.
    pub fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.toasts.push(tone, text.into());
    }

    /// Removes the messages of failures that begin with `start`.
    pub fn retract_failures(&mut self, start: &str) {
        self.toasts.retract_failures(start);
    }

    /// Shows a value that was just changed, in place of the previous one.
    pub fn notify_value(&mut self, text: String) {
        self.toasts.set_value(text);
    }

    /// Shows a hint until it is replaced or cleared with `None`.
    pub fn set_hint(&mut self, hint: Option<String>) {
        self.toasts.hint = hint;
    }

    /// Scrolls to the inspector, which was just opened, if it is in a column that scrolls.
    pub fn reveal_inspector(&mut self) {
        // The first layouts find out its height, and thus whether the column scrolls.
        self.reveal_layouts = 4;
    }

    /// Returns the actions of all widgets used since the last call.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Lays out and tessellates one HUD frame.
    #[must_use]
    pub fn show(&mut self, input: RawInput, model: &Model<'_>) -> HudOutput {
        let context = self.context.clone();
        let mut output = FullOutput::default();
        for input in split_at_clicks(input) {
            if context.text_edit_focused() && input.events.iter().any(is_escape) {
                // egui applies the text one layout after the key.
                self.canceled_layouts = 3;
            }
            self.canceled_layouts = self.canceled_layouts.saturating_sub(1);
            self.reveal_layouts = self.reveal_layouts.saturating_sub(1);
            output.append(context.run_ui(input, |ui| self.lay_out(ui.ctx(), model)));
        }
        let repaint_after = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        #[cfg(test)]
        {
            self.texts = super::tests::texts(&output.shapes);
        }
        HudOutput {
            triangles: context.tessellate(output.shapes, output.pixels_per_point),
            scale: output.pixels_per_point,
            textures: output.textures_delta,
            platform: output.platform_output,
            repaint_after,
        }
    }

    fn lay_out(&mut self, context: &Context, model: &Model<'_>) {
        let size = context.content_rect().size();
        self.free = context.content_rect().shrink(theme::MARGIN);
        if self.panels.shown && size.x >= MIN_WINDOW[0] && size.y >= MIN_WINDOW[1] {
            self.update_memory(context, model);
            self.lay_out_panels(context, model);
        }
        if let Some(progress) = model.progress {
            progress::show(context, self.free, &mut self.layout, progress, &mut self.actions);
        }
        if self.panels.help {
            help::show(context, model.gamepad, &mut self.layout, &mut self.actions);
        }
        self.toasts.show(context, self.free);
    }

    fn update_memory(&mut self, context: &Context, model: &Model<'_>) {
        // At rest there may be no later layout.
        if model.idle || context.time() >= self.memory_due {
            self.memory_due = context.time() + MEMORY_INTERVAL;
            self.inspector.memory = model.simulation.world().inspect().memory();
            self.memory = Memory {
                process: resident_memory(),
                ecs: self.inspector.memory.iter().map(|memory| memory.bytes).sum(),
            };
        }
    }

    fn lay_out_panels(&mut self, context: &Context, model: &Model<'_>) {
        let world = model.simulation.world();
        let selected = model.selected.filter(|&selected| world.contains(selected));
        let shown = |panel| match panel {
            PanelId::Statistics | PanelId::Controls => true,
            PanelId::Selected => selected.is_some(),
            PanelId::Inspector => self.panels.inspector,
        };
        let heights = self.heights;
        let window = context.content_rect().size();
        let arrangement = Arrangement::new(window, self.panels.dock, |panel| {
            shown(panel).then_some(heights[panel as usize])
        });
        self.free = arrangement.free;
        for (number, column) in arrangement.columns.iter().enumerate() {
            self.lay_out_column(context, model, number, column);
        }
        if self.heights != heights {
            // Laid out again with the new heights: in this frame, or in the next one if this one has no pass left.
            context.request_discard("panels are placed by their heights");
            context.request_repaint();
        }
        cube::tooltip(context, model);
    }

    fn lay_out_column(
        &mut self,
        context: &Context,
        model: &Model<'_>,
        number: usize,
        column: &Column,
    ) {
        if column.panels.is_empty() {
            return;
        }
        Area::new(Id::unique("column").with(number))
            .order(Order::Middle)
            .fixed_pos(column.rect.min)
            .constrain(false)
            .default_size(column.rect.size())
            .fade_in(false)
            .show(context, |ui| {
                ui.set_width(column.rect.width());
                ui.set_max_height(column.rect.height());
                ui.spacing_mut().item_spacing.y = theme::MARGIN;
                let mut show = |ui: &mut Ui, width, whole: bool| {
                    for &(panel, height) in &column.panels {
                        let max_height = (!whole).then_some(height);
                        let top = ui.cursor().top();
                        self.lay_out_panel(ui, model, panel, width, max_height);
                        if panel == PanelId::Inspector && self.reveal_layouts > 0 {
                            let at = ui.min_rect().with_min_y(top);
                            let jump = ScrollAnimation::none();
                            ui.scroll_to_rect_animation(at, Some(Align::Min), jump);
                        }
                    }
                };
                if column.scrolls {
                    let area = ScrollArea::vertical().id_salt("column").auto_shrink([false, true]);
                    let bar = ui.spacing().scroll.allocated_width();
                    area.max_height(column.rect.height())
                        .show(ui, |ui| show(ui, column.rect.width() - bar, true));
                } else {
                    show(ui, column.rect.width(), false);
                }
            });
    }

    fn lay_out_panel(
        &mut self,
        ui: &mut Ui,
        model: &Model<'_>,
        panel: PanelId,
        width: f32,
        max_height: Option<f32>,
    ) {
        #[cfg(test)]
        let width = width + self.added_width;
        let edit_is_canceled = self.canceled_layouts > 0;
        let Self { panels, inspector, memory, layout, actions, dragged_count, .. } = self;
        let show_at =
            |name, title, min_content| Panel { name, title, width, min_content, max_height };
        let (height, _) = match panel {
            PanelId::Statistics => show_at("statistics", "Cubefall", 200.0).show(
                ui,
                layout,
                &mut panels.statistics,
                |ui, _| statistics::show(ui, model, memory),
            ),
            PanelId::Controls => show_at("controls", "Controls", 148.0).show(
                ui,
                layout,
                &mut panels.controls,
                |ui, layout| {
                    Controls { layout, actions, dragged_count, edit_is_canceled }.show(ui, model);
                },
            ),
            PanelId::Selected => show_at("selected", "Selected cube", 200.0).show(
                ui,
                layout,
                &mut panels.selected,
                |ui, layout| {
                    if let Some(selected) = model.selected {
                        cube::selected(ui, layout, model, selected, actions);
                    }
                },
            ),
            PanelId::Inspector => {
                let (height, title) = show_at("ECS", "ECS inspector", 390.0).show(
                    ui,
                    layout,
                    &mut panels.inspector,
                    |ui, layout| inspector.show(ui, layout, model, actions),
                );
                if ui.ctx().content_rect().width() >= TWO_COLUMNS {
                    dock::show(ui, layout, &title, panels.dock, actions);
                }
                (height, title)
            }
        };
        self.heights[panel as usize] = height;
    }
}

/// Splits the input so that each part ends with at most one button event. On a slow machine a button is
/// pressed and released within one frame, and an egui slider ignores that if it sees both at once.
fn split_at_clicks(input: RawInput) -> impl Iterator<Item = RawInput> {
    let mut rest = Some(input);
    std::iter::from_fn(move || {
        let mut part = rest.take()?;
        let click = part.events.iter().position(|it| matches!(it, Event::PointerButton { .. }));
        if let Some(at) = click {
            let later = part.events.split_off(at + 1);
            if !later.is_empty() {
                rest = Some(RawInput { events: later, ..part.clone() });
            }
        }
        Some(part)
    })
}

fn is_escape(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Escape, pressed: true, .. })
}

fn themed_context() -> Context {
    let context = Context::default();
    theme::apply(&context);
    theme::set_fonts(&context);
    context
}

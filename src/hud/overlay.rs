//! Overlay: the HUD as a whole, and which of its panels are open.

use std::time::Duration;

use egui::{
    Align2, ClippedPrimitive, Context, Event, Key, PlatformOutput, RawInput, TexturesDelta,
    ViewportId,
};

use serde::{Deserialize, Serialize};

use super::controls::Controls;
use super::inspector::Inspector;
use super::layout::Layout;
use super::panel::Panel;
use super::statistics::{self, Memory};
use super::toasts::{Toasts, Tone};
use super::{Model, cube, help, progress, theme};
use crate::benchmark::resident_memory;
use crate::input::{Action, Dock};

/// Time between two readings of memory use, in s.
const MEMORY_INTERVAL: f64 = 0.5;

/// Width of the panels at the sides, in points.
const SIDE: f32 = 246.0;

/// Width of the inspector, in points.
const MIDDLE: f32 = 620.0;

/// Smallest window that shows panels, in points.
const MIN_WINDOW: [f32; 2] = [200.0, 120.0];

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
    /// `FrameStats`, controls and the selected cube.
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
    /// Number of cubes at which the slider is held.
    dragged_count: Option<f64>,
    /// Layouts for which changes of numbers are ignored, because Esc canceled the edit of one.
    canceled_layouts: u8,
    /// An operation runs, whose progress is visible even while all panels are hidden.
    pub is_busy: bool,
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
    }

    /// Returns `true` if there is anything to draw.
    pub fn is_active(&self) -> bool {
        self.panels.shown || self.panels.help || self.is_busy || !self.toasts.is_empty()
    }

    /// Shows a message for some seconds.
    pub fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.toasts.push(tone, text.into());
    }

    /// Shows a value that was just changed, in place of the previous one.
    pub fn notify_value(&mut self, text: String) {
        self.toasts.set_value(text);
    }

    /// Shows a hint until it is replaced or cleared with `None`.
    pub fn set_hint(&mut self, hint: Option<String>) {
        self.toasts.hint = hint;
    }

    /// Returns the actions of all widgets used since the last call.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Lays out and tessellates one HUD frame.
    #[must_use]
    pub fn show(&mut self, input: RawInput, model: &Model<'_>) -> HudOutput {
        let context = self.context.clone();
        let mut output = None;
        for input in split_at_clicks(input) {
            if context.text_edit_focused() && input.events.iter().any(is_escape) {
                // egui applies the text one layout after the key.
                self.canceled_layouts = 3;
            }
            self.canceled_layouts = self.canceled_layouts.saturating_sub(1);
            let next = context.run_ui(input, |ui| self.lay_out(ui.ctx(), model));
            match &mut output {
                None => output = Some(next),
                Some(output) => output.append(next),
            }
        }
        let output = output.expect("splitting yields at least one input");
        let repaint_after = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
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
        if self.panels.shown && size.x >= MIN_WINDOW[0] && size.y >= MIN_WINDOW[1] {
            self.update_memory(context, model);
            self.lay_out_panels(context, model);
        }
        if let Some(progress) = model.progress {
            progress::show(context, &mut self.layout, progress, &mut self.actions);
        }
        if self.panels.help {
            help::show(context, model.gamepad);
        }
        self.toasts.show(context);
    }

    fn update_memory(&mut self, context: &Context, model: &Model<'_>) {
        if context.time() >= self.memory_due {
            self.memory_due = context.time() + MEMORY_INTERVAL;
            self.inspector.memory = model.simulation.world().inspect().memory();
            self.memory = Memory {
                process: resident_memory(),
                ecs: self.inspector.memory.iter().map(|memory| memory.bytes).sum(),
            };
        }
    }

    fn lay_out_panels(&mut self, context: &Context, model: &Model<'_>) {
        let edit_is_canceled = self.canceled_layouts > 0;
        let Self { panels, inspector, memory, layout, actions, dragged_count, .. } = self;
        let window = context.content_rect().size();
        let panel = |name, title, at, width, share: f32| Panel {
            name,
            title,
            at,
            width,
            max_height: window.y * share,
        };
        // Two panels fit side by side unless the window is narrower than both.
        let side = SIDE.min(window.x - 2.0 * theme::MARGIN);
        panel("statistics", "Cubefall", Align2::LEFT_TOP, side, 1.0).show(
            context,
            layout,
            &mut panels.statistics,
            |ui, _| statistics::show(ui, model, memory),
        );
        panel("controls", "Controls", Align2::RIGHT_TOP, side, 1.0).show(
            context,
            layout,
            &mut panels.controls,
            |ui, layout| {
                Controls { layout, actions, dragged_count, edit_is_canceled }.show(ui, model);
            },
        );
        let mut open = panels.inspector;
        if open {
            panel("ECS", "ECS inspector", Align2::CENTER_BOTTOM, MIDDLE, 0.86).show(
                context,
                layout,
                &mut open,
                |ui, layout| inspector.show(ui, layout, model, actions),
            );
        }
        panels.inspector = open;
        let world = model.simulation.world();
        if let Some(selected) = model.selected.filter(|&selected| world.contains(selected)) {
            panel("selected", "Selected cube", Align2::RIGHT_BOTTOM, side, 0.5).show(
                context,
                layout,
                &mut panels.selected,
                |ui, layout| cube::selected(ui, layout, model, selected, actions),
            );
        }
        cube::tooltip(context, model);
    }
}

/// Splits the input so that each part ends with at most one button event. On a slow machine a button is
/// pressed and released within one frame, and an egui slider ignores that if it sees both at once.
fn split_at_clicks(mut input: RawInput) -> impl Iterator<Item = RawInput> {
    let mut events = std::mem::take(&mut input.events).into_iter().peekable();
    let mut finished = false;
    std::iter::from_fn(move || {
        if finished {
            return None;
        }
        let mut part = Vec::new();
        for event in events.by_ref() {
            let ends = matches!(event, Event::PointerButton { .. });
            part.push(event);
            if ends {
                break;
            }
        }
        finished = events.peek().is_none();
        Some(RawInput { events: part, ..input.clone() })
    })
}

fn is_escape(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Escape, pressed: true, .. })
}

fn themed_context() -> Context {
    let context = Context::default();
    theme::apply(&context);
    context
}

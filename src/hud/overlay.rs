//! Overlay: all panels, and what is open.

use std::time::Duration;

use egui::{
    Align2, ClippedPrimitive, Context, Event, PlatformOutput, RawInput, TexturesDelta, ViewportId,
};

use serde::{Deserialize, Serialize};

use super::controls::Controls;
use super::inspector::Inspector;
use super::layout::Layout;
use super::panel::Panel;
use super::statistics::{self, Memory};
use super::toasts::{Toasts, Tone};
use super::{Model, cube, help, theme};
use crate::benchmark::resident_memory;
use crate::input::Action;

/// How often it is asked what memory is in use, in s.
const MEMORY_INTERVAL: f64 = 0.5;

/// Width of the panels at the sides, in points.
const SIDE: f32 = 246.0;

/// Width of the inspector, in points.
const MIDDLE: f32 = 620.0;

/// In a window smaller than this, in points, no panel has a place.
const LEAST: [f32; 2] = [200.0, 120.0];

/// What is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each is open or not whatever the others are")]
pub struct Panels {
    /// Any panel at all.
    pub shown: bool,
    /// How fast it is.
    pub statistics: bool,
    /// Sliders and buttons.
    pub controls: bool,
    /// The ECS.
    pub inspector: bool,
    /// The selected cube, whenever there is one.
    pub selected: bool,
    /// The keys.
    pub help: bool,
}

impl Default for Panels {
    /// FrameStats, controls and the selected cube.
    fn default() -> Self {
        Self {
            shown: true,
            statistics: true,
            controls: true,
            inspector: false,
            selected: true,
            help: false,
        }
    }
}

/// What came of a look at the model.
pub struct HudOutput {
    /// Triangles to paint.
    pub triangles: Vec<ClippedPrimitive>,
    /// Pixels to a point.
    pub scale: f32,
    /// What has changed of the textures, to be applied before painting.
    pub textures: TexturesDelta,
    /// What the window system is to be told, such as the shape of the pointer.
    pub platform: PlatformOutput,
    /// When to look again though nothing happens.
    pub again: Duration,
}

/// Everything that is shown over the picture.
pub struct Hud {
    context: Context,
    /// What is open.
    pub panels: Panels,
    toasts: Toasts,
    inspector: Inspector,
    memory: Memory,
    /// When memory is asked for again, in s.
    memory_due: f64,
    pub(super) layout: Layout,
    actions: Vec<Action>,
}

impl Hud {
    /// With these panels open.
    #[must_use]
    pub fn new(panels: Panels) -> Self {
        Self {
            context: dressed(),
            panels,
            toasts: Toasts::default(),
            inspector: Inspector::default(),
            memory: Memory::default(),
            memory_due: 0.0,
            layout: Layout::new(),
            actions: Vec::new(),
        }
    }

    /// What egui knows, for whoever brings it events.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Forgets which textures were made: the device that had them is gone. All else stays.
    pub fn renew(&mut self) {
        let memory = self.context.memory(Clone::clone);
        self.context = dressed();
        self.context.memory_mut(|kept| *kept = memory);
    }

    /// Whether there is anything to show.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.panels.shown || self.panels.help || !self.toasts.is_empty()
    }

    /// Says something on the screen for some seconds.
    pub fn notify(&mut self, tone: Tone, text: impl Into<String>) {
        self.toasts.push(tone, text.into());
    }

    /// Says what could be done now, until it can be done no more, which is none.
    pub fn offer(&mut self, what: Option<String>) {
        self.toasts.offer = what;
    }

    /// What was asked for since the last call.
    pub fn take_actions(&mut self) -> Vec<Action> {
        std::mem::take(&mut self.actions)
    }

    /// Shows the model as it is now.
    #[must_use]
    pub fn show(&mut self, input: RawInput, model: &Model<'_>) -> HudOutput {
        let context = self.context.clone();
        let mut output = None;
        for input in by_clicks(input) {
            let newer = context.run_ui(input, |ui| self.lay_out(ui.ctx(), model));
            match &mut output {
                None => output = Some(newer),
                Some(output) => output.append(newer),
            }
        }
        let output = output.expect("there is a last part");
        let again = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        HudOutput {
            triangles: context.tessellate(output.shapes, output.pixels_per_point),
            scale: output.pixels_per_point,
            textures: output.textures_delta,
            platform: output.platform_output,
            again,
        }
    }

    fn lay_out(&mut self, context: &Context, model: &Model<'_>) {
        let size = context.content_rect().size();
        if self.panels.shown && size.x >= LEAST[0] && size.y >= LEAST[1] {
            self.ask_for_memory(context, model);
            self.lay_out_panels(context, model);
        }
        if self.panels.help {
            help::show(context, model.gamepad);
        }
        self.toasts.show(context);
    }

    fn ask_for_memory(&mut self, context: &Context, model: &Model<'_>) {
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
        let Self { panels, inspector, memory, layout, actions, .. } = self;
        let window = context.content_rect().size();
        let panel = |name, title, at, width, share: f32| Panel {
            name,
            title,
            at,
            width,
            max_height: window.y * share,
        };
        // Side by side as long as there is room for two.
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
            |ui, layout| Controls { layout, actions }.show(ui, model),
        );
        let mut open = panels.inspector;
        if open {
            panel("ECS", "Inside the ECS", Align2::CENTER_BOTTOM, MIDDLE, 0.86).show(
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

/// Parts of what came in, each with no more than one button event, the last. On a machine that draws
/// slowly a button is pressed and released between two pictures; a slider takes no notice of that if
/// it sees both at once.
fn by_clicks(mut input: RawInput) -> impl Iterator<Item = RawInput> {
    let mut events = std::mem::take(&mut input.events).into_iter().peekable();
    let mut over = false;
    std::iter::from_fn(move || {
        if over {
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
        over = events.peek().is_none();
        Some(RawInput { events: part, ..input.clone() })
    })
}

fn dressed() -> Context {
    let context = Context::default();
    theme::apply(&context);
    context
}

//! Overlay: the HUD in the window: events go in, triangles and wishes come out.

use std::time::{Duration, Instant};

use egui::{LayerId, Order, Pos2, Rect, Vec2, ViewportId};
use egui_winit::State;
use winit::event::{TouchPhase, WindowEvent};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use crate::hud::{Hud, HudOutput, HudRenderer, Model, Panels};
use crate::render::{Gpu, RenderError, Size};

/// Shortest time from one look to the next while nobody touches anything: figures that change
/// faster cannot be read. Nor is there a look in two successive frames: where frames are slow there is
/// none of their time to give away.
const INTERVAL: Duration = Duration::from_millis(50);

/// What lies over the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Nothing: not even a pass.
    Empty,
    /// A look that is not on the GPU yet.
    Fresh,
    /// The same as in the picture before.
    Painted,
}

/// The HUD and the window it is shown in.
pub(super) struct HudOverlay {
    /// All that can be seen.
    pub(super) hud: Hud,
    state: State,
    display: OwnedDisplayHandle,
    /// When the program started.
    start: Instant,
    /// The last look, on the GPU or on its way there; none on a device that has seen none yet.
    shown: Option<HudOutput>,
    content: Content,
    /// For what size it was, and when.
    size: Size,
    looked: Instant,
    /// There was a frame since without a look.
    rested: bool,
    /// When to look again though nothing happens; none if there is no need.
    again: Option<Instant>,
    /// Something happened since.
    stale: bool,
    /// In points.
    pointer: Pos2,
    /// A button was pressed, or a finger put down, on a panel: until it is released, all that the
    /// pointer does is for the panel.
    grabbed: bool,
}

impl HudOverlay {
    pub(super) fn new(window: &Window, display: OwnedDisplayHandle, panels: Panels) -> Self {
        let hud = Hud::new(panels);
        let now = Instant::now();
        Self {
            state: state(&hud, window, &display),
            hud,
            display,
            start: now,
            shown: None,
            content: Content::Empty,
            size: Size::default(),
            looked: now,
            rested: false,
            again: None,
            stale: true,
            pointer: Pos2::ZERO,
            grabbed: false,
        }
    }

    /// The device that had the textures is gone.
    pub(super) fn renew(&mut self, window: &Window) {
        (self.shown, self.content) = (None, Content::Empty);
        self.hud.reset_textures();
        self.state = state(&self.hud, window, &self.display);
    }

    /// Tells the HUD of an event. Returns whether it is for the HUD alone.
    pub(super) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        if !self.hud.is_active() {
            self.grabbed = false;
            return false;
        }
        let points = |x: f64, y: f64| {
            let scale = window.scale_factor();
            Pos2::new((x / scale) as f32, (y / scale) as f32)
        };
        let own = match event {
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer = points(position.x, position.y);
                self.grabbed
            }
            WindowEvent::MouseInput { state, .. } if state.is_pressed() => {
                self.grabbed = self.is_over_panel();
                self.grabbed
            }
            WindowEvent::MouseInput { .. } => std::mem::take(&mut self.grabbed),
            WindowEvent::MouseWheel { .. } => self.is_over_panel(),
            WindowEvent::Touch(touch) => {
                self.pointer = points(touch.location.x, touch.location.y);
                match touch.phase {
                    TouchPhase::Started => {
                        self.grabbed = self.is_over_panel();
                        self.grabbed
                    }
                    TouchPhase::Moved => self.grabbed,
                    TouchPhase::Ended | TouchPhase::Cancelled => std::mem::take(&mut self.grabbed),
                }
            }
            // Keys mean what they always mean, but for somebody who types a number.
            WindowEvent::KeyboardInput { event, .. } => {
                if !self.hud.context().text_edit_focused() {
                    return false;
                }
                event.state.is_pressed()
            }
            WindowEvent::CursorLeft { .. }
            | WindowEvent::Focused(_)
            | WindowEvent::Ime(_)
            | WindowEvent::ModifiersChanged(_)
            | WindowEvent::ScaleFactorChanged { .. } => false,
            _ => return false,
        };
        self.stale = true;
        let _ = self.state.on_window_event(window, event);
        own
    }

    /// Whether there is anything to be seen.
    pub(super) fn is_active(&self) -> bool {
        self.hud.is_active()
    }

    /// Whether the pointer is over a panel.
    pub(super) fn is_over_panel(&self) -> bool {
        let background = LayerId::background();
        let layer = self.hud.context().layer_id_at(self.pointer);
        layer.is_some_and(|layer| layer != background && layer.order != Order::Background)
    }

    /// Something is no longer as it was shown.
    pub(super) fn touch(&mut self) {
        self.stale = true;
    }

    /// Lays out what is to be seen, if it is time to.
    pub(super) fn look(&mut self, window: &Window, size: Size, model: &Model<'_>) {
        if !self.hud.is_active() {
            self.content = Content::Empty;
            self.state.egui_input_mut().events.clear();
            self.again = None;
            return;
        }
        let now = Instant::now();
        let due = self.stale
            || self.size != size
            || self.content == Content::Empty
            || self.again.is_some_and(|again| again <= now)
            || (!model.idle && self.rested && now.duration_since(self.looked) >= INTERVAL);
        self.rested = !due;
        if !due {
            return;
        }
        (self.looked, self.size) = (now, size);
        (self.stale, self.content) = (false, Content::Fresh);
        let scale = window.scale_factor() as f32;
        let input = self.state.egui_input_mut();
        input.time = Some(self.start.elapsed().as_secs_f64());
        let points = Vec2::new(size.width() as f32, size.height() as f32) / scale;
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, points));
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(scale);
        let input = input.take();
        let mut shown = self.hud.show(input, model);
        self.again = now.checked_add(shown.repaint_after);
        self.state.handle_platform_output(window, std::mem::take(&mut shown.platform));
        match &mut self.shown {
            Some(before) => before.replace(shown),
            before => *before = Some(shown),
        }
    }

    /// When it has to be looked at again though nothing happens.
    pub(super) fn again(&self) -> Option<Instant> {
        self.again.filter(|_| self.hud.is_active())
    }

    /// Records what is to be seen over the picture, if anything is.
    pub(super) fn paint(
        &mut self,
        painter: &mut Option<HudRenderer>,
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        target: &wgpu::TextureView,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        let Some(shown) = self.shown.as_mut().filter(|_| self.content != Content::Empty) else {
            return Ok(None);
        };
        let painter = match painter {
            Some(painter) => painter,
            none => none.insert(HudRenderer::new(gpu, format)?),
        };
        if self.content == Content::Fresh {
            painter.prepare(gpu, shown, self.size)?;
            self.content = Content::Painted;
        }
        Ok(Some(painter.encode(gpu, shown, target, self.size)))
    }
}

fn state(hud: &Hud, window: &Window, display: &OwnedDisplayHandle) -> State {
    let scale = Some(window.scale_factor() as f32);
    State::new(hud.context().clone(), ViewportId::ROOT, display, scale, None, None)
}

//! The HUD in the window: window events go in; actions, cursor shapes and triangles come out.

use std::time::Duration;

use egui::{Event, LayerId, Order, PlatformOutput, Popup, Pos2, Rect, Vec2, ViewportId};
use egui_winit::State;
use winit::dpi::PhysicalPosition;
use winit::event::{DeviceId, ElementState, KeyEvent, Touch, TouchPhase, WindowEvent};
use winit::event_loop::OwnedDisplayHandle;
use winit::keyboard::{Key, NamedKey};
use winit::window::Window;

use super::grabs::{Grabs, Pressed};
use super::host;
use super::preferences::UI_SCALES;
use super::settings::WindowSettings;
use crate::hud::{Hud, HudOutput, HudRenderer, MIN_WINDOW, Model};
use crate::render::{Gpu, RenderError, Size};
use crate::time::Instant;

/// Shortest time between two layouts without user input. Faster figures cannot be read.
const INTERVAL: Duration = Duration::from_millis(50);

/// Number of the latest ends of presses that are kept while the HUD is hidden.
const MAX_RELEASES: usize = 8;

/// Percent by which a step changes the size of the UI.
const UI_SCALE_STEP: u16 = 10;

/// The HUD, laid out on demand and drawn over every frame.
pub(super) struct HudOverlay {
    pub(super) hud: Hud,
    state: State,
    display: OwnedDisplayHandle,
    /// Scale factor of the window, which may still report the previous one after a change.
    window_scale: f64,
    /// Size of the UI in percent, which multiplies the scale factor.
    ui_scale: u16,
    /// Start of the clock of egui, which must not go backward with a new device.
    start: Instant,
    /// The latest layout; `None` on a new device.
    shown: Option<HudOutput>,
    /// The GPU has the latest layout.
    uploaded: bool,
    /// Window size of the latest layout.
    size: Size,
    laid_out: Instant,
    /// Nothing moved in the latest layout.
    idle: bool,
    /// The previous frame reused its layout. Slow frames spend no time on a layout every time.
    skipped: bool,
    /// When the HUD changes by itself, as messages do that expire.
    next_change: Option<Instant>,
    /// Something that the HUD shows has changed.
    stale: bool,
    /// Layouts until the effect of the latest click, or of the end of an edit, is known: a number that is clicked takes the
    /// focus in the second one.
    pending_layouts: u8,
    /// Position of the pointer in pixels.
    pointer: PhysicalPosition<f64>,
    /// The pointer is a mouse in the window.
    has_mouse: bool,
    /// Pixels per point of the latest layout.
    laid_out_scale: f64,
    grabs: Grabs,
}

impl HudOverlay {
    pub(super) fn new(
        window: &Window,
        display: OwnedDisplayHandle,
        settings: &WindowSettings,
    ) -> Self {
        let hud = Hud::new(settings.panels);
        let now = Instant::now();
        Self {
            state: egui_state(&hud, window, &display),
            hud,
            display,
            window_scale: window.scale_factor(),
            ui_scale: settings.ui_scale,
            start: now,
            shown: None,
            uploaded: false,
            size: Size::default(),
            laid_out: now,
            idle: false,
            skipped: false,
            next_change: None,
            stale: true,
            pending_layouts: 0,
            pointer: PhysicalPosition::default(),
            has_mouse: false,
            laid_out_scale: 1.0,
            grabs: Grabs::default(),
        }
    }

    /// Starts again with the textures of a new device.
    pub(super) fn renew(&mut self, window: &Window) {
        (self.shown, self.stale) = (None, true);
        self.hud.reset_textures();
        self.state = egui_state(&self.hud, window, &self.display);
        self.repeat_move(window);
    }

    /// Tells egui again where the mouse is, which may not move before the next click.
    fn repeat_move(&mut self, window: &Window) {
        if self.has_mouse {
            let device_id = DeviceId::dummy();
            let moved = WindowEvent::CursorMoved { device_id, position: self.pointer };
            let _ = self.state.on_window_event(window, &moved);
            self.stale = true;
        }
    }

    /// Passes an event to the HUD. Returns whether the HUD alone handles it.
    pub(super) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                (self.pointer, self.has_mouse) = (*position, true);
            }
            WindowEvent::CursorLeft { .. } => self.has_mouse = false,
            WindowEvent::Touch(touch) => (self.pointer, self.has_mouse) = (touch.location, false),
            _ => {}
        }
        if !self.hud.is_active() {
            self.grabs.clear();
            // Keeps pointer position and button state current while the HUD is hidden.
            let is_kept = matches!(
                event,
                WindowEvent::CursorMoved { .. }
                    | WindowEvent::CursorLeft { .. }
                    | WindowEvent::ModifiersChanged(_)
            );
            if is_kept || is_end_of_press(event) {
                let _ = self.state.on_window_event(window, event);
            }
            return false;
        }
        let handled = match event {
            WindowEvent::KeyboardInput { event: key, .. } => {
                return self.on_key(window, event, key);
            }
            // egui has one pointer, which the finger holds. X11 moves the mouse with the first finger, too.
            WindowEvent::CursorMoved { .. } if self.grabs.has_fingers() => return false,
            WindowEvent::CursorMoved { .. } => self.grabs.has_mouse(),
            WindowEvent::Touch(touch) => {
                let finger = Pressed::Finger(touch.id);
                match touch.phase {
                    TouchPhase::Started => {
                        let receives = self.receives_press();
                        if !receives {
                            self.end_edit();
                        }
                        self.grabs.press(finger, receives)
                    }
                    TouchPhase::Moved => self.grabs.has_finger(touch.id),
                    TouchPhase::Ended | TouchPhase::Cancelled => self.grabs.release(finger),
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                let button = Pressed::Button(*button);
                match state {
                    ElementState::Pressed => self.grabs.press(button, self.receives_press()),
                    ElementState::Released => self.grabs.release(button),
                }
            }
            WindowEvent::MouseWheel { .. } | WindowEvent::PinchGesture { .. } => {
                self.is_over_panel()
            }
            // Releases are not reported any more.
            WindowEvent::Focused(false) => {
                self.grabs.clear();
                false
            }
            _ => false,
        };
        self.stale = true;
        // egui has one pointer, the first finger: one on the scene would keep it from one on a panel.
        // The end of a press always, since it may have been one on a panel before the window lost the focus; but not while the
        // mouse holds a widget, which it would release.
        let is_touch = matches!(event, WindowEvent::Touch(_));
        let ends = is_end_of_press(event) && !self.grabs.has_mouse();
        if handled || ends || !is_touch {
            let _ = self.state.on_window_event(window, event);
        }
        if is_end_of_press(event) {
            self.pending_layouts = 2;
        }
        handled
    }

    /// Passes a key to the HUD while it takes keys: for a number, a menu or the list of keys. Returns whether the HUD alone
    /// handles it.
    fn on_key(&mut self, window: &Window, event: &WindowEvent, key: &KeyEvent) -> bool {
        let (name, is_pressed) = (&key.logical_key, key.state.is_pressed());
        let context = self.hud.context();
        let is_typing = context.text_edit_focused();
        let closes_menu = *name == Key::Named(NamedKey::Escape) && Popup::is_any_open(context);
        let scrolls_help = self.hud.panels.help && scrolls(name);
        if !(is_typing || closes_menu || scrolls_help) {
            return false;
        }
        self.stale = true;
        // To egui, Tab is a move to the next widget, which keys would not reach. Function keys type nothing: they end the edit.
        let is_tab = *name == Key::Named(NamedKey::Tab);
        if is_typing && (is_tab || is_function_key(name)) {
            if is_pressed {
                self.pending_layouts = 1;
                // After the text that waits for the next layout.
                self.state.egui_input_mut().events.push(Event::Key {
                    key: egui::Key::Enter,
                    physical_key: None,
                    pressed: true,
                    repeat: false,
                    modifiers: egui::Modifiers::NONE,
                });
            }
            return is_tab;
        }
        let _ = self.state.on_window_event(window, event);
        // Releases go to the app, too: the key may have been held before the HUD took keys. While a menu is open, Esc does not.
        closes_menu || is_pressed
    }

    /// Returns whether the effect of a click, or of the end of an edit, is not known yet.
    pub(super) fn has_pending_effect(&self) -> bool {
        self.hud.is_active() && self.pending_layouts > 0
    }

    /// Returns whether the HUD receives the moves of the mouse, from a press over a panel to its release.
    pub(super) fn has_mouse_grab(&self) -> bool {
        self.grabs.has_mouse()
    }

    /// Returns whether the pointer is over a panel.
    pub(super) fn is_over_panel(&self) -> bool {
        let [x, y] = [self.pointer.x, self.pointer.y].map(|at| (at / self.laid_out_scale) as f32);
        let layer = self.hud.context().layer_id_at(Pos2::new(x, y));
        layer
            .is_some_and(|layer| layer != LayerId::background() && layer.order != Order::Background)
    }

    /// Returns `true` if the HUD receives a press: over a panel, or while a menu is open, which it closes.
    fn receives_press(&self) -> bool {
        if self.is_over_panel() {
            return true;
        }
        let closes_menu = Popup::is_any_open(self.hud.context());
        if closes_menu {
            Popup::close_all(self.hud.context());
        }
        closes_menu
    }

    /// Ends the edit of a number, as a press elsewhere does.
    fn end_edit(&self) {
        self.hud.context().memory_mut(|memory| {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
        });
    }

    /// Follows a new scale factor of the window, in pixels per point.
    pub(super) fn set_scale(&mut self, scale: f64) {
        self.window_scale = scale;
    }

    /// Returns the chosen size of the UI in percent.
    pub(super) fn ui_scale(&self) -> u16 {
        self.ui_scale
    }

    /// Returns the size of the UI in percent, which the window may limit.
    pub(super) fn shown_scale(&self) -> u16 {
        (100.0 * self.scale() / self.window_scale).round() as u16
    }

    /// Makes the UI larger by this many steps, or smaller if negative; 0 restores the default size.
    pub(super) fn change_ui_scale(&mut self, steps: i8) {
        // Starts from the size that is shown, rounded up to a step.
        let now = self.ui_scale.min(self.shown_scale().next_multiple_of(UI_SCALE_STEP));
        let percent = i32::from(now) + i32::from(steps) * i32::from(UI_SCALE_STEP);
        let percent = if steps == 0 { 100 } else { percent };
        let [least, most] = [*UI_SCALES.start(), *UI_SCALES.end()].map(i32::from);
        self.ui_scale = percent.clamp(least, most) as u16;
    }

    /// Returns the pixels per point. The UI becomes no larger than the window can show.
    fn scale(&self) -> f64 {
        // Slightly larger, since the quotient is rounded.
        let fits = |pixels: u32, points: f32| {
            f64::from(pixels) / (self.window_scale * f64::from(points + 0.01))
        };
        let [width, height] = MIN_WINDOW;
        let largest = fits(self.size.width(), width).min(fits(self.size.height(), height)).max(1.0);
        self.window_scale * (f64::from(self.ui_scale) / 100.0).min(largest)
    }

    /// Copies a text to the clipboard of the window system.
    pub(super) fn copy(&mut self, text: String) {
        self.state.set_clipboard_text(text);
    }

    /// Requests a new layout with the next frame.
    pub(super) fn mark_stale(&mut self) {
        self.stale = true;
    }

    /// Lays out the HUD if it is visible and due.
    pub(super) fn update(&mut self, window: &Window, size: Size, model: &Model<'_>) {
        if !self.hud.is_active() {
            let events = &mut self.state.egui_input_mut().events;
            events.retain(is_release);
            events.drain(..events.len().saturating_sub(MAX_RELEASES));
            (self.next_change, self.stale) = (None, true);
            // The shape of the pointer: the hidden widget below it may have set another.
            self.state.handle_platform_output(window, PlatformOutput::default());
            return;
        }
        let now = Instant::now();
        let due = self.stale
            || self.size != size
            || self.idle != model.idle
            || self.next_change.is_some_and(|at| at <= now)
            || (!model.idle && self.skipped && now.duration_since(self.laid_out) >= INTERVAL);
        self.skipped = !due;
        if !due {
            return;
        }
        (self.laid_out, self.size, self.idle) = (now, size, model.idle);
        (self.stale, self.uploaded) = (false, false);
        // The rest of egui multiplies the scale factor that the window reports with this zoom.
        let native = window.scale_factor();
        self.hud.context().set_zoom_factor((self.scale() / native) as f32);
        let scale = self.scale() as f32;
        // `State::take_egui_input` would ask the window system for the size in every layout, which takes
        // time, and panics if the window is gone.
        let input = self.state.egui_input_mut();
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point =
            Some(native as f32);
        let mut input = input.take();
        input.time = Some(self.start.elapsed().as_secs_f64());
        // A hidden HUD and a new state miss events of the focus.
        input.focused = window.has_focus();
        // The surface may be smaller than the window.
        let points = Vec2::new(size.width() as f32, size.height() as f32) / scale;
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, points));
        let mut shown = self.hud.show(input, model);
        let before = std::mem::replace(&mut self.laid_out_scale, f64::from(scale));
        if before.to_bits() != self.laid_out_scale.to_bits() {
            self.repeat_move(window);
        }
        self.pending_layouts = self.pending_layouts.saturating_sub(1);
        self.next_change = now.checked_add(shown.repaint_after);
        self.state.handle_platform_output(window, std::mem::take(&mut shown.platform));
        match &mut self.shown {
            Some(before) => before.replace(shown),
            before => *before = Some(shown),
        }
    }

    /// Returns when the HUD changes by itself, if it does.
    pub(super) fn next_change(&self) -> Option<Instant> {
        self.next_change.filter(|_| self.hud.is_active())
    }

    /// Records the draw commands of the HUD, if it is visible. Uploads a new layout first.
    pub(super) fn encode(
        &mut self,
        renderer: &mut HudRenderer,
        gpu: &Gpu,
        target: &wgpu::TextureView,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        let visible = self.hud.is_active();
        let Some(shown) = self.shown.as_mut().filter(|_| visible) else { return Ok(None) };
        if !self.uploaded {
            renderer.prepare(gpu, shown, self.size)?;
            self.uploaded = true;
        }
        Ok(Some(renderer.encode(gpu, shown, target, self.size)))
    }
}

/// Returns `true` if an event ends a press of a button or a finger.
fn is_end_of_press(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::MouseInput { state: ElementState::Released, .. }
            | WindowEvent::Touch(Touch { phase: TouchPhase::Ended | TouchPhase::Cancelled, .. })
    )
}

/// Returns `true` if an event of egui ends a press.
fn is_release(event: &Event) -> bool {
    match event {
        Event::PointerButton { pressed, .. } => !pressed,
        Event::Touch { phase, .. } => {
            matches!(phase, egui::TouchPhase::End | egui::TouchPhase::Cancel)
        }
        Event::PointerGone => true,
        _ => false,
    }
}

fn egui_state(hud: &Hud, window: &Window, display: &OwnedDisplayHandle) -> State {
    let scale = Some(window.scale_factor() as f32);
    let mut state = State::new(hud.context().clone(), ViewportId::ROOT, display, scale, None, None);
    // Lets the first finger scroll: egui offers it only after it has seen one.
    if host::is_touched() {
        state.egui_input_mut().events.push(Event::Touch {
            device_id: egui::TouchDeviceId(0),
            id: egui::TouchId(0),
            phase: egui::TouchPhase::Cancel,
            pos: Pos2::ZERO,
            force: None,
        });
    }
    state
}

fn is_function_key(key: &Key) -> bool {
    use NamedKey::{F1, F2, F5, F9, F11, F12};
    matches!(key, Key::Named(F1 | F2 | F5 | F9 | F11 | F12))
}

/// Returns whether a key scrolls the list of keys.
fn scrolls(key: &Key) -> bool {
    use NamedKey::{ArrowDown, ArrowUp, End, Home, PageDown, PageUp};
    matches!(key, Key::Named(ArrowDown | ArrowUp | End | Home | PageDown | PageUp))
}

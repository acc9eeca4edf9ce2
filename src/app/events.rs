//! Events of the window system: to the HUD first, then as actions.

use winit::dpi::{LogicalPosition, PhysicalSize};
use winit::event::{TouchPhase, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, NamedKey};

use super::error::AppError;
use super::settings::DESKTOP_IN_POINTS;
use super::state::App;
use super::window::AppWindow;
use crate::benchmark::FramePhase;
use crate::error_text;
use crate::hud::Tone;
use crate::input::{self, Action, Pointer};
use crate::time::Instant;

/// Frames after the opening of a window, or after a change of its scale factor, in which the window system resizes the window.
/// Wayland reports the scale of the monitor on which the window opened only after the first frame.
const FRAMES_OF_CHANGE: u64 = 10;

impl App {
    /// Handles an event: the HUD may take it; otherwise its action is applied.
    pub(super) fn on_event(
        &mut self,
        event_loop: &ActiveEventLoop,
        event: &WindowEvent,
    ) -> Result<(), AppError> {
        if matches!(event, WindowEvent::RedrawRequested) {
            return self.redraw(event_loop);
        }
        self.end_wait();
        if let WindowEvent::KeyboardInput { event, is_synthetic, .. } = event
            && self.devices.was_held_before_focus(event, *is_synthetic)
        {
            return Ok(());
        }
        if is_input(event) {
            self.end_drift();
        }
        self.apply_pending(event)?;
        let AppWindow { overlay, winit, .. } = &mut self.window;
        let handled = overlay.on_event(winit, event);
        if overlay.hud.is_active() || !matches!(event, WindowEvent::CursorMoved { .. }) {
            winit.request_redraw();
        }
        if handled {
            // The next press on the scene starts where a drag on a panel ends.
            if matches!(event, WindowEvent::CursorMoved { .. }) {
                self.devices.on_event(event);
            }
            self.profiler.recorder.end_phase(FramePhase::Other);
            return Ok(());
        }
        // A function key has ended an edit.
        self.apply_pending(event)?;
        if let Some(action) = self.event_action(event)? {
            self.apply(action)?;
        }
        self.profiler.recorder.end_phase(FramePhase::Other);
        Ok(())
    }

    /// Applies the effect of a click, or of the end of an edit, before the next input, also within one slow frame.
    fn apply_pending(&mut self, event: &WindowEvent) -> Result<(), AppError> {
        while is_input(event) && self.window.overlay.has_pending_effect() {
            self.window.overlay.mark_stale();
            self.update_hud()?;
        }
        Ok(())
    }

    /// Counts the time until now as waiting for the display, if that determines when a frame comes.
    pub(super) fn end_wait(&mut self) {
        if self.window.is_paced() {
            self.profiler.recorder.end_phase(FramePhase::Acquire);
        }
    }

    /// Returns the action of an event. Follows changes of the window itself at once.
    fn event_action(&mut self, event: &WindowEvent) -> Result<Option<Action>, AppError> {
        match *event {
            WindowEvent::CloseRequested => return Ok(Some(Action::Quit)),
            // Another program closed the window. A Mac also closes that of a program that ends, before it reports the end.
            WindowEvent::Destroyed => {
                if cfg!(target_os = "macos") {
                    self.save_preferences();
                }
                // Elsewhere its place can no longer be found out. The rest was saved some frames ago.
                self.saved_preferences = None;
                self.quit();
            }
            WindowEvent::Resized(size) => self.on_resized(size),
            WindowEvent::ScaleFactorChanged { scale_factor, ref inner_size_writer } => {
                // On X11 winit reports a new scale again when the window is moved, and would resize it again.
                if scale_factor == self.devices.scale() {
                    let size = self.window.winit.inner_size();
                    let _ = inner_size_writer.clone().request_inner_size(size);
                    return Ok(None);
                }
                // The window system resizes the window by the same factor, and reports that too.
                log::info!("scale factor {scale_factor}");
                self.rescaled_at = Some(self.window.frames());
                if self.window.frames() < FRAMES_OF_CHANGE {
                    let is_normal = self.window.is_maximized() == Some(false);
                    if let Some(size) = self.requested_size.filter(|_| is_normal) {
                        let size = PhysicalSize::new(size.width(), size.height());
                        let _ = inner_size_writer.clone().request_inner_size(size);
                    }
                }
                self.window.overlay.set_scale(scale_factor);
                self.devices.set_scale(scale_factor);
                self.refresh();
            }
            WindowEvent::Moved(position) => {
                if !self.window.is_fullscreen() {
                    let scale = self.window.winit.scale_factor();
                    let LogicalPosition { x, y } =
                        position.to_logical(if DESKTOP_IN_POINTS { scale } else { 1.0 });
                    self.preferences.position = Some((x, y));
                }
            }
            WindowEvent::HoveredFile(ref path) => {
                self.show_drop_hint(Some(&error_text::path(path)));
            }
            WindowEvent::HoveredFileCancelled => self.show_drop_hint(None),
            WindowEvent::DroppedFile(ref path) => {
                self.show_drop_hint(None);
                self.open_file(path)?;
            }
            WindowEvent::Occluded(occluded) => {
                self.window.set_occluded(occluded);
                // Browsers slow down hidden pages.
                if cfg!(web) && occluded && self.operation.score.take().is_some() {
                    self.notify(Tone::Failed, &"No score: the page was hidden");
                }
                // The frame in progress contains the time without frames.
                self.profiler.exclude();
                self.clock.resume(Instant::now());
            }
            #[cfg(not(web))]
            WindowEvent::Focused(true) => {
                // Another window may have saved a state.
                self.states.update();
                self.refresh();
                return Ok(self.devices.on_event(event));
            }
            WindowEvent::Focused(false) => {
                self.devices.on_event(event);
                self.end_flight();
            }
            // A Mac does not report the release of other keys while Cmd is pressed.
            WindowEvent::ModifiersChanged(now)
                if cfg!(any(target_os = "macos", web)) && now.state().super_key() =>
            {
                self.end_flight();
                return Ok(self.devices.on_event(event));
            }
            WindowEvent::KeyboardInput { ref event, .. } => {
                let (position, key) = (event.physical_key, &event.logical_key);
                let modifiers = self.devices.modifiers();
                let action = input::key_action(position, key, event.state, event.repeat, modifiers);
                // The key named "delete" on a Mac.
                let is_delete =
                    cfg!(target_os = "macos") && *key == Key::Named(NamedKey::Backspace);
                let deletes =
                    is_delete && action == Some(Action::Reset) && self.selection.has_selection();
                return Ok(if deletes { Some(Action::Despawn) } else { action });
            }
            _ => return Ok(self.devices.on_event(event)),
        }
        Ok(None)
    }

    fn end_flight(&mut self) {
        self.flight.release();
        self.update_flight();
    }

    fn on_resized(&mut self, size: PhysicalSize<u32>) {
        // Windows reports the sizes before the window was open only afterwards.
        let size = if cfg!(windows) { self.window.winit.inner_size() } else { size };
        let PhysicalSize { width, height } = size;
        let before = self.window.size;
        self.window.resize(width, height);
        let size = self.window.size;
        if size != before {
            self.settle();
            if let Some(search) = &mut self.operation.search {
                search.forget();
            }
        }
        // The size that the window opened with may come from a flag, and the window system chooses one after a change of the
        // scale: neither is a choice of the user. Wayland makes a new window fit before it reports the scale.
        let opened = self.window.is_wayland().then_some(0);
        let follows = |frame| self.window.frames() < frame + FRAMES_OF_CHANGE;
        if opened.into_iter().chain(self.rescaled_at).any(follows) {
            self.initial_size = self.initial_size.map(|_| size);
            return;
        }
        if self.initial_size != Some(size) && !self.window.is_fullscreen() {
            self.initial_size = None;
            self.preferences.size = Some((size.width(), size.height()));
        }
    }
}

/// Returns `true` for a key, a button, a wheel or a finger. Moving the pointer is no input.
fn is_input(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::KeyboardInput { event, .. } => event.state.is_pressed(),
        WindowEvent::MouseInput { state, .. } => state.is_pressed(),
        WindowEvent::MouseWheel { delta, .. } => Pointer::scrolled(*delta, 1.0).is_some(),
        WindowEvent::Touch(touch) => touch.phase == TouchPhase::Started,
        WindowEvent::PinchGesture { .. } | WindowEvent::DroppedFile(_) => true,
        _ => false,
    }
}

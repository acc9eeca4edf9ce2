//! Events: what the window system tells, to the HUD first, then as actions.

use glam::Vec3;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;

use super::{App, AppError};
use crate::input::{self, Action};

impl App {
    pub(super) fn handle(
        &mut self,
        event_loop: &ActiveEventLoop,
        event: &WindowEvent,
    ) -> Result<(), AppError> {
        if matches!(event, WindowEvent::RedrawRequested) {
            return self.redraw(event_loop);
        }
        if let (Some(screen), Some(overlay)) = (&self.screen, &mut self.overlay) {
            let own = overlay.on_event(screen.window(), event);
            if overlay.hud.is_active() || !matches!(event, WindowEvent::CursorMoved { .. }) {
                self.request_redraw();
            }
            if own {
                return Ok(());
            }
        }
        let action = self.action(event_loop, event);
        action.map_or(Ok(()), |action| self.apply(action, event_loop))
    }

    /// What an event asks for; what it says of the window itself is done at once.
    fn action(&mut self, event_loop: &ActiveEventLoop, event: &WindowEvent) -> Option<Action> {
        match *event {
            WindowEvent::CloseRequested => return Some(Action::Quit),
            // Somebody else closed the window for us: there is nothing left to ask or to draw on.
            WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Resized(PhysicalSize { width, height }) => {
                if let Some(screen) = &mut self.screen {
                    screen.resized(width, height);
                    let size = screen.window_size();
                    if size == self.settings.size {
                        // As it was opened: nobody chose it here.
                        let saved = self.file.as_ref().and_then(|file| file.saved().size);
                        self.preferences.size = saved;
                    } else if !screen.is_fullscreen() {
                        self.preferences.size = Some((size.width(), size.height()));
                    }
                }
            }
            WindowEvent::Moved(PhysicalPosition { x, y }) => {
                let seen = self.screen.as_ref().is_some_and(|screen| !screen.is_fullscreen());
                self.preferences.position =
                    Some((x, y)).filter(|_| seen).or(self.preferences.position);
            }
            WindowEvent::HoveredFile(ref path) => self.show_drop_hint(Some(path)),
            WindowEvent::HoveredFileCancelled => self.show_drop_hint(None),
            WindowEvent::DroppedFile(ref path) => {
                self.show_drop_hint(None);
                let opened = self.open_file(path);
                self.fail_on_error(opened, event_loop);
            }
            WindowEvent::Occluded(covered) => {
                if let Some(screen) = &mut self.screen {
                    screen.set_covered(covered);
                }
            }
            WindowEvent::Focused(false) => {
                self.interaction.event(event);
                self.steering.release();
                self.simulation.camera_mut().controls().motion = Vec3::ZERO;
            }
            WindowEvent::KeyboardInput { ref event, is_synthetic, .. } => {
                // A key that was down before the window got the keyboard was meant for somebody
                // else.
                let repeat = event.repeat || (is_synthetic && event.state.is_pressed());
                return input::for_key(event.physical_key, &event.logical_key, event.state, repeat);
            }
            _ => return self.interaction.event(event),
        }
        None
    }
}

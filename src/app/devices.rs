//! Mouse, touch screen and gamepads, read as actions.

use std::time::Duration;

use winit::event::{KeyEvent, Touch as Finger, WindowEvent};
use winit::keyboard::{ModifiersState, PhysicalKey};

use super::gamepads::Gamepads;
use crate::input::{Action, Pointer, Touch};
use crate::sim::TimeStep;
use crate::time::Instant;

/// Longest time that a frame adds to a press. Events wait for a slow frame, which would turn every
/// click into a long press.
const MAX_FRAME: Duration = Duration::from_millis(100);

/// How often gamepads are polled while nothing is drawn, with and without a connected one.
const GAMEPAD_INTERVAL: Duration = Duration::from_millis(50);
const GAMEPAD_SEARCH_INTERVAL: Duration = Duration::from_secs(2);

/// How often gamepads are polled without a connected one: it takes long in browsers.
const GAMEPAD_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The input devices beside the keyboard.
pub(super) struct InputDevices {
    /// Pixels per point. Presses are measured in points, which are as large on all screens.
    scale: f64,
    modifiers: ModifiersState,
    /// Keys that are down since before the window got the focus, and so were not meant for it.
    held_before_focus: Vec<PhysicalKey>,
    has_focus: bool,
    pointer: Pointer,
    touch: Touch,
    pub(super) gamepads: Gamepads,
    /// Time since gamepads were polled.
    unpolled: Duration,
    /// Clock of presses.
    now: Instant,
}

impl InputDevices {
    pub(super) fn open(scale: f64) -> Self {
        Self {
            scale,
            modifiers: ModifiersState::empty(),
            held_before_focus: Vec::new(),
            // A page gets it with its first frame, or with a click if it is embedded in another page.
            has_focus: cfg!(not(web)),
            pointer: Pointer::default(),
            touch: Touch::default(),
            gamepads: Gamepads::open(),
            unpolled: Duration::ZERO,
            now: Instant::now(),
        }
    }

    /// Returns the pixels per point.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Follows a change of the pixels per point.
    pub(super) fn set_scale(&mut self, scale: f64) {
        self.scale = scale;
    }

    /// Follows a key. `synthetic` events report which keys are down when the window gets or loses the focus. Returns
    /// whether the key has been down since before the window got it.
    pub(super) fn was_held_before_focus(&mut self, event: &KeyEvent, synthetic: bool) -> bool {
        let key = event.physical_key;
        if !event.state.is_pressed() {
            self.held_before_focus.retain(|other| *other != key);
        } else if synthetic {
            self.held_before_focus.push(key);
        }
        self.held_before_focus.contains(&key)
    }

    /// Corrects whether the window has the focus, where its events do not report it reliably.
    #[cfg(target_os = "macos")]
    pub(super) fn set_focus(&mut self, has_focus: bool) {
        self.has_focus = has_focus;
    }

    /// Returns the modifier keys that are down.
    pub(super) fn modifiers(&self) -> ModifiersState {
        self.modifiers
    }

    /// Returns the pointer position in pixels, unless the pointer is outside or the left button is down.
    pub(super) fn hover_position(&self) -> Option<[f64; 2]> {
        let at = self.pointer.at().filter(|_| !self.is_pressed())?;
        Some(at.map(|it| it * self.scale))
    }

    /// Returns whether the left mouse button or a finger is down.
    pub(super) fn is_pressed(&self) -> bool {
        self.pointer.is_pressed() || self.touch.is_pressed()
    }

    /// Ends a press of the mouse or a pen that the browser has canceled: it is no click.
    #[cfg(web)]
    pub(super) fn release_pointer(&mut self) {
        self.pointer.release();
    }

    /// Returns how often to poll gamepads while nothing is drawn, or `None` if there is no access to
    /// them.
    pub(super) fn poll_interval(&self) -> Option<Duration> {
        let connected = self.gamepads.is_connected()?;
        Some(if connected { GAMEPAD_INTERVAL } else { GAMEPAD_SEARCH_INTERVAL })
    }

    /// Returns the action of a mouse or touch event.
    pub(super) fn on_event(&mut self, event: &WindowEvent) -> Option<Action> {
        let scale = self.scale;
        let in_pixels = |at: [f64; 2]| at.map(|it| it * scale);
        Some(match self.action(event)? {
            Action::SelectAt(at) => Action::SelectAt(in_pixels(at)),
            Action::DropCubeAt(at) => Action::DropCubeAt(in_pixels(at)),
            other => other,
        })
    }

    /// Returns the same with positions in points.
    fn action(&mut self, event: &WindowEvent) -> Option<Action> {
        let in_points = |x: f64, y: f64| [x / self.scale, y / self.scale];
        match *event {
            WindowEvent::Focused(focused) => {
                self.has_focus = focused;
                // The press that gives a window the focus may come before it.
                if !focused {
                    self.held_before_focus.clear();
                    self.pointer.release();
                    self.touch.release();
                }
                None
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::MouseInput { button, state, .. } => {
                self.pointer.button(button, state, self.modifiers.shift_key(), self.now)
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.pointer.moved(in_points(position.x, position.y))
            }
            WindowEvent::CursorLeft { .. } => {
                self.pointer.left();
                None
            }
            WindowEvent::MouseWheel { delta, .. } => Pointer::scrolled(delta, self.scale),
            WindowEvent::PinchGesture { delta, .. } => Touch::pinched(delta),
            WindowEvent::Touch(Finger { id, phase, location, .. }) => {
                self.touch.finger(id, phase, in_points(location.x, location.y), self.now)
            }
            _ => None,
        }
    }

    /// Returns the actions of gamepads since the last call, `elapsed` ago. Also advances the time by which clicks and long
    /// presses are recognized.
    pub(super) fn poll(&mut self, elapsed: Duration) -> Vec<Action> {
        self.now += elapsed.min(MAX_FRAME);
        self.unpolled += elapsed;
        let mut actions = Vec::new();
        let is_connected = self.gamepads.is_connected().unwrap_or(false);
        if !is_connected && self.unpolled < GAMEPAD_POLL_INTERVAL {
            return actions;
        }
        self.unpolled = Duration::ZERO;
        let seconds = TimeStep::clamped(elapsed).seconds();
        self.gamepads.poll(seconds, self.has_focus, |action| actions.push(action));
        actions
    }
}

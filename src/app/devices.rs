//! Mouse, touch screen and gamepads, read as actions.

use std::time::Duration;

use winit::event::{Touch as Finger, TouchPhase, WindowEvent};
use winit::keyboard::ModifiersState;

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
    modifiers: ModifiersState,
    has_focus: bool,
    pointer: Pointer,
    touch: Touch,
    pub(super) gamepads: Gamepads,
    /// Time since gamepads were polled.
    unpolled: Duration,
    /// Clock of presses.
    now: Instant,
    is_pressed: bool,
}

impl InputDevices {
    pub(super) fn open() -> Self {
        Self {
            modifiers: ModifiersState::empty(),
            has_focus: true,
            pointer: Pointer::default(),
            touch: Touch::default(),
            gamepads: Gamepads::open(),
            unpolled: Duration::ZERO,
            now: Instant::now(),
            is_pressed: false,
        }
    }

    /// Returns the modifier keys that are down.
    pub(super) fn modifiers(&self) -> ModifiersState {
        self.modifiers
    }

    /// Returns the pointer position in pixels, unless the pointer is outside or a button is down.
    pub(super) fn hover_position(&self) -> Option<[f64; 2]> {
        self.pointer.at().filter(|_| !self.is_pressed)
    }

    /// Returns whether a mouse button or a finger is down.
    pub(super) fn is_pressed(&self) -> bool {
        self.is_pressed
    }

    /// Returns how often to poll gamepads while nothing is drawn, or `None` if there is no access to
    /// them.
    pub(super) fn poll_interval(&self) -> Option<Duration> {
        let connected = self.gamepads.is_connected()?;
        Some(if connected { GAMEPAD_INTERVAL } else { GAMEPAD_SEARCH_INTERVAL })
    }

    /// Returns the action of a mouse or touch event.
    pub(super) fn on_event(&mut self, event: &WindowEvent) -> Option<Action> {
        match *event {
            WindowEvent::Focused(focused) => {
                self.has_focus = focused;
                self.is_pressed = false;
                self.pointer.release();
                self.touch.release();
                None
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::MouseInput { button, state, .. } => {
                self.is_pressed = state.is_pressed();
                self.pointer.button(button, state, self.modifiers.shift_key(), self.now)
            }
            WindowEvent::CursorMoved { position, .. } => self.pointer.moved(position.x, position.y),
            WindowEvent::CursorLeft { .. } => {
                self.pointer.left();
                None
            }
            WindowEvent::MouseWheel { delta, .. } => Some(Pointer::scrolled(delta)),
            WindowEvent::Touch(Finger { id, phase, location, .. }) => {
                self.is_pressed = matches!(phase, TouchPhase::Started | TouchPhase::Moved);
                self.touch.finger(id, phase, [location.x, location.y], self.now)
            }
            _ => None,
        }
    }

    /// Returns the actions of gamepads since the last call, `elapsed` ago.
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

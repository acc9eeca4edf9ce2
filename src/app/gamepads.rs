//! All connected gamepads. The flights of two at once do not add up: one of them counts.

use std::collections::HashMap;

use gilrs::ev::filter::{Filter, axis_dpad_to_button};
use gilrs::{Event, EventType, GamepadId, Gilrs, GilrsBuilder};

use crate::input::{Action, Sticks, button_action};

/// The gamepads of the machine.
pub(super) struct Gamepads {
    /// `None` if the system provides no access to gamepads.
    devices: Option<Gilrs>,
    /// Of each gamepad, so that one at rest does not stop the flight by another.
    sticks: HashMap<GamepadId, Sticks>,
    status: String,
    messages: Vec<String>,
}

impl Gamepads {
    /// Opens all gamepads, including those that are connected later.
    pub(super) fn open() -> Self {
        // `Sticks` has its own dead zone, because few drivers report one.
        let (devices, status) = match GilrsBuilder::new().with_default_filters(false).build() {
            Ok(devices) => {
                let status = names(&devices);
                (Some(devices), status)
            }
            Err(error) => {
                log::warn!("cannot use gamepads: {error}");
                (None, format!("not available: {error}"))
            }
        };
        Self { devices, sticks: HashMap::new(), status, messages: Vec::new() }
    }

    /// Returns whether a gamepad is connected, or `None` if gamepads are not available.
    pub(super) fn is_connected(&self) -> Option<bool> {
        self.devices.as_ref().map(|devices| devices.gamepads().next().is_some())
    }

    /// Returns the names of the connected gamepads, or why there are none.
    pub(super) fn status(&self) -> &str {
        &self.status
    }

    /// Returns messages about gamepads that were connected or disconnected since the last call.
    pub(super) fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Passes all actions since the last call, `seconds` ago, to `act`. Without `focus`, buttons give
    /// none, and sticks count as released.
    pub(super) fn poll(&mut self, seconds: f32, focus: bool, mut act: impl FnMut(Action)) {
        let Some(devices) = &mut self.devices else { return };
        // Many gamepads report the directional pad as two axes.
        while let Some(Event { id, event, .. }) =
            devices.next_event().filter_ev(&axis_dpad_to_button, devices)
        {
            let sticks = self.sticks.entry(id).or_default();
            match event {
                EventType::ButtonPressed(button, _) if focus => {
                    button_action(button).into_iter().for_each(&mut act);
                }
                EventType::ButtonChanged(button, value, _) => sticks.trigger(button, value),
                EventType::AxisChanged(axis, value, _) => sticks.axis(axis, value),
                EventType::Connected | EventType::Disconnected => {
                    sticks.release();
                    let connected = event == EventType::Connected;
                    let change = if connected { "connected" } else { "disconnected" };
                    let name = devices.gamepad(id).name().to_owned();
                    self.messages.push(format!("Gamepad {change}: {name}"));
                    self.status = names(devices);
                }
                _ => {}
            }
        }
        for sticks in self.sticks.values_mut() {
            sticks.actions(seconds, focus).for_each(&mut act);
        }
    }
}

fn names(devices: &Gilrs) -> String {
    let names: Vec<_> = devices.gamepads().map(|(_, gamepad)| gamepad.name().to_owned()).collect();
    if names.is_empty() { "none connected".to_owned() } else { names.join(", ") }
}

//! Gamepad: sticks and buttons of whichever is plugged in.

use gilrs::{Event, EventType, Gilrs, GilrsBuilder};

use crate::input::{Action, Flight, Sticks, for_button};

/// Every gamepad of the machine, heard as one.
pub(super) struct Gamepad {
    devices: Gilrs,
    sticks: Sticks,
    flight: Flight,
}

impl Gamepad {
    /// Listens to gamepads, those that are plugged in later too. `None`, and a line in the log, if
    /// the system does not let anyone.
    pub(super) fn open() -> Option<Self> {
        // Dead zones are our own: few drivers know those of their sticks.
        match GilrsBuilder::new().with_default_filters(false).build() {
            Ok(devices) => {
                Some(Self { devices, sticks: Sticks::default(), flight: Flight::default() })
            }
            Err(error) => {
                log::warn!("gamepads cannot be used: {error}");
                None
            }
        }
    }

    /// Whether any is plugged in.
    pub(super) fn is_there(&self) -> bool {
        self.devices.gamepads().next().is_some()
    }

    /// Hands everything to `act` that was asked for in the last `seconds`, the time since the last
    /// call. If the window is not `heard`, nothing is, and sticks count as left alone.
    pub(super) fn poll(&mut self, seconds: f32, heard: bool, mut act: impl FnMut(Action)) {
        while let Some(Event { id, event, .. }) = self.devices.next_event() {
            match event {
                EventType::ButtonPressed(button, _) if heard => {
                    for_button(button).into_iter().for_each(&mut act);
                }
                EventType::ButtonChanged(button, value, _) => self.sticks.trigger(button, value),
                EventType::AxisChanged(axis, value, _) => self.sticks.axis(axis, value),
                EventType::Connected => {
                    log::info!("gamepad {} is there", self.devices.gamepad(id).name());
                }
                EventType::Disconnected => self.sticks = Sticks::default(),
                _ => {}
            }
        }
        let sticks = if heard { self.sticks } else { Sticks::default() };
        self.flight.ask(sticks.motion()).into_iter().for_each(&mut act);
        sticks.look(seconds).into_iter().for_each(act);
    }
}

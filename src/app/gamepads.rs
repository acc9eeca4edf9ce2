//! Gamepad: sticks and buttons of whichever is plugged in.

use gilrs::{Event, EventType, Gilrs, GilrsBuilder};

use crate::input::{Action, Flight, Sticks, for_button};

/// Every gamepad of the machine, heard as one.
pub(super) struct Gamepads {
    /// None if the system does not let anyone listen.
    devices: Option<Gilrs>,
    sticks: Sticks,
    flight: Flight,
    /// Which are plugged in, or why none can be heard.
    status: String,
    /// Which were plugged in or pulled out.
    news: Vec<String>,
}

impl Gamepads {
    /// Listens to gamepads, those that are plugged in later too.
    pub(super) fn open() -> Self {
        // Dead zones are our own: few drivers know those of their sticks.
        let (devices, status) = match GilrsBuilder::new().with_default_filters(false).build() {
            Ok(devices) => {
                let status = plugged_in(&devices);
                (Some(devices), status)
            }
            Err(error) => {
                log::warn!("gamepads cannot be used: {error}");
                (None, format!("cannot be used: {error}"))
            }
        };
        let (sticks, flight) = (Sticks::default(), Flight::default());
        Self { devices, sticks, flight, status, news: Vec::new() }
    }

    /// Whether any can be heard, and is plugged in.
    pub(super) fn is_there(&self) -> Option<bool> {
        self.devices.as_ref().map(|devices| devices.gamepads().next().is_some())
    }

    /// Which are plugged in, or why none can be heard.
    pub(super) fn status(&self) -> &str {
        &self.status
    }

    /// What was plugged in or pulled out since the last call.
    pub(super) fn take_news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }

    /// Hands everything to `act` that was asked for in the last `seconds`, the time since the last
    /// call. If the window is not `heard`, nothing is, and sticks count as left alone.
    pub(super) fn poll(&mut self, seconds: f32, heard: bool, mut act: impl FnMut(Action)) {
        let Some(devices) = &mut self.devices else { return };
        while let Some(Event { id, event, .. }) = devices.next_event() {
            match event {
                EventType::ButtonPressed(button, _) if heard => {
                    for_button(button).into_iter().for_each(&mut act);
                }
                EventType::ButtonChanged(button, value, _) => self.sticks.trigger(button, value),
                EventType::AxisChanged(axis, value, _) => self.sticks.axis(axis, value),
                EventType::Connected | EventType::Disconnected => {
                    self.sticks = Sticks::default();
                    let is = if event == EventType::Connected { "plugged in" } else { "gone" };
                    self.news.push(format!("{} is {is}", devices.gamepad(id).name()));
                    self.status = plugged_in(devices);
                }
                _ => {}
            }
        }
        let sticks = if heard { self.sticks } else { Sticks::default() };
        self.flight.ask(sticks.motion()).into_iter().for_each(&mut act);
        sticks.look(seconds).into_iter().for_each(act);
    }
}

/// The names of those that are.
fn plugged_in(devices: &Gilrs) -> String {
    let names: Vec<_> = devices.gamepads().map(|(_, gamepad)| gamepad.name().to_owned()).collect();
    if names.is_empty() { "none is plugged in".to_owned() } else { names.join(", ") }
}

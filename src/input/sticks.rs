//! Sticks: what is held on a gamepad, and what its buttons mean.

use gilrs::{Axis, Button};

use super::Action;

/// Deflection below which a stick counts as left alone: worn ones do not come back to the middle.
const DEAD_ZONE: f32 = 0.15;
/// Pixels of dragging that a stick pushed all the way is worth, in a second.
const LOOK_SPEED: f32 = 900.0;

/// What a button asks for when it is pressed.
#[must_use]
pub fn for_button(button: Button) -> Option<Action> {
    match button {
        Button::South => Some(Action::TogglePause),
        Button::East => Some(Action::Reset),
        Button::West => Some(Action::CycleCamera),
        Button::North => Some(Action::SwitchMode),
        Button::LeftTrigger => Some(Action::ChangeSpeed(-1.0)),
        Button::RightTrigger => Some(Action::ChangeSpeed(1.0)),
        Button::RightThumb => Some(Action::Focus),
        Button::DPadUp => Some(Action::ToggleHud),
        Button::DPadRight => Some(Action::Step),
        Button::Select => Some(Action::ToggleHelp),
        Button::Start => Some(Action::Quit),
        _ => None,
    }
}

/// Sticks and triggers, as they were last heard of.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sticks {
    left: [f32; 2],
    right: [f32; 2],
    /// The triggers, left and right: down and up.
    triggers: [f32; 2],
}

impl Sticks {
    /// An axis was moved, to a place from -1 (left, down) to 1.
    pub fn axis(&mut self, axis: Axis, value: f32) {
        let value = if value.is_finite() { value } else { 0.0 };
        match axis {
            Axis::LeftStickX => self.left[0] = value,
            Axis::LeftStickY => self.left[1] = value,
            Axis::RightStickX => self.right[0] = value,
            Axis::RightStickY => self.right[1] = value,
            _ => {}
        }
    }

    /// A trigger was pulled, from 0 to 1.
    pub fn trigger(&mut self, button: Button, value: f32) {
        let value = if value.is_finite() { value } else { 0.0 };
        match button {
            Button::LeftTrigger2 => self.triggers[0] = value,
            Button::RightTrigger2 => self.triggers[1] = value,
            _ => {}
        }
    }

    /// Where to fly: to the right, up and backward.
    #[must_use]
    pub fn motion(&self) -> [f32; 3] {
        let [right, forward] = beyond_dead_zone(self.left);
        let [rise, _] = beyond_dead_zone([self.triggers[1] - self.triggers[0], 0.0]);
        // A stick in the middle is 0, not -0.
        [right, rise, 0.0 - forward]
    }

    /// How far to look in so many seconds; the farther a stick is pushed, the faster, and the
    /// finer near the middle.
    #[must_use]
    pub fn look(&self, seconds: f32) -> Option<Action> {
        let [right, up] = beyond_dead_zone(self.right);
        let pixels = LOOK_SPEED * right.hypot(up) * seconds;
        let moves = pixels > 0.0;
        moves.then_some(Action::Look { right: right * pixels, down: -up * pixels })
    }
}

/// The flight that was asked for last.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flight([f32; 3]);

impl Flight {
    /// What to ask for while sticks point there. A stick that is held asks again every time: all that
    /// is held counts as let go when the window loses the keyboard, and the stick has not moved then.
    pub fn ask(&mut self, motion: [f32; 3]) -> Option<Action> {
        let before = std::mem::replace(&mut self.0, motion);
        (motion != [0.0; 3] || before != motion).then_some(Action::FlyAnalog(motion))
    }
}

/// A deflection of at most 1 that grows from 0 where the dead zone ends.
fn beyond_dead_zone([x, y]: [f32; 2]) -> [f32; 2] {
    let deflection = x.hypot(y);
    if deflection <= DEAD_ZONE {
        return [0.0; 2];
    }
    let wanted = ((deflection - DEAD_ZONE) / (1.0 - DEAD_ZONE)).min(1.0);
    [x, y].map(|part| part / deflection * wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_near_its_middle_does_nothing_and_grows_from_there() {
        let mut sticks = Sticks::default();
        let mut forward = |value| {
            sticks.axis(Axis::LeftStickY, value);
            -sticks.motion()[2]
        };
        assert_eq!(forward(0.1), 0.0);
        assert!(forward(0.16) > 0.0 && forward(0.16) < 0.02);
        // Half of the way between 0.15 and 1.
        assert!((forward(0.575) - 0.5).abs() < 1e-6);
        assert_eq!((forward(1.0), forward(-1.0)), (1.0, -1.0));
        assert_eq!(forward(f32::NAN), 0.0);
    }

    #[test]
    fn a_stick_in_a_corner_is_no_faster_than_straight() {
        let mut sticks = Sticks::default();
        sticks.axis(Axis::LeftStickX, 1.0);
        sticks.axis(Axis::LeftStickY, 1.0);
        let [right, up, back] = sticks.motion();
        assert!((right.hypot(back) - 1.0).abs() < 1e-6 && right == -back && up == 0.0);
    }

    #[test]
    fn triggers_rise_and_sink() {
        let mut sticks = Sticks::default();
        sticks.trigger(Button::RightTrigger2, 1.0);
        assert_eq!(sticks.motion(), [0.0, 1.0, 0.0]);
        sticks.trigger(Button::LeftTrigger2, 1.0);
        assert_eq!(sticks.motion(), [0.0; 3]);
        sticks.trigger(Button::RightTrigger2, 0.0);
        assert_eq!(sticks.motion(), [0.0, -1.0, 0.0]);
    }

    #[test]
    fn looking_takes_the_same_time_at_any_frame_rate() {
        let mut sticks = Sticks::default();
        assert_eq!(sticks.look(0.1), None);
        sticks.axis(Axis::RightStickX, 1.0);
        assert_eq!(sticks.look(0.5), Some(Action::Look { right: 450.0, down: 0.0 }));
        sticks.axis(Axis::RightStickX, 0.0);
        sticks.axis(Axis::RightStickY, -1.0);
        assert_eq!(sticks.look(0.1), Some(Action::Look { right: 0.0, down: 90.0 }));
        assert_eq!(sticks.look(0.0), None);
    }

    #[test]
    fn a_stick_that_is_held_asks_again_and_one_let_go_asks_once() {
        let mut flight = Flight::default();
        assert_eq!(flight.ask([0.0; 3]), None);
        let ahead = [0.0, 0.0, -1.0];
        assert_eq!([(); 3].map(|()| flight.ask(ahead)), [Some(Action::FlyAnalog(ahead)); 3]);
        assert_eq!(flight.ask([0.0; 3]), Some(Action::FlyAnalog([0.0; 3])));
        assert_eq!(flight.ask([0.0; 3]), None);
    }

    #[test]
    fn buttons_ask_for_what_the_help_says() {
        assert_eq!(for_button(Button::South), Some(Action::TogglePause));
        assert_eq!(for_button(Button::East), Some(Action::Reset));
        assert_eq!(for_button(Button::West), Some(Action::CycleCamera));
        assert_eq!(for_button(Button::North), Some(Action::SwitchMode));
        assert_eq!(for_button(Button::Unknown), None);
    }
}

//! Gamepads: what buttons mean, and how sticks and triggers move the camera.

use gilrs::{Axis, Button};

use super::Action;

/// Deflection below which a stick counts as released. Worn sticks do not return to the center.
const DEAD_ZONE: f32 = 0.15;
/// Points of dragging per second that a fully deflected stick stands for.
const LOOK_SPEED: f32 = 900.0;

/// Returns the action of a button press.
pub fn button_action(button: Button) -> Option<Action> {
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

/// The last known positions of sticks and triggers.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sticks {
    left: [f32; 2],
    right: [f32; 2],
    /// Left and right trigger, which fly down and up.
    triggers: [f32; 2],
    /// The latest action of flight was a motion.
    flying: bool,
}

impl Sticks {
    /// Sets an axis, from -1 (left, down) to 1.
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

    /// Sets a trigger, from 0 to 1.
    pub fn trigger(&mut self, button: Button, value: f32) {
        let value = if value.is_finite() { value } else { 0.0 };
        match button {
            Button::LeftTrigger2 => self.triggers[0] = value,
            Button::RightTrigger2 => self.triggers[1] = value,
            _ => {}
        }
    }

    /// Releases all sticks and triggers, as when a gamepad is disconnected.
    pub fn release(&mut self) {
        *self = Self { flying: self.flying, ..Self::default() };
    }

    /// Returns the actions of the last `seconds`. Without `focus`, sticks count as released.
    ///
    /// A deflected stick gives its flight every time, because all flight stops when the window loses the
    /// keyboard. A released one gives it once.
    pub fn actions(&mut self, seconds: f32, focus: bool) -> impl Iterator<Item = Action> + use<> {
        let sticks = if focus { *self } else { Self::default() };
        let motion = sticks.motion();
        let was_flying = std::mem::replace(&mut self.flying, motion != [0.0; 3]);
        let fly = (self.flying || was_flying).then_some(Action::FlyAnalog(motion));
        [fly, sticks.look(seconds)].into_iter().flatten()
    }

    /// Returns the flight: right, up and backward.
    fn motion(&self) -> [f32; 3] {
        let [right, forward] = beyond_dead_zone(self.left);
        let [rise, _] = beyond_dead_zone([self.triggers[1] - self.triggers[0], 0.0]);
        // Avoids -0.0 for a released stick.
        [right, rise, 0.0 - forward]
    }

    /// Returns how far to look in `seconds`. The speed grows with the square of the deflection.
    fn look(&self, seconds: f32) -> Option<Action> {
        let [right, up] = beyond_dead_zone(self.right);
        let points = LOOK_SPEED * right.hypot(up) * seconds;
        (points > 0.0).then_some(Action::Look { right: right * points, down: -up * points })
    }
}

/// Rescales a deflection so that it grows from 0 at the dead zone to at most 1.
fn beyond_dead_zone([x, y]: [f32; 2]) -> [f32; 2] {
    let deflection = x.hypot(y);
    if deflection <= DEAD_ZONE {
        return [0.0; 2];
    }
    let rescaled = ((deflection - DEAD_ZONE) / (1.0 - DEAD_ZONE)).min(1.0);
    [x, y].map(|part| part / deflection * rescaled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dead_zone_gives_no_motion_and_motion_grows_from_its_edge() {
        let mut sticks = Sticks::default();
        let mut forward = |value| {
            sticks.axis(Axis::LeftStickY, value);
            -sticks.motion()[2]
        };
        assert_eq!(forward(0.1), 0.0);
        assert!(forward(0.16) > 0.0 && forward(0.16) < 0.02);
        // Halfway between 0.15 and 1.
        assert!((forward(0.575) - 0.5).abs() < 1e-6);
        assert_eq!((forward(1.0), forward(-1.0)), (1.0, -1.0));
        assert_eq!(forward(f32::NAN), 0.0);
    }

    #[test]
    fn a_diagonal_stick_is_as_fast_as_a_straight_one() {
        let mut sticks = Sticks::default();
        sticks.axis(Axis::LeftStickX, 1.0);
        sticks.axis(Axis::LeftStickY, 1.0);
        let [right, up, back] = sticks.motion();
        assert!((right.hypot(back) - 1.0).abs() < 1e-6 && right == -back && up == 0.0);
    }

    #[test]
    fn triggers_fly_up_and_down() {
        let mut sticks = Sticks::default();
        sticks.trigger(Button::RightTrigger2, 1.0);
        assert_eq!(sticks.motion(), [0.0, 1.0, 0.0]);
        sticks.trigger(Button::LeftTrigger2, 1.0);
        assert_eq!(sticks.motion(), [0.0; 3]);
        sticks.trigger(Button::RightTrigger2, 0.0);
        assert_eq!(sticks.motion(), [0.0, -1.0, 0.0]);
    }

    #[test]
    fn looking_is_independent_of_the_frame_rate() {
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
    fn the_speed_of_looking_grows_with_the_square_of_the_deflection() {
        let mut sticks = Sticks::default();
        // Half of the deflection beyond the dead zone is a quarter of the speed.
        sticks.axis(Axis::RightStickX, 0.575);
        let Some(Action::Look { right, .. }) = sticks.look(0.5) else { panic!("no look") };
        assert!((right - 112.5).abs() < 1e-3, "{right}");
    }

    #[test]
    fn a_held_stick_gives_its_flight_every_time_and_a_released_one_once() {
        let mut sticks = Sticks::default();
        let fly = |sticks: &mut Sticks, focus| sticks.actions(0.1, focus).next();
        assert_eq!(fly(&mut sticks, true), None);
        sticks.axis(Axis::LeftStickY, 1.0);
        let forward = Some(Action::FlyAnalog([0.0, 0.0, -1.0]));
        assert_eq!([(); 3].map(|()| fly(&mut sticks, true)), [forward; 3]);
        let stop = Some(Action::FlyAnalog([0.0; 3]));
        assert_eq!([(); 2].map(|()| fly(&mut sticks, false)), [stop, None], "without focus");
        assert_eq!(fly(&mut sticks, true), forward);
        sticks.release();
        assert_eq!([(); 2].map(|()| fly(&mut sticks, true)), [stop, None], "disconnected");
    }

    #[test]
    fn buttons_give_the_actions_that_help_lists() {
        for (button, action) in [
            (Button::South, Action::TogglePause),
            (Button::East, Action::Reset),
            (Button::West, Action::CycleCamera),
            (Button::North, Action::SwitchMode),
            (Button::LeftTrigger, Action::ChangeSpeed(-1.0)),
            (Button::RightTrigger, Action::ChangeSpeed(1.0)),
            (Button::RightThumb, Action::Focus),
            (Button::DPadUp, Action::ToggleHud),
            (Button::DPadRight, Action::Step),
            (Button::Select, Action::ToggleHelp),
            (Button::Start, Action::Quit),
        ] {
            assert_eq!(button_action(button), Some(action), "{button:?}");
        }
        assert_eq!(button_action(Button::Unknown), None);
    }
}

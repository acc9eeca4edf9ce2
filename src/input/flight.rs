//! Flight: the held keys and the stick of a gamepad, combined.

use super::{Action, Direction};

/// Points of dragging per second that a held key stands for.
const LOOK_SPEED: f32 = 350.0;

/// The keys of flight and turning that are down, and the position of the stick.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlightInput {
    held: [bool; 10],
    stick: [f32; 3],
}

impl FlightInput {
    /// Sets whether the key of a direction is down.
    pub fn set_key(&mut self, direction: Direction, held: bool) {
        self.held[direction as usize] = held;
    }

    /// Sets the stick: right, up and backward, each from -1 to 1.
    pub fn set_stick(&mut self, motion: [f32; 3]) {
        self.stick = motion;
    }

    /// Releases everything, as when the window loses the keyboard.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Returns the motion in camera axes (+X right, +Y up, -Z forward), each from -1 to 1. Opposite keys
    /// cancel, and the stick adds to the keys.
    pub fn motion(&self) -> [f32; 3] {
        let keys = [
            self.between(Direction::Left, Direction::Right),
            self.between(Direction::Down, Direction::Up),
            self.between(Direction::Forward, Direction::Backward),
        ];
        std::array::from_fn(|axis| (keys[axis] + self.stick[axis]).clamp(-1.0, 1.0))
    }

    /// Returns how far the held keys look in `seconds`; `None` if none of them turns the camera.
    pub fn look(&self, seconds: f32) -> Option<Action> {
        let right = self.between(Direction::TurnLeft, Direction::TurnRight);
        let down = self.between(Direction::TurnUp, Direction::TurnDown);
        let points = LOOK_SPEED * seconds;
        let turns = [right, down] != [0.0; 2];
        turns.then_some(Action::Look { right: right * points, down: down * points })
    }

    /// Returns 1 if only the key of `high` is down, -1 if only that of `low`, otherwise 0.
    fn between(&self, low: Direction, high: Direction) -> f32 {
        let held = |direction: Direction| f32::from(u8::from(self.held[direction as usize]));
        held(high) - held(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_keys_add_up_and_opposite_ones_cancel() {
        let mut flight = FlightInput::default();
        assert_eq!(flight.motion(), [0.0; 3]);
        flight.set_key(Direction::Forward, true);
        flight.set_key(Direction::Left, true);
        assert_eq!(flight.motion(), [-1.0, 0.0, -1.0]);
        flight.set_key(Direction::Right, true);
        assert_eq!(flight.motion(), [0.0, 0.0, -1.0]);
        flight.set_key(Direction::Up, true);
        assert_eq!(flight.motion(), [0.0, 1.0, -1.0]);
        flight.release();
        assert_eq!(flight.motion(), [0.0; 3]);
    }

    #[test]
    fn held_keys_turn_by_the_same_angle_at_any_frame_rate() {
        let mut flight = FlightInput::default();
        assert_eq!(flight.look(0.5), None);
        flight.set_key(Direction::TurnRight, true);
        flight.set_key(Direction::TurnUp, true);
        let half = Some(Action::Look { right: 175.0, down: -175.0 });
        assert_eq!((flight.look(0.5), flight.motion()), (half, [0.0; 3]));
        flight.set_key(Direction::TurnLeft, true);
        flight.set_key(Direction::TurnUp, false);
        assert_eq!(flight.look(0.5), None, "opposite keys cancel");
    }

    #[test]
    fn the_stick_adds_to_the_keys_up_to_full_speed() {
        let mut flight = FlightInput::default();
        flight.set_stick([0.25, 0.0, -0.5]);
        assert_eq!(flight.motion(), [0.25, 0.0, -0.5]);
        flight.set_key(Direction::Forward, true);
        flight.set_key(Direction::Left, true);
        assert_eq!(flight.motion(), [-0.75, 0.0, -1.0]);
    }
}

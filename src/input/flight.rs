//! Flight: the held keys and the stick of a gamepad, combined.

use super::Direction;

/// The flight keys that are down, and the position of the stick.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlightInput {
    held: [bool; 6],
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
        let held = |direction: Direction| f32::from(u8::from(self.held[direction as usize]));
        let keys = [
            held(Direction::Right) - held(Direction::Left),
            held(Direction::Up) - held(Direction::Down),
            held(Direction::Backward) - held(Direction::Forward),
        ];
        std::array::from_fn(|axis| (keys[axis] + self.stick[axis]).clamp(-1.0, 1.0))
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
        flight.release();
        assert_eq!(flight.motion(), [0.0; 3]);
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

//! Steering: the directions whose keys are down.

use super::Direction;

/// Directions held at present.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steering {
    held: [bool; 6],
}

impl Steering {
    /// A direction's key went down or up.
    pub fn set(&mut self, direction: Direction, held: bool) {
        self.held[direction as usize] = held;
    }

    /// The window is no longer the one that hears the keys.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Where to fly in local axes (+X right, +Y up, -Z forward), each from -1 to 1; opposite keys
    /// cancel.
    #[must_use]
    pub fn motion(&self) -> [f32; 3] {
        let held = |direction: Direction| f32::from(u8::from(self.held[direction as usize]));
        [
            held(Direction::Right) - held(Direction::Left),
            held(Direction::Up) - held(Direction::Down),
            held(Direction::Backward) - held(Direction::Forward),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_keys_add_up_and_opposite_ones_cancel() {
        let mut steering = Steering::default();
        assert_eq!(steering.motion(), [0.0; 3]);
        steering.set(Direction::Forward, true);
        steering.set(Direction::Left, true);
        assert_eq!(steering.motion(), [-1.0, 0.0, -1.0]);
        steering.set(Direction::Right, true);
        assert_eq!(steering.motion(), [0.0, 0.0, -1.0]);
        steering.release();
        assert_eq!(steering.motion(), [0.0; 3]);
    }
}

//! Steering: the directions whose keys are down, and what a stick adds.

use super::Direction;

/// Directions held at present, and where a stick points.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steering {
    held: [bool; 6],
    stick: [f32; 3],
}

impl Steering {
    /// A direction's key went down or up.
    pub fn set(&mut self, direction: Direction, held: bool) {
        self.held[direction as usize] = held;
    }

    /// A stick says where to fly: to the right, up and backward, each from -1 to 1.
    pub fn set_stick(&mut self, motion: [f32; 3]) {
        self.stick = motion;
    }

    /// The window is no longer the one that hears the keys.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Where to fly in local axes (+X right, +Y up, -Z forward), each from -1 to 1; opposite keys
    /// cancel, and a stick adds to the keys.
    #[must_use]
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

    #[test]
    fn a_stick_adds_to_the_keys_and_together_they_are_no_faster() {
        let mut steering = Steering::default();
        steering.set_stick([0.25, 0.0, -0.5]);
        assert_eq!(steering.motion(), [0.25, 0.0, -0.5]);
        steering.set(Direction::Forward, true);
        steering.set(Direction::Left, true);
        assert_eq!(steering.motion(), [-0.75, 0.0, -1.0]);
    }
}

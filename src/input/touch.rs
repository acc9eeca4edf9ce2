//! Touch: fingers on the screen.

use std::time::Instant;

use winit::event::TouchPhase;

use super::Action;
use super::press::Press;

/// How much farther apart two fingers are for one notch of a wheel: a share of their distance.
const APART_PER_NOTCH: f64 = 1.15;
/// Fingers nearer to each other than this, in pixels, say nothing by how near they are.
const CLOSEST: f64 = 10.0;

/// The fingers on the screen: one looks around, taps or presses, two push the camera along; more are
/// ignored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touch {
    fingers: [Option<(u64, Press)>; 2],
}

impl Touch {
    /// A finger, told apart by its number, has done something at a place in the window, in pixels.
    pub fn finger(
        &mut self,
        number: u64,
        phase: TouchPhase,
        at: [f64; 2],
        now: Instant,
    ) -> Option<Action> {
        match phase {
            TouchPhase::Started => {
                self.lift(number);
                let free = self.fingers.iter_mut().find(|finger| finger.is_none())?;
                *free = Some((number, Press::new(at, now)));
                if self.fingers.iter().all(Option::is_some) {
                    self.fingers.iter_mut().flatten().for_each(|(_, press)| press.drag());
                }
                None
            }
            TouchPhase::Moved => self.moved(number, at),
            TouchPhase::Ended => {
                let press = self.lift(number)?;
                if press.clicks(now) {
                    return Some(Action::SelectAt(at));
                }
                press.is_long(now).then_some(Action::DropCubeAt(at))
            }
            TouchPhase::Cancelled => {
                self.lift(number);
                None
            }
        }
    }

    /// The window no longer hears the fingers.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    fn moved(&mut self, number: u64, to: [f64; 2]) -> Option<Action> {
        let before = self.fingers;
        let (_, press) = self.fingers.iter_mut().flatten().find(|(finger, _)| *finger == number)?;
        let look = press.moved(to);
        let ([Some((_, a)), Some((_, b))], [Some((_, c)), Some((_, d))]) = (before, self.fingers)
        else {
            return look;
        };
        let (before, after) = (Pair::new(a.at(), b.at()), Pair::new(c.at(), d.at()));
        Some(Action::Pan {
            right: (after.middle[0] - before.middle[0]) as f32,
            down: (after.middle[1] - before.middle[1]) as f32,
            zoom: ((after.apart / before.apart).ln() / APART_PER_NOTCH.ln()) as f32,
        })
    }

    fn lift(&mut self, number: u64) -> Option<Press> {
        let place = self
            .fingers
            .iter_mut()
            .find(|finger| finger.is_some_and(|(finger, _)| finger == number))?;
        place.take().map(|(_, press)| press)
    }
}

/// Two fingers together.
struct Pair {
    middle: [f64; 2],
    /// In pixels.
    apart: f64,
}

impl Pair {
    fn new(a: [f64; 2], b: [f64; 2]) -> Self {
        Self {
            middle: [0, 1].map(|axis| f64::midpoint(a[axis], b[axis])),
            apart: (a[0] - b[0]).hypot(a[1] - b[1]).max(CLOSEST),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use winit::event::TouchPhase::{Cancelled, Ended, Moved, Started};

    use super::*;

    #[test]
    fn one_finger_looks_around() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        assert_eq!(touch.finger(7, Started, [10.0, 10.0], now), None);
        let look = touch.finger(7, Moved, [20.0, 5.0], now);
        assert_eq!(look, Some(Action::Look { right: 10.0, down: -5.0 }));
        assert_eq!(touch.finger(7, Ended, [20.0, 5.0], now), None);
        assert_eq!(touch.finger(7, Moved, [0.0, 0.0], now), None);
    }

    #[test]
    fn a_tap_selects_and_a_long_press_drops() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        let at = [10.0, 12.0];
        for (millis, action) in
            [(200, Some(Action::SelectAt(at))), (400, None), (600, Some(Action::DropCubeAt(at)))]
        {
            touch.finger(1, Started, [10.0, 10.0], now);
            assert_eq!(touch.finger(1, Moved, at, now), None);
            assert_eq!(touch.finger(1, Ended, at, now + Duration::from_millis(millis)), action);
        }
        touch.finger(1, Started, at, now);
        assert_eq!(touch.finger(1, Cancelled, at, now), None);
        assert_eq!(touch.finger(1, Ended, at, now), None);
    }

    #[test]
    fn two_fingers_push_and_spread() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        touch.finger(1, Started, [0.0, 0.0], now);
        touch.finger(2, Started, [100.0, 0.0], now);
        let Some(Action::Pan { right, down, zoom }) = touch.finger(2, Moved, [115.0, 0.0], now)
        else {
            panic!("two fingers do not look")
        };
        // The middle went half of the way; the distance grew by 15 %, one notch.
        assert_eq!((right, down), (7.5, 0.0));
        assert!((zoom - 1.0).abs() < 1e-6);
        // The finger that is left is no tap, and looks on.
        assert_eq!(touch.finger(2, Ended, [115.0, 0.0], now), None);
        let look = touch.finger(1, Moved, [1.0, 2.0], now);
        assert_eq!(look, Some(Action::Look { right: 1.0, down: 2.0 }));
        assert_eq!(touch.finger(1, Ended, [1.0, 2.0], now), None);
    }

    #[test]
    fn fingers_on_one_spot_and_third_fingers_say_nothing_odd() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        touch.finger(1, Started, [5.0, 5.0], now);
        touch.finger(2, Started, [5.0, 5.0], now);
        let slide = touch.finger(2, Moved, [5.0, 9.0], now);
        assert_eq!(slide, Some(Action::Pan { right: 0.0, down: 2.0, zoom: 0.0 }));
        assert_eq!(touch.finger(3, Started, [50.0, 50.0], now), None);
        assert_eq!(touch.finger(3, Moved, [60.0, 50.0], now), None);
        assert_eq!(touch.finger(3, Ended, [60.0, 50.0], now), None);
    }
}

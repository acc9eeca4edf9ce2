//! Touch gestures: look, tap, long press, pan and pinch.

use winit::event::TouchPhase;

use super::Action;
use super::press::Press;
use crate::time::Instant;

/// Growth of the distance between two fingers that equals one wheel notch.
const GROWTH_PER_NOTCH: f64 = 1.15;
/// Smallest distance between two fingers that counts, in points.
const MIN_DISTANCE: f64 = 10.0;
/// Points that a finger may roll during a tap.
const TAP: f64 = 10.0;

/// Up to two fingers on the screen, and the number of the third one, which shows or hides the UI.
#[derive(Clone, Copy, Debug, Default)]
pub struct Touch {
    fingers: [Option<(u64, Press)>; 2],
    third: Option<u64>,
}

impl Touch {
    /// Handles a finger at a window position in points. `number` identifies the finger.
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
                let Some(free) = self.fingers.iter_mut().find(|finger| finger.is_none()) else {
                    // A fourth finger would undo it.
                    let is_third = self.third.is_none();
                    self.third.get_or_insert(number);
                    return is_third.then_some(Action::ToggleHud);
                };
                *free = Some((number, Press::new(at, TAP, now)));
                if self.fingers.iter().all(Option::is_some) {
                    self.fingers.iter_mut().flatten().for_each(|(_, press)| press.start_drag());
                }
                None
            }
            TouchPhase::Moved => self.moved(number, at),
            TouchPhase::Ended => {
                let press = self.lift(number)?;
                if press.is_click(now) {
                    return Some(Action::SelectAt(at));
                }
                press.is_long_press(now).then_some(Action::DropCubeAt(at))
            }
            TouchPhase::Cancelled => {
                self.lift(number);
                None
            }
        }
    }

    /// Returns whether a finger is down.
    pub fn is_pressed(&self) -> bool {
        self.fingers.iter().any(Option::is_some)
    }

    /// Releases all fingers, as when the window loses the focus.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// Returns the action of two fingers on a touchpad whose distance grew by a share of it.
    pub fn pinched(growth: f64) -> Option<Action> {
        let zoom = ((1.0 + growth).ln() / GROWTH_PER_NOTCH.ln()) as f32;
        (zoom != 0.0 && zoom.is_finite()).then_some(Action::Pan { right: 0.0, down: 0.0, zoom })
    }

    fn moved(&mut self, number: u64, to: [f64; 2]) -> Option<Action> {
        let before = self.fingers;
        let (_, press) = self.fingers.iter_mut().flatten().find(|(finger, _)| *finger == number)?;
        let look = press.moved(to);
        let ([Some((_, a)), Some((_, b))], [Some((_, c)), Some((_, d))]) = (before, self.fingers)
        else {
            return look;
        };
        let (before, after) = (Pinch::new(a.at(), b.at()), Pinch::new(c.at(), d.at()));
        Some(Action::Pan {
            right: (after.center[0] - before.center[0]) as f32,
            down: (after.center[1] - before.center[1]) as f32,
            zoom: ((after.distance / before.distance).ln() / GROWTH_PER_NOTCH.ln()) as f32,
        })
    }

    fn lift(&mut self, number: u64) -> Option<Press> {
        self.third.take_if(|third| *third == number);
        let place = self
            .fingers
            .iter_mut()
            .find(|finger| finger.is_some_and(|(finger, _)| finger == number))?;
        place.take().map(|(_, press)| press)
    }
}

/// Two fingers.
struct Pinch {
    center: [f64; 2],
    /// In points.
    distance: f64,
}

impl Pinch {
    fn new(a: [f64; 2], b: [f64; 2]) -> Self {
        Self {
            center: [0, 1].map(|axis| f64::midpoint(a[axis], b[axis])),
            distance: (a[0] - b[0]).hypot(a[1] - b[1]).max(MIN_DISTANCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use winit::event::TouchPhase::{Cancelled, Ended, Moved, Started};

    use super::*;

    #[test]
    fn a_pinch_on_a_touchpad_zooms_by_notches() {
        let Some(Action::Pan { zoom, .. }) = Touch::pinched(0.15) else { panic!("no zoom") };
        assert!((zoom - 1.0).abs() < 1e-6, "{zoom}");
        assert_eq!([0.0, -1.0, f64::NAN].map(Touch::pinched), [None; 3]);
    }

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
    fn two_fingers_pan_and_zoom() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        touch.finger(1, Started, [0.0, 0.0], now);
        touch.finger(2, Started, [100.0, 0.0], now);
        let Some(Action::Pan { right, down, zoom }) = touch.finger(2, Moved, [115.0, 0.0], now)
        else {
            panic!("two fingers give Pan")
        };
        // The center moved half as far; the distance grew by 15 %, one notch.
        assert_eq!((right, down), (7.5, 0.0));
        assert!((zoom - 1.0).abs() < 1e-6);
        // The remaining finger looks, and its release is not a tap.
        assert_eq!(touch.finger(2, Ended, [115.0, 0.0], now), None);
        let look = touch.finger(1, Moved, [1.0, 2.0], now);
        assert_eq!(look, Some(Action::Look { right: 1.0, down: 2.0 }));
        assert_eq!(touch.finger(1, Ended, [1.0, 2.0], now), None);
    }

    #[test]
    fn coincident_fingers_do_not_zoom_and_a_third_finger_toggles_the_ui() {
        let (mut touch, now) = (Touch::default(), Instant::now());
        touch.finger(1, Started, [5.0, 5.0], now);
        touch.finger(2, Started, [5.0, 5.0], now);
        let slide = touch.finger(2, Moved, [5.0, 9.0], now);
        assert_eq!(slide, Some(Action::Pan { right: 0.0, down: 2.0, zoom: 0.0 }));
        assert_eq!(touch.finger(3, Started, [50.0, 50.0], now), Some(Action::ToggleHud));
        assert_eq!(touch.finger(4, Started, [50.0, 50.0], now), None, "a palm");
        assert_eq!(touch.finger(3, Moved, [60.0, 50.0], now), None);
        assert_eq!(touch.finger(3, Ended, [60.0, 50.0], now), None);
        assert_eq!(touch.finger(5, Started, [50.0, 50.0], now), Some(Action::ToggleHud));
    }
}

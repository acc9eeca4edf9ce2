//! The mouse: clicks, drags and scrolling.

use winit::event::{ElementState, MouseButton, MouseScrollDelta};

use super::Action;
use super::press::Press;
use crate::time::Instant;

/// Points of touchpad scrolling that equal one wheel notch.
const POINTS_PER_NOTCH: f64 = 40.0;

/// Points that the pointer may move during a click.
const CLICK: f64 = 4.0;

/// The position of the pointer and the press of its left button.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    at: Option<[f64; 2]>,
    press: Option<Press>,
}

impl Pointer {
    /// Returns its position in points from the upper left corner, or `None` outside of the window.
    pub fn at(&self) -> Option<[f64; 2]> {
        self.at
    }

    /// Returns whether the left button is down.
    pub fn is_pressed(&self) -> bool {
        self.press.is_some()
    }

    /// Moves it to a window position in points. Returns [`Action::Look`] while it drags.
    pub fn moved(&mut self, to: [f64; 2]) -> Option<Action> {
        let known = self.at.replace(to).is_some();
        let press = self.press.as_mut()?;
        if !known {
            // The position of the press is unknown, so the drag starts here.
            *press = Press::new(to, CLICK, Instant::now());
            press.start_drag();
            return None;
        }
        press.moved(to)
    }

    /// Handles a button. A click of the left one selects a cube; with `shift` it drops one.
    pub fn button(
        &mut self,
        button: MouseButton,
        state: ElementState,
        shift: bool,
        now: Instant,
    ) -> Option<Action> {
        if button != MouseButton::Left {
            return None;
        }
        if state.is_pressed() {
            self.press = Some(Press::new(self.at.unwrap_or_default(), CLICK, now));
            return None;
        }
        let press = self.press.take()?;
        let at = self.at.filter(|_| press.is_click(now))?;
        Some(if shift { Action::DropCubeAt(at) } else { Action::SelectAt(at) })
    }

    /// Returns the action of a turn of the wheel or a touchpad scroll, which is in pixels, `scale` per point. Scrolling
    /// sideways has none.
    pub fn scrolled(delta: MouseScrollDelta, scale: f64) -> Option<Action> {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, notches) => notches,
            MouseScrollDelta::PixelDelta(pixels) => (pixels.y / scale / POINTS_PER_NOTCH) as f32,
        };
        (notches != 0.0).then_some(Action::ChangeSpeed(notches))
    }

    /// Handles the pointer leaving the window. A drag continues.
    pub fn left(&mut self) {
        if self.press.is_none() {
            self.at = None;
        }
    }

    /// Releases the button, as when the window loses the focus. The pointer may still be over the window.
    pub fn release(&mut self) {
        self.press = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn press(pointer: &mut Pointer, now: Instant) {
        assert_eq!(pointer.button(MouseButton::Left, ElementState::Pressed, false, now), None);
    }

    fn release(pointer: &mut Pointer, shift: bool, now: Instant) -> Option<Action> {
        pointer.button(MouseButton::Left, ElementState::Released, shift, now)
    }

    #[test]
    fn only_a_drag_with_the_left_button_looks_around() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        assert_eq!(pointer.moved([10.0, 10.0]), None);
        assert_eq!(pointer.moved([20.0, 10.0]), None);
        assert_eq!(pointer.button(MouseButton::Right, ElementState::Pressed, false, now), None);
        assert_eq!(pointer.moved([20.0, 15.0]), None);
        press(&mut pointer, now);
        assert_eq!(pointer.moved([23.0, 11.0]), Some(Action::Look { right: 3.0, down: -4.0 }));
        assert_eq!(pointer.moved([24.0, 11.0]), Some(Action::Look { right: 1.0, down: 0.0 }));
        assert_eq!(release(&mut pointer, false, now), None);
        assert_eq!(pointer.moved([0.0, 0.0]), None);
    }

    #[test]
    fn a_drag_of_unknown_start_does_not_jump() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        press(&mut pointer, now);
        pointer.moved([10.0, 10.0]);
        pointer.release();
        pointer.left();
        press(&mut pointer, now);
        assert_eq!(pointer.moved([500.0, 500.0]), None);
        assert_eq!(pointer.moved([501.0, 500.0]), Some(Action::Look { right: 1.0, down: 0.0 }));
        assert_eq!(release(&mut pointer, false, now), None);
    }

    #[test]
    fn a_short_press_within_four_points_is_a_click_at_its_end() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved([100.0, 50.0]);
        for (shift, action) in
            [(false, Action::SelectAt([102.0, 51.0])), (true, Action::DropCubeAt([102.0, 51.0]))]
        {
            press(&mut pointer, now);
            assert_eq!(pointer.moved([102.0, 51.0]), None, "within the threshold");
            let soon = now + Duration::from_millis(299);
            assert_eq!(release(&mut pointer, shift, soon), Some(action));
            assert_eq!(release(&mut pointer, shift, soon), None, "already released");
        }
    }

    #[test]
    fn a_click_after_the_window_had_no_focus_needs_no_move() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved([100.0, 50.0]);
        pointer.release();
        press(&mut pointer, now);
        assert_eq!(release(&mut pointer, false, now), Some(Action::SelectAt([100.0, 50.0])));
    }

    #[test]
    fn a_long_press_and_a_drag_back_to_its_start_are_not_clicks() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved([100.0, 50.0]);
        press(&mut pointer, now);
        assert_eq!(release(&mut pointer, false, now + Duration::from_millis(301)), None);
        press(&mut pointer, now);
        pointer.moved([120.0, 50.0]);
        pointer.moved([100.0, 50.0]);
        assert_eq!(release(&mut pointer, false, now), None);
    }

    #[test]
    fn a_drag_continues_outside_of_the_window() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved([10.0, 10.0]);
        press(&mut pointer, now);
        pointer.moved([30.0, 10.0]);
        pointer.left();
        assert_eq!(pointer.moved([40.0, 10.0]), Some(Action::Look { right: 10.0, down: 0.0 }));
    }

    #[test]
    fn a_notch_is_a_line_or_40_points() {
        let speed = |delta| Pointer::scrolled(delta, 2.0);
        let pixels = |x, y| MouseScrollDelta::PixelDelta(winit::dpi::PhysicalPosition::new(x, y));
        assert_eq!(speed(MouseScrollDelta::LineDelta(3.0, -1.0)), Some(Action::ChangeSpeed(-1.0)));
        assert_eq!(speed(pixels(0.0, 120.0)), Some(Action::ChangeSpeed(1.5)));
        assert_eq!(
            [speed(pixels(120.0, 0.0)), speed(MouseScrollDelta::LineDelta(1.0, 0.0))],
            [None; 2]
        );
    }

    #[test]
    fn the_position_is_unknown_outside_of_the_window() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.at(), None);
        pointer.moved([3.0, 4.0]);
        assert_eq!(pointer.at(), Some([3.0, 4.0]));
        pointer.left();
        assert_eq!(pointer.at(), None);
    }
}

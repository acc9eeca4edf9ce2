//! Pointer: clicking, dragging and scrolling.

use std::time::Instant;

use winit::event::{ElementState, MouseButton, MouseScrollDelta};

use super::Action;
use super::press::Press;

/// Pixels that a touchpad scrolls for one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 40.0;

/// Where the pointer was last seen, and whether its left button is down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    at: Option<[f64; 2]>,
    press: Option<Press>,
}

impl Pointer {
    /// Where it is, in pixels from the upper left corner of the window; `None` if it was not seen
    /// in the window.
    #[must_use]
    pub fn at(&self) -> Option<[f64; 2]> {
        self.at
    }

    /// The pointer has moved to a place in the window, in pixels; while it drags, that is a wish to
    /// look around.
    pub fn moved(&mut self, x: f64, y: f64) -> Option<Action> {
        let known = self.at.replace([x, y]).is_some();
        let press = self.press.as_mut()?;
        if !known {
            // Where it was pressed is not known: it drags from here.
            *press = Press::new([x, y], Instant::now());
            press.drag();
            return None;
        }
        press.moved([x, y])
    }

    /// A button was pressed or released; the left one drags, or it clicks if it is released soon and
    /// where it was pressed: that selects, or with `shift` drops.
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
            self.press = Some(Press::new(self.at.unwrap_or_default(), now));
            return None;
        }
        let press = self.press.take()?;
        let at = self.at.filter(|_| press.clicks(now))?;
        Some(if shift { Action::DropCubeAt(at) } else { Action::SelectAt(at) })
    }

    /// The wheel was turned.
    #[must_use]
    pub fn scrolled(delta: MouseScrollDelta) -> Action {
        Action::ChangeSpeed(match delta {
            MouseScrollDelta::LineDelta(_, notches) => notches,
            MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
        })
    }

    /// The pointer has left the window; a drag goes on.
    pub fn left(&mut self) {
        if self.press.is_none() {
            self.at = None;
        }
    }

    /// The window is no longer the one that hears the buttons.
    pub fn release(&mut self) {
        *self = Self::default();
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
    fn only_dragging_looks_around() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        assert_eq!(pointer.moved(10.0, 10.0), None);
        assert_eq!(pointer.moved(20.0, 10.0), None);
        assert_eq!(pointer.button(MouseButton::Right, ElementState::Pressed, false, now), None);
        assert_eq!(pointer.moved(20.0, 15.0), None);
        press(&mut pointer, now);
        assert_eq!(pointer.moved(23.0, 11.0), Some(Action::Look { right: 3.0, down: -4.0 }));
        assert_eq!(pointer.moved(24.0, 11.0), Some(Action::Look { right: 1.0, down: 0.0 }));
        assert_eq!(release(&mut pointer, false, now), None);
        assert_eq!(pointer.moved(0.0, 0.0), None);
    }

    #[test]
    fn a_pointer_that_comes_back_does_not_jump() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        press(&mut pointer, now);
        pointer.moved(10.0, 10.0);
        pointer.release();
        press(&mut pointer, now);
        assert_eq!(pointer.moved(500.0, 500.0), None);
        assert_eq!(pointer.moved(501.0, 500.0), Some(Action::Look { right: 1.0, down: 0.0 }));
        assert_eq!(release(&mut pointer, false, now), None);
    }

    #[test]
    fn a_short_press_that_hardly_moves_is_a_click_where_it_ends() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved(100.0, 50.0);
        for (shift, action) in
            [(false, Action::SelectAt([102.0, 51.0])), (true, Action::DropCubeAt([102.0, 51.0]))]
        {
            press(&mut pointer, now);
            assert_eq!(pointer.moved(102.0, 51.0), None, "a hand trembles");
            let soon = now + Duration::from_millis(299);
            assert_eq!(release(&mut pointer, shift, soon), Some(action));
            assert_eq!(release(&mut pointer, shift, soon), None, "released already");
        }
    }

    #[test]
    fn a_long_press_and_a_drag_that_comes_back_are_no_clicks() {
        let now = Instant::now();
        let mut pointer = Pointer::default();
        pointer.moved(100.0, 50.0);
        press(&mut pointer, now);
        assert_eq!(release(&mut pointer, false, now + Duration::from_millis(301)), None);
        press(&mut pointer, now);
        pointer.moved(120.0, 50.0);
        pointer.moved(100.0, 50.0);
        assert_eq!(release(&mut pointer, false, now), None);
    }

    #[test]
    fn it_hovers_where_it_was_last_seen_in_the_window() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.at(), None);
        pointer.moved(3.0, 4.0);
        assert_eq!(pointer.at(), Some([3.0, 4.0]));
        pointer.left();
        assert_eq!(pointer.at(), None);
    }
}

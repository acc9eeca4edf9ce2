//! Pointer: dragging and scrolling.

use winit::event::{ElementState, MouseButton, MouseScrollDelta};

use super::Action;

/// Pixels that a touchpad scrolls for one notch of a wheel.
const PIXELS_PER_NOTCH: f64 = 40.0;

/// Where the pointer was last seen, and whether it drags.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pointer {
    at: Option<[f64; 2]>,
    dragging: bool,
}

impl Pointer {
    /// The pointer has moved to a place in the window, in pixels; while it drags, that is a wish to
    /// look around.
    pub fn moved(&mut self, x: f64, y: f64) -> Option<Action> {
        let [before_x, before_y] = self.at.replace([x, y])?;
        let (right, down) = ((x - before_x) as f32, (y - before_y) as f32);
        self.dragging.then_some(Action::Look { right, down })
    }

    /// A button was pressed or released; the left one drags.
    pub fn button(&mut self, button: MouseButton, state: ElementState) {
        if button == MouseButton::Left {
            self.dragging = state.is_pressed();
        }
    }

    /// The wheel was turned.
    #[must_use]
    pub fn scrolled(delta: MouseScrollDelta) -> Action {
        Action::Faster(match delta {
            MouseScrollDelta::LineDelta(_, notches) => notches,
            MouseScrollDelta::PixelDelta(pixels) => (pixels.y / PIXELS_PER_NOTCH) as f32,
        })
    }

    /// The window is no longer the one that hears the buttons.
    pub fn release(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dragging_looks_around() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.moved(10.0, 10.0), None);
        assert_eq!(pointer.moved(20.0, 10.0), None);
        pointer.button(MouseButton::Right, ElementState::Pressed);
        assert_eq!(pointer.moved(20.0, 15.0), None);
        pointer.button(MouseButton::Left, ElementState::Pressed);
        assert_eq!(pointer.moved(23.0, 11.0), Some(Action::Look { right: 3.0, down: -4.0 }));
        pointer.button(MouseButton::Left, ElementState::Released);
        assert_eq!(pointer.moved(0.0, 0.0), None);
    }

    #[test]
    fn a_pointer_that_comes_back_does_not_jump() {
        let mut pointer = Pointer::default();
        pointer.button(MouseButton::Left, ElementState::Pressed);
        pointer.moved(10.0, 10.0);
        pointer.release();
        pointer.button(MouseButton::Left, ElementState::Pressed);
        assert_eq!(pointer.moved(500.0, 500.0), None);
    }
}

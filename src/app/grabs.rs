//! Presses over a panel: the HUD receives the pointer until the release.

use winit::event::MouseButton;

/// A mouse button or a finger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pressed {
    Button(MouseButton),
    /// A finger and its number.
    Finger(u64),
}

/// Buttons and fingers pressed over a panel. Others belong to the scene, wherever they are released.
#[derive(Default)]
pub(super) struct Grabs(Vec<Pressed>);

impl Grabs {
    /// Handles a press. Returns whether it is of the HUD.
    pub(super) fn press(&mut self, pressed: Pressed, is_over_panel: bool) -> bool {
        self.release(pressed);
        if is_over_panel {
            self.0.push(pressed);
        }
        is_over_panel
    }

    /// Handles a release. Returns whether the press was of the HUD.
    pub(super) fn release(&mut self, pressed: Pressed) -> bool {
        let before = self.0.len();
        self.0.retain(|it| *it != pressed);
        self.0.len() < before
    }

    /// Returns whether the HUD receives the moves of a finger.
    pub(super) fn has_finger(&self, number: u64) -> bool {
        self.0.contains(&Pressed::Finger(number))
    }

    /// Returns whether the HUD receives the moves of any finger.
    pub(super) fn has_fingers(&self) -> bool {
        self.0.iter().any(|it| matches!(it, Pressed::Finger(_)))
    }

    /// Returns whether the HUD receives the moves of the mouse.
    pub(super) fn has_mouse(&self) -> bool {
        self.0.iter().any(|it| matches!(it, Pressed::Button(_)))
    }

    /// Removes all presses.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finger_on_a_panel_leaves_the_one_on_the_scene_alone() {
        let (scene, panel) = (Pressed::Finger(1), Pressed::Finger(2));
        let mut grabs = Grabs::default();
        assert!(!grabs.press(scene, false) && grabs.press(panel, true));
        assert!(grabs.has_finger(2) && !grabs.has_finger(1) && !grabs.has_mouse());
        assert!(grabs.has_fingers());
        assert!(!grabs.release(scene), "the scene must know that its finger has left");
        assert!(grabs.release(panel) && !grabs.release(panel));
    }

    #[test]
    fn a_button_belongs_to_what_it_was_pressed_over() {
        let (left, right) =
            (Pressed::Button(MouseButton::Left), Pressed::Button(MouseButton::Right));
        let mut grabs = Grabs::default();
        assert!(!grabs.press(left, false) && grabs.press(right, true) && grabs.has_mouse());
        assert!(!grabs.release(left) && grabs.has_mouse());
        assert!(grabs.release(right) && !grabs.has_mouse());
        // A release that was never reported.
        assert!(grabs.press(left, true) && !grabs.press(left, false) && !grabs.has_mouse());
    }
}

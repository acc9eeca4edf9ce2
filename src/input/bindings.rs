//! Bindings: which key means what.

use winit::event::ElementState;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

use super::{Action, Direction};

/// Every control and what it does, for people.
pub const KEYS: [(&str, &str); 23] = [
    ("M, Tab", "switch: the cubes fall, or the camera"),
    ("drag", "look around"),
    ("click", "select a cube and follow it; beside all of them: let go"),
    ("Shift+click", "drop another cube"),
    ("F", "go to the selected cube"),
    ("Delete", "take it away"),
    ("C", "camera: fly, circle, follow"),
    ("W A S D, Q E", "fly: forward, left, back, right; down, up"),
    ("scroll", "fly faster or slower; go zoom or away"),
    ("touch", "one finger looks, two go; tap selects, a long press drops"),
    ("gamepad", "sticks and triggers fly and look; A pause, B reset, X camera, Y switch"),
    ("Space", "pause"),
    (". or Enter", "one step while paused"),
    ("R, Backspace", "reset"),
    ("V", "vsync on or off"),
    ("F11", "full screen"),
    ("F1", "figures and controls, or nothing over the picture"),
    ("I", "inspector: the entities as they lie in memory"),
    ("F12", "write the picture to a file"),
    ("F5", "keep everything as it is now"),
    ("F9", "go back to what was kept"),
    ("H", "this help"),
    ("Esc", "quit"),
];

/// What a key event asks for; a key that is held down repeats nothing.
///
/// Flight follows the place of a key, so that W A S D lie together on every keyboard; all else
/// follows what is printed on it.
#[must_use]
pub fn for_key(
    place: PhysicalKey,
    print: &Key,
    state: ElementState,
    repeat: bool,
) -> Option<Action> {
    if repeat {
        return None;
    }
    if let Some(direction) = direction(place) {
        return Some(Action::Fly { direction, held: state.is_pressed() });
    }
    if !state.is_pressed() {
        return None;
    }
    match print {
        Key::Named(NamedKey::Tab) => Some(Action::SwitchMode),
        Key::Named(NamedKey::Space) => Some(Action::TogglePause),
        Key::Named(NamedKey::Enter) => Some(Action::Step),
        Key::Named(NamedKey::Backspace) => Some(Action::Reset),
        Key::Named(NamedKey::Delete) => Some(Action::Despawn),
        Key::Named(NamedKey::F1) => Some(Action::ToggleHud),
        Key::Named(NamedKey::F5) => Some(Action::SaveState),
        Key::Named(NamedKey::F9) => Some(Action::LoadState),
        Key::Named(NamedKey::F12) => Some(Action::Screenshot),
        Key::Named(NamedKey::F11) => Some(Action::ToggleFullscreen),
        Key::Named(NamedKey::Escape) => Some(Action::Quit),
        Key::Character(text) if text.is_ascii() => command(text),
        // Other scripts print no Latin letters; there the place has to do.
        Key::Character(_) => match place {
            PhysicalKey::Code(KeyCode::KeyM) => command("m"),
            PhysicalKey::Code(KeyCode::Period) => command("."),
            PhysicalKey::Code(KeyCode::KeyC) => command("c"),
            PhysicalKey::Code(KeyCode::KeyF) => command("f"),
            PhysicalKey::Code(KeyCode::KeyR) => command("r"),
            PhysicalKey::Code(KeyCode::KeyV) => command("v"),
            PhysicalKey::Code(KeyCode::KeyH) => command("h"),
            PhysicalKey::Code(KeyCode::KeyI) => command("i"),
            _ => None,
        },
        _ => None,
    }
}

fn command(letter: &str) -> Option<Action> {
    match letter.to_ascii_lowercase().as_str() {
        "m" => Some(Action::SwitchMode),
        "." => Some(Action::Step),
        "c" => Some(Action::CycleCamera),
        "f" => Some(Action::Focus),
        "r" => Some(Action::Reset),
        "v" => Some(Action::ToggleVsync),
        "h" => Some(Action::ToggleHelp),
        "i" => Some(Action::ToggleInspector),
        _ => None,
    }
}

fn direction(place: PhysicalKey) -> Option<Direction> {
    match place {
        PhysicalKey::Code(KeyCode::KeyW) => Some(Direction::Forward),
        PhysicalKey::Code(KeyCode::KeyA) => Some(Direction::Left),
        PhysicalKey::Code(KeyCode::KeyS) => Some(Direction::Backward),
        PhysicalKey::Code(KeyCode::KeyD) => Some(Direction::Right),
        PhysicalKey::Code(KeyCode::KeyQ) => Some(Direction::Down),
        PhysicalKey::Code(KeyCode::KeyE) => Some(Direction::Up),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use winit::keyboard::SmolStr;

    use super::*;

    fn press(place: KeyCode, print: &str) -> Option<Action> {
        let print = Key::Character(SmolStr::new(print));
        for_key(PhysicalKey::Code(place), &print, ElementState::Pressed, false)
    }

    #[test]
    fn letters_mean_what_is_printed_on_them_with_or_without_shift() {
        assert_eq!(press(KeyCode::KeyM, "m"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::KeyM, "M"), Some(Action::SwitchMode));
        // On a French keyboard M lies where others have a semicolon.
        assert_eq!(press(KeyCode::Semicolon, "m"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::Period, "."), Some(Action::Step));
        assert_eq!(press(KeyCode::KeyC, "c"), Some(Action::CycleCamera));
        assert_eq!(press(KeyCode::KeyF, "F"), Some(Action::Focus));
        assert_eq!(press(KeyCode::KeyX, "x"), None);
        // On a Russian one no key prints an M.
        assert_eq!(press(KeyCode::KeyM, "ь"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::KeyF, "а"), Some(Action::Focus));
        assert_eq!(press(KeyCode::KeyB, "и"), None);
    }

    #[test]
    fn flight_follows_the_place_of_the_key_and_ends_with_its_release() {
        let forward = |held| Some(Action::Fly { direction: Direction::Forward, held });
        assert_eq!(press(KeyCode::KeyW, "z"), forward(true));
        let (place, print) = (PhysicalKey::Code(KeyCode::KeyW), Key::Character(SmolStr::new("w")));
        assert_eq!(for_key(place, &print, ElementState::Released, false), forward(false));
        assert_eq!(for_key(place, &print, ElementState::Pressed, true), None);
    }

    #[test]
    fn named_keys_mean_what_they_are_called() {
        for (key, action) in [
            (NamedKey::Delete, Action::Despawn),
            (NamedKey::Backspace, Action::Reset),
            (NamedKey::F1, Action::ToggleHud),
            (NamedKey::F11, Action::ToggleFullscreen),
            (NamedKey::F12, Action::Screenshot),
            (NamedKey::F5, Action::SaveState),
            (NamedKey::F9, Action::LoadState),
        ] {
            let place = PhysicalKey::Code(KeyCode::Abort);
            let asked = for_key(place, &Key::Named(key), ElementState::Pressed, false);
            assert_eq!(asked, Some(action));
        }
    }

    #[test]
    fn every_control_is_told_once() {
        let controls: std::collections::HashSet<_> = KEYS.iter().map(|(key, _)| key).collect();
        assert_eq!(controls.len(), KEYS.len());
    }

    #[test]
    fn a_held_or_released_key_switches_nothing() {
        let (place, print) = (PhysicalKey::Code(KeyCode::Tab), Key::Named(NamedKey::Tab));
        assert_eq!(for_key(place, &print, ElementState::Pressed, false), Some(Action::SwitchMode));
        assert_eq!(for_key(place, &print, ElementState::Pressed, true), None);
        assert_eq!(for_key(place, &print, ElementState::Released, false), None);
    }
}

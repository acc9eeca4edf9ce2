//! Which key gives which action, and the list of controls shown to the user.

use winit::event::ElementState;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

use super::{Action, Direction};

/// Every control and what it does, in the order of the README.
pub const CONTROLS: [(&str, &str); 23] = [
    ("M, Tab", "switch between cubes-fall and camera-falls"),
    ("drag", "look around"),
    ("click", "select a cube and follow it; click empty space to deselect"),
    ("Shift+click", "drop a new cube"),
    ("F", "focus on the selected cube"),
    ("Delete", "despawn the selected cube"),
    ("C", "next camera: fly, orbit, follow"),
    ("W A S D, Q E", "fly forward, left, back, right, down, up"),
    ("scroll", "change the flying speed, or the distance while orbiting"),
    ("touch", "drag to look, two fingers to move; tap to select, hold to drop a cube"),
    ("gamepad", "sticks and triggers fly and look; A pause, B reset, X camera, Y switch"),
    ("Space", "pause or resume"),
    (". or Enter", "single step while paused"),
    ("R, Backspace", "reset the scene"),
    ("V", "vsync on or off"),
    ("F11", "full screen on or off"),
    ("F1", "show or hide the UI"),
    ("I", "show or hide the inspector"),
    ("F12", "save a screenshot"),
    ("F5", "save the state"),
    ("F9", "load the state"),
    ("H", "show or hide the keys"),
    ("Esc", "quit"),
];

/// Keys of flight, by their position, so that W A S D are neighbours on every keyboard layout.
const FLIGHT_KEYS: [(KeyCode, Direction); 6] = [
    (KeyCode::KeyW, Direction::Forward),
    (KeyCode::KeyA, Direction::Left),
    (KeyCode::KeyS, Direction::Backward),
    (KeyCode::KeyD, Direction::Right),
    (KeyCode::KeyQ, Direction::Down),
    (KeyCode::KeyE, Direction::Up),
];

const NAMED_KEYS: [(NamedKey, Action); 11] = [
    (NamedKey::Tab, Action::SwitchMode),
    (NamedKey::Space, Action::TogglePause),
    (NamedKey::Enter, Action::Step),
    (NamedKey::Backspace, Action::Reset),
    (NamedKey::Delete, Action::Despawn),
    (NamedKey::F1, Action::ToggleHud),
    (NamedKey::F5, Action::SaveState),
    (NamedKey::F9, Action::LoadState),
    (NamedKey::F11, Action::ToggleFullscreen),
    (NamedKey::F12, Action::Screenshot),
    (NamedKey::Escape, Action::Quit),
];

/// Keys by the character printed on them, with their position for layouts without Latin letters.
const CHARACTER_KEYS: [(&str, KeyCode, Action); 8] = [
    ("m", KeyCode::KeyM, Action::SwitchMode),
    (".", KeyCode::Period, Action::Step),
    ("c", KeyCode::KeyC, Action::CycleCamera),
    ("f", KeyCode::KeyF, Action::Focus),
    ("r", KeyCode::KeyR, Action::Reset),
    ("v", KeyCode::KeyV, Action::ToggleVsync),
    ("h", KeyCode::KeyH, Action::ToggleHelp),
    ("i", KeyCode::KeyI, Action::ToggleInspector),
];

/// Returns the action of a key event. Repeats of a held key have none.
pub fn key_action(
    position: PhysicalKey,
    key: &Key,
    state: ElementState,
    repeat: bool,
) -> Option<Action> {
    if repeat {
        return None;
    }
    let is_at = |code| position == PhysicalKey::Code(code);
    if let Some(&(_, direction)) = FLIGHT_KEYS.iter().find(|&&(code, _)| is_at(code)) {
        return Some(Action::Fly { direction, held: state.is_pressed() });
    }
    if !state.is_pressed() {
        return None;
    }
    match key {
        Key::Named(name) => {
            NAMED_KEYS.iter().find(|(named, _)| named == name).map(|&(_, action)| action)
        }
        Key::Character(text) => {
            CHARACTER_KEYS
                .iter()
                .find(|&&(character, code, _)| {
                    if text.is_ascii() { text.eq_ignore_ascii_case(character) } else { is_at(code) }
                })
                .map(|&(_, _, action)| action)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use winit::keyboard::SmolStr;

    use super::*;

    fn press(position: KeyCode, character: &str) -> Option<Action> {
        let key = Key::Character(SmolStr::new(character));
        key_action(PhysicalKey::Code(position), &key, ElementState::Pressed, false)
    }

    /// The names of all bound keys, as help and README write them.
    fn bound_keys() -> BTreeSet<String> {
        let flight = FLIGHT_KEYS
            .iter()
            .map(|(code, _)| format!("{code:?}").trim_start_matches("Key").into());
        let named = NAMED_KEYS.iter().map(|(name, _)| format!("{name:?}").replace("Escape", "Esc"));
        let characters = CHARACTER_KEYS.iter().map(|(character, ..)| character.to_uppercase());
        flight.chain(named).chain(characters).collect()
    }

    #[test]
    fn help_lists_exactly_the_bound_keys_and_each_once() {
        let gestures = ["drag", "click", "Shift+click", "scroll", "touch", "gamepad"];
        let listed: Vec<_> = CONTROLS
            .iter()
            .filter(|(control, _)| !gestures.contains(control))
            .flat_map(|(control, _)| control.split([',', ' ']))
            .filter(|name| !name.is_empty() && *name != "or")
            .map(str::to_owned)
            .collect();
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), bound_keys());
        assert_eq!(listed.len(), bound_keys().len());
    }

    #[test]
    fn the_readme_lists_exactly_the_bound_keys() {
        let readme = include_str!("../../README.md");
        let table = readme.split("## Keys").nth(1).and_then(|rest| rest.split("\n\n").nth(1));
        let keys = table.unwrap().lines().filter_map(|line| line.split('|').nth(1));
        let listed: BTreeSet<_> =
            keys.flat_map(|keys| keys.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        assert_eq!(listed, bound_keys());
    }

    #[test]
    fn characters_follow_the_layout_and_ignore_shift() {
        assert_eq!(press(KeyCode::KeyM, "m"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::KeyM, "M"), Some(Action::SwitchMode));
        // The position of M on a French keyboard.
        assert_eq!(press(KeyCode::Semicolon, "m"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::Period, "."), Some(Action::Step));
        assert_eq!(press(KeyCode::KeyC, "c"), Some(Action::CycleCamera));
        assert_eq!(press(KeyCode::KeyF, "F"), Some(Action::Focus));
        assert_eq!(press(KeyCode::KeyX, "x"), None);
    }

    #[test]
    fn layouts_without_latin_letters_use_the_position() {
        // A Russian keyboard.
        assert_eq!(press(KeyCode::KeyM, "ь"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::KeyF, "а"), Some(Action::Focus));
        assert_eq!(press(KeyCode::KeyB, "и"), None);
    }

    #[test]
    fn flight_follows_the_position_and_ends_with_the_release() {
        let forward = |held| Some(Action::Fly { direction: Direction::Forward, held });
        assert_eq!(press(KeyCode::KeyW, "z"), forward(true));
        let (position, key) = (PhysicalKey::Code(KeyCode::KeyW), Key::Character(SmolStr::new("w")));
        assert_eq!(key_action(position, &key, ElementState::Released, false), forward(false));
        assert_eq!(key_action(position, &key, ElementState::Pressed, true), None);
    }

    #[test]
    fn named_keys_give_their_action() {
        for (name, action) in [
            (NamedKey::Delete, Action::Despawn),
            (NamedKey::Backspace, Action::Reset),
            (NamedKey::F1, Action::ToggleHud),
            (NamedKey::F11, Action::ToggleFullscreen),
            (NamedKey::F12, Action::Screenshot),
            (NamedKey::F5, Action::SaveState),
            (NamedKey::F9, Action::LoadState),
        ] {
            let position = PhysicalKey::Code(KeyCode::Abort);
            let given = key_action(position, &Key::Named(name), ElementState::Pressed, false);
            assert_eq!(given, Some(action));
        }
    }

    #[test]
    fn repeats_and_releases_give_no_action() {
        let (position, key) = (PhysicalKey::Code(KeyCode::Tab), Key::Named(NamedKey::Tab));
        let action = |state, repeat| key_action(position, &key, state, repeat);
        assert_eq!(action(ElementState::Pressed, false), Some(Action::SwitchMode));
        assert_eq!(action(ElementState::Pressed, true), None);
        assert_eq!(action(ElementState::Released, false), None);
    }
}

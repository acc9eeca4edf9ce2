//! Which key gives which action, and the list of controls shown to the user.

use winit::event::ElementState;
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};

use super::{Action, Direction};

/// Every control and what it does, in the order of the README.
pub const CONTROLS: &[(&str, &str)] = &[
    ("M, Tab", "switch between cubes-fall and camera-falls"),
    ("drag", "look around"),
    ("click", "select a cube and, while cubes fall, follow it; click empty space to deselect"),
    ("Shift+click", "drop a new cube"),
    ("F", "focus on the selected cube"),
    ("Delete", "despawn the selected cube"),
    ("C", "next camera: fly, orbit, follow the selected cube"),
    // A page has no flags, and no choice of vsync.
    #[cfg(not(web))]
    ("K", "copy the camera as flags"),
    (
        "W A S D, Q E",
        "fly forward, left, back, right, down, up (keys by position; with Shift by letter)",
    ),
    ("Left, Right, Up, Down", "look around"),
    ("scroll", "change the flying speed, or the distance while orbiting"),
    (
        "touch",
        "drag to look, two fingers to move, three fingers to show or hide the UI; tap to select, hold to drop a cube",
    ),
    (
        "gamepad",
        "sticks and triggers fly and look, right stick pressed: focus; A pause, B reset, X camera, Y switch; bumpers: \
         speed; D-pad up: UI, right: step; Select: keys",
    ),
    #[cfg(not(web))]
    ("gamepad Start", "quit"),
    ("Space", "pause or resume"),
    (". or Enter", "single step while paused"),
    ("R, Backspace", "reset the scene"),
    ("P", "next palette"),
    #[cfg(not(web))]
    ("V", "vsync on or off"),
    ("F11", "full screen on or off"),
    ("F1", "show or hide the UI"),
    ("I", "show or hide the inspector"),
    ("F12", "save a screenshot"),
    #[cfg(web)]
    ("F2", "record a video, and end it"),
    ("F5", "save the state"),
    ("F9", "load the state"),
    ("Ctrl+1 to Ctrl+9", "choose the slot of saved states"),
    ("Ctrl+Plus, Ctrl+Minus, Ctrl+0", "larger UI, smaller UI, default size"),
    ("H", "show or hide the keys"),
    #[cfg(not(web))]
    ("Esc", "close the keys, cancel, deselect, or quit"),
    #[cfg(web)]
    ("Esc", "close the keys, cancel, or deselect"),
];

/// Keys that are held, by their position, so that W A S D are neighbors on every keyboard layout.
const FLIGHT_KEYS: [(KeyCode, Direction); 14] = [
    (KeyCode::KeyW, Direction::Forward),
    (KeyCode::KeyA, Direction::Left),
    (KeyCode::KeyS, Direction::Backward),
    (KeyCode::KeyD, Direction::Right),
    (KeyCode::KeyQ, Direction::Down),
    (KeyCode::KeyE, Direction::Up),
    (KeyCode::ArrowLeft, Direction::TurnLeft),
    (KeyCode::ArrowRight, Direction::TurnRight),
    (KeyCode::ArrowUp, Direction::TurnUp),
    (KeyCode::ArrowDown, Direction::TurnDown),
    (KeyCode::Numpad4, Direction::TurnLeft),
    (KeyCode::Numpad6, Direction::TurnRight),
    (KeyCode::Numpad8, Direction::TurnUp),
    (KeyCode::Numpad2, Direction::TurnDown),
];

const NAMED_KEYS: &[(NamedKey, Action)] = &[
    (NamedKey::Tab, Action::SwitchMode),
    (NamedKey::Space, Action::TogglePause),
    (NamedKey::Enter, Action::Step),
    (NamedKey::Backspace, Action::Reset),
    (NamedKey::Delete, Action::Despawn),
    (NamedKey::F1, Action::ToggleHud),
    #[cfg(web)]
    (NamedKey::F2, Action::ToggleVideo),
    (NamedKey::F5, Action::SaveState),
    (NamedKey::F9, Action::LoadState),
    (NamedKey::F11, Action::ToggleFullscreen),
    (NamedKey::F12, Action::Screenshot),
    (NamedKey::Escape, Action::Back),
];

/// Keys by the character printed on them, with their position for layouts without Latin letters.
const CHARACTER_KEYS: &[(&str, KeyCode, Action)] = &[
    ("m", KeyCode::KeyM, Action::SwitchMode),
    (".", KeyCode::Period, Action::Step),
    ("c", KeyCode::KeyC, Action::CycleCamera),
    ("f", KeyCode::KeyF, Action::Focus),
    #[cfg(not(web))]
    ("k", KeyCode::KeyK, Action::CopyCamera),
    ("r", KeyCode::KeyR, Action::Reset),
    ("p", KeyCode::KeyP, Action::NextPalette),
    #[cfg(not(web))]
    ("v", KeyCode::KeyV, Action::ToggleVsync),
    ("h", KeyCode::KeyH, Action::ToggleHelp),
    ("i", KeyCode::KeyI, Action::ToggleInspector),
];

/// Keys pressed together with Ctrl, or with Cmd on macOS: characters, as digits and signs need Shift on
/// some layouts, and positions.
const CTRL_KEYS: &[(&[&str], &[KeyCode], Action)] = &[
    (&["+", "="], &[KeyCode::NumpadAdd], Action::ScaleUi(1)),
    (&["-"], &[KeyCode::NumpadSubtract], Action::ScaleUi(-1)),
    (&["0"], &[KeyCode::Numpad0, KeyCode::Digit0], Action::ScaleUi(0)),
    (&["1"], &[KeyCode::Numpad1, KeyCode::Digit1], Action::SelectSlot(1)),
    (&["2"], &[KeyCode::Numpad2, KeyCode::Digit2], Action::SelectSlot(2)),
    (&["3"], &[KeyCode::Numpad3, KeyCode::Digit3], Action::SelectSlot(3)),
    (&["4"], &[KeyCode::Numpad4, KeyCode::Digit4], Action::SelectSlot(4)),
    (&["5"], &[KeyCode::Numpad5, KeyCode::Digit5], Action::SelectSlot(5)),
    (&["6"], &[KeyCode::Numpad6, KeyCode::Digit6], Action::SelectSlot(6)),
    (&["7"], &[KeyCode::Numpad7, KeyCode::Digit7], Action::SelectSlot(7)),
    (&["8"], &[KeyCode::Numpad8, KeyCode::Digit8], Action::SelectSlot(8)),
    (&["9"], &[KeyCode::Numpad9, KeyCode::Digit9], Action::SelectSlot(9)),
];

/// Returns the action of a key event. Repeats of a held key have none, except with Ctrl.
pub fn key_action(
    position: PhysicalKey,
    key: &Key,
    state: ElementState,
    repeat: bool,
    modifiers: ModifiersState,
) -> Option<Action> {
    if state.is_pressed() && (modifiers.control_key() || modifiers.super_key()) {
        #[cfg(target_os = "macos")]
        if let Some(action) = mac_action(position, key, modifiers).filter(|_| !repeat) {
            return Some(action);
        }
        return ctrl_action(position, key);
    }
    // Alt opens menus of browsers. A key that was down before is released nevertheless.
    if repeat || (state.is_pressed() && modifiers.alt_key()) {
        return None;
    }
    let action = press_action(position, key).filter(|_| state.is_pressed());
    // Some layouts have other letters of shortcuts where W A S D are: these need Shift.
    if let Some(action) = action.filter(|_| modifiers.shift_key()) {
        return Some(action);
    }
    let is_at = |&&(code, _): &&(KeyCode, _)| position == PhysicalKey::Code(code);
    let flight = FLIGHT_KEYS.iter().find(is_at);
    let fly = flight.map(|&(_, direction)| Action::Fly { direction, held: state.is_pressed() });
    fly.or(action)
}

/// Returns whether a layout with this character has Latin letters.
fn is_latin(text: &str) -> bool {
    // The last letter of Latin Extended-B.
    text.chars().all(|character| character <= '\u{24f}')
}

/// Returns the action of a press by the name of the key or the character on it.
fn press_action(position: PhysicalKey, key: &Key) -> Option<Action> {
    match key {
        Key::Named(name) => {
            NAMED_KEYS.iter().find(|(named, _)| named == name).map(|&(_, action)| action)
        }
        Key::Character(text) => {
            let is_at = |code| position == PhysicalKey::Code(code);
            // In Turkish, i with and without a dot are two letters, each on a key of its own.
            let text = if ["ı", "İ"].contains(&text.as_str()) { "i" } else { text };
            CHARACTER_KEYS
                .iter()
                .find(|&&(character, code, _)| {
                    if is_latin(text) { text.eq_ignore_ascii_case(character) } else { is_at(code) }
                })
                .map(|&(_, _, action)| action)
        }
        _ => None,
    }
}

/// Returns the action of a key pressed together with Ctrl.
fn ctrl_action(position: PhysicalKey, key: &Key) -> Option<Action> {
    let text = key.to_text().unwrap_or_default();
    let by_character = CTRL_KEYS.iter().find(|(characters, ..)| characters.contains(&text));
    let by_position = || {
        CTRL_KEYS
            .iter()
            .find(|(_, codes, _)| codes.iter().any(|&code| position == PhysicalKey::Code(code)))
    };
    by_character.or_else(by_position).map(|&(.., action)| action)
}

/// Returns the action of a key that closes windows, or switches to full screen, in all programs of macOS, which uses
/// `F11` itself.
#[cfg(any(target_os = "macos", test))]
fn mac_action(position: PhysicalKey, key: &Key, modifiers: ModifiersState) -> Option<Action> {
    if modifiers == ModifiersState::SUPER && key.to_text() == Some("w") {
        return Some(Action::Quit);
    }
    // Ctrl changes the text of a key.
    let is_f = position == PhysicalKey::Code(KeyCode::KeyF);
    let switches = modifiers == ModifiersState::CONTROL | ModifiersState::SUPER && is_f;
    switches.then_some(Action::ToggleFullscreen)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use winit::keyboard::SmolStr;

    use super::*;

    fn press(position: KeyCode, character: &str) -> Option<Action> {
        let key = Key::Character(SmolStr::new(character));
        let modifiers = ModifiersState::empty();
        key_action(PhysicalKey::Code(position), &key, ElementState::Pressed, false, modifiers)
    }

    /// Presses a key together with Ctrl.
    fn press_ctrl(position: KeyCode, character: &str) -> Option<Action> {
        let key = Key::Character(SmolStr::new(character));
        let position = PhysicalKey::Code(position);
        key_action(position, &key, ElementState::Pressed, false, ModifiersState::CONTROL)
    }

    /// The names of all bound keys, as help and README write them.
    fn bound_keys() -> BTreeSet<String> {
        let flight = FLIGHT_KEYS
            .iter()
            .map(|(code, _)| format!("{code:?}").replace("Key", "").replace("Arrow", ""))
            // Those of the number pad are arrows, too.
            .filter(|name| !name.starts_with("Numpad"));
        let named = NAMED_KEYS.iter().map(|(name, _)| format!("{name:?}").replace("Escape", "Esc"));
        let characters = CHARACTER_KEYS.iter().map(|(character, ..)| character.to_uppercase());
        let ctrl = CTRL_KEYS.iter().map(|(characters, ..)| match characters[0] {
            "+" => "Ctrl+Plus".to_owned(),
            "-" => "Ctrl+Minus".to_owned(),
            other => format!("Ctrl+{}", other.to_uppercase()),
        });
        // The lists name the first and the last slot.
        let ctrl = ctrl.filter(|name| !("Ctrl+2".."Ctrl+9").contains(&name.as_str()));
        flight.chain(named).chain(characters).chain(ctrl).collect()
    }

    #[test]
    fn help_lists_exactly_the_bound_keys_and_each_once() {
        let gestures =
            ["drag", "click", "Shift+click", "scroll", "touch", "gamepad", "gamepad Start"];
        let listed: Vec<_> = CONTROLS
            .iter()
            .filter(|(control, _)| !gestures.contains(control))
            .flat_map(|(control, _)| control.split([',', ' ']))
            .filter(|name| !["", "or", "to"].contains(name))
            .map(str::to_owned)
            .collect();
        let different = "the keys of CONTROLS and the bound keys differ";
        assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), bound_keys(), "{different}");
        assert_eq!(listed.len(), bound_keys().len(), "{different}");
    }

    #[test]
    fn the_readme_lists_exactly_the_bound_keys() {
        let readme = include_str!("../../README.md");
        let table = readme.split("## Keys").nth(1).and_then(|rest| rest.split("\n\n").nth(1));
        let keys = table.unwrap().lines().filter_map(|line| line.split('|').nth(1));
        let listed: BTreeSet<_> =
            keys.flat_map(|keys| keys.split('`').skip(1).step_by(2)).map(str::to_owned).collect();
        assert_eq!(listed, bound_keys(), "the key table of README.md and the bound keys differ");
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
    fn both_letters_i_of_turkish_keyboards_show_the_inspector() {
        for letter in ["ı", "I", "i", "İ"] {
            assert_eq!(press(KeyCode::Quote, letter), Some(Action::ToggleInspector), "{letter}");
        }
    }

    #[test]
    fn layouts_without_latin_letters_use_the_position() {
        // A Russian keyboard.
        assert_eq!(press(KeyCode::KeyM, "ь"), Some(Action::SwitchMode));
        assert_eq!(press(KeyCode::KeyF, "а"), Some(Action::Focus));
        assert_eq!(press(KeyCode::KeyB, "и"), None);
    }

    #[test]
    fn shift_gives_the_letter_where_a_layout_has_it_on_a_key_of_flight() {
        // F of Colemak is where QWERTY has E.
        let key = Key::Character(SmolStr::new("F"));
        let press = |modifiers| {
            let position = PhysicalKey::Code(KeyCode::KeyE);
            key_action(position, &key, ElementState::Pressed, false, modifiers)
        };
        let up = Action::Fly { direction: Direction::Up, held: true };
        assert_eq!(press(ModifiersState::empty()), Some(up));
        assert_eq!(press(ModifiersState::SHIFT), Some(Action::Focus));
    }

    #[test]
    fn arrows_turn_the_camera_also_on_the_number_pad() {
        for (keys, direction) in [
            ([KeyCode::ArrowLeft, KeyCode::Numpad4], Direction::TurnLeft),
            ([KeyCode::ArrowRight, KeyCode::Numpad6], Direction::TurnRight),
            ([KeyCode::ArrowUp, KeyCode::Numpad8], Direction::TurnUp),
            ([KeyCode::ArrowDown, KeyCode::Numpad2], Direction::TurnDown),
        ] {
            let turn = Some(Action::Fly { direction, held: true });
            assert_eq!(keys.map(|key| press(key, "")), [turn; 2], "{direction:?}");
        }
    }

    #[cfg(not(web))]
    #[test]
    fn k_copies_the_camera() {
        assert_eq!(press(KeyCode::KeyK, "k"), Some(Action::CopyCamera));
    }

    #[test]
    fn flight_follows_the_position_and_ends_with_the_release() {
        let forward = |held| Some(Action::Fly { direction: Direction::Forward, held });
        assert_eq!(press(KeyCode::KeyW, "z"), forward(true));
        let (position, key) = (PhysicalKey::Code(KeyCode::KeyW), Key::Character(SmolStr::new("w")));
        let action =
            |state, repeat, modifiers| key_action(position, &key, state, repeat, modifiers);
        let none = ModifiersState::empty();
        assert_eq!(action(ElementState::Released, false, none), forward(false));
        assert_eq!(action(ElementState::Pressed, true, none), None);
        let ctrl = ModifiersState::CONTROL;
        assert_eq!(action(ElementState::Released, false, ctrl), forward(false), "ends in any case");
        assert_eq!(action(ElementState::Released, false, ModifiersState::ALT), forward(false));
        assert_eq!(action(ElementState::Pressed, false, ctrl), None);
    }

    #[test]
    fn named_keys_give_their_action() {
        for (name, action) in [
            (NamedKey::Tab, Action::SwitchMode),
            (NamedKey::Space, Action::TogglePause),
            (NamedKey::Enter, Action::Step),
            (NamedKey::Delete, Action::Despawn),
            (NamedKey::Backspace, Action::Reset),
            (NamedKey::F1, Action::ToggleHud),
            (NamedKey::F11, Action::ToggleFullscreen),
            (NamedKey::F12, Action::Screenshot),
            (NamedKey::F5, Action::SaveState),
            (NamedKey::F9, Action::LoadState),
            (NamedKey::Escape, Action::Back),
        ] {
            let position = PhysicalKey::Code(KeyCode::Abort);
            let (key, none) = (Key::Named(name), ModifiersState::empty());
            let given = key_action(position, &key, ElementState::Pressed, false, none);
            assert_eq!(given, Some(action));
        }
    }

    #[test]
    fn alt_gives_no_action_and_super_is_ctrl() {
        let key = |text: &str| Key::Character(SmolStr::new(text));
        let press = |position, text, modifiers| {
            let position = PhysicalKey::Code(position);
            key_action(position, &key(text), ElementState::Pressed, false, modifiers)
        };
        assert_eq!(press(KeyCode::KeyM, "m", ModifiersState::ALT), None);
        assert_eq!(press(KeyCode::KeyW, "w", ModifiersState::ALT), None);
        assert_eq!(press(KeyCode::KeyR, "r", ModifiersState::SUPER), None);
        let slot = press(KeyCode::Digit3, "3", ModifiersState::SUPER);
        assert_eq!(slot, Some(Action::SelectSlot(3)));
    }

    #[test]
    fn the_keys_of_macos_close_the_window_and_switch_to_full_screen() {
        let (ctrl, cmd) = (ModifiersState::CONTROL, ModifiersState::SUPER);
        let press = |position, text: &str, modifiers| {
            mac_action(PhysicalKey::Code(position), &Key::Character(SmolStr::new(text)), modifiers)
        };
        assert_eq!(press(KeyCode::KeyW, "w", cmd), Some(Action::Quit));
        assert_eq!(press(KeyCode::KeyZ, "w", cmd), Some(Action::Quit), "a French keyboard");
        assert_eq!(press(KeyCode::KeyW, "z", cmd), None);
        assert_eq!(press(KeyCode::KeyF, "\u{6}", ctrl | cmd), Some(Action::ToggleFullscreen));
        let others = [ctrl, cmd, ctrl | cmd | ModifiersState::SHIFT];
        assert!(others.iter().all(|&others| press(KeyCode::KeyF, "f", others).is_none()));
    }

    #[test]
    fn repeats_and_releases_give_no_action() {
        let (position, key) = (PhysicalKey::Code(KeyCode::Tab), Key::Named(NamedKey::Tab));
        let none = ModifiersState::empty();
        let action = |state, repeat| key_action(position, &key, state, repeat, none);
        assert_eq!(action(ElementState::Pressed, false), Some(Action::SwitchMode));
        assert_eq!(action(ElementState::Pressed, true), None);
        assert_eq!(action(ElementState::Released, false), None);
    }

    #[test]
    fn ctrl_changes_the_ui_scale_and_chooses_slots_on_any_layout() {
        assert_eq!(press_ctrl(KeyCode::Equal, "="), Some(Action::ScaleUi(1)));
        // A German keyboard.
        assert_eq!(press_ctrl(KeyCode::BracketRight, "+"), Some(Action::ScaleUi(1)));
        assert_eq!(press_ctrl(KeyCode::NumpadSubtract, "-"), Some(Action::ScaleUi(-1)));
        assert_eq!(press_ctrl(KeyCode::Digit0, "0"), Some(Action::ScaleUi(0)));
        assert_eq!(press_ctrl(KeyCode::Digit7, "7"), Some(Action::SelectSlot(7)));
        // A French keyboard, whose digits need Shift.
        assert_eq!(press_ctrl(KeyCode::Digit7, "è"), Some(Action::SelectSlot(7)));
        assert_eq!(press_ctrl(KeyCode::KeyR, "r"), None, "no reset");
    }
}

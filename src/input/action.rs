//! Action: what a person wants, whatever device it came from.

/// A wish of the person at the machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    /// Fly in a direction from now on, or no longer.
    Move {
        /// Where to.
        direction: Direction,
        /// Whether the key is down.
        held: bool,
    },
    /// Turn the camera by so many pixels of dragging: to the right, and down.
    Look {
        /// Pixels to the right.
        right: f32,
        /// Pixels down.
        down: f32,
    },
    /// Fly faster by so many notches of the wheel; slower if negative.
    Faster(f32),
    /// Let the cubes fall instead of the camera, or the other way round.
    SwitchMode,
    /// Stop all falling, or let it go on.
    TogglePause,
    /// Make one step while paused.
    Step,
    /// Begin again.
    Reset,
    /// Wait for the display's refresh, or no longer.
    ToggleVsync,
    /// Fill the screen, or no longer.
    ToggleFullscreen,
    /// Show the keys, or no longer.
    ToggleHelp,
    /// End the program.
    Quit,
}

/// A direction of flight, as the camera sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Left,
    Right,
    Down,
    Up,
    Backward,
    Forward,
}

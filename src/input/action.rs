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
    /// Fly in a direction and as fast as a stick says, until told otherwise: to the right, up and
    /// backward, each from -1 to 1.
    Fly([f32; 3]),
    /// Turn the camera by so many pixels of dragging: to the right, and down.
    Look {
        /// Pixels to the right.
        right: f32,
        /// Pixels down.
        down: f32,
    },
    /// Fly faster by so many notches of the wheel; slower if negative.
    Faster(f32),
    /// Push the camera along, as two fingers do.
    Slide {
        /// Pixels that the fingers went to the right.
        right: f32,
        /// Pixels that they went down.
        down: f32,
        /// Notches of the wheel that they went apart.
        nearer: f32,
    },
    /// Have the next camera: flying, circling, following.
    CycleCamera,
    /// Select the cube at a place of the window, in pixels from its upper left corner, and follow it; let
    /// go if there is none.
    Pick([f64; 2]),
    /// Drop another cube at a place of the window, in pixels from its upper left corner.
    Drop([f64; 2]),
    /// Turn to what is selected, and go there.
    Focus,
    /// Take away what is selected.
    Despawn,
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
    /// Show figures and controls over the picture, or nothing at all.
    ToggleHud,
    /// Show the entities behind the picture as they lie in memory, or no longer.
    ToggleInspector,
    /// Write the picture to a file.
    Screenshot,
    /// Keep everything as it is now.
    Save,
    /// Go back to what was kept.
    Load,
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

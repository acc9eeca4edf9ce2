//! Every user intent, the same for keyboard, mouse, touch, gamepad and HUD.

use serde::{Deserialize, Serialize};

use crate::components::{Coloring, Motion};
use crate::ecs::SystemId;
use crate::render::Quality;
use crate::scenes::Bundled;
use crate::sim::{FallMode, Tuning};

/// A user intent, which the app applies. Opening a dropped file and reloading a changed one are no actions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Action {
    /// Starts or stops flight in a direction, or turning.
    Fly {
        /// Direction relative to the camera.
        direction: Direction,
        /// `true` from key press to key release.
        held: bool,
    },
    /// Sets the flight of an analog stick: right, up and backward, each from -1 to 1.
    FlyAnalog([f32; 3]),
    /// Turns the camera, in points of dragging.
    Look {
        /// Points to the right.
        right: f32,
        /// Points down.
        down: f32,
    },
    /// Changes flight speed or orbit distance by this many wheel notches; positive is faster or nearer.
    ChangeSpeed(f32),
    /// Moves the camera by a gesture of two fingers.
    Pan {
        /// Points that the fingers moved to the right.
        right: f32,
        /// Points that they moved down.
        down: f32,
        /// Wheel notches that they moved apart.
        zoom: f32,
    },
    /// Switches to the next camera rig: fly, orbit, follow.
    CycleCamera,
    /// Copies flags that place another camera where this one is to the clipboard.
    CopyCamera,
    /// Copies scene and camera as a share text to the clipboard.
    CopyLink,
    /// Selects the cube at a window position, or clears the selection if there is none. The camera follows the cube if cubes
    /// fall, or if it follows a cube already. The position is in points from [`Pointer`](super::Pointer) and
    /// [`Touch`](super::Touch), and in pixels when it is applied.
    SelectAt([f64; 2]),
    /// Adds a cube at a window position, in the same units.
    DropCubeAt([f64; 2]),
    /// Moves the camera to the selected cube.
    Focus,
    /// Despawns the selected cube.
    Despawn,
    /// Sets which entities gravity acts on.
    SetMode(FallMode),
    /// Switches gravity between the cubes and the camera.
    SwitchMode,
    /// Pauses or resumes the simulation.
    TogglePause,
    /// Makes one step while paused.
    Step,
    /// Restarts the scene and resumes it.
    Reset,
    /// Sets the number of cubes.
    SetCubes(u32),
    /// Scales gravity, time and spin.
    SetTuning(Tuning),
    /// Sets where the motion of falling cubes is computed.
    SetMotion(Motion),
    /// Lets the camera drift now and in later windows until the first input, or no longer.
    SetAttract(bool),
    /// Paints the cubes with a palette.
    SetColoring(Coloring),
    /// Paints the cubes with the next palette.
    NextPalette,
    /// Restarts the scene with another random seed.
    SetSeed(u64),
    /// Starts a bundled scene.
    StartScene(Bundled),
    /// Writes the current state as a scene file.
    SaveScene,
    /// Raises the number of cubes until 60 frames per second are lost.
    FindMaximum,
    /// Measures the score of this machine.
    MeasureScore,
    /// Writes the latest measurement of the score as JSON.
    SaveScore,
    /// Cancels the running operation and keeps what it has done so far.
    Cancel,
    /// Opens an entry of the list of recent scenes, the latest first.
    OpenRecent(usize),
    /// Writes the whole simulation state to the current slot in the user's data folder.
    SaveState,
    /// Restores the state of the current slot.
    LoadState,
    /// Chooses the slot of saved states, from 1 to 9.
    SelectSlot(u8),
    /// Enables or disables a system of the ECS.
    SetSystemEnabled(SystemId, bool),
    /// Sets the effects to those of a quality.
    SetQuality(Quality),
    /// Enables or disables culling of cubes outside the view.
    SetCulling(bool),
    /// Sets whether the view widens while the camera falls.
    SetWidenedView(bool),
    /// Switches vsync.
    ToggleVsync,
    /// Switches full screen.
    ToggleFullscreen,
    /// Shows or hides the list of controls.
    ToggleHelp,
    /// Shows or hides all panels.
    ToggleHud,
    /// Shows or hides the ECS inspector.
    ToggleInspector,
    /// Docks the ECS inspector at an edge of the window.
    DockInspector(Dock),
    /// Makes the UI larger by this many steps, or smaller if negative; 0 restores the default size.
    ScaleUi(i8),
    /// Writes the frame without the HUD as PNG.
    Screenshot,
    /// Closes the list of controls, or else cancels the running operation, or else clears the selection,
    /// or else quits.
    Back,
    /// Ends the program.
    Quit,
    /// Lets the user choose a scene file or a saved state to open.
    #[cfg(web)]
    ChooseFile,
    /// Starts or ends a video of the canvas.
    #[cfg(web)]
    ToggleVideo,
}

/// An edge of the window at which a panel is docked.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Dock {
    #[default]
    Bottom,
    Left,
    Right,
}

/// A direction of flight relative to the camera, or one in which it turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Left,
    Right,
    Down,
    Up,
    Backward,
    Forward,
    TurnLeft,
    TurnRight,
    TurnUp,
    TurnDown,
}

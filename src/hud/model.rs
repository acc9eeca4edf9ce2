//! Model: the data that the HUD shows, borrowed for one frame.

use super::History;
use crate::benchmark::Suite;
use crate::ecs::Entity;
use crate::render::{AdapterSummary, DrawStats, PresentMode, Quality};
use crate::sim::Simulation;

/// Adapter and graphics settings in use; empty before an adapter is open.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct GraphicsInfo {
    /// Adapter in use.
    pub adapter: AdapterSummary,
    /// Whether the adapter rasterizes on the CPU.
    pub software: bool,
    /// Present mode in use, which may differ from the requested one.
    pub present_mode: PresentMode,
    /// Quality whose effects are in use; `None` if effects were chosen one by one.
    pub quality: Option<Quality>,
    /// Whether cubes outside the view are skipped.
    pub culling: bool,
    /// Whether the geometry in use supports culling.
    pub can_cull: bool,
    /// Whether the adapter supports timestamp queries.
    pub has_timestamps: bool,
    /// Largest count that the device and the simulation can hold; memory may hold fewer.
    pub max_cubes: u32,
    /// Largest count that this machine holds comfortably: by memory and by the frame times so far.
    pub comfortable_cubes: u32,
    /// Whether the window is in full screen.
    pub fullscreen: bool,
    /// Cubes in the last frame drawn.
    pub draw_stats: DrawStats,
}

/// A running operation.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// What it does, with numbers.
    pub text: String,
    /// How much of it is done, from 0 to 1; `None` if unknown.
    pub share: Option<f32>,
}

/// Everything the HUD shows in one frame.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    /// Whether the camera drifts at the start.
    pub attract: bool,
    /// Cubes, camera and the ECS world.
    pub simulation: &'a Simulation,
    /// Name of the scene.
    pub scene: &'a str,
    /// Random seed of the scene.
    pub seed: u64,
    /// Frames of the last seconds.
    pub history: &'a History,
    /// Adapter and graphics settings.
    pub graphics: &'a GraphicsInfo,
    /// Selected cube.
    pub selected: Option<Entity>,
    /// Cube under the pointer.
    pub hovered: Option<Entity>,
    /// Names of the connected gamepads, or why gamepads are unavailable.
    pub gamepad: &'a str,
    /// The latest measurement of the score.
    pub suite: Option<&'a Suite>,
    /// Whether nothing moves, so that no frames are drawn until the next event.
    pub idle: bool,
    /// The operation that runs over many frames.
    pub progress: Option<&'a Progress>,
    /// Whether a video is recorded.
    #[cfg(web)]
    pub records_video: bool,
    /// Slot of saved states, and which of the nine slots hold a state.
    pub slots: SaveSlots,
    /// Names and files of the scenes used last, the latest first.
    pub recent: &'a [String],
    /// Size of the UI in percent, as the window can show it, without the scale factor of the display.
    pub ui_scale: u16,
}

/// The slots of saved states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SaveSlots {
    /// The current one, from 1.
    pub current: u8,
    /// Whether each holds a state.
    pub saved: [bool; 9],
}

//! Model: what the HUD shows, lent to it for a frame.

use super::History;
use crate::ecs::Entity;
use crate::render::{DrawStats, PresentMode, Quality};
use crate::sim::Simulation;

/// What draws, and how.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not whatever the others are")]
pub struct GraphicsInfo {
    /// Name, kind, interface and driver of the adapter.
    pub adapter: String,
    /// Its name alone.
    pub adapter_name: String,
    /// The interface it is reached by.
    pub backend: String,
    /// The CPU draws.
    pub software: bool,
    /// The present mode really in use.
    pub present_mode: PresentMode,
    /// The quality that the effects in use stand for; none if they were chosen one by one.
    pub quality: Option<Quality>,
    /// Cubes that are not in the picture are left out.
    pub culling: bool,
    /// Whether the way cubes are drawn allows for that.
    pub can_cull: bool,
    /// The adapter can say how long it took.
    pub has_timestamps: bool,
    /// How many cubes the device and the memory of the machine can hold.
    pub max_cubes: u32,
    /// The window fills the screen.
    pub fullscreen: bool,
    /// What was drawn last.
    pub draw_stats: DrawStats,
}

impl Default for GraphicsInfo {
    /// Before anything is known.
    fn default() -> Self {
        Self {
            adapter: String::new(),
            adapter_name: String::new(),
            backend: String::new(),
            software: false,
            present_mode: PresentMode::Vsync,
            quality: None,
            culling: false,
            can_cull: false,
            has_timestamps: false,
            max_cubes: 1,
            fullscreen: false,
            draw_stats: DrawStats::default(),
        }
    }
}

/// All that is shown in a frame.
#[derive(Clone, Copy)]
pub struct Model<'a> {
    /// The cubes, the camera and the world they live in.
    pub simulation: &'a Simulation,
    /// What the scene is called.
    pub scene: &'a str,
    /// Start of the random numbers.
    pub seed: u64,
    /// The frames of the last seconds.
    pub history: &'a History,
    /// What draws.
    pub graphics: &'a GraphicsInfo,
    /// The cube that is selected.
    pub selected: Option<Entity>,
    /// The cube under the pointer.
    pub hovered: Option<Entity>,
    /// Which gamepads are plugged in, or why none can be heard.
    pub gamepad: &'a str,
    /// Nothing moves, so nothing is drawn until something happens.
    pub idle: bool,
}

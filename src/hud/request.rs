//! Request: what is asked for with the mouse.

use crate::ecs::SystemId;
use crate::input::Action;
use crate::render::Quality;
use crate::sim::scenes::Bundled;
use crate::sim::{FallMode, Tuning};

/// A wish that a widget expresses. The app grants it where it grants what a key asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Request {
    /// What a key asks for as well.
    Action(Action),
    /// Let these fall.
    Mode(FallMode),
    /// Have so many cubes.
    Cubes(u32),
    /// Move more strongly or faster.
    Tune(Tuning),
    /// Begin again with another start of the random numbers.
    Seed(u64),
    /// Draw with more or fewer effects.
    Quality(Quality),
    /// Leave out cubes that are not in the picture, or draw them all.
    Culling(bool),
    /// Begin a scene that comes with the program.
    Scene(Bundled),
    /// Write everything as it is now as a scene file.
    SaveScene,
    /// Run a system of the ECS, or pass it over.
    System(SystemId, bool),
}

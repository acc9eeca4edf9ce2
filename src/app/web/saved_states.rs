//! The slots of saved states: each is kept in memory until the page is closed, and downloaded as a file.

use super::page;
use crate::app::error::AppError;
use crate::app::load::load_bytes;
use crate::hud::SaveSlots;
use crate::memory;
use crate::output::OutputError;
use crate::sim::{SAVE_BYTES_PER_CUBE, Simulation};

/// The states, and the current slot.
pub(in crate::app) struct SavedStates {
    current: u8,
    states: [Option<Vec<u8>>; 9],
}

impl SavedStates {
    /// Starts with empty slots.
    pub(in crate::app) fn find() -> Self {
        Self { current: 1, states: Default::default() }
    }

    pub(in crate::app) fn slots(&self) -> SaveSlots {
        SaveSlots { current: self.current, saved: self.states.each_ref().map(Option::is_some) }
    }

    /// Chooses a slot, from 1 to 9. Returns whether it holds a state.
    #[expect(clippy::unnecessary_wraps, reason = "files of the desktop may be unreadable")]
    pub(in crate::app) fn select(&mut self, slot: u8) -> Result<bool, AppError> {
        self.current = slot.clamp(1, 9);
        Ok(self.states[self.index()].is_some())
    }

    /// Keeps a state in the current slot, and downloads it. Returns the name, for a message.
    pub(in crate::app) fn save(&mut self, simulation: &Simulation) -> Result<String, AppError> {
        let needed = simulation.cubes().count() as u64 * SAVE_BYTES_PER_CUBE;
        memory::check("the saved state", needed)?;
        let (name, mut bytes) = (self.name(), Vec::new());
        simulation.save(&mut bytes).map_err(|error| OutputError::new(name.as_ref(), error))?;
        page::download(&name, &bytes).map_err(|error| AppError::Download(page::reason(&error)))?;
        self.states[self.index()] = Some(bytes);
        Ok(format!("the download {name}"))
    }

    /// Loads the state in the current slot. `None` if the slot is empty.
    pub(in crate::app) fn load(&mut self) -> Result<Option<Simulation>, AppError> {
        let (name, state) = (self.name(), &self.states[self.index()]);
        state.as_ref().map(|bytes| load_bytes(&name, bytes)).transpose()
    }

    fn index(&self) -> usize {
        usize::from(self.current) - 1
    }

    fn name(&self) -> String {
        format!("state-{}.cubefall", self.current)
    }
}

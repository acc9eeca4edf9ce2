//! The slots of saved states.

use std::io;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use super::error::AppError;
use super::files::load_simulation;
use super::state::App;
use crate::hud::{Slots, Tone};
use crate::memory;
use crate::output::{OutputError, OutputFile};
use crate::sim::SAVE_BYTES_PER_CUBE;

/// The current slot, and which slots hold a state.
pub(super) struct SavedStates {
    folder: PathBuf,
    slots: Slots,
}

impl SavedStates {
    /// Looks into the user's data folder.
    pub(super) fn find() -> Self {
        let folder = ProjectDirs::from("", "", "cubefall")
            .map_or_else(PathBuf::new, |folders| folders.data_dir().to_owned());
        Self::in_folder(folder)
    }

    fn in_folder(folder: PathBuf) -> Self {
        let mut states = Self { folder, slots: Slots { current: 1, saved: [false; 9] } };
        states.slots.saved = std::array::from_fn(|i| states.path_of(i as u8 + 1).exists());
        states
    }

    pub(super) fn slots(&self) -> Slots {
        self.slots
    }

    /// Returns the file of the current slot.
    fn path(&self) -> PathBuf {
        self.path_of(self.slots.current)
    }

    fn path_of(&self, slot: u8) -> PathBuf {
        self.folder.join(format!("state-{slot}.cubefall"))
    }
}

impl App {
    /// Chooses the slot that is saved to and loaded from.
    pub(super) fn select_slot(&mut self, slot: u8) {
        self.states.slots.current = slot.clamp(1, 9);
        let is_saved = self.states.path().exists();
        let state = if is_saved { "F9 loads its state" } else { "empty; F5 saves the state" };
        self.window.overlay.hud.notify_value(format!("Slot {slot}: {state}"));
    }

    /// Writes the state of the simulation into the current slot.
    pub(super) fn save_state(&mut self) -> Result<(), AppError> {
        let path = self.states.path();
        if let Some(folder) = path.parent().filter(|&folder| folder != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(|error| OutputError::new(&path, error))?;
        }
        let needed = self.simulation.cubes().count() as u64 * SAVE_BYTES_PER_CUBE;
        memory::check("the saved state", needed)?;
        OutputFile::create(&path)?.write(|to| self.simulation.save(to))?;
        let Slots { current, saved } = &mut self.states.slots;
        saved[usize::from(*current) - 1] = true;
        let slot = *current;
        let path = path.display();
        self.notify(Tone::Done, &format_args!("Saved state to slot {slot}, {path}; F9 loads it"));
        Ok(())
    }

    /// Continues from the state in the current slot.
    pub(super) fn load_state(&mut self) -> Result<(), AppError> {
        let (path, slot) = (self.states.path(), self.states.slots.current);
        let missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        if std::fs::metadata(&path).is_err_and(missing) {
            let message = format_args!("No saved state in slot {slot}; F5 saves one");
            self.notify(Tone::Failed, &message);
            return Ok(());
        }
        self.replace_simulation(load_simulation(&path)?)?;
        self.notify(Tone::Done, &format_args!("Loaded state from slot {slot}"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_a_file_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("state-3.cubefall"), "").unwrap();
        let mut states = SavedStates::in_folder(folder.path().to_owned());
        let slots = states.slots();
        assert_eq!((slots.current, slots.saved), (1, std::array::from_fn(|i| i == 2)));
        states.slots.current = 9;
        assert_eq!(states.path(), folder.path().join("state-9.cubefall"));
    }
}

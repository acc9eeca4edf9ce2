//! The slots of saved states: files in the user's data folder.

use std::path::{self, Path, PathBuf};

use directories::ProjectDirs;

use crate::app::error::AppError;
use crate::app::load::load_simulation;
use crate::error_text;
use crate::hud::SaveSlots;
use crate::memory;
use crate::output::{OutputError, OutputFile};
use crate::sim::{SAVE_BYTES_PER_CUBE, Simulation, SnapshotFile};

/// The current slot, and which slots hold a state.
pub(in crate::app) struct SavedStates {
    folder: PathBuf,
    slots: SaveSlots,
}

impl SavedStates {
    /// Looks into the user's data folder.
    pub(in crate::app) fn find() -> Self {
        let folder = ProjectDirs::from("", "", "cubefall")
            .map_or_else(|| PathBuf::from("."), |folders| folders.data_dir().to_owned());
        // Messages say where a state is.
        Self::in_folder(path::absolute(&folder).unwrap_or(folder))
    }

    fn in_folder(folder: PathBuf) -> Self {
        let mut states = Self { folder, slots: SaveSlots { current: 1, saved: [false; 9] } };
        states.update();
        states
    }

    /// Updates which slots hold a state: other windows save and delete files, too.
    pub(in crate::app) fn update(&mut self) {
        self.slots.saved = std::array::from_fn(|i| !is_missing(&self.path_of(i as u8 + 1)));
    }

    pub(in crate::app) fn slots(&self) -> SaveSlots {
        self.slots
    }

    /// Chooses a slot, from 1 to 9. Returns whether it holds a state, or why that cannot be loaded.
    pub(in crate::app) fn select(&mut self, slot: u8) -> Result<bool, AppError> {
        self.slots.current = slot.clamp(1, 9);
        self.update();
        let path = self.path();
        let exists = !is_missing(&path);
        if exists {
            SnapshotFile::open(path)?;
        }
        Ok(exists)
    }

    /// Writes a state into the current slot. Returns where it is, for a message.
    pub(in crate::app) fn save(&mut self, simulation: &Simulation) -> Result<String, AppError> {
        let path = self.path();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| OutputError::new(folder, error))?;
        }
        let needed = simulation.cubes().count() as u64 * SAVE_BYTES_PER_CUBE;
        memory::check("the saved state", needed)?;
        OutputFile::create(&path)?.write(|to| simulation.save(to))?;
        self.update();
        Ok(error_text::path(&path))
    }

    /// Loads the state in the current slot. `None` if the slot is empty.
    pub(in crate::app) fn load(&mut self) -> Result<Option<Simulation>, AppError> {
        self.update();
        let path = self.path();
        (!is_missing(&path)).then(|| load_simulation(&path)).transpose()
    }

    /// Returns the file of the current slot.
    fn path(&self) -> PathBuf {
        self.path_of(self.slots.current)
    }

    fn path_of(&self, slot: u8) -> PathBuf {
        self.folder.join(format!("state-{slot}.cubefall"))
    }
}

/// Returns whether there is no such file. One in a folder that cannot be searched is reported when it is read.
fn is_missing(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
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
        assert!(!states.select(9).unwrap());
        let reason = states.select(3).unwrap_err().to_string();
        assert!(reason.contains("not a saved state"), "{reason}");
        assert_eq!(states.path(), folder.path().join("state-3.cubefall"));
        std::fs::write(folder.path().join("state-1.cubefall"), "").unwrap();
        states.update();
        assert!(states.slots().saved[0], "another window has saved it");
    }
}

//! The slots of saved states.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::hud::Slots;

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

    /// Chooses a slot, from 1 to 9.
    pub(super) fn select(&mut self, slot: u8) {
        self.slots.current = slot.clamp(1, 9);
    }

    /// Notes that the current slot holds a state.
    pub(super) fn mark_saved(&mut self) {
        self.slots.saved[usize::from(self.slots.current) - 1] = true;
    }

    /// Returns the file of the current slot.
    pub(super) fn path(&self) -> PathBuf {
        self.path_of(self.slots.current)
    }

    fn path_of(&self, slot: u8) -> PathBuf {
        self.folder.join(format!("state-{slot}.cubefall"))
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
        states.select(9);
        assert_eq!(states.path(), folder.path().join("state-9.cubefall"));
    }
}

//! Files that the window reads and writes: scenes, states, screenshots and preferences.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use directories::UserDirs;

use super::error::AppError;
use super::scene_watcher::SceneWatcher;
use super::state::App;
use crate::hud::{Panels, Tone};
use crate::input_file;
use crate::memory;
use crate::output::{OutputError, OutputFile};
use crate::scenes::{Bundled, Scene, bundled};
use crate::sim::{CameraSetup, SAVE_BYTES_PER_CUBE, SceneSource, Simulation, SnapshotFile};

/// Largest number in the name of a file. Later files replace the last one.
const MAX_NUMBER: u32 = 99_999;

/// First bytes of a saved state.
const STATE_MAGIC: [u8; 8] = *b"CUBEFALL";

impl App {
    /// Writes the frame without the HUD into the user's folder for pictures, if there is one, or else into
    /// the current folder.
    pub(super) fn save_screenshot(&mut self) -> Result<(), AppError> {
        let image = self.window.target.screenshot(&self.simulation)?;
        let folder = UserDirs::new()
            .and_then(|folders| folders.picture_dir().map(Path::to_owned))
            .filter(|folder| folder.is_dir())
            .unwrap_or_default();
        self.save_numbered(&folder, "png", |to| image.write_png(to))
    }

    /// Writes the current state as a scene file into the current folder.
    pub(super) fn save_scene(&mut self) -> Result<(), AppError> {
        let text = self.simulation.to_scene()?.to_json()?;
        self.save_numbered(Path::new(""), "json", |to| to.write_all(text.as_bytes()))
    }

    fn save_numbered(
        &mut self,
        folder: &Path,
        extension: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), AppError> {
        let path = unused_path(folder, extension);
        OutputFile::create(&path)?.write(write)?;
        let path = std::path::absolute(&path).unwrap_or(path);
        self.notify(Tone::Done, &format_args!("Saved {}", path.display()));
        Ok(())
    }

    /// Chooses the slot that is saved to and loaded from.
    pub(super) fn select_slot(&mut self, slot: u8) {
        self.states.select(slot);
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
        self.states.mark_saved();
        let slot = self.states.slots().current;
        let path = path.display();
        self.notify(Tone::Done, &format_args!("Saved state to slot {slot}, {path}; F9 loads it"));
        Ok(())
    }

    /// Continues from the state in the current slot.
    pub(super) fn load_state(&mut self) -> Result<(), AppError> {
        let (path, slot) = (self.states.path(), self.states.slots().current);
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

    /// Reloads the scene file if it has changed. An invalid file changes nothing.
    pub(super) fn reload_if_changed(&mut self) -> Result<(), AppError> {
        let Some(watcher) = &mut self.scene_watcher else { return Ok(()) };
        if !watcher.has_changed(Instant::now()) {
            return Ok(());
        }
        let (path, source) = (watcher.path().to_owned(), watcher.read());
        let restarted = source.map_err(AppError::from).and_then(|source| {
            self.restart(source, self.simulation.mode())?;
            self.notify(Tone::Done, &format_args!("Reloaded {}", path.display()));
            Ok(())
        });
        self.report_recoverable(restarted)
    }

    /// Shows what dropping a file would do, or removes the hint.
    pub(super) fn show_drop_hint(&mut self, path: Option<&Path>) {
        let hint = path.map(|path| format!("Drop to open {}", path.display()));
        if let Some(hint) = &hint {
            log::info!("{hint}");
        }
        self.window.overlay.hud.set_hint(hint);
        self.refresh();
    }

    /// Opens a scene file or a saved state.
    pub(super) fn open_file(&mut self, path: &Path) -> Result<(), AppError> {
        let opened = self.try_open_file(path);
        self.report_recoverable(opened)
    }

    fn try_open_file(&mut self, path: &Path) -> Result<(), AppError> {
        if is_saved_state(path) {
            self.replace_simulation(load_simulation(path)?)?;
        } else {
            // Created before the file is read, so that no later change is missed.
            let watcher = SceneWatcher::new(path, None);
            self.start_scene(Scene::read(path)?)?;
            self.scene_watcher = Some(watcher);
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            // A path that is no text cannot be kept.
            if let Ok(path) = path.into_os_string().into_string() {
                self.preferences.add_recent(path);
            }
        }
        self.notify(Tone::Done, &format_args!("Opened {}", path.display()));
        Ok(())
    }

    /// Starts a bundled scene.
    pub(super) fn start_bundled(&mut self, bundled: Bundled) -> Result<(), AppError> {
        self.start_scene(bundled.scene()?)?;
        self.preferences.add_recent(bundled.name.to_owned());
        Ok(())
    }

    /// Opens an entry of the list of recent scenes.
    pub(super) fn open_recent(&mut self, entry: usize) -> Result<(), AppError> {
        let Some(recent) = self.preferences.recent.get(entry).cloned() else { return Ok(()) };
        match bundled().iter().find(|bundled| bundled.name == recent) {
            Some(&bundled) => self.start_bundled(bundled),
            None => self.try_open_file(Path::new(&recent)),
        }
    }

    /// Starts a scene with its own fall mode and tuning.
    pub(super) fn start_scene(&mut self, scene: Scene) -> Result<(), AppError> {
        let source = SceneSource::File(Arc::new(scene));
        let (mode, tuning) = (source.mode(), source.tuning());
        // A palette that the user chose is kept by a restart only.
        self.simulation.set_coloring(self.simulation.source().coloring())?;
        self.restart(source, mode)?;
        self.camera = CameraSetup::default();
        self.simulation.set_tuning(tuning)?;
        self.scene_watcher = None;
        Ok(())
    }

    /// Saves the user's choices for the next window.
    pub(super) fn save_preferences(&mut self) {
        let panels = self.window.overlay.hud.panels;
        self.preferences.panels = Some(Panels { help: false, ..panels });
        let saved = self.preferences_file.as_mut().map(|file| file.save(&self.preferences));
        if let Some(Err(error)) = saved {
            log::warn!("{error}");
            self.preferences_file = None;
        }
    }
}

/// Loads a saved simulation if it fits into memory.
pub(super) fn load_simulation(path: &Path) -> Result<Simulation, AppError> {
    let file = SnapshotFile::open(path)?;
    memory::check(&path.display().to_string(), file.memory_need())?;
    Ok(file.load()?)
}

fn is_saved_state(path: &Path) -> bool {
    let mut start = [0; STATE_MAGIC.len()];
    let read = input_file::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == STATE_MAGIC
}

/// Returns the first numbered name that no file in the folder has.
fn unused_path(folder: &Path, extension: &str) -> PathBuf {
    let name = |number| folder.join(format!("cubefall-{number:04}.{extension}"));
    (1..MAX_NUMBER).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(MAX_NUMBER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_file_does_not_replace_another() {
        let folder = tempfile::tempdir().unwrap();
        let first = unused_path(folder.path(), "png");
        assert_eq!(first, folder.path().join("cubefall-0001.png"));
        std::fs::write(&first, "").unwrap();
        assert_eq!(unused_path(folder.path(), "png"), folder.path().join("cubefall-0002.png"));
    }
}

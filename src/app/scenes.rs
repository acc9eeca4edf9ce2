//! Scenes: files that the window reads, at the start, when they change, and when they are dropped onto
//! it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::{App, AppError};
use crate::cli::ChosenScene;
use crate::hud::Tone;
use crate::output::OutputFile;
use crate::scenes::{Bundled, Scene};
use crate::sim::{SceneSettings, SceneSource, Simulation};

/// How often it is asked whether a file has changed.
const INTERVAL: Duration = Duration::from_millis(500);

/// Beginning of a file that is not a scene but everything as it was kept.
const SNAPSHOT: &[u8] = b"CUBEFALL";

/// The file that the scene comes from.
pub(super) struct FileWatcher {
    path: PathBuf,
    /// Start of the random numbers that goes before that of the file, as flags do.
    seed: Option<u64>,
    /// When it was written and how long it is, as last seen; none if it is not there.
    stamp: Option<(SystemTime, u64)>,
    due: Instant,
}

impl FileWatcher {
    /// The file that was asked for, unless the scene came with the program.
    pub(super) fn chosen(chosen: Option<&ChosenScene>, seed: Option<u64>) -> Option<Self> {
        chosen.and_then(ChosenScene::file).map(|path| Self::new(path, seed))
    }

    fn new(path: &Path, seed: Option<u64>) -> Self {
        Self { path: path.to_owned(), seed, stamp: stamp(path), due: Instant::now() + INTERVAL }
    }

    /// When it has to be looked at.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// The path, if it is time to look and the file was written since the last look. While it is
    /// not there, as between two versions of it, it has not changed.
    fn changed(&mut self, now: Instant) -> Option<(PathBuf, Option<u64>)> {
        if now < self.due {
            return None;
        }
        self.due = now + INTERVAL;
        let stamp = stamp(&self.path).filter(|&stamp| Some(stamp) != self.stamp)?;
        self.stamp = Some(stamp);
        Some((self.path.clone(), self.seed))
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let found = fs::metadata(path).ok()?;
    Some((found.modified().ok()?, found.len()))
}

impl App {
    /// Reads the file of the scene again if it was written since.
    pub(super) fn reload_if_changed(&mut self) -> Result<(), AppError> {
        let changed = self
            .scene_watcher
            .as_mut()
            .and_then(|scene_watcher| scene_watcher.changed(Instant::now()));
        let Some((path, seed)) = changed else { return Ok(()) };
        let read = self.reload(&path, seed);
        self.report_recoverable(read)
    }

    fn reload(&mut self, path: &Path, seed: Option<u64>) -> Result<(), AppError> {
        let scene = Scene::read(path)?;
        let scene = match seed {
            Some(seed) => scene.with_seed(seed),
            None => scene,
        };
        let mode = self.simulation.mode();
        self.restart(SceneSource::File(Arc::new(scene)), mode)?;
        self.notify(Tone::Done, &format_args!("{} was read again", path.display()));
        Ok(())
    }

    /// Says what becomes of a file that is held over the window; none if it is taken away.
    pub(super) fn show_drop_hint(&mut self, path: Option<&Path>) {
        let offer = path.map(|path| format!("Let go to open {}", path.display()));
        if let Some(offer) = &offer {
            log::info!("{offer}");
        }
        if let Some(overlay) = &mut self.overlay {
            overlay.hud.set_hint(offer);
        }
        self.refresh();
    }

    /// Begins with a file that somebody dropped onto the window: a scene, or everything as it was
    /// kept.
    pub(super) fn open_file(&mut self, path: &Path) -> Result<(), AppError> {
        let opened = self.try_open_file(path);
        self.report_recoverable(opened)
    }

    fn try_open_file(&mut self, path: &Path) -> Result<(), AppError> {
        if is_snapshot(path) {
            self.replace(Simulation::load(path)?)?;
        } else {
            // What is written from here on is another version of it.
            let scene_watcher = FileWatcher::new(path, None);
            self.start_scene(SceneSource::File(Arc::new(Scene::read(path)?)))?;
            self.scene_watcher = Some(scene_watcher);
        }
        self.notify(Tone::Done, &format_args!("Opened {}", path.display()));
        Ok(())
    }

    /// Begins one of the scenes that come with the program.
    pub(super) fn start_bundled(&mut self, bundled: Bundled) -> Result<(), AppError> {
        self.start_scene(SceneSource::File(Arc::new(bundled.scene()?)))?;
        self.scene_watcher = None;
        Ok(())
    }

    /// Begins a scene that somebody chose, as it is of itself.
    fn start_scene(&mut self, start: SceneSource) -> Result<(), AppError> {
        let (mode, tuning) = (start.mode(), start.tuning());
        self.restart(start, mode)?;
        self.simulation.set_tuning(tuning)?;
        Ok(())
    }

    /// What it begins with, from another start of the random numbers.
    pub(super) fn with_seed(&self, seed: u64) -> SceneSource {
        match &self.start {
            SceneSource::Classic(settings) => {
                SceneSource::Classic(SceneSettings { seed, ..*settings })
            }
            SceneSource::File(scene) => {
                SceneSource::File(Arc::new(Scene::clone(scene).with_seed(seed)))
            }
        }
    }

    /// Writes everything as a scene file into the current folder.
    pub(super) fn save_scene(&mut self) -> Result<(), AppError> {
        let text = self.simulation.to_scene()?.save()?;
        let path = super::files::unused(Path::new(""), "json");
        OutputFile::create(&path)?.write(|to| to.write_all(text.as_bytes()))?;
        let shown = std::path::absolute(&path).unwrap_or(path);
        self.notify(Tone::Done, &format_args!("Saved {}", shown.display()));
        Ok(())
    }
}

fn is_snapshot(path: &Path) -> bool {
    use std::io::Read;

    let mut start = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| file.take(SNAPSHOT.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == SNAPSHOT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_changed_once_it_is_written_again_and_not_while_it_is_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.json");
        fs::write(&path, "one").unwrap();
        let mut scene_watcher = FileWatcher::new(&path, Some(7));
        let mut time = scene_watcher.due();
        let mut look = |scene_watcher: &mut FileWatcher| {
            time += INTERVAL;
            scene_watcher.changed(time)
        };
        assert_eq!(look(&mut scene_watcher), None);
        fs::write(&path, "three").unwrap();
        assert_eq!(scene_watcher.changed(Instant::now()), None, "it is not time yet");
        assert_eq!(look(&mut scene_watcher), Some((path.clone(), Some(7))));
        assert_eq!(look(&mut scene_watcher), None);
        fs::remove_file(&path).unwrap();
        assert_eq!(look(&mut scene_watcher), None);
        fs::write(&path, "back again").unwrap();
        assert_eq!(look(&mut scene_watcher), Some((path, Some(7))));
    }
}

//! Watches the file of the scene, to reload it when it changes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::cli::SceneArgs;
use crate::input_file::{Version, version};
use crate::scenes::{Scene, SceneError};
use crate::sim::SceneSource;
use crate::time::Instant;

/// How often the file is checked.
const INTERVAL: Duration = Duration::from_millis(500);

/// A scene file, and its version that was read last.
pub(super) struct SceneWatcher {
    path: PathBuf,
    /// Random seed that overrides the one of the file.
    pub(super) seed: Option<u64>,
    /// `None` if there is no file.
    version: Option<Version>,
    due: Instant,
}

impl SceneWatcher {
    /// Watches the file that the flags name. Built-in scenes have none.
    pub(super) fn for_args(args: &SceneArgs) -> Option<Self> {
        let scene = args.scene.as_ref()?;
        // The file may have changed since it was read.
        Some(Self { version: scene.version(), ..Self::new(scene.file()?, args.seed) })
    }

    /// Watches a file for changes from now on.
    pub(super) fn new(path: &Path, seed: Option<u64>) -> Self {
        let (path, version) = (path.to_owned(), version(path));
        Self { path, seed, version, due: Instant::now() + INTERVAL }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns when to check next.
    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// Checks whether the file was written since the last check. A missing file has not changed, as
    /// while an editor replaces it.
    pub(super) fn has_changed(&mut self, now: Instant) -> bool {
        if now < self.due {
            return false;
        }
        self.due = now + INTERVAL;
        let current = version(&self.path);
        let changed = current.is_some() && current != self.version;
        self.version = current.or(self.version);
        changed
    }

    /// Reads the file.
    pub(super) fn read(&self) -> Result<SceneSource, SceneError> {
        let scene = Scene::read(&self.path)?;
        Ok(SceneSource::File(Arc::new(match self.seed {
            Some(seed) => scene.with_seed(seed),
            None => scene,
        })))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_has_changed_when_it_is_written_and_not_while_it_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.json");
        fs::write(&path, "one").unwrap();
        let mut watcher = SceneWatcher::new(&path, None);
        let mut time = watcher.due();
        let mut check = |watcher: &mut SceneWatcher| {
            time += INTERVAL;
            watcher.has_changed(time)
        };
        assert!(!check(&mut watcher));
        fs::write(&path, "three").unwrap();
        assert!(!watcher.has_changed(Instant::now()), "not due");
        assert!(check(&mut watcher));
        assert!(!check(&mut watcher));
        #[cfg(unix)]
        {
            let [link, other] = ["link", "other"].map(|name| folder.path().join(name));
            fs::hard_link(&path, &link).unwrap();
            assert!(!check(&mut watcher), "the content is the same");
            // Of the same length and time.
            fs::write(&other, "other").unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&other).unwrap().set_modified(modified).unwrap();
            fs::rename(&other, &path).unwrap();
            assert!(check(&mut watcher));
        }
        fs::remove_file(&path).unwrap();
        assert!(!check(&mut watcher));
        fs::write(&path, "back again").unwrap();
        assert!(check(&mut watcher));
    }
}

//! Files that the window reads and writes: scenes, states, screenshots and preferences.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::error::AppError;
use super::host;
#[cfg(web)]
use super::load::load_bytes;
use super::load::load_simulation;
use super::output::Output;
use super::scene_watcher::SceneWatcher;
use super::state::App;
#[cfg(web)]
use crate::cli::SimulationArgs;
use crate::cli::current_camera;
use crate::error_text;
use crate::hud::{Panels, Tone};
use crate::input_file::{self, STATE_MAGIC};
use crate::scenes::{Bundled, Scene, bundled};
use crate::sim::{CameraRig, CameraSetup, FallMode, SceneSource, Simulation};
use crate::time::Instant;

impl App {
    /// Starts to save the frame without the HUD.
    pub(super) fn save_screenshot(&mut self) -> Result<(), AppError> {
        if self.screenshot.is_some() {
            self.notify(Tone::Failed, &"The last screenshot is still being saved; try again");
            return Ok(());
        }
        self.screenshot = Some(self.window.target.screenshot(&self.simulation)?);
        Ok(())
    }

    /// Saves a screenshot that has arrived from the GPU.
    pub(super) fn finish_screenshot(&mut self) -> Result<(), AppError> {
        let Some(arrived) = self.screenshot.take_if(|it| it.is_done()) else { return Ok(()) };
        let image = arrived.finish(&self.window.target.gpu)?;
        let place = host::save(Output::Screenshot, |to| image.write_png(to))?;
        self.notify(Tone::Done, &format_args!("Saved {place}"));
        Ok(())
    }

    /// Saves a screenshot that is still on the GPU, before the window closes.
    #[cfg(not(web))]
    pub(super) fn complete_screenshot(&mut self) {
        if self.screenshot.is_none() {
            return;
        }
        let waited = self.window.target.gpu.wait().map_err(AppError::from);
        if let Err(error) = waited.and_then(|()| self.finish_screenshot()) {
            self.notify(Tone::Failed, &format_args!("No screenshot: {error}"));
        }
    }

    /// Starts a video of the page, or ends and downloads it.
    #[cfg(web)]
    pub(super) fn toggle_video(&mut self) {
        match host::toggle_video() {
            Ok(true) => {
                let message = "Recording a video; F2 ends it";
                // It would be in the video, which has no UI.
                if self.window.overlay.hud.panels.shown {
                    self.notify(Tone::Done, &message);
                } else {
                    host::announce(message);
                    self.refresh();
                }
            }
            // The end is reported when the browser has written the video.
            Ok(false) => self.refresh(),
            Err(reason) => self.notify(Tone::Failed, &format_args!("No video: {reason}")),
        }
    }

    /// Saves the current state as a scene file.
    pub(super) fn save_scene(&mut self) -> Result<(), AppError> {
        let text = self.simulation.to_scene()?.to_json()?;
        let place = host::save(Output::Scene, |to| to.write_all(text.as_bytes()))?;
        self.notify(Tone::Done, &format_args!("Saved {place}"));
        Ok(())
    }

    /// Saves the latest measurement of the score.
    pub(super) fn save_score(&mut self) -> Result<(), AppError> {
        let Some(suite) = &self.suite else { return Ok(()) };
        let place = host::save(Output::Suite, |to| Ok(serde_json::to_writer_pretty(to, suite)?))?;
        self.notify(Tone::Done, &format_args!("Saved {place}"));
        Ok(())
    }

    /// Chooses the slot that is saved to and loaded from.
    pub(super) fn select_slot(&mut self, slot: u8) {
        let is_saved = match self.states.select(slot) {
            Ok(is_saved) => is_saved,
            Err(error) => {
                self.notify(Tone::Failed, &format_args!("Slot {slot}: {error}"));
                return;
            }
        };
        let state = if is_saved { "F9 loads its state" } else { "empty; F5 saves the state" };
        self.notify_value(format!("Slot {slot}: {state}"));
    }

    /// Saves the state of the simulation into the current slot.
    pub(super) fn save_state(&mut self) -> Result<(), AppError> {
        if self.operation.change.is_some() {
            // A reset of the loaded state creates the cubes that are there. The next slice sets the target again.
            let count = self.count();
            self.simulation.cubes_mut().set_count(count)?;
        }
        let place = self.states.save(&self.simulation)?;
        let slot = self.states.slots().current;
        self.notify(Tone::Done, &format_args!("Saved state to slot {slot}, {place}; F9 loads it"));
        Ok(())
    }

    /// Continues from the state in the current slot.
    pub(super) fn load_state(&mut self) -> Result<(), AppError> {
        let slot = self.states.slots().current;
        let Some(simulation) = self.states.load()? else {
            let message = format_args!("No saved state in slot {slot}; F5 saves one");
            self.notify(Tone::Failed, &message);
            return Ok(());
        };
        self.replace_simulation(simulation)?;
        self.notify(Tone::Done, &format_args!("Loaded state from slot {slot}"));
        Ok(())
    }

    /// Reloads the scene file if it has changed. An invalid file changes nothing.
    pub(super) fn reload_if_changed(&mut self) -> Result<(), AppError> {
        // Drawing another scene would disturb the measurement of the score.
        if self.operation.score.is_some() {
            return Ok(());
        }
        let Some(watcher) = &mut self.scene_watcher else { return Ok(()) };
        if !watcher.has_changed(Instant::now()) {
            return Ok(());
        }
        let (path, source) = (watcher.path().to_owned(), watcher.read());
        // Failures of the previous content no longer apply.
        self.window.overlay.hud.retract_failures(&error_text::path(&path));
        let restarted = source.map_err(AppError::from).and_then(|source| {
            let mode = self.mode_of_restart(&source);
            // Unless a path or a fall moves the camera, or the file places it anew, the view stays.
            let camera = self.simulation.camera();
            let starts_again = camera.rig() == CameraRig::Path
                || self.simulation.mode() == FallMode::Camera
                || !source.has_camera_of(&self.source);
            let kept = (!starts_again).then(|| (current_camera(&camera), camera.flight_speed()));
            let drifted = self.drifts;
            self.restart(source, mode)?;
            self.place_camera();
            if let Some((mut view, speed)) = kept {
                // A camera that falls now drifts no more.
                if drifted && !self.drifts {
                    view.orbit_speed = None;
                }
                let mut camera = self.simulation.camera_mut();
                // A view that is refused is that of the scene.
                camera.set_up(&view).ok();
                camera.controls().speed = speed;
            }
            self.notify(Tone::Done, &format_args!("Reloaded {}", error_text::path(&path)));
            Ok(())
        });
        self.report_recoverable(restarted)
    }

    /// Shows what dropping a file would do, or removes the hint.
    pub(super) fn show_drop_hint(&mut self, file: Option<&str>) {
        let hint = file.map(|file| format!("Drop to open {file}"));
        if let Some(hint) = &hint {
            log::info!("{hint}");
        }
        self.window.overlay.hud.set_hint(hint);
        self.refresh();
    }

    /// Opens the bytes of a scene file, with the given parameters, or of a saved state.
    #[cfg(web)]
    pub(super) fn open_bytes(
        &mut self,
        name: &str,
        bytes: &[u8],
        parameters: Option<&SimulationArgs>,
    ) -> Result<(), AppError> {
        if parameters.is_none() {
            self.end_drift();
        }
        let opened = self.try_open_bytes(name, bytes, parameters);
        self.report_recoverable(opened)
    }

    #[cfg(web)]
    fn try_open_bytes(
        &mut self,
        name: &str,
        bytes: &[u8],
        parameters: Option<&SimulationArgs>,
    ) -> Result<(), AppError> {
        if parameters.is_some() && self.has_opened {
            self.notify(
                Tone::Done,
                &format_args!("Ignored {name}: another scene was opened while it loaded"),
            );
            return Ok(());
        }
        if bytes.starts_with(&STATE_MAGIC) {
            let state = load_bytes(name, bytes)?;
            self.end_drift();
            self.replace_simulation(state)?;
            if parameters.is_some() {
                // The address places the camera of another scene.
                self.forget_camera();
            }
        } else if let Some(parameters) = parameters {
            self.start_scene_of_address(Scene::parse(name, bytes)?, parameters)?;
        } else {
            self.start_scene(Scene::parse(name, bytes)?)?;
        }
        self.notify(Tone::Done, &format_args!("Opened {name}"));
        Ok(())
    }

    /// Starts the scene of a file that the address names, as its other parameters say.
    #[cfg(web)]
    fn start_scene_of_address(
        &mut self,
        mut file: Scene,
        parameters: &SimulationArgs,
    ) -> Result<(), AppError> {
        let SimulationArgs { scene, .. } = parameters;
        if let Some(seed) = scene.seed {
            file = file.with_seed(seed);
        }
        let mode = scene.mode.unwrap_or(file.mode);
        let source = SceneSource::File(Arc::new(file));
        self.check_start(source.cubes())?;
        self.begin(scene.create(source, mode)?);
        let simulation = &mut self.simulation;
        if let Some(coloring) = parameters.coloring(simulation) {
            simulation.set_coloring(Some(coloring))?;
        }
        // A reset restores it.
        self.camera = scene.camera();
        self.place_camera();
        self.refresh();
        Ok(())
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
            self.remember_scene(path);
        }
        self.notify(Tone::Done, &format_args!("Opened {}", error_text::path(path)));
        Ok(())
    }

    /// Starts a bundled scene.
    pub(super) fn start_bundled(&mut self, bundled: Bundled) -> Result<(), AppError> {
        let source = SceneSource::of_bundled(bundled)?;
        let saved = self.preferences.coloring.filter(|_| matches!(source, SceneSource::Classic(_)));
        self.start_source(source)?;
        if saved.is_some() {
            self.simulation.set_coloring(saved)?;
        }
        self.preferences.add_recent(bundled.name.to_owned());
        Ok(())
    }

    /// Puts a scene file at the start of the recent scenes.
    pub(super) fn remember_scene(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        // One name for each file. On Windows canonical paths have a prefix that users do not know.
        #[cfg(unix)]
        let path = match (path.parent().map(Path::canonicalize), path.file_name()) {
            (Some(Ok(folder)), Some(name)) => folder.join(name),
            _ => path,
        };
        // A path that is no text cannot be kept.
        if let Ok(path) = path.into_os_string().into_string() {
            self.preferences.add_recent(path);
        }
    }

    /// Opens an entry of the list of recent scenes.
    pub(super) fn open_recent(&mut self, entry: usize) -> Result<(), AppError> {
        let Some(recent) = self.preferences.recent.get(entry).cloned() else { return Ok(()) };
        match bundled().iter().find(|bundled| bundled.name == recent) {
            Some(&bundled) => self.start_bundled(bundled),
            None => self.try_open_file(Path::new(&recent)),
        }
    }

    /// Starts the scene of a file.
    fn start_scene(&mut self, scene: Scene) -> Result<(), AppError> {
        self.start_source(SceneSource::File(Arc::new(scene)))
    }

    /// Starts a scene with its own fall mode. A palette and sliders that the user chose are kept by a restart only.
    fn start_source(&mut self, source: SceneSource) -> Result<(), AppError> {
        self.check_start(source.cubes())?;
        let (mode, before) = (source.mode(), &self.simulation);
        let motion = (source.motion() == before.source().motion()).then(|| before.motion());
        self.begin(Simulation::with_overrides(source, mode, motion, None)?);
        Ok(())
    }

    /// Continues with the start of another scene. The pause is kept.
    fn begin(&mut self, mut simulation: Simulation) {
        simulation.set_paused(self.simulation.is_paused());
        simulation.set_widened_view(self.simulation.has_widened_view());
        self.source = simulation.source();
        self.simulation = simulation;
        #[cfg(web)]
        {
            self.has_opened = true;
        }
        self.simulation_replaced();
        self.camera = CameraSetup::default();
        self.scene_watcher = None;
    }

    /// Saves the user's choices for the next window.
    pub(super) fn save_preferences(&mut self) {
        let maximized = self.window.is_maximized();
        if let Some(now) = maximized {
            *self.maximized_by_manager.get_or_insert(now) &= now;
        }
        self.write_preferences(maximized);
    }

    /// Saves the preferences but for the place of the window, which takes longer to find out.
    pub(super) fn save_choices(&mut self) {
        self.write_preferences(None);
    }

    /// Keeps the saved place, to which the window returns, if it is maximized or that is unknown.
    fn write_preferences(&mut self, maximized: Option<bool>) {
        let mut panels = Panels { help: false, ..self.window.overlay.hud.panels };
        if self.hud_of_flags == Some(panels.shown) {
            panels.shown = self.preferences.panels.unwrap_or_default().shown;
        } else {
            self.hud_of_flags = None;
        }
        // Unless the user changes them, those of a later version, which this one cannot read, stay.
        if panels != self.preferences.panels.unwrap_or_default() {
            self.preferences.panels = Some(panels);
        }
        let Some(entry) = &mut self.saved_preferences else { return };
        let mut preferences = self.preferences.clone();
        // The size of a new window may come from a flag.
        let is_chosen = self.initial_size.is_none() && self.maximized_by_manager != Some(true);
        let chosen = maximized.filter(|_| is_chosen);
        preferences.maximized = chosen.unwrap_or(entry.saved.maximized);
        // A window with the size of a flag has a place of its own.
        if maximized != Some(false) || (self.size_of_flag && self.initial_size.is_some()) {
            (preferences.size, preferences.position) = (entry.saved.size, entry.saved.position);
        }
        if let Some(former) = &self.unproven {
            (preferences.quality, preferences.culling) = former.saved;
        }
        let (refusal, copy) = match entry.save(&preferences) {
            Ok(copy) => (None, copy),
            Err(error) => (Some(error.to_string()), None),
        };
        if let Some(copy) = copy {
            let copy = error_text::path(&copy);
            self.notify(
                Tone::Failed,
                &format_args!("The file of preferences was invalid; kept as {copy}"),
            );
        }
        if refusal != self.refusal {
            if let Some(error) = &refusal {
                self.notify(Tone::Failed, &format_args!("Preferences are not saved: {error}"));
            }
            self.refusal = refusal;
        }
    }
}

fn is_saved_state(path: &Path) -> bool {
    let mut start = [0; STATE_MAGIC.len()];
    let read = input_file::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == STATE_MAGIC
}

//! Applies each [`Action`], from whichever device it comes.

use std::sync::Arc;

use glam::Vec3;

use super::error::AppError;
use super::host;
use super::operation::Operation;
use super::state::{App, Unproven};
use super::title;
use crate::cli::{GraphicsArgs, SharedView, camera_flags};
use crate::components::{Coloring, Motion, Palette};
use crate::error_text;
use crate::frame;
use crate::hud::{Panels, Tone};
use crate::input::Action;
use crate::memory::CubeMemory;
use crate::render::FramesInFlight;
use crate::scenes::Scene;
use crate::sim::{
    BYTES_PER_CUBE, CameraSetup, FallMode, SceneSettings, SceneSource, Simulation, SpawnStats,
};

impl App {
    /// Applies an action. A recoverable error is shown as a message, and the current scene continues.
    pub(super) fn apply(&mut self, action: Action) -> Result<(), AppError> {
        if self.operation.score.is_some() && needs_frames(action) {
            // A drag would repeat the message.
            if !matches!(action, Action::Look { .. } | Action::Pan { .. }) {
                self.notify_no_effect(
                    "The scene pauses while the score is measured; press Esc to cancel",
                );
            }
        } else {
            let applied = self.try_apply(action);
            let is_done = applied.is_ok();
            self.report_recoverable(applied)?;
            if is_done {
                self.announce_change(action);
                if changes_frame_time(action)
                    && let Some(search) = &mut self.operation.search
                {
                    search.forget();
                }
            }
        }
        self.settle();
        let changes_title = !matches!(
            action,
            Action::Fly { .. }
                | Action::FlyAnalog(_)
                | Action::Look { .. }
                | Action::Pan { .. }
                | Action::ChangeSpeed(_)
        );
        if changes_title {
            self.update_title();
            self.save_choices();
        }
        Ok(())
    }

    /// Says to screen readers what an action has changed that has no message.
    fn announce_change(&self, action: Action) {
        let (simulation, panels) = (&self.simulation, self.window.overlay.hud.panels);
        match action {
            Action::SetMode(_) | Action::SwitchMode => {
                host::announce(&format!("Mode: {}", simulation.mode()));
            }
            Action::TogglePause => {
                host::announce(if simulation.is_paused() { "Paused" } else { "Resumed" });
            }
            Action::Reset => host::announce("The scene starts again"),
            Action::ToggleHelp if panels.help => host::announce(&title::keys()),
            Action::ToggleHelp => host::announce("Keys hidden"),
            Action::ToggleHud if panels.shown => host::announce("UI shown"),
            Action::ToggleHud => host::announce("UI hidden"),
            Action::ToggleInspector if panels.inspector => host::announce("Inspector shown"),
            Action::ToggleInspector => host::announce("Inspector hidden"),
            _ => {}
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per action")]
    fn try_apply(&mut self, action: Action) -> Result<(), AppError> {
        let size = self.window.target.surface.size();
        let simulation = &mut self.simulation;
        match action {
            Action::Fly { direction, held } => {
                self.flight.set_key(direction, held);
                self.update_flight();
            }
            Action::FlyAnalog(motion) => {
                self.flight.set_stick(motion);
                self.update_flight();
            }
            Action::Look { right, down } => simulation.camera_mut().rotate(right, down),
            Action::ChangeSpeed(notches) => {
                simulation.camera_mut().scroll(notches);
                let text = match simulation.camera().orbit_distance() {
                    Some(_) if simulation.mode() == FallMode::Camera => {
                        "The orbit distance cannot change while the camera falls".to_owned()
                    }
                    Some(distance) => format!("Distance {distance:.1} m"),
                    None => format!("Speed {:.1} m/s", simulation.camera().flight_speed()),
                };
                self.window.overlay.hud.notify_value(text);
            }
            Action::Pan { right, down, zoom } => simulation.camera_mut().pan(right, down, zoom),
            Action::CycleCamera => {
                let selected = self.selection.selected(simulation);
                let rig = simulation.camera_mut().cycle_rig(selected);
                self.notify_value(format!("Camera: {rig}"));
            }
            Action::CopyCamera => {
                let flags = camera_flags(&simulation.camera());
                self.copy(&flags);
            }
            Action::CopyLink => match SharedView::of(simulation) {
                Some(view) => self.copy(&host::link(&view)),
                None => self.notify(
                    Tone::Failed,
                    &"Links name bundled scenes only: save the scene and send the file instead",
                ),
            },
            Action::SelectAt(at) => {
                let ground = self.window.target.shows_ground();
                self.selection.select_at(at, simulation, size, ground)?;
            }
            Action::DropCubeAt(at) => {
                let cubes = simulation.cubes().count() + 1;
                self.window.target.gpu.check_capacity(cubes, Motion::Integrated)?;
                self.selection.drop_cube_at(at, simulation, size)?;
            }
            Action::Focus => {
                if let Some(cube) = self.selection.selected(simulation) {
                    simulation.camera_mut().focus(cube)?;
                } else {
                    self.notify_no_effect("No cube is selected to focus on; click one first");
                }
            }
            Action::Despawn if self.selection.selected(simulation).is_none() => {
                self.notify_no_effect("No cube is selected to despawn; click one first");
            }
            Action::Despawn => self.selection.despawn(simulation)?,
            Action::SetMode(mode) => simulation.set_mode(mode)?,
            Action::SwitchMode => simulation.set_mode(simulation.mode().flipped())?,
            Action::TogglePause => simulation.set_paused(!simulation.is_paused()),
            Action::Step if !simulation.is_paused() => {
                self.notify_no_effect("Single steps need a pause; press Space first");
            }
            Action::Step if simulation.tuning().time == 0.0 => {
                self.notify_no_effect("Single steps need a Time above 0");
            }
            Action::Step => self.steps += 1,
            Action::Reset => {
                let mode = self.mode_of_restart(&self.source);
                self.cancel_change()?;
                self.restart(self.source.clone(), mode)?;
                self.place_camera();
                self.simulation.set_paused(false);
            }
            Action::SetCubes(cubes) => self.set_cubes(cubes)?,
            Action::FindMaximum => self.find_maximum()?,
            Action::MeasureScore => self.measure_score()?,
            Action::SaveScore => self.save_score()?,
            Action::Cancel => self.cancel_operation()?,
            Action::SetTuning(tuning) => simulation.set_tuning(tuning)?,
            Action::SetMotion(motion) => {
                simulation.set_motion(motion)?;
                self.comfortable.reset();
            }
            Action::SetAttract(attract) => {
                self.attract = attract;
                self.preferences.attract = Some(attract);
                // The user may have placed the camera, but now wants it to drift.
                let runs = !simulation.is_paused() && simulation.tuning().time > 0.0;
                self.drifts = attract && runs && simulation.camera_mut().start_drift();
                if attract && !self.drifts {
                    self.notify_no_effect(
                        "The camera drifts only while the scene runs and the camera flies without falling",
                    );
                }
            }
            Action::SetColoring(coloring) => self.set_coloring(coloring)?,
            Action::NextPalette => {
                let now = simulation.coloring();
                let palette = now.map_or(Palette::ALL[0], |it| it.palette.next());
                let coloring = Coloring { palette, ..simulation.coloring_or_default() };
                self.set_coloring(coloring)?;
                self.notify_value(format!("Palette: {palette}"));
            }
            Action::SetSeed(seed) => {
                let mode = self.mode_of_restart(&self.source);
                self.cancel_change()?;
                self.restart(with_seed(&self.source, seed), mode)?;
                self.place_camera();
                if let Some(watcher) = &mut self.scene_watcher {
                    watcher.seed = Some(seed);
                }
            }
            Action::StartScene(bundled) => self.start_bundled(bundled)?,
            Action::OpenRecent(entry) => self.open_recent(entry)?,
            Action::SetSystemEnabled(system, enabled) => {
                simulation.set_system_enabled(system, enabled)?;
            }
            Action::SetQuality(quality) => {
                self.change_graphics(|graphics| graphics.set_quality(quality))?;
                self.preferences.quality = Some(quality);
            }
            Action::SetCulling(culling) => {
                self.change_graphics(|graphics| graphics.culling = Some(culling))?;
                self.preferences.culling = Some(culling);
            }
            Action::SetWidenedView(is_on) => {
                simulation.set_widened_view(is_on);
                // A reset keeps it.
                self.camera.widened_view = Some(is_on);
                self.preferences.widened_view = Some(is_on);
            }
            Action::ToggleVsync => self.toggle_vsync()?,
            Action::ToggleFullscreen if !host::has_fullscreen() => {
                self.notify_no_effect("Full screen is not available: the browser or the page around the demo does not allow it");
            }
            Action::ToggleFullscreen => self.window.toggle_fullscreen(),
            Action::ToggleHelp => {
                self.toggle_panel(|panels| &mut panels.help);
            }
            Action::ToggleHud => {
                // Applies clicks on the panels before they are hidden.
                self.update_hud()?;
                if self.toggle_panel(|panels| &mut panels.shown) {
                    self.update_counts();
                } else {
                    self.window.overlay.hud.clear_messages();
                    if host::is_touched() {
                        self.notify(Tone::Done, &"Three fingers show the UI again");
                    }
                }
            }
            Action::ToggleInspector => {
                let panels = &mut self.window.overlay.hud.panels;
                panels.inspector = !(panels.shown && panels.inspector);
                panels.shown |= panels.inspector;
                self.window.overlay.hud.reveal_inspector();
                self.update_counts();
            }
            Action::Screenshot => self.save_screenshot()?,
            Action::SaveScene => self.save_scene()?,
            Action::SaveState => self.save_state()?,
            Action::LoadState => self.load_state()?,
            Action::SelectSlot(slot) => self.select_slot(slot),
            Action::DockInspector(dock) => self.window.overlay.hud.panels.dock = dock,
            Action::ScaleUi(steps) => self.scale_ui(steps),
            Action::Back => self.back()?,
            Action::Quit => self.quit(),
            #[cfg(web)]
            Action::ChooseFile => host::choose_file(),
            #[cfg(web)]
            Action::ToggleVideo => self.toggle_video(),
        }
        Ok(())
    }

    /// Copies a text to the clipboard.
    fn copy(&mut self, text: &str) {
        // Wayland takes it only from the window that has the keyboard.
        let can_copy = !self.window.is_wayland() || self.window.winit.has_focus();
        let by_window = |text| self.window.overlay.copy(text);
        let copied = if can_copy { host::copy(text, by_window) } else { Some(false) };
        match copied {
            Some(true) => self.notify(Tone::Done, &format_args!("Copied {text}")),
            Some(false) => {
                self.notify(Tone::Failed, &format_args!("No clipboard; to copy by hand: {text}"));
            }
            // Reported when it is known.
            None => {}
        }
    }

    /// Shows why an action has no effect in the present state.
    fn notify_no_effect(&mut self, message: &str) {
        self.notify(Tone::Failed, &message);
    }

    /// Passes the flight of keys and sticks to the camera. It ends the motion of the camera by itself, also
    /// during a pause.
    pub(super) fn update_flight(&mut self) {
        let motion = Vec3::from(self.flight.motion());
        let mut camera = self.simulation.camera_mut();
        if motion != Vec3::ZERO {
            camera.stop();
        }
        camera.controls().motion = motion;
    }

    /// Changes graphics settings. The former ones are kept until others are known to fit on the adapter.
    fn change_graphics(&mut self, change: impl FnOnce(&mut GraphicsArgs)) -> Result<(), AppError> {
        let former = self.window.graphics().clone();
        let mut graphics = former.clone();
        change(&mut graphics);
        self.window.set_graphics(graphics)?;
        self.comfortable.reset();
        let saved = (self.preferences.quality, self.preferences.culling);
        let frames = self.window.frames();
        let unproven = Unproven { frames, graphics: former, saved };
        self.unproven.get_or_insert(unproven).frames = frames;
        Ok(())
    }

    /// Returns the fall mode in which a scene, or another version of it, starts again: the present one. A scene
    /// with times for the mode has its own.
    pub(super) fn mode_of_restart(&self, source: &SceneSource) -> FallMode {
        let is_changed = source.mode() != self.source.mode();
        if is_changed || source.switches_mode() { source.mode() } else { self.simulation.mode() }
    }

    /// Starts a scene as [`Simulation::reset`] does. On an error the current one continues.
    pub(super) fn restart(&mut self, source: SceneSource, mode: FallMode) -> Result<(), AppError> {
        self.check_start(source.cubes())?;
        self.simulation.reset(source.clone(), mode)?;
        self.source = source;
        self.simulation_replaced();
        Ok(())
    }

    /// Checks that another scene fits on the adapter and into memory.
    pub(super) fn check_start(&self, cubes: usize) -> Result<(), AppError> {
        let gpu = &self.window.target.gpu;
        gpu.check_capacity(cubes, Motion::Integrated)?;
        // The cubes so far have their buffers already.
        let grows = cubes > self.simulation.cubes().count();
        let simulated = CubeMemory::new(BYTES_PER_CUBE);
        let memory = if grows { frame::cube_memory(gpu, FramesInFlight::Many) } else { simulated };
        Ok(memory.check(cubes)?)
    }

    /// Lets a reset place the camera as the scene says, instead of flags or an address.
    pub(super) fn forget_camera(&mut self) {
        self.camera =
            CameraSetup { widened_view: self.camera.widened_view, ..CameraSetup::default() };
    }

    /// Continues with another simulation, which comes from a saved state.
    pub(super) fn replace_simulation(&mut self, simulation: Simulation) -> Result<(), AppError> {
        let cubes = simulation.cubes().count();
        let gpu = &self.window.target.gpu;
        gpu.check_capacity(cubes, Motion::Integrated)?;
        if cubes > self.simulation.cubes().count() {
            CubeMemory::new(gpu.memory_per_cube(FramesInFlight::Many)).check(cubes)?;
        }
        let source = simulation.source();
        if !source.is_version_of(&self.source) {
            // The camera of the flags and the file are those of the scene before.
            self.forget_camera();
            if let Some(watcher) = self.scene_watcher.take() {
                let path = error_text::path(watcher.path());
                let message =
                    format_args!("{path} is no longer reloaded: the state is of another scene");
                self.notify(Tone::Done, &message);
            }
        }
        if source.seed() != self.source.seed()
            && let Some(watcher) = &mut self.scene_watcher
        {
            watcher.seed = Some(source.seed());
        }
        self.source = source;
        #[cfg(web)]
        {
            (self.has_opened, self.count_probe) = (true, None);
        }
        // The frame in progress has the counters of the former simulation.
        let SpawnStats { spawned, removed } = simulation.spawn_stats();
        self.profiler.live.spawn_stats = [spawned, removed];
        self.history.skip_spawned();
        let widened_view = self.simulation.has_widened_view();
        self.simulation = simulation;
        self.simulation.set_widened_view(widened_view);
        self.simulation_replaced();
        Ok(())
    }

    /// Places the camera of the flags. One that does not fit the scene is reported, and that of the scene is used.
    pub(super) fn place_camera(&mut self) {
        let placed = self.simulation.camera_mut().set_up(&self.camera);
        if let Err(error) = placed {
            if let Some(is_on) = self.camera.widened_view {
                self.simulation.set_widened_view(is_on);
            }
            self.notify(Tone::Failed, &error);
        } else if self.drifts && self.camera.places() {
            self.drifts = self.simulation.camera_mut().start_drift();
        }
    }

    pub(super) fn simulation_replaced(&mut self) {
        // Pending steps were meant for the former simulation.
        self.steps = 0;
        self.drifts = self.drifts && self.simulation.camera_mut().start_drift();
        if self.operation.search.is_some() {
            self.notify(Tone::Done, &"Canceled: no maximum was found");
        }
        // The score does not depend on the scene.
        self.operation = Operation { score: self.operation.score.take(), ..Operation::default() };
        self.comfortable.reset();
        self.selection.reset(&self.simulation);
        self.update_flight();
        self.settle();
        self.update_title();
    }

    /// Ends the program after this event. A page is closed by its browser.
    pub(super) fn quit(&mut self) {
        self.quits = cfg!(not(web));
    }

    /// Closes what is open, or else quits.
    fn back(&mut self) -> Result<(), AppError> {
        let help = &mut self.window.overlay.hud.panels.help;
        if std::mem::take(help) {
            return Ok(());
        }
        if self.operation.is_running() {
            return self.cancel_operation();
        }
        if self.selection.has_selection() {
            self.selection.clear(&mut self.simulation);
        } else {
            self.quit();
        }
        Ok(())
    }

    /// Makes the UI larger or smaller, or restores its size.
    fn scale_ui(&mut self, steps: i8) {
        self.window.overlay.change_ui_scale(steps);
        self.preferences.ui_scale = Some(self.window.overlay.ui_scale());
        let percent = self.window.overlay.shown_scale();
        self.notify_value(format!("UI scale {percent} %"));
    }

    fn set_coloring(&mut self, coloring: Coloring) -> Result<(), AppError> {
        self.simulation.set_coloring(Some(coloring))?;
        // A scene file has colors of its own.
        if let SceneSource::Classic(_) = self.source {
            self.preferences.coloring = Some(coloring);
        }
        Ok(())
    }

    fn toggle_vsync(&mut self) -> Result<(), AppError> {
        let waited = self.window.waits_for_vblank();
        self.window.toggle_vsync()?;
        let waits = self.window.waits_for_vblank();
        if waited && waits {
            self.notify(Tone::Failed, &"Vsync cannot be turned off on this display");
        } else {
            self.preferences.vsync = Some(waits);
        }
        Ok(())
    }

    /// Opens or closes a panel. Returns whether it is open.
    fn toggle_panel(&mut self, panel: impl FnOnce(&mut Panels) -> &mut bool) -> bool {
        let open = panel(&mut self.window.overlay.hud.panels);
        *open = !*open;
        *open
    }
}

/// Returns whether frames of as many cubes may take another time after an action.
fn changes_frame_time(action: Action) -> bool {
    matches!(
        action,
        Action::SetMode(_)
            | Action::SwitchMode
            | Action::SetMotion(_)
            | Action::SetTuning(_)
            | Action::SetQuality(_)
            | Action::SetCulling(_)
            | Action::SetColoring(_)
            | Action::NextPalette
            | Action::ToggleVsync
            | Action::SetSystemEnabled(..)
    )
}

/// Returns whether the effect of an action is visible only while frames are drawn.
fn needs_frames(action: Action) -> bool {
    matches!(
        action,
        Action::SetMode(_)
            | Action::SwitchMode
            | Action::Step
            | Action::CycleCamera
            | Action::Focus
            | Action::SelectAt(_)
            | Action::SetAttract(true)
            | Action::Look { .. }
            | Action::Pan { .. }
            | Action::ChangeSpeed(_)
            | Action::Fly { held: true, .. }
    )
}

/// Returns a scene with another random seed.
fn with_seed(source: &SceneSource, seed: u64) -> SceneSource {
    match source {
        SceneSource::Classic(settings) => SceneSource::Classic(SceneSettings { seed, ..*settings }),
        SceneSource::File(scene) => {
            SceneSource::File(Arc::new(Scene::clone(scene).with_seed(seed)))
        }
    }
}

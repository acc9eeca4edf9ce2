//! The order of a frame, and when the next one is drawn.

use std::time::Duration;

use winit::event_loop::{ActiveEventLoop, ControlFlow};

use super::comfortable_count;
use super::error::AppError;
#[cfg(web)]
use super::host;
use super::scene_watcher::SceneWatcher;
use super::state::{App, SETTLING_FRAMES};
use super::window::{AppWindow, Drawn};
use crate::benchmark::FramePhase;
use crate::frame;
use crate::hud::{Model, Tone};
use crate::input::Action;
use crate::sim::{CLASSIC, SceneSource, SpawnStats, TimeStep};
use crate::time::Instant;

/// How often an invisible window is checked for being visible again, and a frame that does not come is requested
/// again.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(250);

/// How often the progress of a score measurement is read.
const SCORE_INTERVAL: Duration = Duration::from_millis(250);

/// Frames after which graphics settings are known to fit on the adapter. Browsers report a failed
/// allocation some frames later.
const PROVING_FRAMES: u64 = if cfg!(web) { 5 } else { 1 };

impl App {
    /// Draws a frame and schedules the next one.
    pub(super) fn redraw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        self.end_wait();
        let hidden = self.window.was_hidden();
        let start = self.profiler.recorder.frame_start();
        let is_starting = self.profiler.is_starting();
        let mut drawn = self.profiler.end_frame();
        let now = self.profiler.recorder.frame_start();
        let suspended = self.suspension.was_suspended(start, now);
        if suspended {
            self.window.target.discard_gpu_times();
        }
        if std::mem::take(&mut self.idle) || suspended || hidden || is_starting {
            self.clock.resume(now);
            drawn = None;
        }
        let gpu = drawn.as_ref().and_then(|frame| frame.sample.gpu);
        let gpu = gpu.map(Duration::from_nanos);
        let (elapsed, figures_are_due) = self.clock.tick(now, drawn.is_some(), gpu);
        self.poll_devices(elapsed)?;
        let drawn_for = drawn.is_some().then_some(elapsed);
        if let Some(frame) = drawn {
            self.history.push(&frame);
            // Paused frames are cheaper.
            if self.operation.change.is_none() && !self.simulation.is_paused() {
                let cubes = self.simulation.cubes().count() as u32;
                let work = comfortable_count::work(&frame.sample);
                self.comfortable.frame(cubes, work);
                #[cfg(web)]
                self.probe_count(cubes, &frame.sample, work)?;
            }
        } else {
            self.history.skip_spawned();
        }
        if figures_are_due {
            self.window.poll_visibility();
            // Reads files of the system, for a slider.
            if self.window.overlay.hud.is_active() && !self.window.is_hidden() {
                // The slider would move under a pointer that is still.
                if !self.window.overlay.hud.holds_count() {
                    self.update_counts();
                }
                #[cfg(not(web))]
                self.states.update();
            }
        }
        let advanced = self.advance_operation(drawn_for);
        self.report_recoverable(advanced)?;
        self.reload_if_changed()?;
        let saved = self.finish_screenshot();
        self.report_recoverable(saved)?;
        self.step(elapsed)?;
        self.update_hud()?;
        self.draw(event_loop)?;
        if figures_are_due {
            self.update_title();
            // Not only at the end: libraries of the window system end the process when the display is gone.
            self.save_preferences();
        }
        self.profiler.recorder.end_phase(FramePhase::Other);
        Ok(())
    }

    /// Applies the actions of gamepads and the turning of held keys. Reports connected gamepads and the end of the
    /// selected cube.
    fn poll_devices(&mut self, elapsed: Duration) -> Result<(), AppError> {
        // The event that a new window gets the focus can be missing.
        #[cfg(target_os = "macos")]
        self.devices.set_focus(self.window.winit.has_focus());
        let turn = self.flight.look(TimeStep::clamped(elapsed).seconds());
        let actions = turn.into_iter().chain(self.devices.poll(elapsed));
        let measures = self.operation.score.is_some();
        // Frames of a moving camera would disturb the measurement.
        let disturbs = |action: &Action| match action {
            Action::Look { .. } => true,
            Action::FlyAnalog(motion) => *motion != [0.0; 3],
            _ => false,
        };
        for action in actions.filter(|action| !(measures && disturbs(action))) {
            self.end_drift();
            self.apply(action)?;
        }
        let messages = self.devices.gamepads.take_messages();
        let despawned = self.selection.take_despawned(&self.simulation);
        for message in messages.into_iter().chain(despawned) {
            self.notify(Tone::Done, &message);
        }
        Ok(())
    }

    fn step(&mut self, elapsed: Duration) -> Result<(), AppError> {
        self.profiler.recorder.end_phase(FramePhase::Other);
        let before = self.simulation.camera().view();
        let steps = std::mem::take(&mut self.steps);
        if steps > 0 && self.simulation.is_paused() {
            for _ in 0..steps {
                self.simulation.step_in_pause(TimeStep::default())?;
            }
        } else if self.operation.score.is_none() {
            self.simulation.step(TimeStep::clamped(elapsed))?;
        }
        self.profiler.recorder.end_phase(FramePhase::Sim);
        self.camera_moved = self.simulation.camera().view() != before;
        if elapsed.is_zero() {
            // The first frame after a wait takes no time, so only the second shows whether the camera moves.
            self.frames_until_idle = self.frames_until_idle.max(1);
        }
        self.profiler.live.lifecycle = self.simulation.lifecycle_time().as_nanos() as u64;
        let SpawnStats { spawned, removed } = self.simulation.spawn_stats();
        self.profiler.live.spawn_stats = [spawned, removed];
        Ok(())
    }

    /// Lays out the HUD and applies the actions of its widgets.
    pub(super) fn update_hud(&mut self) -> Result<(), AppError> {
        let start = Instant::now();
        let idle = !self.is_animated();
        let progress = self.operation.progress(&self.simulation);
        self.window.update_info();
        let AppWindow { target, overlay, winit, .. } = &mut self.window;
        overlay.hud.is_busy = progress.is_some();
        let size = target.surface.size();
        // While the camera drifts, the pointer rests: there was no input yet.
        let hovers = overlay.hud.panels.shown
            && !overlay.is_over_panel()
            && !overlay.has_mouse_grab()
            && !self.drifts
            && self.operation.score.is_none();
        let hover_position = self.devices.hover_position().filter(|_| hovers);
        let ground = target.shows_ground();
        self.selection.update_hovered(hover_position, &self.simulation, size, ground);
        let model = Model {
            attract: self.attract,
            simulation: &self.simulation,
            seed: self.source.seed(),
            scene: match &self.source {
                SceneSource::Classic(_) => CLASSIC,
                SceneSource::File(scene) => scene.name(),
            },
            history: &self.history,
            graphics: &target.info,
            selected: self.selection.selected(&self.simulation),
            hovered: self.selection.hovered(),
            gamepad: self.devices.gamepads.status(),
            suite: self.suite.as_ref(),
            idle,
            progress: progress.as_ref(),
            #[cfg(web)]
            records_video: is_recorded(),
            slots: self.states.slots(),
            recent: &self.preferences.recent,
            ui_scale: overlay.shown_scale(),
        };
        overlay.update(winit, size, &model);
        let actions = overlay.hud.take_actions();
        self.profiler.hud_since(start);
        for action in actions {
            self.apply(action)?;
        }
        Ok(())
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let outlined = self.selection.outlined(&self.simulation);
        let hovered = self.selection.hovered_outline(&self.simulation);
        let scene = frame::scene_view(&self.simulation);
        let scene = scene.with_outline(outlined).with_hovered(hovered);
        // A cube that lands is deselected, which must not brighten the frame at once.
        let scene = if self.simulation.is_paused() { scene.with_dimmed_others() } else { scene };
        let drawn = match self.window.draw(&scene, &mut self.profiler).map_err(AppError::from) {
            Err(error) if error.is_recoverable() => {
                self.profiler.exclude_undrawn();
                return self.return_to_drawn(error);
            }
            drawn => drawn?,
        };
        match drawn {
            Drawn::Presented => {
                self.drawn = Some((self.count(), self.simulation.motion()));
                let frames = self.window.frames();
                if self.unproven.take_if(|it| frames >= it.frames + PROVING_FRAMES).is_some() {
                    self.save_preferences();
                }
            }
            Drawn::Skipped | Drawn::Hidden => self.profiler.exclude_undrawn(),
        }
        self.schedule(drawn, event_loop);
        Ok(())
    }

    /// Requests the next frame, or waits for an event or a time that needs one. A hidden window is drawn again after a fixed
    /// interval.
    fn schedule(&mut self, drawn: Drawn, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let again = ControlFlow::WaitUntil(now + HIDDEN_INTERVAL);
        if drawn == Drawn::Hidden {
            event_loop.set_control_flow(again);
            return;
        }
        let is_animated = self.is_animated();
        if is_animated {
            self.frames_until_idle = SETTLING_FRAMES;
        }
        let is_due = self.window.overlay.next_change().is_some_and(|at| at <= now);
        if is_animated || is_due || drawn == Drawn::Skipped {
            // Requests get lost while Windows shows the menu of the title bar.
            event_loop.set_control_flow(if cfg!(windows) { again } else { ControlFlow::Wait });
            self.window.request_redraw();
        } else if self.frames_until_idle > 0 && self.operation.score.is_none() {
            self.frames_until_idle -= 1;
            event_loop.set_control_flow(ControlFlow::Wait);
            self.refresh();
        } else {
            self.idle = true;
            self.update_title();
            self.wait(event_loop);
        }
    }

    /// Returns whether the next frame differs from this one without any event.
    fn is_animated(&self) -> bool {
        // Drawing would disturb the measurement, so only what a key requests is drawn.
        self.screenshot.is_some()
            || self.operation.score.is_none()
                && (self.simulation.tuning().time > 0.0 && self.simulation.advances()
                    || self.steps > 0
                    || self.camera_moved
                    || self.simulation.camera().glides()
                    || self.devices.is_pressed()
                    || self.operation.needs_frames()
                    || self.unproven.is_some()
                    || is_recorded())
    }

    /// Waits for an event, or until the HUD, the gamepads, the scene file or the score need attention.
    fn wait(&self, event_loop: &ActiveEventLoop) {
        let hud = self.window.overlay.next_change();
        let gamepads = self.devices.poll_interval().map(|interval| Instant::now() + interval);
        let score = self.operation.score.as_ref().map(|_| Instant::now() + SCORE_INTERVAL);
        let file = self.scene_watcher.as_ref().filter(|_| score.is_none()).map(SceneWatcher::due);
        let until = hud.into_iter().chain(gamepads).chain(file).chain(score).min();
        event_loop.set_control_flow(until.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    /// Handles the end of a wait.
    pub(super) fn wake(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let next_change = self.window.overlay.next_change();
        if !self.idle || next_change.is_some_and(|at| at <= Instant::now()) {
            self.window.request_redraw();
            return Ok(());
        }
        let interval = self.devices.poll_interval().unwrap_or_default();
        self.poll_devices(interval)?;
        self.reload_if_changed()?;
        self.poll_score();
        self.wait(event_loop);
        Ok(())
    }
}

/// Returns whether a video is recorded, which has no frame where none is drawn.
fn is_recorded() -> bool {
    #[cfg(web)]
    return host::is_recording();
    #[cfg(not(web))]
    false
}

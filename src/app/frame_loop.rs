//! Frame order: what is done for a picture, and when there is none to be drawn.

use std::time::{Duration, Instant};

use winit::event_loop::{ActiveEventLoop, ControlFlow};

use super::hud_overlay::HudOverlay;
use super::scenes::FileWatcher;
use super::{App, AppError};
use crate::benchmark::FramePhase;
use crate::hud::{Model, Tone};
use crate::sim::{SceneSource, SpawnStats, TimeStep};

/// How often a window that cannot be seen is asked whether it can be seen again.
const HIDDEN_POLL: Duration = Duration::from_millis(250);

impl App {
    /// Whether the next picture would be another one though nothing happens.
    fn is_animated(&self) -> bool {
        !self.simulation.is_paused()
            || self.step_once
            || self.camera_moved
            || self.interaction.is_held()
            || self.steering.motion() != [0.0; 3]
    }

    pub(super) fn redraw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        if self.screen.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if std::mem::take(&mut self.idle) {
            self.clock.resume(now);
            self.profiler.exclude();
        }
        let (elapsed, figures_are_due) = self.clock.tick(now);
        self.poll(elapsed, event_loop)?;
        if let Some(frame) = self.profiler.end_frame() {
            self.history.push(&frame);
        }
        if let Some(screen) = self.screen.as_mut().filter(|_| figures_are_due) {
            screen.look_if_minimised();
        }
        self.reload_if_changed()?;
        self.step(elapsed)?;
        self.look(event_loop)?;
        self.draw(event_loop)?;
        if figures_are_due {
            self.show_title();
        }
        Ok(())
    }

    /// Does what gamepads ask for, and tells what has become of them and of the selected cube.
    fn poll(&mut self, elapsed: Duration, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        for action in self.interaction.poll(elapsed) {
            self.apply(action, event_loop)?;
        }
        for news in self.interaction.take_news(&self.simulation) {
            self.notify(Tone::Done, &news);
        }
        Ok(())
    }

    fn step(&mut self, elapsed: Duration) -> Result<(), AppError> {
        let before = self.simulation.camera().view();
        if std::mem::take(&mut self.step_once) {
            self.simulation.set_paused(false);
            self.simulation.step(TimeStep::default())?;
            self.simulation.set_paused(true);
        } else {
            self.simulation.step(TimeStep::clamped(elapsed))?;
        }
        self.profiler.lap(FramePhase::Sim);
        // In no time nothing moves, which the first frame after a rest has: the next one will tell.
        self.camera_moved = elapsed.is_zero() || self.simulation.camera().view() != before;
        self.profiler.set_lifecycle(self.simulation.lifecycle_time().as_nanos() as u64);
        let SpawnStats { spawned, removed } = self.simulation.spawn_stats();
        self.profiler.set_spawn_counts([spawned, removed]);
        Ok(())
    }

    /// Lays out what is shown over the picture, and grants what was asked for there.
    pub(super) fn look(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let start = Instant::now();
        let idle = !self.is_animated();
        if let (Some(screen), Some(overlay)) = (&mut self.screen, &mut self.overlay) {
            screen.describe();
            let size = screen.size();
            let free = overlay.is_active() && !overlay.is_over_panel();
            self.interaction.hover(free, &self.simulation, size);
            let model = Model {
                simulation: &self.simulation,
                seed: self.start.seed(),
                scene: match &self.start {
                    SceneSource::Classic(_) => "classic",
                    SceneSource::File(scene) => scene.name(),
                },
                history: &self.history,
                graphics: screen.graphics_info(),
                selected: self.interaction.selected(&self.simulation),
                hovered: self.interaction.hovered(),
                gamepad: self.interaction.gamepad(),
                idle,
            };
            overlay.look(screen.window(), size, &model);
            let actions = overlay.hud.take_actions();
            self.profiler.hud_since(start);
            for action in actions {
                self.apply(action, event_loop)?;
            }
        }
        Ok(())
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let (Some(screen), Some(overlay)) = (&mut self.screen, &mut self.overlay) else {
            return Ok(());
        };
        let outlined = self.interaction.outlined(&self.simulation);
        let seen = screen.draw(&self.simulation, outlined, overlay, &mut self.profiler)?;
        let now = Instant::now();
        let again = overlay.again();
        if !seen {
            self.profiler.exclude();
            event_loop.set_control_flow(ControlFlow::WaitUntil(now + HIDDEN_POLL));
        } else if self.is_animated() || again.is_some_and(|again| again <= now) {
            event_loop.set_control_flow(ControlFlow::Wait);
            self.request_redraw();
        } else {
            self.idle = true;
            self.rest(event_loop);
        }
        Ok(())
    }

    /// Waits for something to happen. Gamepads do not say when something does: they are asked.
    fn rest(&self, event_loop: &ActiveEventLoop) {
        let again = self.overlay.as_ref().and_then(HudOverlay::again);
        let poll = self.interaction.interval().map(|interval| Instant::now() + interval);
        let file = self.scene_watcher.as_ref().map(FileWatcher::due);
        let until = again.into_iter().chain(poll).chain(file).min();
        event_loop.set_control_flow(until.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    /// The time is over that was to be waited for.
    pub(super) fn wake(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let due =
            |overlay: &HudOverlay| overlay.again().is_some_and(|again| again <= Instant::now());
        if !self.idle || self.overlay.as_ref().is_some_and(due) {
            self.request_redraw();
            return Ok(());
        }
        let interval = self.interaction.interval().unwrap_or_default();
        self.poll(interval, event_loop)?;
        self.reload_if_changed()?;
        self.rest(event_loop);
        Ok(())
    }
}

//! Applies each [`Action`], from whichever device it comes.

use glam::Vec3;
use winit::event_loop::ActiveEventLoop;

use super::hud_overlay::HudOverlay;
use super::window::AppWindow;
use super::{App, AppError, title};
use crate::hud::Tone;
use crate::input::Action;
use crate::render::{PresentMode, RenderError};
use crate::sim::{FallMode, SceneSource, Simulation};

impl App {
    /// Applies an action. A recoverable error is shown on the screen and changes nothing.
    pub(super) fn apply(
        &mut self,
        action: Action,
        event_loop: &ActiveEventLoop,
    ) -> Result<(), AppError> {
        let applied = self.try_apply(action, event_loop);
        self.report_recoverable(applied)?;
        self.refresh();
        let changes_title = !matches!(
            action,
            Action::Fly { .. }
                | Action::FlyAnalog(_)
                | Action::Look { .. }
                | Action::Pan { .. }
                | Action::ChangeSpeed(_)
        );
        if changes_title {
            self.show_title();
        }
        Ok(())
    }

    /// Says what could not be done, if the program can go on as before.
    pub(super) fn report_recoverable(
        &mut self,
        result: Result<(), AppError>,
    ) -> Result<(), AppError> {
        match result {
            Err(error) if error.is_recoverable() => {
                self.notify(Tone::Failed, &error);
                Ok(())
            }
            result => result,
        }
    }

    fn try_apply(&mut self, action: Action, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        match action {
            Action::Fly { direction, held } => {
                self.steering.set(direction, held);
                self.steer();
            }
            Action::FlyAnalog(motion) => {
                self.steering.set_stick(motion);
                self.steer();
            }
            Action::Look { right, down } => self.simulation.camera_mut().rotate(right, down),
            Action::ChangeSpeed(notches) => self.simulation.camera_mut().scroll(notches),
            Action::SetMode(mode) => self.simulation.set_mode(mode)?,
            Action::SwitchMode => self.simulation.set_mode(self.simulation.mode().flipped())?,
            Action::TogglePause => self.simulation.set_paused(!self.simulation.is_paused()),
            Action::Step => self.step_once = self.simulation.is_paused(),
            Action::Reset => {
                self.restart(self.start.clone(), self.simulation.mode())?;
                self.simulation.set_paused(false);
            }
            Action::SetCubes(cubes) => self.set_cubes(cubes)?,
            Action::SetTuning(tuning) => self.simulation.set_tuning(tuning)?,
            Action::SetSeed(seed) => self.restart(self.with_seed(seed), self.simulation.mode())?,
            Action::StartScene(bundled) => self.start_bundled(bundled)?,
            Action::SetSystemEnabled(system, enabled) => {
                self.simulation.set_system_enabled(system, enabled)?;
            }
            Action::SetQuality(quality) => {
                self.with_screen(|screen, _| screen.set_quality(quality))?;
                self.preferences.quality = Some(quality);
            }
            Action::SetCulling(culling) => {
                self.with_screen(|screen, _| screen.set_culling(culling))?;
                self.preferences.culling = Some(culling);
            }
            Action::ToggleVsync => {
                self.with_screen(toggle_vsync)?;
                let mode = self.screen.as_ref().map(AppWindow::present_mode);
                self.preferences.vsync = mode.map(PresentMode::waits_for_vblank);
            }
            Action::ToggleFullscreen => self.with_screen(|screen, _| {
                screen.toggle_fullscreen();
                Ok(())
            })?,
            Action::ToggleHelp => {
                if self.toggle(|panels| &mut panels.help) {
                    title::print_keys();
                }
            }
            Action::ToggleHud => {
                // Applies the clicks made before the panels are hidden.
                self.look(event_loop)?;
                self.toggle(|panels| &mut panels.shown);
            }
            Action::ToggleInspector => {
                if self.toggle(|panels| &mut panels.inspector)
                    && let Some(overlay) = &mut self.overlay
                {
                    overlay.hud.panels.shown = true;
                }
            }
            Action::Screenshot => self.save_screenshot()?,
            Action::SaveScene => self.save_scene()?,
            Action::SaveState => self.save()?,
            Action::LoadState => self.load()?,
            Action::Quit => event_loop.exit(),
            Action::Pan { .. }
            | Action::CycleCamera
            | Action::SelectAt(_)
            | Action::DropCubeAt(_)
            | Action::Focus
            | Action::Despawn => self.interact(action)?,
        }
        Ok(())
    }

    fn interact(&mut self, action: Action) -> Result<(), AppError> {
        if let Some(screen) = &self.screen {
            let simulation = &mut self.simulation;
            let said = self.interaction.act(action, simulation, screen.size(), screen.gpu())?;
            if let Some(said) = said {
                self.notify(Tone::Done, &said);
            }
        }
        Ok(())
    }

    fn steer(&mut self) {
        self.simulation.camera_mut().controls().motion = Vec3::from(self.steering.motion());
    }

    /// Begins a scene as [`Simulation::reset`] does, or goes on with this one if the other one cannot be
    /// had.
    pub(super) fn restart(&mut self, start: SceneSource, mode: FallMode) -> Result<(), AppError> {
        self.check_capacity(start.cubes())?;
        self.simulation.reset(start.clone(), mode)?;
        self.interaction.restart(&self.simulation);
        self.start = start;
        self.steer();
        self.refresh();
        self.show_title();
        Ok(())
    }

    fn set_cubes(&mut self, cubes: u32) -> Result<(), AppError> {
        self.check_capacity(cubes as usize)?;
        self.simulation.cubes_mut().set_count(cubes)?;
        // Whoever begins again wants as many.
        if let SceneSource::Classic(settings) = &mut self.start {
            settings.cubes = cubes;
        }
        Ok(())
    }

    /// Goes on with another simulation.
    pub(super) fn replace(&mut self, simulation: Simulation) -> Result<(), AppError> {
        self.check_capacity(simulation.cubes().count())?;
        self.start = simulation.source();
        self.scene_watcher = None;
        self.simulation = simulation;
        self.interaction.restart(&self.simulation);
        self.steer();
        self.refresh();
        self.show_title();
        Ok(())
    }

    fn check_capacity(&self, cubes: usize) -> Result<(), AppError> {
        if let Some(gpu) = self.screen.as_ref().and_then(AppWindow::gpu) {
            gpu.check_capacity(cubes)?;
        }
        Ok(())
    }

    fn with_screen(
        &mut self,
        change: impl FnOnce(&mut AppWindow, &mut HudOverlay) -> Result<(), RenderError>,
    ) -> Result<(), AppError> {
        if let (Some(screen), Some(overlay)) = (&mut self.screen, &mut self.overlay) {
            change(screen, overlay)?;
        }
        Ok(())
    }

    /// Opens a panel or closes it; whether it is open now.
    fn toggle(&mut self, panel: impl FnOnce(&mut crate::hud::Panels) -> &mut bool) -> bool {
        self.overlay.as_mut().is_some_and(|overlay| {
            let open = panel(&mut overlay.hud.panels);
            *open = !*open;
            *open
        })
    }

    /// Says something on the screen, and in the log.
    pub(super) fn notify(&mut self, tone: Tone, what: &dyn std::fmt::Display) {
        log::info!("{what}");
        if let Some(overlay) = &mut self.overlay {
            overlay.hud.notify(tone, what.to_string());
        }
        self.refresh();
    }

    /// Something is no longer as it was drawn.
    pub(super) fn refresh(&mut self) {
        if let Some(overlay) = &mut self.overlay {
            overlay.touch();
        }
        self.request_redraw();
    }
}

fn toggle_vsync(screen: &mut AppWindow, overlay: &mut HudOverlay) -> Result<(), RenderError> {
    let before = screen.present_mode();
    screen.toggle_vsync()?;
    if before.waits_for_vblank() && screen.present_mode().waits_for_vblank() {
        let text = "This display offers no way to show pictures without vsync";
        overlay.hud.notify(Tone::Failed, text);
    }
    Ok(())
}

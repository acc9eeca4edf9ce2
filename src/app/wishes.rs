//! Wishes: what actions and requests do. There is no other place where anything is done for a person.

use glam::Vec3;
use winit::event_loop::ActiveEventLoop;

use super::overlay::Overlay;
use super::screen::Screen;
use super::{App, AppError, title};
use crate::hud::{Request, Tone};
use crate::input::Action;
use crate::render::{PresentMode, RenderError};
use crate::sim::{FallMode, Simulation, Start};

impl App {
    pub(super) fn act(
        &mut self,
        action: Action,
        event_loop: &ActiveEventLoop,
    ) -> Result<(), AppError> {
        if action == Action::Quit {
            event_loop.exit();
            return Ok(());
        }
        self.grant(Request::Action(action))
    }

    /// Does what was asked for. What cannot be done is said on the screen, and nothing is changed.
    pub(super) fn grant(&mut self, request: Request) -> Result<(), AppError> {
        let granted = self.try_grant(request);
        self.settle_passing(granted)?;
        self.refresh();
        let in_title = !matches!(
            request,
            Request::Action(
                Action::Move { .. }
                    | Action::Fly(_)
                    | Action::Look { .. }
                    | Action::Slide { .. }
                    | Action::Faster(_)
            )
        );
        if in_title {
            self.show_title();
        }
        Ok(())
    }

    /// Says what could not be done, if the program can go on as before.
    pub(super) fn settle_passing(&mut self, result: Result<(), AppError>) -> Result<(), AppError> {
        match result {
            Err(error) if error.is_passing() => {
                self.say(Tone::Failed, &error);
                Ok(())
            }
            result => result,
        }
    }

    fn try_grant(&mut self, request: Request) -> Result<(), AppError> {
        match request {
            Request::Action(action) => return self.try_act(action),
            Request::Mode(mode) => self.simulation.set_mode(mode)?,
            Request::Cubes(cubes) => self.set_cubes(cubes)?,
            Request::Tune(tuning) => self.simulation.tune(tuning)?,
            Request::Seed(seed) => self.begin(self.with_seed(seed), self.simulation.mode())?,
            Request::Scene(bundled) => self.begin_bundled(bundled)?,
            Request::SaveScene => self.save_scene()?,
            Request::Quality(quality) => {
                self.with_screen(|screen, _| screen.set_quality(quality))?;
                self.preferences.quality = Some(quality);
            }
            Request::Culling(culling) => {
                self.with_screen(|screen, _| screen.set_culling(culling))?;
                self.preferences.culling = Some(culling);
            }
            Request::System(system, enabled) => {
                self.simulation.set_system_enabled(system, enabled)?;
            }
        }
        Ok(())
    }

    fn try_act(&mut self, action: Action) -> Result<(), AppError> {
        match action {
            Action::Move { direction, held } => {
                self.steering.set(direction, held);
                self.steer();
            }
            Action::Fly(motion) => {
                self.steering.set_stick(motion);
                self.steer();
            }
            Action::Look { right, down } => self.simulation.look(right, down),
            Action::Faster(notches) => self.simulation.accelerate(notches),
            Action::SwitchMode => self.simulation.set_mode(self.simulation.mode().flipped())?,
            Action::TogglePause => self.simulation.set_paused(!self.simulation.is_paused()),
            Action::Step => self.single_step = self.simulation.is_paused(),
            Action::Reset => {
                self.begin(self.start.clone(), self.simulation.mode())?;
                self.simulation.set_paused(false);
            }
            Action::ToggleVsync => {
                self.with_screen(toggle_vsync)?;
                let mode = self.screen.as_ref().map(Screen::present_mode);
                self.preferences.vsync = mode.map(PresentMode::waits);
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
                // What was clicked on before it goes is not lost.
                self.look()?;
                self.toggle(|panels| &mut panels.shown);
            }
            Action::ToggleInspector => {
                // Whoever asks for it wants to see it.
                if self.toggle(|panels| &mut panels.inspector)
                    && let Some(overlay) = &mut self.overlay
                {
                    overlay.hud.panels.shown = true;
                }
            }
            Action::Screenshot => self.save_picture()?,
            Action::Save => self.save()?,
            Action::Load => self.load()?,
            Action::Quit => {}
            Action::Slide { .. }
            | Action::CycleCamera
            | Action::Pick(_)
            | Action::Drop(_)
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
                self.say(Tone::Done, &said);
            }
        }
        Ok(())
    }

    fn steer(&mut self) {
        self.simulation.controls_mut().motion = Vec3::from(self.steering.motion());
    }

    /// Begins a scene as [`Simulation::reset`] does, or goes on with this one if the other one cannot be
    /// had.
    pub(super) fn begin(&mut self, start: Start, mode: FallMode) -> Result<(), AppError> {
        self.check_capacity(start.cubes())?;
        self.simulation.reset(&start, mode)?;
        self.interaction.begin(&self.simulation);
        self.start = start;
        self.steer();
        self.refresh();
        self.show_title();
        Ok(())
    }

    fn set_cubes(&mut self, cubes: u32) -> Result<(), AppError> {
        self.check_capacity(cubes as usize)?;
        self.simulation.set_cubes(cubes)?;
        // Whoever begins again wants as many.
        if let Start::Classic(settings) = &mut self.start {
            settings.cubes = cubes;
        }
        Ok(())
    }

    /// Goes on with another simulation.
    pub(super) fn replace(&mut self, simulation: Simulation) -> Result<(), AppError> {
        self.check_capacity(simulation.cubes())?;
        self.start = simulation.start();
        self.watched = None;
        self.simulation = simulation;
        self.interaction.begin(&self.simulation);
        self.steer();
        self.refresh();
        self.show_title();
        Ok(())
    }

    fn check_capacity(&self, cubes: usize) -> Result<(), AppError> {
        if let Some(gpu) = self.screen.as_ref().and_then(Screen::gpu) {
            gpu.check_capacity(cubes)?;
        }
        Ok(())
    }

    fn with_screen(
        &mut self,
        change: impl FnOnce(&mut Screen, &mut Overlay) -> Result<(), RenderError>,
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
    pub(super) fn say(&mut self, tone: Tone, what: &dyn std::fmt::Display) {
        log::info!("{what}");
        if let Some(overlay) = &mut self.overlay {
            overlay.hud.say(tone, what.to_string());
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

fn toggle_vsync(screen: &mut Screen, overlay: &mut Overlay) -> Result<(), RenderError> {
    let before = screen.present_mode();
    screen.toggle_vsync()?;
    if before.waits() && screen.present_mode().waits() {
        let text = "This display offers no way to show pictures without vsync";
        overlay.hud.say(Tone::Failed, text);
    }
    Ok(())
}

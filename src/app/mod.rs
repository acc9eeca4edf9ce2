//! App: the window, and the order of a frame.
//!
//! Events become actions, and what is done with the mouse on the HUD becomes requests; both change
//! the simulation, the screen or the window in one place. A redraw steps the simulation by the time
//! that went by, lays the HUD out, grants what was asked for there, streams the packed arrays to the
//! GPU, draws, and asks for the next redraw. While nothing moves nothing is drawn until something
//! happens.

mod canvas;
mod course;
mod display;
mod display_look;
mod error;
mod events;
mod files;
mod frame_clock;
mod icon;
mod interaction;
mod overlay;
mod preferences;
mod scenes;
mod screen;
mod stopwatch;
mod title;
mod wishes;

use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

pub use self::course::run_course;
pub use self::display_look::look_at_display;
pub use self::error::AppError;
use self::frame_clock::FrameClock;
use self::interaction::Interaction;
use self::overlay::Overlay;
use self::preferences::{Preferences, PreferencesFile};
use self::scenes::Watched;
use self::screen::Screen;
use self::stopwatch::Stopwatch;
use crate::benchmark::Part;
use crate::cli::WindowArgs;
use crate::hud::{History, Model, Tone};
use crate::input::Steering;
use crate::sim::{SceneSettings, Simulation, Start, TimeStep};

/// How often a window that cannot be seen is asked whether it can be seen again.
const HIDDEN_POLL: Duration = Duration::from_millis(250);

/// Opens the window and runs until it is closed.
///
/// # Errors
/// There is no display or no graphics adapter, or one of them fails later on.
pub fn run(args: &WindowArgs) -> Result<(), AppError> {
    let event_loop = display::connect()?;
    let file = if args.no_preferences { None } else { PreferencesFile::own() };
    let (file, complaint) = file.map(PreferencesFile::open).unzip();
    let preferences = file.as_ref().map(PreferencesFile::kept).unwrap_or_default();
    let mut args = args.clone();
    preferences.fill(&mut args);
    let loaded = args.load.load.as_deref().map(Simulation::load).transpose()?;
    let mut app = App {
        start: loaded.as_ref().map_or_else(|| args.scene.start(), Simulation::start),
        simulation: match loaded {
            Some(simulation) => simulation,
            None => Simulation::new(
                SceneSettings { cubes: 0, ..SceneSettings::default() },
                args.scene.mode(),
            )?,
        },
        watched: Watched::chosen(args.scene.scene.as_ref()),
        args,
        preferences,
        file,
        complaint: complaint.flatten(),
        screen: None,
        overlay: None,
        steering: Steering::default(),
        interaction: Interaction::new(),
        clock: FrameClock::new(Instant::now()),
        watch: Stopwatch::start(),
        history: History::new(),
        single_step: false,
        camera_moves: false,
        resting: false,
        failed: None,
    };
    event_loop.run_app(&mut app).map_err(|error| AppError::Window(error.to_string()))?;
    app.failed.map_or(Ok(()), Err)
}

struct App {
    /// What it began with, and begins again with.
    start: Start,
    /// The file it comes from, if it does.
    watched: Option<Watched>,
    /// Without cubes, unless it was loaded, until the adapter was asked whether it can hold so many.
    simulation: Simulation,
    /// With preferences where flags say nothing.
    args: WindowArgs,
    preferences: Preferences,
    /// Where they are kept, unless they are not.
    file: Option<PreferencesFile>,
    /// What is wrong with that file, to be said once there is a screen to say it on.
    complaint: Option<String>,
    /// The window and what draws on it; absent until the window system says it is time.
    screen: Option<Screen>,
    /// What is shown over the picture; as long as there has been a window.
    overlay: Option<Overlay>,
    steering: Steering,
    interaction: Interaction,
    clock: FrameClock,
    watch: Stopwatch,
    history: History,
    /// One step is wanted while paused.
    single_step: bool,
    /// The camera was not where it had been before the last step.
    camera_moves: bool,
    /// Nothing moved at the last redraw, so no other one was asked for.
    resting: bool,
    /// What ended the program: callbacks of the window system cannot return it.
    failed: Option<AppError>,
}

impl App {
    /// Whether the next picture would be another one though nothing happens.
    fn moves(&self) -> bool {
        !self.simulation.is_paused()
            || self.single_step
            || self.camera_moves
            || self.interaction.is_held()
            || self.steering.motion() != [0.0; 3]
    }

    fn redraw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        if self.screen.is_none() {
            return Ok(());
        }
        let now = Instant::now();
        if std::mem::take(&mut self.resting) {
            self.clock.resume(now);
            self.watch.spoil();
        }
        let (elapsed, figures_are_due) = self.clock.tick(now);
        self.poll(elapsed, event_loop)?;
        if let Some(frame) = self.watch.end_frame() {
            self.history.push(&frame);
        }
        if let Some(screen) = self.screen.as_mut().filter(|_| figures_are_due) {
            screen.look_if_minimised();
        }
        self.follow_file()?;
        self.step(elapsed)?;
        self.look()?;
        self.draw(event_loop)?;
        if figures_are_due {
            self.show_title();
        }
        Ok(())
    }

    /// Does what gamepads ask for.
    fn poll(&mut self, elapsed: Duration, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        for action in self.interaction.poll(elapsed) {
            self.act(action, event_loop)?;
        }
        Ok(())
    }

    fn step(&mut self, elapsed: Duration) -> Result<(), AppError> {
        let before = self.simulation.camera();
        if std::mem::take(&mut self.single_step) {
            self.simulation.set_paused(false);
            self.simulation.step(TimeStep::default())?;
            self.simulation.set_paused(true);
        } else {
            self.simulation.step(TimeStep::clamped(elapsed))?;
        }
        self.watch.lap(Part::Sim);
        self.camera_moves = self.simulation.camera() != before;
        let systems = self.simulation.world().systems();
        let lifecycle = systems.filter(|system| system.enabled && system.name == "lifecycle");
        let time = lifecycle.filter_map(|system| system.time).sum::<Duration>();
        self.watch.set_lifecycle(time.as_nanos() as u64);
        self.watch.set_census([self.simulation.births(), self.simulation.deaths()]);
        Ok(())
    }

    /// Lays out what is shown over the picture, and grants what was asked for there.
    fn look(&mut self) -> Result<(), AppError> {
        let start = Instant::now();
        let idle = !self.moves();
        if let (Some(screen), Some(overlay)) = (&mut self.screen, &mut self.overlay) {
            screen.describe();
            let size = screen.size();
            let free = overlay.is_active() && !overlay.is_over_panel();
            self.interaction.hover(free, &self.simulation, size);
            let model = Model {
                simulation: &self.simulation,
                seed: self.start.seed(),
                scene: match &self.start {
                    Start::Classic(_) => "classic",
                    Start::Scene(scene) => scene.name(),
                },
                history: &self.history,
                drawing: screen.drawing(),
                selected: self.interaction.selected(&self.simulation),
                hovered: self.interaction.hovered(),
                idle,
            };
            overlay.look(screen.window(), size, &model);
            let requests = overlay.hud.take_requests();
            self.watch.hud_since(start);
            for request in requests {
                self.grant(request)?;
            }
        }
        Ok(())
    }

    fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let (Some(screen), Some(overlay)) = (&mut self.screen, &mut self.overlay) else {
            return Ok(());
        };
        let outlined = self.interaction.outlined(&self.simulation);
        let seen = screen.draw(&self.simulation, outlined, overlay, &mut self.watch)?;
        let now = Instant::now();
        let again = overlay.again();
        if !seen {
            self.watch.spoil();
            event_loop.set_control_flow(ControlFlow::WaitUntil(now + HIDDEN_POLL));
        } else if self.moves() || again.is_some_and(|again| again <= now) {
            event_loop.set_control_flow(ControlFlow::Wait);
            self.request_redraw();
        } else {
            self.resting = true;
            self.rest(event_loop);
        }
        Ok(())
    }

    /// Waits for something to happen. Gamepads do not say when something does: they are asked.
    fn rest(&self, event_loop: &ActiveEventLoop) {
        let again = self.overlay.as_ref().and_then(Overlay::again);
        let poll = self.interaction.interval().map(|interval| Instant::now() + interval);
        let file = self.watched.as_ref().map(Watched::due);
        let until = again.into_iter().chain(poll).chain(file).min();
        event_loop.set_control_flow(until.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    /// The time is over that was to be waited for.
    fn wake(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let due = |overlay: &Overlay| overlay.again().is_some_and(|again| again <= Instant::now());
        if !self.resting || self.overlay.as_ref().is_some_and(due) {
            self.request_redraw();
            return Ok(());
        }
        let interval = self.interaction.interval().unwrap_or_default();
        self.poll(interval, event_loop)?;
        self.follow_file()?;
        self.rest(event_loop);
        Ok(())
    }

    fn request_redraw(&self) {
        if let Some(screen) = &self.screen {
            screen.window().request_redraw();
        }
    }

    fn show_title(&self) {
        if let Some(screen) = &self.screen {
            let help = self.overlay.as_ref().is_some_and(|overlay| overlay.hud.panels.help);
            let title = if help {
                title::keys()
            } else {
                title::state(&self.simulation, &self.clock, screen)
            };
            screen.window().set_title(&title);
        }
    }

    /// Keeps the first failure and ends the program.
    fn settle(&mut self, result: Result<(), AppError>, event_loop: &ActiveEventLoop) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            event_loop.exit();
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let position = self.preferences.position.map(PhysicalPosition::from);
        let screen = Screen::open(event_loop, &self.args, position)?;
        if let Some(gpu) = screen.gpu() {
            gpu.check_capacity(self.start.cubes())?;
            if gpu.is_software() {
                title::warn_of_software(gpu);
            }
        }
        if self.simulation.cubes() == 0 {
            self.simulation = self.start.simulation(self.args.scene.mode())?;
        }
        match &mut self.overlay {
            Some(overlay) => overlay.renew(screen.window()),
            none => {
                let display = event_loop.owned_display_handle();
                let panels = self.preferences.panels(&self.args);
                *none = Some(Overlay::new(screen.window(), display, panels));
            }
        }
        self.screen = Some(screen);
        if let Some(complaint) = self.complaint.take() {
            self.say(Tone::Failed, &complaint);
        }
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let opened = self.open(event_loop);
        self.settle(opened, event_loop);
        self.clock = FrameClock::new(Instant::now());
        self.show_title();
    }

    fn suspended(&mut self, _: &ActiveEventLoop) {
        self.screen = None;
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            let woken = self.wake(event_loop);
            self.settle(woken, event_loop);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = self.handle(event_loop, &event);
        self.settle(handled, event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.keep_preferences();
        // While the connection to the display is still open.
        self.screen = None;
    }
}

//! App: the window, and the order of a frame.
//!
//! Keyboard, mouse, touch, gamepads and the HUD give [`Action`](crate::input::Action)s, and
//! [`App::apply`] applies them. A redraw steps the simulation, lays out the HUD, draws the frame and
//! requests the next redraw. While nothing moves, no frame is drawn until the next event.

mod actions;
mod benchmark_run;
mod display;
mod display_probe;
mod error;
mod events;
mod files;
mod frame_clock;
mod frame_loop;
mod frame_profiler;
mod gamepads;
mod hud_overlay;
mod icon;
mod interaction;
mod picture;
mod preferences;
mod scenes;
mod title;
mod window;
mod window_target;

use std::time::Instant;

use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::ActiveEventLoop;
use winit::window::WindowId;

pub use self::benchmark_run::run_benchmark;
pub use self::display_probe::probe_display;
pub use self::error::AppError;
use self::frame_clock::FrameClock;
use self::frame_profiler::FrameProfiler;
use self::hud_overlay::HudOverlay;
use self::interaction::Interaction;
use self::preferences::{Preferences, PreferencesFile, WindowSettings};
use self::scenes::FileWatcher;
use self::window::AppWindow;
use crate::cli::{SimulationArgs, WindowArgs};
use crate::hud::{History, Tone};
use crate::input::Steering;
use crate::sim::{SceneSettings, SceneSource, Simulation};

/// Opens the window and runs until it is closed.
///
/// # Errors
/// There is no display or no graphics adapter, or one of them fails later on.
pub fn run(args: &WindowArgs) -> Result<(), AppError> {
    let event_loop = display::connect()?;
    let file = if args.no_preferences { None } else { PreferencesFile::own() };
    let (file, preferences_error) = file.map(PreferencesFile::open).unzip();
    let preferences = file.as_ref().map(PreferencesFile::saved).unwrap_or_default();
    let settings = preferences.resolve(args);
    let SimulationArgs { scene, load } = &args.simulation;
    let loaded = load.as_deref().map(Simulation::load).transpose()?;
    let mut app = App {
        start: loaded.as_ref().map_or_else(|| scene.start(), Simulation::source),
        simulation: match loaded {
            Some(simulation) => simulation,
            None => Simulation::new(
                SceneSettings { cubes: 0, ..SceneSettings::default() },
                settings.mode,
            )?,
        },
        scene_watcher: FileWatcher::chosen(scene.scene.as_ref(), scene.seed),
        settings,
        preferences,
        file,
        preferences_error: preferences_error.flatten(),
        screen: None,
        overlay: None,
        steering: Steering::default(),
        interaction: Interaction::new(),
        clock: FrameClock::new(Instant::now()),
        profiler: FrameProfiler::start(),
        history: History::new(),
        step_once: false,
        camera_moved: false,
        idle: false,
        failed: None,
    };
    event_loop.run_app(&mut app).map_err(|error| AppError::Window(error.to_string()))?;
    app.failed.map_or(Ok(()), Err)
}

struct App {
    /// What it began with, and begins again with.
    start: SceneSource,
    /// The file it comes from, if it does.
    scene_watcher: Option<FileWatcher>,
    /// Without cubes, unless it was loaded, until the adapter was asked whether it can hold so many.
    simulation: Simulation,
    /// Settings the window opened with.
    settings: WindowSettings,
    preferences: Preferences,
    /// Where they are kept, unless they are not.
    file: Option<PreferencesFile>,
    /// What is wrong with that file, to be said once there is a screen to say it on.
    preferences_error: Option<String>,
    /// The window and what draws on it; absent until the window system says it is time.
    screen: Option<AppWindow>,
    /// What is shown over the picture; as long as there has been a window.
    overlay: Option<HudOverlay>,
    steering: Steering,
    interaction: Interaction,
    clock: FrameClock,
    profiler: FrameProfiler,
    history: History,
    /// One step is wanted while paused.
    step_once: bool,
    /// The camera was not where it had been before the last step.
    camera_moved: bool,
    /// Nothing moved at the last redraw, so no other one was asked for.
    idle: bool,
    /// What ended the program: callbacks of the window system cannot return it.
    failed: Option<AppError>,
}

impl App {
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
    fn fail_on_error(&mut self, result: Result<(), AppError>, event_loop: &ActiveEventLoop) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            event_loop.exit();
        }
    }

    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let position = self.preferences.position.map(PhysicalPosition::from);
        let screen = AppWindow::open(event_loop, &self.settings, position)?;
        if let Some(gpu) = screen.gpu() {
            gpu.check_capacity(self.start.cubes())?;
            if gpu.is_software() {
                title::warn_of_software(gpu);
            }
        }
        if self.simulation.cubes().count() == 0 {
            self.simulation = Simulation::new(self.start.clone(), self.settings.mode)?;
        }
        match &mut self.overlay {
            Some(overlay) => overlay.renew(screen.window()),
            none => {
                let display = event_loop.owned_display_handle();
                *none = Some(HudOverlay::new(screen.window(), display, self.settings.panels));
            }
        }
        self.screen = Some(screen);
        if let Some(preferences_error) = self.preferences_error.take() {
            self.notify(Tone::Failed, &preferences_error);
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
        self.fail_on_error(opened, event_loop);
        self.clock = FrameClock::new(Instant::now());
        self.show_title();
    }

    fn suspended(&mut self, _: &ActiveEventLoop) {
        self.screen = None;
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            let woken = self.wake(event_loop);
            self.fail_on_error(woken, event_loop);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = self.handle(event_loop, &event);
        self.fail_on_error(handled, event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.save_preferences();
        // While the connection to the display is still open.
        self.screen = None;
    }
}

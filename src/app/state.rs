//! The state of the running demo.

use std::fmt::Display;
use std::time::Instant;

use super::cube_selection::CubeSelection;
use super::devices::InputDevices;
use super::error::AppError;
use super::frame_clock::FrameClock;
use super::frame_profiler::FrameProfiler;
use super::hud_overlay::HudOverlay;
use super::preferences::{Preferences, PreferencesFile};
use super::scene_watcher::SceneWatcher;
use super::settings::WindowSettings;
use super::title;
use super::window::AppWindow;
use crate::cli::{SimulationArgs, WindowArgs};
use crate::hud::{History, Tone};
use crate::input::FlightInput;
use crate::sim::{SceneSettings, SceneSource, Simulation};

/// The running demo. Its methods are spread over the files of this module by task.
pub(super) struct App {
    pub(super) settings: WindowSettings,
    pub(super) preferences: Preferences,
    /// `None` if preferences are not saved.
    pub(super) preferences_file: Option<PreferencesFile>,
    /// Reported once there is a window.
    pub(super) preferences_error: Option<AppError>,
    /// What a reset restarts.
    pub(super) source: SceneSource,
    /// The file of the scene, unless it is built in.
    pub(super) scene_watcher: Option<SceneWatcher>,
    /// Empty until the device is known to hold all cubes, unless it was loaded.
    pub(super) simulation: Simulation,
    /// `None` until the window system resumes the program.
    pub(super) window: Option<AppWindow>,
    /// `None` until there has been a window.
    pub(super) overlay: Option<HudOverlay>,
    pub(super) devices: InputDevices,
    pub(super) flight: FlightInput,
    pub(super) selection: CubeSelection,
    pub(super) clock: FrameClock,
    pub(super) profiler: FrameProfiler,
    pub(super) history: History,
    /// Make one step while paused.
    pub(super) step_once: bool,
    /// The latest step moved the camera.
    pub(super) camera_moved: bool,
    /// Nothing moves, so no redraw is requested.
    pub(super) idle: bool,
    /// The first failure, which ends the program.
    pub(super) failure: Option<AppError>,
}

impl App {
    pub(super) fn new(args: &WindowArgs) -> Result<Self, AppError> {
        let path = if args.no_preferences { None } else { PreferencesFile::path() };
        let (preferences_file, preferences_error) = path.map(PreferencesFile::open).unzip();
        let preferences = preferences_file.as_ref().map(|file| file.saved).unwrap_or_default();
        let settings = WindowSettings::resolve(args, &preferences);
        let SimulationArgs { scene, load } = &args.simulation;
        let loaded = load.as_deref().map(Simulation::load).transpose()?;
        Ok(Self {
            preferences,
            preferences_file,
            preferences_error: preferences_error.flatten(),
            source: loaded.as_ref().map_or_else(|| scene.start(), Simulation::source),
            scene_watcher: SceneWatcher::for_args(scene),
            simulation: match loaded {
                Some(simulation) => simulation,
                None => Simulation::new(
                    SceneSettings { cubes: 0, ..SceneSettings::default() },
                    settings.mode,
                )?,
            },
            settings,
            window: None,
            overlay: None,
            devices: InputDevices::open(),
            flight: FlightInput::default(),
            selection: CubeSelection::new(),
            clock: FrameClock::new(Instant::now()),
            profiler: FrameProfiler::start(),
            history: History::new(),
            step_once: false,
            camera_moved: false,
            idle: false,
            failure: None,
        })
    }

    pub(super) fn request_redraw(&self) {
        if let Some(window) = &self.window {
            window.winit().request_redraw();
        }
    }

    /// Requests a frame with a new layout of the HUD.
    pub(super) fn refresh(&mut self) {
        if let Some(overlay) = &mut self.overlay {
            overlay.mark_stale();
        }
        self.request_redraw();
    }

    /// Shows a message for some seconds, and logs it.
    pub(super) fn notify(&mut self, tone: Tone, message: &dyn Display) {
        log::info!("{message}");
        if let Some(overlay) = &mut self.overlay {
            overlay.hud.notify(tone, message.to_string());
        }
        self.refresh();
    }

    /// Shows a recoverable error as a message. Returns any other one.
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

    /// Shows the keys in the title while help is open, else the state.
    pub(super) fn update_title(&mut self) {
        let Some(window) = &mut self.window else { return };
        window.update_info();
        let help = self.overlay.as_ref().is_some_and(|overlay| overlay.hud.panels.help);
        window.winit().set_title(&if help {
            title::keys()
        } else {
            title::state(&self.simulation, &self.clock, &window.target.info)
        });
    }

    /// Refuses more cubes than the device can hold.
    pub(super) fn check_capacity(&self, cubes: usize) -> Result<(), AppError> {
        if let Some(window) = &self.window {
            window.target.gpu.check_capacity(cubes)?;
        }
        Ok(())
    }
}

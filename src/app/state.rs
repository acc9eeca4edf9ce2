//! The state of the running demo.

use std::fmt::Display;

use winit::event_loop::ActiveEventLoop;

use super::comfortable_count::ComfortableCount;
#[cfg(web)]
use super::count_probe::CountProbe;
use super::cube_selection::CubeSelection;
use super::devices::InputDevices;
use super::error::AppError;
use super::frame_clock::FrameClock;
use super::frame_profiler::FrameProfiler;
use super::host::{self, SavedPreferences, SavedStates};
use super::operation::Operation;
use super::preferences::Preferences;
use super::scene_watcher::SceneWatcher;
use super::settings::WindowSettings;
use super::title;
use super::window::{AppWindow, BareWindow};
use crate::benchmark::{Suite, SuspensionDetector};
use crate::cli::{GraphicsArgs, WindowArgs};
use crate::components::Motion;
use crate::frame;
use crate::hud::{History, Tone};
use crate::input::FlightInput;
use crate::memory::CubeMemory;
use crate::render::{FramesInFlight, Gpu, Quality, Readback, Size};
#[cfg(web)]
use crate::sim::SceneSettings;
use crate::sim::{CameraSetup, SceneSource, Simulation};
use crate::time::Instant;

/// Frames drawn after the last movement or action, until the numbers of visible cubes have arrived from the GPU.
pub(super) const SETTLING_FRAMES: u32 = 4;

/// Graphics settings that were drawn, until others are known to fit on the adapter.
pub(super) struct Unproven {
    pub(super) graphics: GraphicsArgs,
    /// Quality and culling of the preferences.
    pub(super) saved: (Option<Quality>, Option<bool>),
    /// Number of frames drawn before the change.
    pub(super) frames: u64,
}

/// The running demo. Its methods are spread over the files of this module by task.
pub(super) struct App {
    /// Size that the window opened with, until it gets another.
    pub(super) initial_size: Option<Size>,
    /// The window opened with the size of a flag.
    pub(super) size_of_flag: bool,
    /// Size in pixels of a flag or a preference, with which the window was to open.
    pub(super) requested_size: Option<Size>,
    /// The window manager maximized the window when it opened, which is no choice of the user; `None` before that is known.
    pub(super) maximized_by_manager: Option<bool>,
    /// The frame at which the scale factor changed.
    pub(super) rescaled_at: Option<u64>,
    pub(super) preferences: Preferences,
    /// Visibility of the HUD set by flags, which is not saved. `None` without such a flag, or after a change by the user.
    pub(super) hud_of_flags: Option<bool>,
    /// `None` if preferences are not saved.
    pub(super) saved_preferences: Option<SavedPreferences>,
    /// Why they could not be saved the last time.
    pub(super) refusal: Option<String>,
    /// What a reset restarts.
    pub(super) source: SceneSource,
    /// Camera of the flags, which a reset restores.
    pub(super) camera: CameraSetup,
    /// The file of the scene, unless it is built in.
    pub(super) scene_watcher: Option<SceneWatcher>,
    pub(super) simulation: Simulation,
    pub(super) window: AppWindow,
    pub(super) devices: InputDevices,
    pub(super) flight: FlightInput,
    pub(super) selection: CubeSelection,
    pub(super) clock: FrameClock,
    pub(super) profiler: FrameProfiler,
    pub(super) suspension: SuspensionDetector,
    pub(super) history: History,
    pub(super) operation: Operation,
    /// The latest measurement of the score.
    pub(super) suite: Option<Suite>,
    pub(super) comfortable: ComfortableCount,
    /// Chooses the number of cubes, unless the address names it.
    #[cfg(web)]
    pub(super) count_probe: Option<CountProbe>,
    pub(super) states: SavedStates,
    /// Attract mode: the camera drifts until the first input.
    pub(super) attract: bool,
    /// The camera drifts until the next input.
    pub(super) drifts: bool,
    /// A screenshot on its way from the GPU.
    pub(super) screenshot: Option<Readback>,
    /// Number and motion of the cubes that were drawn last.
    pub(super) drawn: Option<(u32, Motion)>,
    pub(super) unproven: Option<Unproven>,
    /// A scene or a saved state was opened since the start.
    #[cfg(web)]
    pub(super) has_opened: bool,
    /// The program ends after this event.
    pub(super) quits: bool,
    /// Steps to make while paused.
    pub(super) steps: u32,
    /// Frames to draw before the window is idle.
    pub(super) frames_until_idle: u32,
    /// The latest step moved the camera.
    pub(super) camera_moved: bool,
    /// Nothing moves, so no redraw is requested.
    pub(super) idle: bool,
}

impl App {
    /// Opens the window. The future opens a device, and starts the scene or continues with a loaded
    /// simulation.
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        args: WindowArgs,
        loaded: Option<Simulation>,
    ) -> Result<impl Future<Output = Result<Self, AppError>> + 'static, AppError> {
        let saved = if args.no_preferences { None } else { SavedPreferences::find() };
        let (saved_preferences, preferences_error) = saved.unzip();
        let preferences =
            saved_preferences.as_ref().map(|entry| entry.saved.clone()).unwrap_or_default();
        let mut settings = WindowSettings::resolve(&args, &preferences);
        if let Some(simulation) = &loaded {
            let chosen = args.simulation.scene.chosen_motion();
            settings.motion = chosen.unwrap_or(simulation.motion());
        }
        if args.size.is_none() {
            // The monitor of the last window may not be connected any more.
            settings.size = settings.size.filter(|&size| host::fits_a_monitor(event_loop, size));
        }
        let window = BareWindow::open(event_loop, &settings)?;
        Ok(async move {
            let window = AppWindow::open(window, &settings).await?;
            let mut app = Self::start(window, &args, &settings, preferences, loaded)?;
            app.saved_preferences = saved_preferences;
            if let Some(error) = preferences_error.flatten() {
                app.notify(Tone::Failed, &error);
            }
            Ok(app)
        })
    }

    /// Starts the scene of the flags, or continues with a loaded simulation.
    fn start(
        window: AppWindow,
        args: &WindowArgs,
        settings: &WindowSettings,
        preferences: Preferences,
        loaded: Option<Simulation>,
    ) -> Result<Self, AppError> {
        let scene = &args.simulation.scene;
        let source = loaded.as_ref().map_or_else(|| scene.source(), Simulation::source);
        let gpu = &window.target.gpu;
        let fits = check_space(gpu, &source, loaded.as_ref());
        #[cfg(not(web))]
        fits?;
        // A page reports a count that does not fit and shows the default count.
        #[cfg(web)]
        let (source, refused) = match fits {
            Ok(()) => (source, None),
            Err(error) => {
                let settings = SceneSettings { seed: source.seed(), ..Default::default() };
                (settings.into(), Some(error))
            }
        };
        #[cfg(not(web))]
        if gpu.is_software() {
            host::warn_of_software(gpu);
        }
        let mut simulation = match loaded {
            Some(simulation) => simulation,
            None => scene.create(source.clone(), settings.mode)?,
        };
        scene.apply_to(&mut simulation)?;
        // A saved state and a shared view have the colors that they were made with.
        let is_own = args.simulation.load.is_none() && scene.open.is_none();
        let is_classic = matches!(source, SceneSource::Classic(_));
        let saved = preferences.coloring.filter(|_| is_own && is_classic);
        if saved.is_some() && saved != simulation.coloring() {
            simulation.set_coloring(saved)?;
        }
        if let Some(coloring) = args.simulation.coloring(&simulation) {
            simulation.set_coloring(Some(coloring))?;
        }
        let mut camera = scene.camera();
        camera.widened_view = camera.widened_view.or(preferences.widened_view);
        let scale = window.winit.scale_factor();
        let mut app = Self {
            initial_size: Some(window.size),
            size_of_flag: args.size.is_some(),
            // The style sheet of a page places its canvas.
            requested_size: if cfg!(web) { None } else { settings.size },
            maximized_by_manager: settings.maximized.then_some(false),
            rescaled_at: None,
            preferences,
            hud_of_flags: args.hud,
            saved_preferences: None,
            refusal: None,
            source,
            camera,
            scene_watcher: SceneWatcher::for_args(scene),
            simulation,
            window,
            devices: InputDevices::open(scale),
            flight: FlightInput::default(),
            selection: CubeSelection::new(),
            clock: FrameClock::new(Instant::now()),
            profiler: FrameProfiler::start(),
            suspension: SuspensionDetector::start(),
            history: History::default(),
            operation: Operation::default(),
            suite: None,
            comfortable: ComfortableCount::default(),
            #[cfg(web)]
            count_probe: None,
            states: SavedStates::find(),
            attract: settings.attract,
            drifts: false,
            screenshot: None,
            drawn: None,
            unproven: None,
            #[cfg(web)]
            has_opened: false,
            quits: false,
            steps: 0,
            frames_until_idle: SETTLING_FRAMES,
            camera_moved: false,
            idle: false,
        };
        // That of --open, too.
        if let Some(chosen) = scene.scene.clone().or_else(|| scene.file()) {
            match (chosen.file(), chosen.argument().to_str()) {
                (Some(path), _) => app.remember_scene(path),
                (None, Some(bundled)) => app.preferences.add_recent(bundled.to_owned()),
                (None, None) => {}
            }
        }
        #[cfg(not(web))]
        app.simulation.camera_mut().set_up(&app.camera)?;
        #[cfg(web)]
        app.place_camera();
        // The cube that the camera of a saved state follows.
        app.selection.reset(&app.simulation);
        let drifts = settings.attract && args.simulation.load.is_none() && !app.camera.places();
        if args.attract == Some(true) || drifts {
            app.drifts = app.simulation.camera_mut().start_drift();
        }
        #[cfg(web)]
        if let Some(error) = refused {
            app.notify(Tone::Failed, &format_args!("Ignored in the address: {error}"));
        }
        app.update_counts();
        app.update_title();
        Ok(app)
    }

    /// Opens the device again after a loss.
    pub(super) async fn reopen_device(self, reason: String) -> Result<Self, AppError> {
        let message = format!("The graphics device was lost ({reason}) and has been reopened");
        let window = self.window.reopen(reason).await?;
        let frames_until_idle = SETTLING_FRAMES;
        let had_screenshot = self.screenshot.is_some();
        let mut app = Self { window, screenshot: None, frames_until_idle, ..self };
        app.profiler.restart();
        // Another adapter may take another time.
        app.comfortable.reset();
        if let Some(search) = &mut app.operation.search {
            search.forget();
        }
        app.update_counts();
        app.window.overlay.hud.set_hint(None);
        #[cfg(web)]
        if app.operation.score.take().is_some() {
            // It measures with the lost device.
            app.notify(Tone::Failed, &"No score: the graphics device was lost");
        }
        if had_screenshot {
            app.notify(Tone::Failed, &"No screenshot: the graphics device was lost");
        }
        app.notify(Tone::Failed, &message);
        Ok(app)
    }

    /// Ends the drift of the camera where it is.
    pub(super) fn end_drift(&mut self) {
        if std::mem::take(&mut self.drifts) {
            self.simulation.camera_mut().fly();
        }
    }

    /// Requests a frame with a new layout of the HUD.
    pub(super) fn refresh(&mut self) {
        self.window.overlay.mark_stale();
        self.window.request_redraw();
    }

    /// Requests frames until the numbers of visible cubes, which may have changed, have arrived from the GPU.
    pub(super) fn settle(&mut self) {
        self.frames_until_idle = SETTLING_FRAMES;
        self.refresh();
    }

    /// Shows a message for some seconds, and logs it or, about a failure, prints it.
    pub(super) fn notify(&mut self, tone: Tone, message: &dyn Display) {
        let message = message.to_string();
        match tone {
            Tone::Failed => host::announce_failure(&message),
            Tone::Done | Tone::Value => host::announce(&message),
        }
        self.window.overlay.hud.notify(tone, message);
        self.refresh();
    }

    /// Shows a value that a key has changed, in place of the previous one.
    pub(super) fn notify_value(&mut self, text: String) {
        host::announce(&text);
        self.window.overlay.hud.notify_value(text);
    }

    /// Shows a recoverable error as a message. Returns any other one.
    pub(super) fn report_recoverable(
        &mut self,
        result: Result<(), AppError>,
    ) -> Result<(), AppError> {
        match result {
            Err(error) if error.is_recoverable() => {
                // Without "the simulation cannot run": the current one continues.
                match error {
                    AppError::Simulation(reason) => self.notify(Tone::Failed, &reason),
                    AppError::Memory(reason) => self.notify(Tone::Failed, &reason),
                    error => self.notify(Tone::Failed, &error),
                }
                Ok(())
            }
            result => result,
        }
    }

    /// Shows the keys in the title while help is open, else the state.
    pub(super) fn update_title(&mut self) {
        self.window.update_info();
        let is_hidden = self.window.is_hidden();
        let AppWindow { winit, overlay, target, .. } = &self.window;
        let title = if overlay.hud.panels.help {
            title::keys()
        } else {
            title::state(&self.simulation, &self.clock, &target.info, self.idle || is_hidden)
        };
        host::show_title(winit, &title);
        #[cfg(web)]
        host::show_state(&self.simulation, &target.info, self.window.frames());
    }
}

/// Checks that a scene fits on the adapter with any motion, and into main memory. The cubes of a loaded simulation are
/// there already, but their buffers are not.
fn check_space(
    gpu: &Gpu,
    source: &SceneSource,
    loaded: Option<&Simulation>,
) -> Result<(), AppError> {
    let cubes = loaded.map_or_else(|| source.cubes(), |simulation| simulation.cubes().count());
    gpu.check_capacity(cubes, Motion::Integrated)?;
    let memory = match loaded {
        None => frame::cube_memory(gpu, FramesInFlight::Many),
        Some(_) => CubeMemory::new(gpu.memory_per_cube(FramesInFlight::Many)),
    };
    Ok(memory.check(cubes)?)
}

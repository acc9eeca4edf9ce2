//! App: the window, and the order of a frame.
//!
//! Events become actions; an action changes the simulation, the screen or the window. A redraw
//! steps the simulation by the time that went by, streams the packed arrays to the GPU, draws, and
//! asks for the next redraw.

mod course;
mod display;
mod display_look;
mod error;
mod frame_clock;
mod interaction;
mod screen;
mod title;

use std::time::{Duration, Instant};

use glam::Vec3;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

pub use self::course::run_course;
pub use self::display_look::look_at_display;
pub use self::error::AppError;
use self::frame_clock::FrameClock;
use self::interaction::Interaction;
use self::screen::Screen;
use crate::cli::WindowArgs;
use crate::input::{self, Action, Steering};
use crate::sim::{SceneSettings, Simulation, Start, TimeStep};

/// How often a window that cannot be seen is asked whether it can be seen again.
const HIDDEN_POLL: Duration = Duration::from_millis(250);

/// Opens the window and runs until it is closed.
///
/// # Errors
/// There is no display or no graphics adapter, or one of them fails later on.
pub fn run(args: &WindowArgs) -> Result<(), AppError> {
    let event_loop = display::connect()?;
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
        args: args.clone(),
        screen: None,
        steering: Steering::default(),
        interaction: Interaction::new(),
        clock: FrameClock::new(Instant::now()),
        help: false,
        single_step: false,
        failed: None,
    };
    event_loop.run_app(&mut app).map_err(|error| AppError::Window(error.to_string()))?;
    app.failed.map_or(Ok(()), Err)
}

struct App {
    /// What it began with, and begins again with.
    start: Start,
    /// Without cubes, unless it was loaded, until the adapter was asked whether it can hold so many.
    simulation: Simulation,
    args: WindowArgs,
    /// The window and what draws on it; absent until the window system says it is time.
    screen: Option<Screen>,
    steering: Steering,
    interaction: Interaction,
    clock: FrameClock,
    /// The title shows the keys instead of figures.
    help: bool,
    /// One step is wanted while paused.
    single_step: bool,
    /// What ended the program: callbacks of the window system cannot return it.
    failed: Option<AppError>,
}

impl App {
    fn act(&mut self, action: Action, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
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
            Action::Reset => self.reset()?,
            Action::ToggleVsync => {
                if let Some(screen) = &mut self.screen {
                    screen.toggle_vsync()?;
                }
            }
            Action::ToggleFullscreen => {
                if let Some(screen) = &self.screen {
                    screen.toggle_fullscreen();
                }
            }
            Action::ToggleHelp => {
                self.help = !self.help;
                if self.help {
                    title::print_keys();
                }
            }
            Action::Quit => event_loop.exit(),
            _ => {
                if let Some(screen) = &self.screen {
                    let simulation = &mut self.simulation;
                    self.interaction.act(action, simulation, screen.size(), screen.gpu())?;
                }
            }
        }
        let in_title = !matches!(
            action,
            Action::Move { .. }
                | Action::Fly(_)
                | Action::Look { .. }
                | Action::Slide { .. }
                | Action::Faster(_)
                | Action::Quit
        );
        if in_title {
            self.show_title();
        }
        Ok(())
    }

    fn steer(&mut self) {
        self.simulation.controls_mut().motion = Vec3::from(self.steering.motion());
    }

    /// Begins again, in the mode it is in.
    fn reset(&mut self) -> Result<(), AppError> {
        self.simulation = self.start.simulation(self.simulation.mode())?;
        self.steer();
        Ok(())
    }

    fn redraw(&mut self, event_loop: &ActiveEventLoop) -> Result<(), AppError> {
        let (elapsed, figures_are_due) = self.clock.tick(Instant::now());
        for action in self.interaction.poll(elapsed) {
            self.act(action, event_loop)?;
        }
        let Some(screen) = &mut self.screen else { return Ok(()) };
        if figures_are_due {
            screen.look_if_minimised();
        }
        if std::mem::take(&mut self.single_step) {
            self.simulation.set_paused(false);
            self.simulation.step(TimeStep::default())?;
            self.simulation.set_paused(true);
        } else {
            self.simulation.step(TimeStep::clamped(elapsed))?;
        }
        let outlined = self.interaction.outlined(&self.simulation);
        if screen.draw(&self.simulation, outlined)? {
            event_loop.set_control_flow(ControlFlow::Wait);
            screen.window().request_redraw();
        } else {
            event_loop.set_control_flow(ControlFlow::WaitUntil(Instant::now() + HIDDEN_POLL));
        }
        if figures_are_due {
            self.show_title();
        }
        Ok(())
    }

    fn show_title(&self) {
        if let Some(screen) = &self.screen {
            let title = if self.help {
                title::keys()
            } else {
                title::state(&self.simulation, &self.clock, screen)
            };
            screen.window().set_title(&title);
        }
    }

    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) -> Result<(), AppError> {
        let wish = self.interaction.event(&event);
        let action = match event {
            WindowEvent::CloseRequested => Some(Action::Quit),
            // Somebody else closed the window for us: there is nothing left to ask or to draw on.
            WindowEvent::Destroyed => {
                event_loop.exit();
                None
            }
            WindowEvent::RedrawRequested => return self.redraw(event_loop),
            WindowEvent::Resized(PhysicalSize { width, height }) => {
                if let Some(screen) = &mut self.screen {
                    screen.resized(width, height);
                }
                None
            }
            WindowEvent::Occluded(covered) => {
                if let Some(screen) = &mut self.screen {
                    screen.set_covered(covered);
                }
                None
            }
            WindowEvent::Focused(false) => {
                self.steering.release();
                self.simulation.controls_mut().motion = Vec3::ZERO;
                None
            }
            WindowEvent::KeyboardInput { event, is_synthetic, .. } => {
                // A key that was down before the window got the keyboard was meant for somebody
                // else.
                let repeat = event.repeat || (is_synthetic && event.state.is_pressed());
                input::for_key(event.physical_key, &event.logical_key, event.state, repeat)
            }
            _ => wish,
        };
        action.map_or(Ok(()), |action| self.act(action, event_loop))
    }

    /// Keeps the first failure and ends the program.
    fn settle(&mut self, result: Result<(), AppError>, event_loop: &ActiveEventLoop) {
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            event_loop.exit();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let opened = Screen::open(event_loop, &self.args).and_then(|screen| {
            if let Some(gpu) = screen.gpu() {
                gpu.check_capacity(self.start.cubes())?;
                if gpu.is_software() {
                    title::warn_of_software(gpu);
                }
            }
            if self.simulation.cubes() == 0 {
                self.simulation = self.start.simulation(self.args.scene.mode())?;
            }
            self.screen = Some(screen);
            Ok(())
        });
        self.settle(opened, event_loop);
        self.clock = FrameClock::new(Instant::now());
        self.show_title();
    }

    fn suspended(&mut self, _: &ActiveEventLoop) {
        self.screen = None;
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(screen)) = (cause, &self.screen) {
            screen.window().request_redraw();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = self.handle(event_loop, event);
        self.settle(handled, event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // While the connection to the display is still open.
        self.screen = None;
    }
}

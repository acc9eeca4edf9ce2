//! Starts the demo on the canvas of the page, and passes events to it while the page is open.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use winit::application::ApplicationHandler;
use winit::event::{
    DeviceId, ElementState, MouseButton, StartCause, Touch, TouchPhase, WindowEvent,
};
use winit::event_loop::{ActiveEventLoop, EventLoop, EventLoopProxy};
use winit::keyboard::ModifiersState;
use winit::platform::web::EventLoopExtWebSys;
use winit::window::WindowId;

use super::events::{self, Message};
use super::{page, video};
use crate::app::count_probe::CountProbe;
use crate::app::error::AppError;
use crate::app::state::App;
use crate::cli::{Query, SimulationArgs, WindowArgs, shortened};
use crate::hud::Tone;
use crate::render::RenderError;

/// Parameters of the address that decide how many cubes there are, besides `scene-url`.
const COUNTS: [&str; 2] = ["cubes", "scene"];

/// Reason of a loss that the browser reports.
const CONTEXT_LOST: &str = "the context of WebGL was lost";

/// Starts the demo with the parameters in the address of the page. Returns at once. `interval` is the shortest time
/// between two frames of the browser so far, in ms.
pub fn run(interval: f64) {
    std::panic::set_hook(Box::new(|info| {
        // Advice about the browser does not help.
        page::set_state("failure", "program");
        page::fail(&format!("This is a defect of Cubefall, please report it: {info}"));
        // Nothing else could end it.
        video::end();
    }));
    // Fails if the page has started before.
    let _ = console_log::init_with_level(log::Level::Error);
    if let Err(error) = start(interval) {
        page::fail(&error.to_string());
    }
}

fn start(interval: f64) -> Result<(), AppError> {
    let event_loop = EventLoop::with_user_event().build().map_err(AppError::window)?;
    let proxy = event_loop.create_proxy();
    let (lost, modifiers) = (Rc::default(), Rc::default());
    events::listen_to_page(&proxy, &lost, &modifiers);
    let Query { args, scene_url: scene, accepted, problems } =
        WindowArgs::from_query(&page::query());
    let has_count = scene.is_some() || accepted.iter().any(|name| COUNTS.contains(&name.as_str()));
    if let Some(address) = &scene {
        events::fetch(address.clone(), &proxy);
    }
    event_loop.spawn_app(Runner {
        scene: args.simulation.clone(),
        args: Some(args),
        problems,
        files: Vec::new(),
        notices: Vec::new(),
        proxy,
        state: State::Opening(Vec::new()),
        lost,
        modifiers,
        is_in_hidden_tab: false,
        is_out_of_view: false,
        probe: (!has_count).then(|| CountProbe::new(interval)),
        runs: false,
        earlier_frames: 0,
    });
    Ok(())
}

/// Passes events to the demo. A failure that ends it is shown on the page.
struct Runner {
    /// Until the demo opens.
    args: Option<WindowArgs>,
    /// Messages about the address, until the demo opens.
    problems: Vec<String>,
    /// Parameters of the address for its scene.
    scene: SimulationArgs,
    /// Files that came before the demo was ready, and whether the address names them.
    files: Vec<(String, Result<Vec<u8>, String>, bool)>,
    /// Messages that came before the demo was ready.
    notices: Vec<(Tone, String)>,
    proxy: EventLoopProxy<Message>,
    state: State,
    /// WebGL has lost its context since a device began to be opened.
    lost: Rc<Cell<bool>>,
    /// Modifiers of the latest key press of the page.
    modifiers: Rc<Cell<ModifiersState>>,
    /// winit reported that the canvas is not visible because the tab is hidden.
    is_in_hidden_tab: bool,
    /// winit reported that an embedded canvas is scrolled out of view.
    is_out_of_view: bool,
    /// Until the demo opens; `None` if the address sets the number of cubes.
    probe: Option<CountProbe>,
    /// The page shows the frames of the demo.
    runs: bool,
    /// Frames of devices that were lost.
    earlier_frames: u64,
}

/// Whether the demo has a device.
enum State {
    /// A device is opened. Events of the window meanwhile: its size, hidden tabs and released keys.
    Opening(Vec<WindowEvent>),
    Open(Box<App>),
    Failed,
}

impl Runner {
    /// Runs a step of the demo. Opens a lost device again; any other failure ends the demo.
    fn run(&mut self, step: impl FnOnce(&mut App) -> Result<(), AppError>) {
        let State::Open(app) = &mut self.state else { return };
        match step(app) {
            Ok(()) => {
                let is_drawn = app.window.frames() > self.earlier_frames;
                if is_drawn && !std::mem::replace(&mut self.runs, true) {
                    page::set_running();
                }
            }
            Err(AppError::Render(RenderError::DeviceLost(reason))) => self.lose(reason),
            // What fails for lack of the context may do so before the event.
            Err(AppError::Render(_)) if self.is_context_lost() => self.context_lost(),
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &AppError) {
        self.state = State::Failed;
        // Nothing else could end it.
        video::end();
        if let AppError::Render(RenderError::DeviceLost(reason)) = error {
            // Advice about the browser does not help.
            page::set_state("failure", "program");
            page::fail(&format!(
                "The graphics device was lost ({reason}) and did not come back. Close other pages that draw in 3D, \
                 then reload this one, or restart the browser."
            ));
        } else {
            page::fail(&error.to_string());
        }
    }

    /// Opens a device again, unless one is being opened.
    fn lose(&mut self, reason: String) {
        match std::mem::replace(&mut self.state, State::Opening(Vec::new())) {
            State::Open(app) => self.reopen(app, reason),
            other => self.state = other,
        }
    }

    fn context_lost(&mut self) {
        self.lose(CONTEXT_LOST.into());
    }

    fn is_context_lost(&self) -> bool {
        self.lost.get() || events::is_context_lost()
    }

    /// Opens a device again, which WebGL can do only once the browser has restored its context.
    fn reopen(&mut self, app: Box<App>, reason: String) {
        let waits = self.is_context_lost();
        (self.runs, self.earlier_frames) = (false, app.window.frames());
        page::set_waiting("Opening the graphics device again");
        let (proxy, lost) = (self.proxy.clone(), Rc::clone(&self.lost));
        spawn_local(async move {
            let opened = if !waits || events::context_restored().await {
                lost.set(false);
                // Without a device, no other advice than about the loss would help.
                let opened = Box::pin(app.reopen_device(reason.clone())).await.map(Box::new);
                opened.map_err(|error| match error {
                    AppError::Render(RenderError::DeviceLost(_)) => error,
                    AppError::Render(_) => RenderError::DeviceLost(reason).into(),
                    _ => error,
                })
            } else {
                Err(RenderError::DeviceLost(reason).into())
            };
            let _ = proxy.send_event(Message::Opened(opened));
        });
    }

    fn opened(&mut self, event_loop: &ActiveEventLoop, mut app: Box<App>) {
        if self.lost.get() {
            return self.reopen(app, CONTEXT_LOST.into());
        }
        let problems = std::mem::take(&mut self.problems).join("; ");
        if !problems.is_empty() {
            app.notify(Tone::Failed, &format_args!("Ignored in the address: {problems}"));
        }
        app.count_probe = self.probe.take().or(app.count_probe.take());
        if let State::Opening(missed) = std::mem::replace(&mut self.state, State::Open(app)) {
            for event in missed {
                self.handle(event_loop, event);
            }
        }
        for (tone, message) in std::mem::take(&mut self.notices) {
            self.notify(tone, message);
        }
        for (name, bytes, of_address) in std::mem::take(&mut self.files) {
            self.open_file(name, bytes, of_address);
        }
    }

    /// Handles an event of the window, or keeps it until a device is open.
    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        match &mut self.state {
            State::Opening(_) if is_dropped(&event) => {}
            State::Opening(missed) => missed.push(event),
            _ => self.run(|app| app.on_event(event_loop, &event)),
        }
    }

    fn notify(&mut self, tone: Tone, message: String) {
        if !matches!(self.state, State::Open(_)) {
            self.notices.push((tone, message));
            return;
        }
        self.run(|app| {
            app.notify(tone, &message);
            Ok(())
        });
    }

    /// Opens a file, with the parameters of the address if it comes from there.
    fn open_file(&mut self, name: String, bytes: Result<Vec<u8>, String>, of_address: bool) {
        if !matches!(self.state, State::Open(_)) {
            self.files.push((name, bytes, of_address));
            return;
        }
        let (name, parameters) = (shortened(&name), of_address.then(|| self.scene.clone()));
        self.run(|app| match bytes {
            Ok(bytes) => app.open_bytes(&name, &bytes, parameters.as_ref()),
            Err(reason) => {
                app.notify(Tone::Failed, &format_args!("Cannot read {name}: {reason}"));
                Ok(())
            }
        });
    }
}

impl ApplicationHandler<Message> for Runner {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        // Also when a visitor comes back to a page that the browser has kept.
        let Some(args) = self.args.take() else {
            return self.handle(event_loop, WindowEvent::Occluded(self.is_out_of_view));
        };
        match App::open(event_loop, args, None) {
            Ok(opening) => {
                let proxy = self.proxy.clone();
                spawn_local(async move {
                    let _ = proxy.send_event(Message::Opened(opening.await.map(Box::new)));
                });
            }
            Err(error) => self.fail(&error),
        }
    }

    /// The visitor leaves the page, which the browser may keep.
    fn suspended(&mut self, event_loop: &ActiveEventLoop) {
        self.handle(event_loop, WindowEvent::Occluded(true));
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let StartCause::ResumeTimeReached { .. } = cause {
            self.run(|app| app.wake(event_loop));
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, message: Message) {
        match message {
            Message::Opened(Ok(app)) => self.opened(event_loop, app),
            Message::Opened(Err(error)) => self.fail(&error),
            // Unless it was handled before.
            Message::ContextLost if self.lost.get() => self.context_lost(),
            Message::ContextLost => {}
            Message::File(name, bytes) => self.open_file(name, bytes, false),
            Message::SceneOfAddress(address, bytes) => {
                self.open_file(address, bytes, true);
            }
            Message::Notice(tone, message) => self.notify(tone, message),
            // winit does not report it before the first frame. An embedded canvas may still be out of view.
            Message::Shown => {
                if std::mem::take(&mut self.is_in_hidden_tab) {
                    self.handle(event_loop, WindowEvent::Occluded(false));
                }
            }
            Message::Pinched(delta) => {
                let (device_id, phase) = (DeviceId::dummy(), TouchPhase::Moved);
                self.handle(event_loop, WindowEvent::PinchGesture { device_id, delta, phase });
            }
            Message::PenCanceled => {
                // Not a click on the scene.
                self.run(|app| {
                    app.devices.release_pointer();
                    Ok(())
                });
                let (device_id, state) = (DeviceId::dummy(), ElementState::Released);
                let released =
                    WindowEvent::MouseInput { device_id, state, button: MouseButton::Left };
                self.handle(event_loop, released);
            }
            Message::Dragged(over) => self.run(|app| {
                app.show_drop_hint(over.then_some("the file"));
                Ok(())
            }),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match &event {
            WindowEvent::Occluded(is_occluded) => {
                let is_hidden = page::document().hidden();
                self.is_in_hidden_tab = *is_occluded && is_hidden;
                self.is_out_of_view = *is_occluded && !is_hidden;
            }
            // winit reports modifiers that were held before the page had the focus only after the key pressed with them.
            WindowEvent::KeyboardInput { event: key, .. }
                if key.state.is_pressed() && matches!(self.state, State::Open(_)) =>
            {
                let modifiers = WindowEvent::ModifiersChanged(self.modifiers.get().into());
                self.handle(event_loop, modifiers);
            }
            _ => {}
        }
        self.handle(event_loop, event);
    }
}

/// Returns whether an event has no effect while a device is opened: a redraw, a move or a press.
fn is_dropped(event: &WindowEvent) -> bool {
    match event {
        WindowEvent::RedrawRequested
        | WindowEvent::CursorMoved { .. }
        | WindowEvent::MouseWheel { .. }
        | WindowEvent::PinchGesture { .. }
        | WindowEvent::MouseInput { state: ElementState::Pressed, .. }
        | WindowEvent::Touch(Touch { phase: TouchPhase::Started | TouchPhase::Moved, .. }) => true,
        WindowEvent::KeyboardInput { event, .. } => event.state.is_pressed(),
        _ => false,
    }
}

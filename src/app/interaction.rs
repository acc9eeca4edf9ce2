//! Interaction: the cube that is selected, and what people do with it.

use std::time::{Duration, Instant};

use glam::Vec2;
use winit::event::{ElementState, MouseButton, Touch as Finger, TouchPhase, WindowEvent};
use winit::keyboard::ModifiersState;

use super::AppError;
use super::gamepads::Gamepads;
use crate::components::{Position, Transform};
use crate::ecs::Entity;
use crate::input::{Action, Pointer, Touch};
use crate::render::{Gpu, Size};
use crate::sim::{FallMode, HALF_EXTENT, Ray, Simulation, TimeStep};

/// How far ahead a cube is dropped where no other is nearer, in m.
const DROP_AHEAD: f32 = 40.0;
/// How far above the floor at least, in m.
const DROP_ABOVE: f32 = 5.0;

/// Time that counts for a frame at most. Events wait while a frame is drawn, so slow frames would make
/// a long press of every click.
const LONGEST_FRAME: Duration = Duration::from_millis(100);

/// How often the cube under the pointer is looked for while cubes move.
const HOVER_INTERVAL: Duration = Duration::from_millis(100);

/// How often gamepads are asked while nothing is drawn, and how often it is looked for some.
const HEARD: Duration = Duration::from_millis(50);
const LOOKED_FOR: Duration = Duration::from_secs(2);

/// The cube that is selected, and the devices beside the keyboard.
pub(super) struct Interaction {
    selected: Option<Entity>,
    modifiers: ModifiersState,
    /// The window hears the keyboard.
    focused: bool,
    pointer: Pointer,
    touch: Touch,
    gamepad: Gamepads,
    /// By which presses are measured.
    now: Instant,
    /// A button or a finger is down.
    held: bool,
    /// The cube under the pointer, when it was looked for, and when it is to be looked for again.
    hovered: Option<Entity>,
    hover_due: Instant,
}

impl Interaction {
    pub(super) fn new() -> Self {
        Self {
            selected: None,
            modifiers: ModifiersState::empty(),
            focused: true,
            pointer: Pointer::default(),
            touch: Touch::default(),
            gamepad: Gamepads::open(),
            now: Instant::now(),
            held: false,
            hovered: None,
            hover_due: Instant::now(),
        }
    }

    /// The cube to outline.
    pub(super) fn outlined(&self, simulation: &Simulation) -> Option<Transform> {
        simulation.cubes().get(self.selected?)
    }

    /// The cube that is selected, as long as it lives.
    pub(super) fn selected(&self, simulation: &Simulation) -> Option<Entity> {
        self.selected.filter(|&cube| simulation.cubes().get(cube).is_some())
    }

    /// There is another simulation: what is selected is the cube that its camera follows, if any.
    pub(super) fn restart(&mut self, simulation: &Simulation) {
        self.selected = simulation.camera().followed();
    }

    /// What is to be said since the last call: of gamepads that came and went, and of the selected cube
    /// if it has just gone.
    pub(super) fn take_news(&mut self, simulation: &Simulation) -> Vec<String> {
        let mut news = self.gamepad.take_news();
        if let Some(gone) = self.selected.take_if(|cube| simulation.cubes().get(*cube).is_none()) {
            news.push(match simulation.world().inspect().entity_in_slot(gone.index()) {
                Some(next) => format!("{gone} is gone, and {next} lives in its slot"),
                None => format!("{gone} is gone"),
            });
        }
        news
    }

    /// The cube that was under the pointer when it was last looked for.
    pub(super) fn hovered(&self) -> Option<Entity> {
        self.hovered
    }

    /// Looks for the cube under the pointer now and then, unless there is something else or nobody
    /// wants to know.
    pub(super) fn hover(&mut self, wanted: bool, simulation: &Simulation, size: Size) {
        let at = self.pointer.at().filter(|_| wanted && !self.held);
        let Some(at) = at else {
            self.hovered = None;
            return;
        };
        let now = Instant::now();
        if now >= self.hover_due || simulation.is_paused() {
            let hit = sight(simulation, at, size).and_then(|ray| simulation.cubes().pick(&ray));
            self.hovered = hit.map(|hit| hit.entity);
            self.hover_due = now + HOVER_INTERVAL;
        }
    }

    /// Whether a button or a finger is down.
    pub(super) fn is_held(&self) -> bool {
        self.held
    }

    /// How often gamepads have to be asked while nothing else happens: hardly ever while there is
    /// none; none if the system does not let anyone.
    pub(super) fn interval(&self) -> Option<Duration> {
        self.gamepad.is_there().map(|is_there| if is_there { HEARD } else { LOOKED_FOR })
    }

    /// Which gamepads are plugged in, or why none can be heard.
    pub(super) fn gamepad(&self) -> &str {
        self.gamepad.status()
    }

    /// What an event of mouse or fingers asks for.
    pub(super) fn event(&mut self, event: &WindowEvent) -> Option<Action> {
        match *event {
            WindowEvent::MouseInput { state, .. } => self.held = state.is_pressed(),
            WindowEvent::Touch(Finger { phase, .. }) => {
                self.held = matches!(phase, TouchPhase::Started | TouchPhase::Moved);
            }
            WindowEvent::Focused(_) => self.held = false,
            _ => {}
        }
        match *event {
            WindowEvent::Focused(focused) => {
                self.focused = focused;
                self.pointer.release();
                self.touch.release();
                None
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::MouseInput { button, state, .. } => self.button(button, state),
            WindowEvent::CursorMoved { position, .. } => self.pointer.moved(position.x, position.y),
            WindowEvent::CursorLeft { .. } => {
                self.pointer.left();
                None
            }
            WindowEvent::MouseWheel { delta, .. } => Some(Pointer::scrolled(delta)),
            WindowEvent::Touch(Finger { id, phase, location, .. }) => {
                self.touch.finger(id, phase, [location.x, location.y], self.now)
            }
            _ => None,
        }
    }

    fn button(&mut self, button: MouseButton, state: ElementState) -> Option<Action> {
        self.pointer.button(button, state, self.modifiers.shift_key(), self.now)
    }

    /// A frame begins: what gamepads have asked for in the time since the last one.
    pub(super) fn poll(&mut self, elapsed: Duration) -> Vec<Action> {
        self.now += elapsed.min(LONGEST_FRAME);
        let seconds = TimeStep::clamped(elapsed).seconds();
        let mut actions = Vec::new();
        self.gamepad.poll(seconds, self.focused, |action| actions.push(action));
        actions
    }

    /// Does what concerns a cube or the camera, in a window of a size; all else is left to others.
    /// Returns what is to be said of it.
    pub(super) fn act(
        &mut self,
        action: Action,
        simulation: &mut Simulation,
        size: Size,
        gpu: Option<&Gpu>,
    ) -> Result<Option<String>, AppError> {
        let selected = self.selected(simulation);
        match action {
            Action::Pan { right, down, zoom } => simulation.camera_mut().pan(right, down, zoom),
            Action::CycleCamera => {
                let rig = simulation.camera_mut().cycle_rig(selected);
                return Ok(Some(format!("camera: {rig}")));
            }
            Action::SelectAt(at) => {
                let hit = sight(simulation, at, size).and_then(|ray| simulation.cubes().pick(&ray));
                self.selected = hit.map(|hit| hit.entity);
                if let Some(cube) = self.selected {
                    log::debug!("selected {cube}");
                    // A camera that falls goes nowhere else.
                    if simulation.mode() == FallMode::Cubes {
                        simulation.camera_mut().follow_from_here(cube)?;
                    }
                } else {
                    log::debug!("selected none");
                    simulation.camera_mut().fly();
                }
            }
            Action::DropCubeAt(at) => {
                // What the device cannot hold is not dropped: drawing it would end the program.
                let fits = gpu
                    .is_none_or(|gpu| gpu.check_capacity(simulation.cubes().count() + 1).is_ok());
                if let Some(ray) = sight(simulation, at, size).filter(|_| fits) {
                    let at = drop_place(simulation, &ray);
                    let cube = simulation.cubes_mut().spawn_at(at)?;
                    self.selected = Some(cube);
                    if simulation.camera().followed().is_some() {
                        simulation.camera_mut().follow_from_here(cube)?;
                    }
                }
            }
            Action::Focus => {
                if let Some(cube) = selected {
                    simulation.camera_mut().focus(cube)?;
                }
            }
            Action::Despawn => {
                if let Some(cube) = selected {
                    simulation.cubes_mut().despawn(cube)?;
                }
                self.selected = None;
            }
            _ => {}
        }
        Ok(None)
    }
}

/// The ray of sight through a place of the window, in pixels from its upper left corner.
fn sight(simulation: &Simulation, [x, y]: [f64; 2], size: Size) -> Option<Ray> {
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let point = Vec2::new((x / width * 2.0 - 1.0) as f32, (1.0 - y / height * 2.0) as f32);
    simulation.camera().view().ray(point, size.aspect())
}

/// Where a cube is dropped that is wanted along a ray: before what is there, and above the floor.
fn drop_place(simulation: &Simulation, ray: &Ray) -> Position {
    let free = simulation.cubes().pick(ray).map_or(DROP_AHEAD, |hit| hit.distance.min(DROP_AHEAD));
    let mut at = ray.at(free);
    at.y = at.y.max(DROP_ABOVE - HALF_EXTENT);
    Position(at)
}

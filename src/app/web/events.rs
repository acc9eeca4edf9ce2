//! Events of the page that winit does not pass on: files, a lost context, and what the browser would do with
//! keys and the wheel.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Reflect;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    BeforeUnloadEvent, DragEvent, Event, EventTarget, File, FileList, KeyboardEvent, PointerEvent,
    WebGl2RenderingContext,
};
use winit::event_loop::EventLoopProxy;
use winit::keyboard::ModifiersState;

use super::{notices, page, video};
use crate::app::error::AppError;
use crate::app::state::App;
use crate::hud::Tone;
use crate::memory;

/// Largest file that is read, in bytes.
pub(super) const MAX_FILE: u32 = 256 << 20;

/// Time after which a lost context is not expected back, in ms.
const MAX_OUTAGE: i32 = 10_000;

thread_local! {
    /// Number of files that the user has chosen so far.
    static READS: Cell<u64> = const { Cell::new(0) };
}

/// What reaches the event loop from the page.
pub(super) enum Message {
    /// The demo is ready to run, at the start and after a loss of the device.
    Opened(Result<Box<App>, AppError>),
    /// WebGL lost its context.
    ContextLost,
    /// The user has dropped or chosen a file.
    File(String, Result<Vec<u8>, String>),
    /// The file of the scene that the address names has arrived.
    SceneOfAddress(String, Result<Vec<u8>, String>),
    /// A file is over the page, or has left it.
    Dragged(bool),
    /// To be shown to the user.
    Notice(Tone, String),
    /// The page is visible again.
    Shown,
    /// The browser has taken a pressed pen away, as to scroll the page around the demo.
    PenCanceled,
    /// The distance of two fingers on a trackpad grew by this share of it.
    Pinched(f64),
}

/// Listens to an event for as long as the page is open.
fn listen<E: JsCast>(target: &EventTarget, event: &str, react: impl FnMut(E) + 'static) {
    let mut react = react;
    let closure =
        Closure::<dyn FnMut(Event)>::new(move |event: Event| react(event.unchecked_into()));
    target
        .add_event_listener_with_callback(event, closure.as_ref().unchecked_ref())
        .expect("the event has a name");
    closure.forget();
}

/// Passes events of the page on to the event loop. Sets `lost` when WebGL loses its context, and `modifiers` to those of each
/// key before winit reports it.
pub(super) fn listen_to_page(
    proxy: &EventLoopProxy<Message>,
    lost: &Rc<Cell<bool>>,
    modifiers: &Rc<Cell<ModifiersState>>,
) {
    let to = proxy.clone();
    notices::show_with(move |tone, message| {
        let _ = to.send_event(Message::Notice(tone, message));
    });
    listen(&page::window(), "beforeunload", |event: BeforeUnloadEvent| {
        // The browser asks whether to leave; older ones only if there is a text, which they do not show.
        if video::is_unsaved() {
            event.prevent_default();
            event.set_return_value("The video is not saved.");
        }
    });
    let to = proxy.clone();
    listen(&page::document(), "visibilitychange", move |_: Event| {
        if !page::document().hidden() {
            let _ = to.send_event(Message::Shown);
        }
    });
    let Some(canvas) = page::canvas() else { return };
    // winit captures only the mouse: a pen that is lifted outside the canvas would stay down.
    let captured = canvas.clone();
    listen(&canvas, "pointerdown", move |event: PointerEvent| {
        if event.pointer_type() == "pen" {
            // Fails if the pen is gone already.
            let _ = captured.set_pointer_capture(event.pointer_id());
        }
    });
    // winit cancels only fingers.
    let to = proxy.clone();
    listen(&canvas, "pointercancel", move |event: PointerEvent| {
        if event.pointer_type() == "pen" {
            let _ = to.send_event(Message::PenCanceled);
        }
    });
    let (to, lost) = (proxy.clone(), Rc::clone(lost));
    listen(&canvas, "webglcontextlost", move |event: Event| {
        lost.set(true);
        // Otherwise the browser does not restore it.
        event.prevent_default();
        let _ = to.send_event(Message::ContextLost);
    });
    listen(&canvas, "contextmenu", |event: Event| event.prevent_default());
    listen(&canvas, "wheel", |event: Event| event.prevent_default());
    // Safari reports a pinch on a trackpad by gestures, other browsers by the wheel. On a touch screen it also reports fingers.
    let is_trackpad = page::window().navigator().max_touch_points() == 0;
    let before = Rc::new(Cell::new(1.0));
    for name in ["gesturestart", "gesturechange"] {
        let (to, before) = (proxy.clone(), Rc::clone(&before));
        listen(&canvas, name, move |event: Event| {
            event.prevent_default();
            let scale = Reflect::get(&event, &"scale".into()).ok().and_then(|it| it.as_f64());
            let (Some(scale), true) = (scale, is_trackpad) else { return };
            let before = before.replace(scale);
            if name == "gesturechange" {
                let _ = to.send_event(Message::Pinched(scale / before - 1.0));
            }
        });
    }
    let modifiers = Rc::clone(modifiers);
    listen(&canvas, "keydown", move |event: KeyboardEvent| {
        modifiers.set(modifiers_of(&event));
        // F6 leads out of the page, where Tab walks through the controls.
        let is_of_browser = event.ctrl_key() || event.meta_key() || event.alt_key();
        // With these the demo chooses a slot and changes the size of its UI. Some layouts have digits only with Shift.
        let is_digit = ["Digit", "Numpad"].iter().any(|start| event.code().starts_with(start));
        let is_taken = !event.alt_key()
            && (is_digit || matches!(event.key().as_bytes(), [b'+' | b'-' | b'=']));
        if (!is_of_browser || is_taken) && event.key() != "F6" {
            event.prevent_default();
        }
    });
    let to = proxy.clone();
    listen(&canvas, "dragover", move |event: DragEvent| {
        event.prevent_default();
        let kinds = event.data_transfer().map(|data| data.types());
        let has_files = kinds.is_some_and(|kinds| kinds.includes(&"Files".into(), 0));
        let _ = to.send_event(Message::Dragged(has_files));
    });
    let to = proxy.clone();
    listen(&canvas, "dragleave", move |_: DragEvent| {
        let _ = to.send_event(Message::Dragged(false));
    });
    let to = proxy.clone();
    listen(&canvas, "drop", move |event: DragEvent| {
        event.prevent_default();
        let _ = to.send_event(Message::Dragged(false));
        read_first(event.data_transfer().and_then(|data| data.files()), &to);
    });
    if let Some(input) = page::file_input() {
        let to = proxy.clone();
        let chosen = input.clone();
        listen(&input, "change", move |_: Event| {
            read_first(chosen.files(), &to);
            // The same file can be chosen again.
            chosen.set_value("");
        });
    }
}

fn modifiers_of(event: &KeyboardEvent) -> ModifiersState {
    let mut modifiers = ModifiersState::empty();
    modifiers.set(ModifiersState::CONTROL, event.ctrl_key());
    modifiers.set(ModifiersState::SHIFT, event.shift_key());
    modifiers.set(ModifiersState::ALT, event.alt_key());
    modifiers.set(ModifiersState::SUPER, event.meta_key());
    modifiers
}

/// Returns `true` while WebGL, if it draws the page, has no context.
pub(super) fn is_context_lost() -> bool {
    let context = page::canvas().and_then(|canvas| canvas.get_context("webgl2").ok().flatten());
    let context = context.and_then(|it| it.dyn_into::<WebGl2RenderingContext>().ok());
    context.is_some_and(|context| context.is_context_lost())
}

/// Waits until WebGL has its context again. Returns whether it has, which browsers do not promise.
pub(super) async fn context_restored() -> bool {
    let Some(canvas) = page::canvas() else { return false };
    // It may have come back before the loss was handled.
    if !is_context_lost() {
        return true;
    }
    let restored = js_sys::Promise::new(&mut |resolve, _| {
        let options = web_sys::AddEventListenerOptions::new();
        options.set_once(true);
        let _ = canvas.add_event_listener_with_callback_and_add_event_listener_options(
            "webglcontextrestored",
            &resolve,
            &options,
        );
    });
    loop {
        let was_hidden = page::document().hidden();
        let too_late =
            js_sys::Promise::new(&mut |_, reject| page::start_timer(&reject, MAX_OUTAGE));
        let either = js_sys::Promise::race(&js_sys::Array::of2(&restored, &too_late));
        if JsFuture::from(either).await.is_ok() {
            return true;
        }
        // A hidden page may get it back when it is shown.
        if !was_hidden && !page::document().hidden() {
            return false;
        }
    }
}

/// Reads the first of the files that the user gave.
fn read_first(files: Option<FileList>, proxy: &EventLoopProxy<Message>) {
    let Some(file) = files.and_then(|files| files.get(0)) else { return };
    let proxy = proxy.clone();
    let number = READS.get() + 1;
    READS.set(number);
    spawn_local(async move {
        let bytes = read(&file).await.map_err(|error| page::reason(&error));
        // A file that takes longer to read does not replace one that was chosen later.
        if READS.get() == number {
            let _ = proxy.send_event(Message::File(file.name(), bytes));
        }
    });
}

async fn read(file: &File) -> Result<Vec<u8>, JsValue> {
    if file.size() > f64::from(MAX_FILE) {
        return Err(too_large().into());
    }
    copied(&js_sys::Uint8Array::new(&JsFuture::from(file.array_buffer()).await?))
}

/// Copies bytes into the memory of the program, which may have no place for them.
fn copied(bytes: &js_sys::Uint8Array) -> Result<Vec<u8>, JsValue> {
    memory::check("the file", bytes.length().into()).map_err(|error| error.to_string())?;
    Ok(bytes.to_vec())
}

/// Fetches the scene file that the address names, which must be of the same site.
pub(super) fn fetch(address: String, proxy: &EventLoopProxy<Message>) {
    let proxy = proxy.clone();
    spawn_local(async move {
        let bytes = fetched(&address).await.map_err(|error| page::reason(&error));
        let _ = proxy.send_event(Message::SceneOfAddress(address, bytes));
    });
}

async fn fetched(address: &str) -> Result<Vec<u8>, JsValue> {
    let response = JsFuture::from(page::window().fetch_with_str(address)).await?;
    let response: web_sys::Response = response.unchecked_into();
    if !response.ok() {
        return Err(format!("the server answered with status {}", response.status()).into());
    }
    let length = response.headers().get("content-length")?.and_then(|text| text.parse().ok());
    if length.is_some_and(|length: u64| length > MAX_FILE.into()) {
        return Err(too_large().into());
    }
    let bytes = js_sys::Uint8Array::new(&JsFuture::from(response.array_buffer()?).await?);
    if bytes.length() > MAX_FILE { Err(too_large().into()) } else { copied(&bytes) }
}

fn too_large() -> String {
    format!("it is larger than {} MiB", MAX_FILE >> 20)
}

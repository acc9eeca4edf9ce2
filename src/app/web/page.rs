//! The page around the canvas: its elements, and its state for style sheets, screen readers and tests.

use std::cell::RefCell;
use std::time::Duration;

use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, Document, HtmlAnchorElement, HtmlCanvasElement, HtmlInputElement, Url, Window,
};

use super::notices;
use crate::cli::SharedView;
use crate::hud::{GraphicsInfo, Tone};
use crate::sim::Simulation;

thread_local! {
    /// Messages that screen readers have not got yet.
    static MESSAGES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A call of the browser that failed, as text.
pub(super) fn reason(error: &JsValue) -> String {
    let message = || js_sys::Reflect::get(error, &"message".into()).ok()?.as_string();
    let text = error.as_string().or_else(message).filter(|text| !text.is_empty());
    text.unwrap_or_else(|| format!("{error:?}"))
}

pub(super) fn window() -> Window {
    web_sys::window().expect("a page has a window")
}

pub(super) fn document() -> Document {
    window().document().expect("a page has a document")
}

/// Returns the canvas of the page.
pub(super) fn canvas() -> Option<HtmlCanvasElement> {
    document().get_element_by_id("cubefall")?.dyn_into().ok()
}

/// Returns the hidden element that lets the user choose a file.
pub(super) fn file_input() -> Option<HtmlInputElement> {
    document().get_element_by_id("file")?.dyn_into().ok()
}

/// Lets the user choose a file, which arrives as an event.
pub(in crate::app) fn choose_file() {
    if let Some(input) = file_input() {
        input.click();
    }
}

/// Returns the parameters in the address of the page.
pub(super) fn query() -> String {
    window().location().search().unwrap_or_default()
}

/// Returns whether the user asked the system for less motion.
pub(in crate::app) fn reduces_motion() -> bool {
    matches_media("(prefers-reduced-motion: reduce)")
}

fn matches_media(query: &str) -> bool {
    let query = window().match_media(query);
    query.ok().flatten().is_some_and(|query| query.matches())
}

fn set_text(id: &str, text: &str) {
    if let Some(element) = document().get_element_by_id(id) {
        element.set_text_content(Some(text));
    }
}

/// Sets a state of the page, for its style sheet and tests.
pub(super) fn set_state(name: &str, value: &str) {
    if let Some(body) = document().body() {
        // Fails for names that are no identifiers.
        let _ = body.dataset().set(name, value);
    }
}

/// Shows that the page draws, and directs keys to it.
pub(super) fn set_running() {
    set_state("state", "running");
    // The script of the page sets it.
    let is_embedded = document().body().is_some_and(|it| it.dataset().get("embedded").is_some());
    // A page around it keeps the focus: the user may be typing there.
    if let Some(canvas) = canvas().filter(|_| !is_embedded) {
        // Fails for elements that take no keys.
        let _ = canvas.focus();
    }
}

/// Shows that the page does not draw for now, until [`set_running`].
pub(super) fn set_waiting(why: &str) {
    set_text("progress-text", why);
    if let Some(body) = document().body() {
        body.dataset().delete("state");
    }
}

/// Shows why the page cannot draw. The first reason is kept: later ones follow from it.
pub(super) fn fail(reason: &str) {
    log::error!("{reason}");
    let shown = document().get_element_by_id("failure-reason");
    if shown.is_some_and(|it| it.text_content().is_none_or(|text| text.is_empty())) {
        set_text("failure-reason", reason);
    }
    if let Some(section) = document().get_element_by_id("failure") {
        // Never fails for an attribute of HTML.
        let _ = section.remove_attribute("hidden");
    }
    set_state("state", "failed");
    document().set_title("Cubefall");
    // The canvas alone would fill the screen, and the page under it could not be scrolled.
    if document().fullscreen_element().is_some() {
        document().exit_fullscreen();
    }
}

/// Says a message of the HUD to screen readers, which read what the page shows between two tasks. So messages of one task are shown
/// together.
pub(in crate::app) fn announce(message: &str) {
    let is_first = MESSAGES.with_borrow_mut(|messages| {
        messages.push(message.to_owned());
        messages.len() == 1
    });
    if is_first {
        let show = Closure::once_into_js(|| set_text("status", &MESSAGES.take().join("\n")));
        start_timer(show.unchecked_ref(), 0);
    }
}

/// Says a message of the HUD about a failure.
pub(in crate::app) fn announce_failure(message: &str) {
    announce(message);
}

/// Calls `after` when some milliseconds are over.
pub(super) fn start_timer(after: &js_sys::Function, milliseconds: i32) {
    let timer = window().set_timeout_with_callback_and_timeout_and_arguments_0(after, milliseconds);
    timer.expect("a page has timers");
}

/// Returns whether the program is to end. A page receives no signal.
pub(in crate::app) fn is_ending() -> bool {
    false
}

/// Sleeps.
pub(in crate::app) async fn sleep(duration: Duration) {
    let milliseconds = i32::try_from(duration.as_millis()).unwrap_or(i32::MAX);
    let over = js_sys::Promise::new(&mut |resolve, _| start_timer(&resolve, milliseconds));
    let _ = JsFuture::from(over).await;
}

/// Shows the title of the page.
pub(in crate::app) fn show_title(_: &winit::window::Window, title: &str) {
    let document = document();
    // To set the same title again takes time, too.
    if document.title() != title {
        document.set_title(title);
    }
}

/// Shows the state of the demo in the attributes of the page.
pub(in crate::app) fn show_state(simulation: &Simulation, graphics: &GraphicsInfo, frames: u64) {
    let is_webgpu = graphics.adapter.backend != "gl";
    for (name, value) in [
        ("backend", if is_webgpu { "webgpu" } else { "webgl" }.to_owned()),
        ("cubes", simulation.cubes().count().to_string()),
        ("mode", simulation.mode().to_string()),
        ("motion", simulation.motion().to_string()),
        ("paused", simulation.is_paused().to_string()),
        ("quality", graphics.quality.map(|quality| quality.to_string()).unwrap_or_default()),
        ("frames", frames.to_string()),
    ] {
        set_state(name, &value);
    }
}

/// Returns whether a browser has a property. Calling a missing one throws an exception, which ends the program.
pub(super) fn has(object: &JsValue, property: &str) -> bool {
    js_sys::Reflect::get(object, &property.into()).is_ok_and(|value| !value.is_undefined())
}

/// Returns whether a page can fill the screen, which only videos can on some phones, and embedded pages only where the
/// page around them allows it.
pub(in crate::app) fn has_fullscreen() -> bool {
    let document = document();
    let is_enabled = |name: &str| {
        js_sys::Reflect::get(&document, &name.into()).is_ok_and(|value| value.is_truthy())
    };
    canvas().is_some_and(|canvas| {
        [
            ("requestFullscreen", "fullscreenEnabled"),
            ("webkitRequestFullscreen", "webkitFullscreenEnabled"),
        ]
        .into_iter()
        .any(|(request, enabled)| has(&canvas, request) && is_enabled(enabled))
    })
}

/// Returns whether fingers are the main way to point.
pub(in crate::app) fn is_touched() -> bool {
    matches_media("(pointer: coarse)")
}

/// Keeps the screen on until the lock is given to [`let_sleep`]; `None` where the browser refuses it.
pub(super) async fn keep_awake() -> Option<JsValue> {
    let locks = js_sys::Reflect::get(&window().navigator(), &"wakeLock".into()).ok()?;
    JsFuture::from(call(&locks, "request", &"screen".into())?).await.ok()
}

/// Gives up a lock of [`keep_awake`].
pub(super) fn let_sleep(lock: &JsValue) {
    // Fails if the browser has ended the lock.
    let _ = call(lock, "release", &JsValue::UNDEFINED);
}

/// Calls a method that returns a promise. `None` if there is none.
fn call(object: &JsValue, method: &str, argument: &JsValue) -> Option<js_sys::Promise> {
    let method = js_sys::Reflect::get(object, &method.into()).ok()?;
    method.dyn_into::<js_sys::Function>().ok()?.call1(object, argument).ok()?.dyn_into().ok()
}

/// Copies a text to the clipboard. `None` if that is only known later, and reported then: a page from another
/// machine has a clipboard only over HTTPS.
pub(in crate::app) fn copy(text: &str, _: impl FnOnce(String)) -> Option<bool> {
    let navigator = window().navigator();
    if !has(&navigator, "clipboard") {
        return Some(false);
    }
    let copied = JsFuture::from(navigator.clipboard().write_text(text));
    let text = text.to_owned();
    spawn_local(async move {
        match copied.await {
            Ok(_) => notices::notify(Tone::Done, "Copied to the clipboard".into()),
            Err(error) => {
                let reason = reason(&error);
                let message = format!(
                    "The browser refused the clipboard ({reason}); to copy by hand: {text}"
                );
                notices::notify(Tone::Failed, message);
            }
        }
    });
    None
}

/// Returns the address that opens a view.
pub(in crate::app) fn link(view: &SharedView) -> String {
    let location = window().location();
    let [origin, path] = [location.origin(), location.pathname()].map(Result::unwrap_or_default);
    format!("{origin}{path}?{}", view.query())
}

/// Downloads a file.
pub(super) fn download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    download_blob(name, &Blob::new_with_u8_array_sequence(&parts)?)
}

/// Downloads a file that the browser holds.
pub(super) fn download_blob(name: &str, blob: &Blob) -> Result<(), JsValue> {
    let url = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // Some browsers read it after the click.
    let release = Closure::once_into_js(move || Url::revoke_object_url(&url));
    window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(release.unchecked_ref(), 60_000)?;
    Ok(())
}

//! Work on the GPU whose end a program waits for, also where it must not block: in a page.

#[cfg(web)]
use std::sync::Arc;
#[cfg(web)]
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Gpu, RenderError};

/// Work that the GPU may not have finished.
#[derive(Debug)]
pub struct Submitted(
    #[cfg(not(web))] wgpu::SubmissionIndex,
    /// It is finished.
    #[cfg(web)]
    Arc<AtomicBool>,
);

impl Gpu {
    /// Observes the latest submission, which is `index`.
    #[cfg_attr(
        web,
        expect(
            unused_variables,
            clippy::needless_pass_by_value,
            reason = "WebGPU reports on the latest submission"
        )
    )]
    pub fn observe(&self, index: wgpu::SubmissionIndex) -> Submitted {
        #[cfg(not(web))]
        return Submitted(index);
        #[cfg(web)]
        {
            let is_finished = Arc::new(AtomicBool::new(false));
            let finished = Arc::clone(&is_finished);
            self.queue.on_submitted_work_done(move || finished.store(true, Ordering::Relaxed));
            Submitted(is_finished)
        }
    }

    /// Waits until the GPU has finished the work and everything before it. Blocks, except in a page.
    ///
    /// # Errors
    /// The device failed or was lost.
    #[cfg_attr(not(web), expect(clippy::unused_async, reason = "a page waits"))]
    pub async fn finished(&self, work: Submitted) -> Result<(), RenderError> {
        #[cfg(not(web))]
        return self.wait_for(work.0);
        #[cfg(web)]
        {
            self.check()?;
            while !work.0.load(Ordering::Relaxed) {
                next_task().await;
                self.check()?;
            }
            Ok(())
        }
    }
}

/// Lets the browser do what is waiting in its event loop.
#[cfg(web)]
async fn next_task() {
    use wasm_bindgen::JsValue;
    use wasm_bindgen_futures::JsFuture;
    use web_sys::{AddEventListenerOptions, MessageChannel};

    thread_local! {
        // A timer of 0 ms would wait for 4 ms.
        static CHANNEL: MessageChannel = MessageChannel::new().expect("all browsers have channels");
    }
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        CHANNEL.with(|channel| {
            let port = channel.port1();
            let once = AddEventListenerOptions::new();
            once.set_once(true);
            // Each message resumes all that wait: a canceled measurement may wait beside the next one.
            let added = port.add_event_listener_with_callback_and_add_event_listener_options(
                "message", &resolve, &once,
            );
            port.start();
            // These fail for wrong types, and for values that cannot be sent.
            let _ = added.and_then(|()| channel.port2().post_message(&JsValue::NULL));
        });
    });
    // Never fails: nothing rejects it.
    let _ = JsFuture::from(promise).await;
}

//! Work on the GPU whose end a program waits for, also where it must not block: in a page.

#[cfg(web)]
use std::sync::Arc;
#[cfg(web)]
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Gpu, RenderError};

/// Work that the GPU may not have finished.
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
            reason = "browsers know the latest"
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

    /// Waits until the GPU has finished the work and everything before it. Blocks, but for a page.
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

/// Waits until the browser has done what it had to do.
#[cfg(web)]
async fn next_task() {
    use wasm_bindgen::JsValue;
    use wasm_bindgen_futures::JsFuture;
    use web_sys::MessageChannel;

    thread_local! {
        // A timer of 0 ms would wait for 4 ms.
        static CHANNEL: Option<MessageChannel> = MessageChannel::new().ok();
    }
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        CHANNEL.with(|channel| {
            if let Some(channel) = channel {
                channel.port1().set_onmessage(Some(&resolve));
                // Fails for values that cannot be sent.
                let _ = channel.port2().post_message(&JsValue::NULL);
            }
        });
    });
    // Never fails: nothing rejects it.
    let _ = JsFuture::from(promise).await;
}

//! A window to draw on, checked before each use.

use std::sync::Arc;

use winit::window::Window;

/// A window that surfaces are created on.
#[derive(Clone)]
pub(super) struct CheckedWindow(pub(super) Arc<Window>);

impl CheckedWindow {
    /// Panics if another program has closed the window; `desktop/panics.rs` then ends the process with the reason.
    /// Without this check, graphics drivers report errors that hide the reason, or crash.
    pub(super) fn check(&self) {
        // Only this query panics for a missing window and for nothing else.
        let _ = self.0.inner_size();
    }
}

impl From<CheckedWindow> for wgpu::SurfaceTarget<'static> {
    fn from(window: CheckedWindow) -> Self {
        window.check();
        window.0.into()
    }
}

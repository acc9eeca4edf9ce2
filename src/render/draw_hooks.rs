//! What a caller adds to a frame: the time at each phase boundary, and an overlay.

use super::{Gpu, RenderError, RenderTarget};

/// Part of [`Renderer::draw`](super::Renderer::draw), in the order in which they run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DrawPhase {
    /// Culling, and changed ranges of the arrays copied to GPU or staging memory.
    Upload,
    /// Render passes recorded into a command buffer.
    Encode,
    /// Command buffers handed to the driver.
    Submit,
}

/// Callbacks of [`Renderer::draw_with`](super::Renderer::draw_with); every default does nothing.
pub trait DrawHooks {
    /// Runs at the end of each phase. [`overlay`](Self::overlay) runs between `Encode` and `Submit`
    /// and belongs to neither.
    fn phase_ended(&mut self, _phase: DrawPhase) {}

    /// Records commands that draw over the finished scene in the same submission.
    ///
    /// # Errors
    /// An error cancels the frame, whose uploads may be lost: a [`Renderer`](super::Renderer) is to be created anew then.
    fn overlay(
        &mut self,
        _gpu: &Gpu,
        _target: RenderTarget<'_>,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        Ok(None)
    }
}

/// No timing and no overlay.
impl DrawHooks for () {}

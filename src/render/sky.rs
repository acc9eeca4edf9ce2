//! Sky: the gradient behind the cubes.

use super::scene_shader::{Draw, Entry, SceneShader};
use super::{Gpu, attachments};

/// Fills what nothing else covers.
pub(super) struct Sky(wgpu::RenderPipeline);

impl Sky {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader) -> Self {
        Self(shader.pipeline(
            gpu,
            &Draw {
                label: "sky",
                entry: Entry::Sky,
                depth_test: attachments::depth_test(false),
                ..Draw::default()
            },
        ))
    }

    /// Draws one triangle over the picture, at infinity: last, so that what is hidden is never
    /// shaded.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.0);
        pass.draw(0..3, 0..1);
    }
}

//! Sky: the gradient behind the cubes.

use super::Gpu;
use super::scene_shader::{Draw, Entry, SceneShader};

/// Fills what nothing else covers.
pub(super) struct Sky(wgpu::RenderPipeline);

impl Sky {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader) -> Self {
        Self(shader.pipeline(
            gpu,
            &Draw { label: "sky", entry: Entry::Sky, writes_depth: false, ..Draw::default() },
        ))
    }

    /// Draws one triangle over the picture, at infinity: last, so that what is hidden is never
    /// shaded.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.0);
        pass.draw(0..3, 0..1);
    }
}

//! Ground: the plane the cubes vanish in.

use super::Gpu;
use super::scene_shader::{Draw, Entry, SceneShader};

/// A plane with a grid.
pub(super) struct Ground(wgpu::RenderPipeline);

impl Ground {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader) -> Self {
        Self(shader.pipeline(
            gpu,
            &Draw {
                label: "ground",
                entry: Entry::Ground,
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Draw::default()
            },
        ))
    }

    /// Draws the plane; after the cubes, which hide most of it.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.0);
        pass.draw(0..4, 0..1);
    }
}

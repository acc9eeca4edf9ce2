//! The background of the cubes: the ground with its grid, and the sky.

use super::scene_shader::{PipelineSettings, SceneShader};
use super::{Gpu, attachments};

/// Four triangles, as in `shaders/ground.wgsl`.
const GROUND_VERTICES: u32 = 3 * 4;

/// Pipelines of the ground and the sky.
pub(super) struct Background {
    ground: Option<wgpu::RenderPipeline>,
    sky: wgpu::RenderPipeline,
}

impl Background {
    pub(super) fn new(gpu: &Gpu, shader: &SceneShader, ground: bool) -> Self {
        let ground = ground.then_some(PipelineSettings {
            label: "ground",
            vertex: "vs_ground",
            fragment: Some("fs_ground"),
            ..Default::default()
        });
        let sky = PipelineSettings {
            label: "sky",
            vertex: "vs_sky",
            fragment: Some("fs_sky"),
            depth: attachments::depth_state(false),
            ..Default::default()
        };
        Self {
            ground: ground.map(|settings| shader.pipeline(gpu, &settings)),
            sky: shader.pipeline(gpu, &sky),
        }
    }

    /// Draws both after the cubes: hidden pixels are not shaded. The sky is one triangle at infinity.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(ground) = &self.ground {
            pass.set_pipeline(ground);
            pass.draw(0..GROUND_VERTICES, 0..1);
        }
        pass.set_pipeline(&self.sky);
        pass.draw(0..3, 0..1);
    }
}

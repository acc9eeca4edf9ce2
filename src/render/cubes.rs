//! The cubes, with integrated or evaluated motion.

use super::evaluated::{EvaluatedCubes, GpuCulling};
use super::integrated_cubes::IntegratedCubes;
use super::scene_shader::SceneShader;
use super::upload::Upload;
use super::{Culling, DrawStats, Geometry, Gpu, RenderError, SceneView, Size};

/// Buffers and pipelines of the cubes. Those of the other motion are freed at the first frame that does not
/// use them.
pub(super) struct Cubes {
    /// As requested; the motion in use may fall back.
    geometry: Geometry,
    culling: Culling,
    motion: Motion,
}

enum Motion {
    Integrated(Box<IntegratedCubes>),
    Evaluated(Box<EvaluatedCubes>),
}

impl Cubes {
    pub(super) fn new(
        gpu: &Gpu,
        geometry: Geometry,
        culling: Culling,
    ) -> Result<Self, RenderError> {
        let integrated = IntegratedCubes::new(gpu, geometry, culling)?;
        Ok(Self { geometry, culling, motion: Motion::Integrated(Box::new(integrated)) })
    }

    pub(super) fn geometry(&self) -> Geometry {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.geometry(),
            Motion::Evaluated(cubes) => cubes.geometry(),
        }
    }

    /// Uploads what has changed, and culls cubes with integrated motion. Returns what is drawn, and the bytes of the
    /// upload.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<(DrawStats, u64), RenderError> {
        let cubes = scene.positions.values.len() as u32;
        // Pulled geometry falls back to instances while there are too many cubes.
        let is_as_requested =
            |geometry| geometry == self.geometry || !gpu.can_pull() || !gpu.can_pull_many(cubes);
        match (&self.motion, &scene.motion) {
            (Motion::Evaluated(_), Some(_)) => {}
            (Motion::Integrated(now), None) if is_as_requested(now.geometry()) => {}
            (_, Some(_)) => {
                let cubes = EvaluatedCubes::new(gpu, self.geometry, self.culling);
                self.motion = Motion::Evaluated(Box::new(cubes));
            }
            (_, None) => {
                let cubes = IntegratedCubes::new(gpu, self.geometry, self.culling)?;
                self.motion = Motion::Integrated(Box::new(cubes));
            }
        }
        match (&mut self.motion, &scene.motion) {
            (Motion::Evaluated(cubes), Some(motion)) => {
                cubes.prepare(gpu, shader, upload, scene, motion)
            }
            (Motion::Integrated(cubes), _) => cubes.prepare(gpu, shader, upload, scene, size),
            (Motion::Evaluated(_), None) => unreachable!("replaced above"),
        }
    }

    /// The pass that lists the visible cubes; `None` if the GPU does not cull.
    pub(super) fn culling(&self) -> Option<&GpuCulling> {
        match &self.motion {
            Motion::Integrated(_) => None,
            Motion::Evaluated(cubes) => cubes.culling(),
        }
    }

    /// Returns whether culling has an effect.
    pub(super) fn culls(&self) -> bool {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.geometry() == Geometry::Pulled,
            Motion::Evaluated(cubes) => cubes.culling().is_some(),
        }
    }

    /// Draws the visible cubes.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.draw(pass),
            Motion::Evaluated(cubes) => cubes.draw(pass),
        }
    }

    /// Draws all cubes into the shadow map.
    pub(super) fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.draw_shadows(pass),
            Motion::Evaluated(cubes) => cubes.draw_shadows(pass),
        }
    }
}

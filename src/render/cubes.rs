//! The cubes, with integrated or evaluated motion.

use super::evaluated::EvaluatedCubes;
use super::gpu_timer::GpuTimer;
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

    pub(super) fn stats(&self) -> DrawStats {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.stats(),
            Motion::Evaluated(cubes) => cubes.stats(),
        }
    }

    /// Bytes uploaded for the current frame.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        match &self.motion {
            Motion::Integrated(cubes) => cubes.uploaded_bytes(),
            Motion::Evaluated(cubes) => cubes.uploaded_bytes(),
        }
    }

    /// Uploads what has changed, and culls cubes with integrated motion.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<(), RenderError> {
        let cubes = scene.positions.values.len() as u32;
        match (&self.motion, &scene.motion) {
            // They have fallen back since there were too many.
            (Motion::Integrated(now), None)
                if now.geometry() != self.geometry
                    && gpu.can_pull()
                    && gpu.can_pull_many(cubes) =>
            {
                let cubes = IntegratedCubes::new(gpu, self.geometry, self.culling)?;
                self.motion = Motion::Integrated(Box::new(cubes));
            }
            (Motion::Integrated(_), None) | (Motion::Evaluated(_), Some(_)) => {}
            (Motion::Integrated(_), Some(_)) => {
                let cubes = EvaluatedCubes::new(gpu, self.geometry, self.culling)?;
                self.motion = Motion::Evaluated(Box::new(cubes));
            }
            (Motion::Evaluated(_), None) => {
                let cubes = IntegratedCubes::new(gpu, self.geometry, self.culling)?;
                self.motion = Motion::Integrated(Box::new(cubes));
            }
        }
        match (&mut self.motion, &scene.motion) {
            (Motion::Evaluated(cubes), Some(motion)) => {
                cubes.prepare(gpu, shader, upload, scene, motion, size)
            }
            (Motion::Integrated(cubes), _) => cubes.prepare(gpu, shader, upload, scene, size),
            (Motion::Evaluated(_), None) => unreachable!("replaced above"),
        }
    }

    /// Returns `true` if [`cull`](Self::cull) records a pass.
    pub(super) fn culls_on_gpu(&self) -> bool {
        matches!(&self.motion, Motion::Evaluated(cubes) if cubes.culls())
    }

    /// Records the pass that culls cubes with evaluated motion. `globals` is group 0.
    pub(super) fn cull(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        timer: Option<&GpuTimer>,
    ) {
        if let Motion::Evaluated(cubes) = &self.motion {
            cubes.cull(encoder, globals, timer);
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

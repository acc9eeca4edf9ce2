//! Buffers and pipelines of cubes with evaluated motion.

use super::changes::RecordRevision;
use super::culling::GpuCulling;
use super::gpu_copy::GpuCopy;
use super::instanced;
use super::pulled::PulledRecords;
use super::record::{CubeSource, Record};
use crate::components::{Color, EvaluatedMotion};
use crate::render::instanced_cubes::InstancedCubes;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Culling, DrawStats, Geometry, Gpu, RenderError, SceneView};

/// Bytes of a cube in GPU memory, with its index in the list of visible cubes.
pub(in crate::render) const BYTES_PER_CUBE: u64 =
    (size_of::<Record>() + size_of::<Color>() + size_of::<u32>()) as u64;

/// Buffers and pipelines of cubes with evaluated motion.
pub(in crate::render) struct EvaluatedCubes {
    copy: GpuCopy,
    /// What the buffers hold; `None` if their contents are undefined.
    uploaded: Option<Uploaded>,
    /// Indices of cubes with a changed record, and of those with a changed color; kept to reuse the memory.
    changed: [Vec<u32>; 2],
    total: u32,
    method: Method,
}

#[derive(Clone, Copy)]
struct Uploaded {
    records: RecordRevision,
    colors: u64,
}

enum Method {
    Pulled(Box<PulledRecords>),
    Instanced(InstancedCubes),
}

impl EvaluatedCubes {
    pub(in crate::render) fn new(gpu: &Gpu, geometry: Geometry, culling: Culling) -> Self {
        let (usage, method) = match geometry {
            Geometry::Pulled if gpu.can_pull() => {
                let pulled = Box::new(PulledRecords::new(gpu, culling));
                (wgpu::BufferUsages::STORAGE, Method::Pulled(pulled))
            }
            _ => {
                let cubes = InstancedCubes::new(gpu, &instanced::RECORDS);
                (wgpu::BufferUsages::VERTEX, Method::Instanced(cubes))
            }
        };
        Self {
            copy: GpuCopy::new(gpu, usage),
            uploaded: None,
            changed: [const { Vec::new() }; 2],
            total: 0,
            method,
        }
    }

    pub(in crate::render) fn geometry(&self) -> Geometry {
        match self.method {
            Method::Pulled(_) => Geometry::Pulled,
            Method::Instanced(_) => Geometry::Instanced,
        }
    }

    /// Uploads the records and colors that have changed. Returns what is drawn, and the bytes of the upload.
    ///
    /// With culling, the numbers of visible cubes are those of the latest frame that the GPU
    /// has reported, and of all cubes before that.
    pub(in crate::render) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        motion: &EvaluatedMotion<'_>,
    ) -> Result<(DrawStats, u64), RenderError> {
        let count = scene.positions.values.len();
        let bytes = self.upload(gpu, shader, upload, scene, motion)?;
        self.total = count as u32;
        let endless = scene.field.is_some();
        match &mut self.method {
            Method::Pulled(pulled) => {
                pulled.prepare(gpu, shader, endless, self.copy.buffers(count))?;
            }
            Method::Instanced(cubes) => cubes.set_endless(gpu, shader, endless),
        }
        let visible = self.culling().and_then(GpuCulling::counts);
        Ok((DrawStats::new(self.total, visible), bytes))
    }

    fn upload(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        motion: &EvaluatedMotion<'_>,
    ) -> Result<u64, RenderError> {
        let copied = self.uploaded.take();
        let revision = RecordRevision::new(scene, motion);
        let [records, colors] = &mut self.changed;
        let records = revision.newer_than(scene, copied.map(|copied| copied.records), records);
        let colors = scene.colors.newer_than(copied.map(|copied| copied.colors), colors);
        let source = CubeSource::new(scene, motion);
        let bytes = self.copy.update(gpu, shader, upload, records, colors, &source)?;
        self.uploaded = Some(Uploaded { records: revision, colors: scene.colors.latest });
        Ok(bytes)
    }

    /// The pass that lists the visible cubes; `None` if all cubes are drawn.
    pub(in crate::render) fn culling(&self) -> Option<&GpuCulling> {
        match &self.method {
            Method::Pulled(pulled) => pulled.culling(),
            Method::Instanced(_) => None,
        }
    }

    /// Draws the visible cubes.
    pub(in crate::render) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.method {
            Method::Pulled(pulled) => pulled.draw(pass),
            Method::Instanced(cubes) => {
                self.draw_instanced(pass, cubes, &cubes.pipelines().scene);
            }
        }
    }

    /// Draws all cubes into the shadow map.
    pub(in crate::render) fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.method {
            Method::Pulled(pulled) => pulled.draw_shadows(pass),
            Method::Instanced(cubes) => {
                let Some(shadow) = &cubes.pipelines().shadow else { return };
                self.draw_instanced(pass, cubes, shadow);
            }
        }
    }

    fn draw_instanced(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cubes: &InstancedCubes,
        pipeline: &wgpu::RenderPipeline,
    ) {
        for (buffers, count) in self.copy.buffers(self.total as usize) {
            cubes.draw(pass, pipeline, &buffers, count);
        }
    }
}

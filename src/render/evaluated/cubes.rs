//! Buffers and pipelines of cubes with evaluated motion.

use super::changes::RecordRevision;
use super::gpu_copy::GpuCopy;
use super::instanced;
use super::motion::EvaluatedMotion;
use super::pages::{PagedArray, elements_per_page};
use super::pulled::PulledRecords;
use super::record::{Record, RecordSource};
use crate::components::Color;
use crate::render::gpu_timer::GpuTimer;
use crate::render::instanced_cubes::InstancedCubes;
use crate::render::scene_shader::SceneShader;
use crate::render::upload::Upload;
use crate::render::{Culling, DrawStats, Geometry, Gpu, RenderError, SceneView, Size};

/// Bytes of a cube in GPU memory, with its index in the list of visible cubes.
pub(in crate::render) const BYTES_PER_CUBE: u64 =
    (size_of::<Record>() + size_of::<Color>() + size_of::<u32>()) as u64;

/// Buffers and pipelines of cubes with evaluated motion.
pub(in crate::render) struct EvaluatedCubes {
    records: GpuCopy,
    colors: GpuCopy,
    /// What the buffers hold; `None` if their contents are undefined.
    uploaded: Option<Uploaded>,
    /// Indices of changed cubes; kept to reuse the memory.
    changed: Vec<u32>,
    uploaded_bytes: u64,
    stats: DrawStats,
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
    pub(in crate::render) fn new(
        gpu: &Gpu,
        geometry: Geometry,
        culling: Culling,
    ) -> Result<Self, RenderError> {
        let (usage, method) = match geometry {
            Geometry::Pulled if gpu.can_pull() => {
                let pulled = Box::new(PulledRecords::new(gpu, culling)?);
                (wgpu::BufferUsages::STORAGE, Method::Pulled(pulled))
            }
            _ => {
                let cubes = InstancedCubes::new(gpu, &instanced::RECORDS);
                (wgpu::BufferUsages::VERTEX, Method::Instanced(cubes))
            }
        };
        let scattered = if gpu.can_compute() {
            wgpu::BufferUsages::STORAGE
        } else {
            wgpu::BufferUsages::empty()
        };
        let per_page = elements_per_page(gpu, size_of::<Record>());
        let copy =
            |label, size| GpuCopy::new(PagedArray::new(label, usage | scattered, size, per_page));
        Ok(Self {
            records: copy("cube records", size_of::<Record>()),
            colors: copy("cube colors", size_of::<Color>()),
            uploaded: None,
            changed: Vec::new(),
            uploaded_bytes: 0,
            stats: DrawStats::default(),
            method,
        })
    }

    pub(in crate::render) fn geometry(&self) -> Geometry {
        match self.method {
            Method::Pulled(_) => Geometry::Pulled,
            Method::Instanced(_) => Geometry::Instanced,
        }
    }

    /// What is drawn. With culling, the numbers of visible cubes are those of the latest frame that the GPU
    /// has reported, and of all cubes before that.
    pub(in crate::render) fn stats(&self) -> DrawStats {
        let visible = match &self.method {
            Method::Pulled(pulled) => pulled.visible(),
            Method::Instanced(_) => None,
        };
        visible.map_or(self.stats, |visible| DrawStats {
            full: visible.full + visible.crossing,
            small: visible.small,
            ..self.stats
        })
    }

    /// Bytes uploaded for the current frame.
    pub(in crate::render) fn uploaded_bytes(&self) -> u64 {
        self.uploaded_bytes
    }

    /// Uploads the records and colors that have changed.
    pub(in crate::render) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        motion: &EvaluatedMotion<'_>,
        size: Size,
    ) -> Result<(), RenderError> {
        let count = scene.positions.values.len();
        self.upload(gpu, shader, upload, scene, motion)?;
        self.stats = DrawStats { total: count as u32, full: count as u32, small: 0 };
        match &mut self.method {
            Method::Pulled(pulled) => {
                let colors = self.colors.buffers(count).map(|(colors, _)| colors);
                pulled.prepare(gpu, shader, scene, size, self.records.buffers(count), colors)
            }
            Method::Instanced(cubes) => {
                cubes.set_endless(gpu, shader, scene.field.is_some());
                Ok(())
            }
        }
    }

    fn upload(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        motion: &EvaluatedMotion<'_>,
    ) -> Result<(), RenderError> {
        let copied = self.uploaded.take();
        let revision = RecordRevision::new(scene, motion);
        let changed = &mut self.changed;
        let newer = revision.newer_than(scene, copied.map(|copied| copied.records), changed);
        let source = RecordSource::new(scene, motion);
        let records = self.records.update(gpu, shader, upload, newer, &source)?;
        let newer = scene.colors.newer_than(copied.map(|copied| copied.colors), changed);
        let colors = self.colors.update(gpu, shader, upload, newer, &scene.colors.values)?;
        self.uploaded = Some(Uploaded { records: revision, colors: scene.colors.latest });
        self.uploaded_bytes = records + colors;
        Ok(())
    }

    /// Returns `true` if [`cull`](Self::cull) records a pass.
    pub(in crate::render) fn culls(&self) -> bool {
        matches!(&self.method, Method::Pulled(pulled) if pulled.culls())
    }

    /// Records the pass that chooses the cubes to draw. `globals` is group 0.
    pub(in crate::render) fn cull(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        timer: Option<&GpuTimer>,
    ) {
        if let Method::Pulled(pulled) = &self.method {
            pulled.cull(encoder, globals, timer);
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
                self.draw_instanced(pass, cubes, &cubes.pipelines().shadow);
            }
        }
    }

    fn draw_instanced(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cubes: &InstancedCubes,
        pipeline: &wgpu::RenderPipeline,
    ) {
        let total = self.stats.total as usize;
        let colors = self.colors.buffers(total);
        for ((records, count), (colors, _)) in self.records.buffers(total).zip(colors) {
            cubes.draw(pass, pipeline, &[records, colors], count);
        }
    }
}

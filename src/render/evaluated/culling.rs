//! Culling on the GPU: a compute pass lists the visible cubes of each page.

use super::culled_page::{CulledPage, FULL_DRAWS, SMALL_DRAW};
use super::visible_counts::CountsReadback;
use crate::render::buffer_bindings::{self, READ, WRITE};
use crate::render::culling::VisibleCounts;
use crate::render::endless_variants::EndlessVariants;
use crate::render::gpu_timer::GpuTimer;
use crate::render::pulled_cubes::PulledCubes;
use crate::render::pulled_mesh;
use crate::render::scene_shader::SceneShader;
use crate::render::{Gpu, RenderError};

/// Lists of the visible cubes of all pages.
pub(in crate::render) struct GpuCulling {
    pipelines: EndlessVariants<Pipelines>,
    page_layout: wgpu::BindGroupLayout,
    pages: Vec<CulledPage>,
    counts: CountsReadback,
}

struct Pipelines {
    cull: wgpu::ComputePipeline,
    scan: wgpu::ComputePipeline,
    list: wgpu::ComputePipeline,
}

impl Pipelines {
    fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        page_layout: &wgpu::BindGroupLayout,
        endless: bool,
    ) -> Self {
        let groups = [Some(&shader.globals), Some(page_layout)];
        let constants = [
            ("ENDLESS", f64::from(endless)),
            ("CUBES_PER_INSTANCE", f64::from(pulled_mesh::CUBES_PER_INSTANCE)),
        ];
        let pipeline = |entry_point| shader.compute_pipeline(gpu, entry_point, &groups, &constants);
        Self { cull: pipeline("cs_cull"), scan: pipeline("cs_scan"), list: pipeline("cs_list") }
    }
}

impl GpuCulling {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let (compute, page) = (wgpu::ShaderStages::COMPUTE, [READ, WRITE, WRITE, WRITE]);
        Self {
            pipelines: EndlessVariants::new(),
            page_layout: buffer_bindings::layout(gpu, "culling", compute, &page),
            pages: Vec::new(),
            counts: CountsReadback::default(),
        }
    }

    /// Prepares the lists of pages of records, each with its number of cubes.
    pub(super) fn prepare<'a>(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        endless: bool,
        records: impl Iterator<Item = (&'a wgpu::Buffer, u32)>,
    ) -> Result<(), RenderError> {
        let Self { pipelines, page_layout, .. } = self;
        pipelines.set(shader, endless, |endless| Pipelines::new(gpu, shader, page_layout, endless));
        let mut count = 0;
        for (records, cubes) in records {
            if self.pages.get(count).is_none_or(|page| page.records != *records) {
                self.pages.truncate(count);
                self.pages.push(CulledPage::new(gpu, &self.page_layout, records)?);
            }
            self.pages[count].set_cubes(gpu, cubes);
            count += 1;
        }
        self.pages.truncate(count);
        self.counts.prepare(gpu, count)
    }

    /// Lists of visible cubes, one per page.
    pub(super) fn lists(&self) -> impl Iterator<Item = &wgpu::Buffer> {
        self.pages.iter().map(|page| &page.list)
    }

    /// Numbers of visible cubes, some frames ago.
    pub(super) fn counts(&self) -> Option<VisibleCounts> {
        self.counts.latest()
    }

    /// Records the pass that lists the visible cubes. `globals` is group 0.
    ///
    /// # Panics
    /// Nothing was prepared.
    pub(in crate::render) fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        timer: Option<&GpuTimer>,
    ) {
        let pipelines = self.pipelines.current();
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("culling"),
            timestamp_writes: timer.and_then(GpuTimer::culling),
        });
        pass.set_bind_group(0, globals, &[]);
        // All pages in one step before the next: steps wait for each other, pages do not.
        for (pipeline, is_scan) in
            [(&pipelines.cull, false), (&pipelines.scan, true), (&pipelines.list, false)]
        {
            pass.set_pipeline(pipeline);
            for page in &self.pages {
                pass.set_bind_group(1, &page.bindings, &[]);
                pass.dispatch_workgroups(if is_scan { 1 } else { page.workgroups() }, 1, 1);
            }
        }
        drop(pass);
        self.counts.encode(encoder, &self.pages);
    }

    /// Draws the listed cubes of a page.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        cubes: &PulledCubes,
        page: usize,
        group: &wgpu::BindGroup,
    ) {
        cubes.draw_indirect(pass, group, &self.pages[page].draws, FULL_DRAWS, SMALL_DRAW);
    }
}

//! Drawing pages of records by vertex pulling, with or without culling.

use super::culling::GpuCulling;
use crate::render::pulled_cubes::{PulledCubes, PulledInput, SmallInput};
use crate::render::scene_shader::SceneShader;
use crate::render::{Culling, Gpu, RenderError};

/// Storage buffers: records, colors, indices of the visible cubes. Without culling all cubes are drawn.
const RECORDS: PulledInput = PulledInput {
    buffers: 3,
    vertex: "vs_evaluated",
    plain_vertex: "vs_evaluated_plain",
    shadow_vertex: "vs_evaluated_shadow",
    evaluated: true,
    small: None,
};

/// [`RECORDS`] with culling.
const LISTED_RECORDS: PulledInput = PulledInput {
    small: Some(SmallInput {
        vertex: "vs_evaluated_small",
        plain_vertex: "vs_evaluated_small_plain",
    }),
    ..RECORDS
};

/// Pipelines, and bind groups of the pages.
pub(super) struct PulledRecords {
    cubes: PulledCubes,
    culling: Option<GpuCulling>,
    pages: Vec<Page>,
}

struct Page {
    /// The page of records, which is replaced together with its colors and its list.
    records: wgpu::Buffer,
    group: wgpu::BindGroup,
    cubes: u32,
}

impl PulledRecords {
    pub(super) fn new(gpu: &Gpu, culling: Culling) -> Self {
        let culls = !culling.is_off() && gpu.can_cull();
        let input = if culls { &LISTED_RECORDS } else { &RECORDS };
        let culling = culls.then(|| GpuCulling::new(gpu));
        Self { cubes: PulledCubes::new(gpu, input), culling, pages: Vec::new() }
    }

    /// Binds the pages: buffers of records and colors, with their numbers of cubes.
    pub(super) fn prepare<'a>(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        endless: bool,
        pages: impl Iterator<Item = ([&'a wgpu::Buffer; 2], u32)> + Clone,
    ) -> Result<(), RenderError> {
        self.cubes.set_endless(gpu, shader, endless);
        if let Some(culling) = &mut self.culling {
            let records = pages.clone().map(|([records, _], cubes)| (records, cubes));
            culling.prepare(gpu, shader, endless, records)?;
        }
        let mut lists = self.culling.iter().flat_map(GpuCulling::lists);
        let mut count = 0;
        for ([records, colors], cubes) in pages {
            // Without culling anything in its place.
            let list = lists.next().unwrap_or(records);
            if self.pages.get(count).is_none_or(|page| page.records != *records) {
                self.pages.truncate(count);
                let group = self.cubes.bind(gpu, &[records, colors, list]);
                self.pages.push(Page { records: records.clone(), group, cubes });
            }
            self.pages[count].cubes = cubes;
            count += 1;
        }
        // Bind groups keep their buffers alive.
        self.pages.truncate(count);
        Ok(())
    }

    /// The pass that lists the visible cubes; `None` if all cubes are drawn.
    pub(super) fn culling(&self) -> Option<&GpuCulling> {
        self.culling.as_ref()
    }

    /// Draws the visible cubes.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(culling) = &self.culling else {
            return self.draw_all(pass, &self.cubes.pipelines().all);
        };
        for (index, page) in self.pages.iter().enumerate() {
            culling.draw(pass, &self.cubes, index, &page.group);
        }
    }

    /// Draws all cubes into the shadow map.
    pub(super) fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(shadow) = &self.cubes.pipelines().shadow {
            self.draw_all(pass, shadow);
        }
    }

    fn draw_all(&self, pass: &mut wgpu::RenderPass<'_>, pipeline: &wgpu::RenderPipeline) {
        for Page { group, cubes, .. } in &self.pages {
            self.cubes.draw(pass, pipeline, group, 0..*cubes);
        }
    }
}

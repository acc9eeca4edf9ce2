//! Vertex pulling: the vertex shader fetches each cube from storage buffers and generates the three
//! faces toward the camera.
//!
//! Cubes are no instances: a mesh of a dozen triangles leaves most vertex lanes of a GPU idle, and
//! three of six faces are never visible.

use std::ops::Range;

use super::buffer_bindings::READ;
use super::culling::VisibleCounts;
use super::endless_variants::EndlessVariants;
use super::pulled_mesh::{self, CUBES_PER_INSTANCE, INDICES, SMALL_VERTICES, VERTICES};
use super::scene_shader::{PipelineSettings, SceneShader};
use super::{Gpu, buffer_bindings, shadow_map};

/// Where vertex shaders of pulled cubes get their cubes from.
pub(super) struct PulledInput {
    /// Number of storage buffers of bind group 1.
    pub(super) buffers: usize,
    /// Vertex shaders of the scene, of the scene without effects per pixel, and of the shadow map.
    pub(super) vertex: &'static str,
    pub(super) plain_vertex: &'static str,
    pub(super) shadow_vertex: &'static str,
    /// The vertex shaders are of evaluated motion.
    pub(super) evaluated: bool,
    /// Vertex shaders of small cubes; `None` if all cubes are drawn, in full.
    pub(super) small: Option<SmallInput>,
}

/// Vertex shaders of cubes drawn as one triangle, with and without effects per pixel.
pub(super) struct SmallInput {
    pub(super) vertex: &'static str,
    pub(super) plain_vertex: &'static str,
}

/// The packed component arrays: positions, rotations, scales, colors, and the indices of the visible cubes.
pub(super) const ARRAYS: PulledInput = PulledInput {
    buffers: 5,
    vertex: "vs_pulled",
    plain_vertex: "vs_pulled_plain",
    shadow_vertex: "vs_pulled_shadow",
    evaluated: false,
    small: None,
};

/// [`ARRAYS`] with culling.
pub(super) const LISTED_ARRAYS: PulledInput = PulledInput {
    small: Some(SmallInput { vertex: "vs_small", plain_vertex: "vs_small_plain" }),
    ..ARRAYS
};

/// Pipelines and index buffer.
pub(super) struct PulledCubes {
    input: &'static PulledInput,
    layout: wgpu::BindGroupLayout,
    pipelines: EndlessVariants<Pipelines>,
    indices: wgpu::Buffer,
}

/// Pipelines of pulled cubes.
pub(super) struct Pipelines {
    pub(super) all: wgpu::RenderPipeline,
    /// `None` without shadows.
    pub(super) shadow: Option<wgpu::RenderPipeline>,
    listed: Option<ListedPipelines>,
}

/// Pipelines of an index list: cubes drawn in full, and small ones.
struct ListedPipelines {
    full: wgpu::RenderPipeline,
    small: wgpu::RenderPipeline,
}

impl Pipelines {
    fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        input: &PulledInput,
        layout: &wgpu::BindGroupLayout,
        endless: bool,
    ) -> Self {
        let plain = shader.is_plain();
        let [full, fragment] =
            if plain { [input.plain_vertex, "fs_plain"] } else { [input.vertex, "fs_cube"] };
        let (cubes, fragment) = (Some(layout), Some(fragment));
        let pipeline = |label, vertex, listed| {
            let settings = PipelineSettings {
                label,
                vertex,
                fragment,
                cubes,
                listed,
                endless,
                evaluated: input.evaluated,
                ..Default::default()
            };
            shader.pipeline(gpu, &settings)
        };
        let shadow = PipelineSettings {
            label: "cube shadows",
            vertex: input.shadow_vertex,
            cubes,
            depth: shadow_map::depth_state(),
            endless,
            evaluated: input.evaluated,
            ..Default::default()
        };
        Self {
            all: pipeline("cubes", full, false),
            shadow: shader.has_shadows().then(|| shader.pipeline(gpu, &shadow)),
            listed: input.small.as_ref().map(|small| ListedPipelines {
                full: pipeline("visible cubes", full, true),
                small: pipeline(
                    "small cubes",
                    if plain { small.plain_vertex } else { small.vertex },
                    true,
                ),
            }),
        }
    }
}

impl PulledCubes {
    pub(super) fn new(gpu: &Gpu, input: &'static PulledInput) -> Self {
        let types = vec![READ; input.buffers];
        let layout = buffer_bindings::layout(gpu, "cubes", wgpu::ShaderStages::VERTEX, &types);
        let indices = pulled_mesh::indices();
        let index_bytes = bytemuck::cast_slice(&indices);
        Self {
            input,
            pipelines: EndlessVariants::new(),
            indices: gpu.filled_buffer("cube indices", index_bytes, wgpu::BufferUsages::INDEX),
            layout,
        }
    }

    /// Draws cubes in place or those of an endless field from now on.
    pub(super) fn set_endless(&mut self, gpu: &Gpu, shader: &SceneShader, endless: bool) {
        let Self { pipelines, input, layout, .. } = self;
        pipelines
            .set(shader, endless, |endless| Pipelines::new(gpu, shader, input, layout, endless));
    }

    /// The pipelines in use.
    ///
    /// # Panics
    /// [`set_endless`](Self::set_endless) has not been called.
    pub(super) fn pipelines(&self) -> &Pipelines {
        self.pipelines.current()
    }

    /// Creates bind group 1.
    pub(super) fn bind(&self, gpu: &Gpu, buffers: &[&wgpu::Buffer]) -> wgpu::BindGroup {
        buffer_bindings::bind(gpu, "cubes", &self.layout, buffers)
    }

    /// Draws the cubes of the index list. Those across an edge of the frame get draw calls of their
    /// own.
    pub(super) fn draw_listed(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        listed: VisibleCounts,
    ) {
        let Some(pipelines) = &self.pipelines().listed else { return };
        let full = listed.in_full();
        self.draw(pass, &pipelines.full, group, 0..listed.full);
        self.draw(pass, &pipelines.full, group, listed.full..full);
        // Browsers warn of draws of nothing.
        if listed.total() > full {
            pass.set_pipeline(&pipelines.small);
            pass.draw(full * SMALL_VERTICES..listed.total() * SMALL_VERTICES, 0..1);
        }
    }

    /// Draws a range of the cubes, or of the index list if `pipeline` uses it: whole instances in one call and the rest in
    /// another, so that the number of calls does not depend on the number of cubes.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        group: &wgpu::BindGroup,
        cubes: Range<u32>,
    ) {
        self.set(pass, pipeline, group);
        let count = cubes.end - cubes.start;
        let (instances, rest) = (count / CUBES_PER_INSTANCE, count % CUBES_PER_INSTANCE);
        let first_vertex = |cube: u32| (cube * VERTICES).cast_signed();
        if instances > 0 {
            let indices = 0..CUBES_PER_INSTANCE * INDICES;
            pass.draw_indexed(indices, first_vertex(cubes.start), 0..instances);
        }
        if rest > 0 {
            pass.draw_indexed(0..rest * INDICES, first_vertex(cubes.end - rest), 0..1);
        }
    }

    /// Draws the cubes of an index list, with draw arguments that a shader has written: those of draw calls
    /// with indices at the offsets `full`, and those of small cubes at `small`.
    pub(super) fn draw_indirect(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        arguments: &wgpu::Buffer,
        full: [u64; 4],
        small: u64,
    ) {
        let Some(pipelines) = &self.pipelines().listed else { return };
        self.set(pass, &pipelines.full, group);
        for offset in full {
            pass.draw_indexed_indirect(arguments, offset);
        }
        pass.set_pipeline(&pipelines.small);
        pass.draw_indirect(arguments, small);
    }

    fn set(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipeline: &wgpu::RenderPipeline,
        group: &wgpu::BindGroup,
    ) {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
    }
}

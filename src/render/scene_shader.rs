//! Scene shader: the shaders of `shaders/`, and how pipelines are made of them.

use super::{Effects, Gpu, attachments, shadow_map};

/// All shaders as one module: what the files share comes first.
pub(super) const SOURCE: &str = concat!(
    include_str!("../../shaders/scene.wgsl"),
    include_str!("../../shaders/sky.wgsl"),
    include_str!("../../shaders/ground.wgsl"),
    include_str!("../../shaders/cubes.wgsl"),
    include_str!("../../shaders/outline.wgsl"),
);

/// What all pipelines of the picture have in common.
pub(super) struct SceneShader {
    module: wgpu::ShaderModule,
    /// Group 0: the globals.
    pub(super) globals: wgpu::BindGroupLayout,
    /// Group 1: the shadow map and how it is sampled.
    pub(super) shadow: wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    effects: Effects,
}

/// What a pipeline draws.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    Sky,
    Ground,
    PulledCubes,
    SmallCubes,
    InstancedCubes,
    Outline,
    HiddenOutline,
}

impl Entry {
    /// Vertex and fragment shader; cubes have simpler ones where a face has one colour.
    const fn points(self, plain: bool) -> [&'static str; 2] {
        match (self, plain) {
            (Self::Sky, _) => ["vs_sky", "fs_sky"],
            (Self::Ground, _) => ["vs_ground", "fs_ground"],
            (Self::PulledCubes, false) => ["vs_pulled", "fs_cube"],
            (Self::PulledCubes, true) => ["vs_pulled_plain", "fs_plain"],
            (Self::SmallCubes, false) => ["vs_small", "fs_cube"],
            (Self::SmallCubes, true) => ["vs_small_plain", "fs_plain"],
            (Self::InstancedCubes, false) => ["vs_instanced", "fs_cube"],
            (Self::InstancedCubes, true) => ["vs_instanced_plain", "fs_plain"],
            (Self::Outline, _) => ["vs_outline", "fs_outline"],
            (Self::HiddenOutline, _) => ["vs_outline", "fs_hidden_outline"],
        }
    }

    /// The vertex shader of the shadow map.
    const fn shadow(self) -> &'static str {
        match self {
            Self::InstancedCubes => "vs_instanced_shadow",
            _ => "vs_pulled_shadow",
        }
    }
}

/// What sets one pipeline of the picture apart.
pub(super) struct Draw<'a> {
    pub(super) label: &'static str,
    pub(super) entry: Entry,
    pub(super) vertex_buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Group 2, if the vertex shader pulls cubes from storage buffers.
    pub(super) cubes: Option<&'a wgpu::BindGroupLayout>,
    pub(super) topology: wgpu::PrimitiveTopology,
    pub(super) cull_mode: Option<wgpu::Face>,
    pub(super) depth_test: wgpu::DepthStencilState,
    /// How what is drawn and what was drawn before make a colour; the new one if none.
    pub(super) blend: Option<wgpu::BlendState>,
    /// Whether cubes are those of a list.
    pub(super) listed: bool,
}

impl Default for Draw<'_> {
    fn default() -> Self {
        Self {
            label: "",
            entry: Entry::Sky,
            vertex_buffers: &[],
            cubes: None,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull_mode: None,
            depth_test: attachments::depth_test(true),
            blend: None,
            listed: false,
        }
    }
}

impl SceneShader {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat, effects: Effects) -> Self {
        let device = &gpu.device;
        Self {
            module: device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some("scene"),
                source: wgpu::ShaderSource::Wgsl(SOURCE.into()),
            }),
            globals: super::globals::layout(gpu),
            shadow: shadow_map::layout(gpu),
            format,
            effects,
        }
    }

    /// A pipeline of the picture.
    pub(super) fn pipeline(&self, gpu: &Gpu, draw: &Draw<'_>) -> wgpu::RenderPipeline {
        let groups = [Some(&self.globals), Some(&self.shadow), draw.cubes];
        let groups = if draw.cubes.is_some() { &groups[..] } else { &groups[..2] };
        let options = [
            ("FOG", f64::from(u8::from(self.effects.fog))),
            ("SHADOWS", f64::from(u8::from(self.effects.shadows))),
            ("LISTED", f64::from(u8::from(draw.listed))),
        ];
        // An option may be set only where the entry point knows it.
        let options = if draw.cubes.is_some() { &options[..] } else { &options[..2] };
        let plain = !self.effects.fog && !self.effects.shadows;
        let [vertex, fragment] = draw.entry.points(plain);
        let compilation_options = wgpu::PipelineCompilationOptions {
            constants: options,
            ..wgpu::PipelineCompilationOptions::default()
        };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(draw.label),
            layout: Some(&layout(gpu, draw.label, groups)),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(vertex),
                compilation_options: compilation_options.clone(),
                buffers: draw.vertex_buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: draw.topology,
                cull_mode: draw.cull_mode,
                ..Default::default()
            },
            depth_stencil: Some(draw.depth_test.clone()),
            multisample: wgpu::MultisampleState {
                count: attachments::samples(self.effects),
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(fragment),
                compilation_options,
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: draw.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// A pipeline of the shadow map, which has depth only.
    pub(super) fn shadow_pipeline(&self, gpu: &Gpu, draw: &Draw<'_>) -> wgpu::RenderPipeline {
        let groups = [Some(&self.globals), None, draw.cubes];
        let groups = if draw.cubes.is_some() { &groups[..] } else { &groups[..1] };
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(draw.label),
            layout: Some(&layout(gpu, draw.label, groups)),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(draw.entry.shadow()),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: draw.vertex_buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: draw.cull_mode, ..Default::default() },
            depth_stencil: Some(shadow_map::depth_test()),
            multisample: wgpu::MultisampleState::default(),
            fragment: None,
            multiview_mask: None,
            cache: None,
        })
    }
}

fn layout(
    gpu: &Gpu,
    label: &str,
    groups: &[Option<&wgpu::BindGroupLayout>],
) -> wgpu::PipelineLayout {
    gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: groups,
        immediate_size: 0,
    })
}

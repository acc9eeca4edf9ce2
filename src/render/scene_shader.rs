//! The shaders of `shaders/`, and the pipelines made from them.

use std::iter;
use std::sync::OnceLock;

use super::{AmbientOcclusion, Effects, Gpu, attachments, globals, pulled_mesh, shadow_map};

/// What all other shaders use.
const SCENE: &str = include_str!("../../shaders/scene.wgsl");

/// What both motions use.
const CUBES: &str = include_str!("../../shaders/cubes.wgsl");

/// The files of the module for all shaders but those of evaluated motion.
const FILES: [&str; 6] = [
    SCENE,
    include_str!("../../shaders/sky.wgsl"),
    include_str!("../../shaders/ground.wgsl"),
    CUBES,
    include_str!("../../shaders/outline.wgsl"),
    include_str!("../../shaders/post.wgsl"),
];

/// The files of the module for cubes with evaluated motion. It is a module of its own: each pipeline processes its
/// whole module.
const EVALUATED_FILES: [&str; 5] = [
    SCENE,
    CUBES,
    include_str!("../../shaders/evaluated.wgsl"),
    include_str!("../../shaders/scatter.wgsl"),
    include_str!("../../shaders/culling.wgsl"),
];

/// Returns `true` if these effects need passes over the finished scene.
pub(super) fn post_effects(effects: Effects) -> bool {
    effects.ao == AmbientOcclusion::Screen || effects.bloom
}

/// The shader modules, and the bind group layouts that pipelines share.
pub(super) struct SceneShader {
    module: wgpu::ShaderModule,
    /// Created by the first pipeline of evaluated motion.
    evaluated: OnceLock<wgpu::ShaderModule>,
    /// Group 0: the globals.
    pub(super) globals: wgpu::BindGroupLayout,
    /// Group 0 of what is drawn into the scene: the globals, the shadow map and its sampler. Groups of their own would
    /// leave gaps in the layouts of other pipelines, which some browsers refuse.
    pub(super) scene: wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    effects: Effects,
    /// Cubes get pipelines of both fall modes at once.
    pub(super) prepares_switch: bool,
}

/// What differs from one pipeline to the next.
pub(super) struct PipelineSettings<'a> {
    pub(super) label: &'static str,
    pub(super) vertex: &'static str,
    /// `None` for a pipeline of the shadow map, which has depth only.
    pub(super) fragment: Option<&'static str>,
    pub(super) vertex_buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Group 1, for vertex shaders that pull cubes from storage buffers.
    pub(super) cubes: Option<&'a wgpu::BindGroupLayout>,
    pub(super) cull_mode: Option<wgpu::Face>,
    pub(super) depth: wgpu::DepthStencilState,
    pub(super) blend: Option<wgpu::BlendState>,
    /// Draws the cubes of the index list instead of all cubes.
    pub(super) listed: bool,
    /// Repeats the cubes around the camera.
    pub(super) endless: bool,
    /// The vertex shader is one of evaluated motion.
    pub(super) evaluated: bool,
}

impl Default for PipelineSettings<'_> {
    fn default() -> Self {
        Self {
            label: "",
            vertex: "",
            fragment: None,
            vertex_buffers: &[],
            cubes: None,
            cull_mode: None,
            depth: attachments::depth_state(true),
            blend: None,
            listed: false,
            endless: false,
            evaluated: false,
        }
    }
}

fn module(gpu: &Gpu, label: &str, files: &[&str]) -> wgpu::ShaderModule {
    gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(files.concat().into()),
    })
}

impl SceneShader {
    pub(super) fn new(gpu: &Gpu, format: wgpu::TextureFormat, effects: Effects) -> Self {
        let layout = |label, entries: &[wgpu::BindGroupLayoutEntry]| {
            let label = Some(label);
            let descriptor = wgpu::BindGroupLayoutDescriptor { label, entries };
            gpu.device.create_bind_group_layout(&descriptor)
        };
        let (globals, [map, sampler]) = (globals::layout_entry(gpu), shadow_map::layout_entries());
        Self {
            module: module(gpu, "scene", &FILES),
            evaluated: OnceLock::new(),
            globals: layout("globals", &[globals]),
            scene: layout("scene", &[globals, map, sampler]),
            format,
            effects,
            prepares_switch: false,
        }
    }

    /// Returns the values of `endless` for which cubes need pipelines now.
    pub(super) fn endless_variants(&self, endless: bool) -> impl Iterator<Item = bool> {
        let both = self.prepares_switch;
        [false, true].into_iter().filter(move |&it| both || it == endless)
    }

    /// The shaders of evaluated motion.
    pub(super) fn evaluated(&self, gpu: &Gpu) -> &wgpu::ShaderModule {
        self.evaluated.get_or_init(|| module(gpu, "evaluated motion", &EVALUATED_FILES))
    }

    /// Whether cubes are drawn into the shadow map.
    pub(super) fn has_shadows(&self) -> bool {
        self.effects.shadows
    }

    /// Whether each face of a cube has a single color, for which simpler entry points exist.
    pub(super) fn is_plain(&self) -> bool {
        !self.effects.fog && !self.effects.shadows && !post_effects(self.effects)
    }

    pub(super) fn pipeline(
        &self,
        gpu: &Gpu,
        settings: &PipelineSettings<'_>,
    ) -> wgpu::RenderPipeline {
        let first = settings.fragment.map_or(&self.globals, |_| &self.scene);
        let groups: Vec<_> = iter::once(first).chain(settings.cubes).map(Some).collect();
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(settings.label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let module = if settings.evaluated { self.evaluated(gpu) } else { &self.module };
        let constants = [
            ("FOG", f64::from(self.effects.fog)),
            ("SHADOWS", f64::from(self.effects.shadows)),
            ("BLOCK", f64::from(self.effects.ao != AmbientOcclusion::Off)),
            ("DITHER", f64::from(self.effects.dither)),
            ("EMISSION_IN_ALPHA", f64::from(post_effects(self.effects))),
            ("LISTED", f64::from(settings.listed)),
            ("ENDLESS", f64::from(settings.endless)),
            ("CUBES_PER_INSTANCE", f64::from(pulled_mesh::CUBES_PER_INSTANCE)),
        ];
        let compilation_options =
            wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        // With post effects alpha holds the emission, times the brightness: covering sets it to 0, dimming reduces it.
        let covered = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::Zero,
            dst_factor: wgpu::BlendFactor::OneMinusSrcAlpha,
            operation: wgpu::BlendOperation::Add,
        };
        let alpha = |blend: wgpu::BlendState| {
            if post_effects(self.effects) { covered } else { blend.alpha }
        };
        let targets = [Some(wgpu::ColorTargetState {
            format: self.format,
            blend: settings.blend.map(|blend| wgpu::BlendState { alpha: alpha(blend), ..blend }),
            write_mask: wgpu::ColorWrites::ALL,
        })];
        let samples = attachments::samples(self.effects);
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(settings.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(settings.vertex),
                compilation_options: compilation_options.clone(),
                buffers: settings.vertex_buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: settings.cull_mode, ..Default::default() },
            depth_stencil: Some(settings.depth.clone()),
            multisample: wgpu::MultisampleState {
                count: settings.fragment.map_or(1, |_| samples),
                ..Default::default()
            },
            fragment: settings.fragment.map(|entry_point| wgpu::FragmentState {
                module,
                entry_point: Some(entry_point),
                compilation_options,
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// What differs from one pipeline over the finished scene to the next.
pub(super) struct ScreenPipeline {
    pub(super) fragment: &'static str,
    pub(super) format: wgpu::TextureFormat,
    pub(super) bloom: bool,
    pub(super) blend: Option<wgpu::BlendState>,
}

impl SceneShader {
    /// Creates a pipeline that draws over the finished scene; `inputs` is group 1.
    pub(super) fn screen_pipeline(
        &self,
        gpu: &Gpu,
        label: &'static str,
        inputs: &wgpu::BindGroupLayout,
        settings: &ScreenPipeline,
    ) -> wgpu::RenderPipeline {
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&self.globals), Some(inputs)],
            immediate_size: 0,
        });
        let constants = [
            ("DITHER", f64::from(self.effects.dither)),
            ("BLOOM", f64::from(settings.bloom)),
            ("SCREEN_AO", f64::from(self.effects.ao == AmbientOcclusion::Screen)),
        ];
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some("vs_screen"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(settings.fragment),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                targets: &[Some(wgpu::ColorTargetState {
                    format: settings.format,
                    blend: settings.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeMap;

    use naga::{Binding, ShaderStage, TypeInner};

    use super::{EVALUATED_FILES, FILES};
    use crate::components::{Color, Scale};
    use crate::render::pulled_mesh;

    /// A module as naga parses it.
    pub(in crate::render) struct Shader(naga::Module);

    impl Shader {
        /// Parses and validates the module of the scene.
        pub(in crate::render) fn scene() -> Self {
            Self::parse(&FILES)
        }

        /// Parses and validates the module of evaluated motion.
        pub(in crate::render) fn evaluated() -> Self {
            Self::parse(&EVALUATED_FILES)
        }

        fn parse(files: &[&str]) -> Self {
            let source = files.concat();
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
            naga::valid::Validator::new(
                naga::valid::ValidationFlags::all(),
                naga::valid::Capabilities::empty(),
            )
            .validate(&module)
            .unwrap_or_else(|error| panic!("{}", error.emit_to_string(&source)));
            Self(module)
        }

        /// Name and offset of each member of a struct, and the struct's span, in bytes.
        pub(in crate::render) fn struct_layout(&self, name: &str) -> (Vec<(String, usize)>, usize) {
            let mut types = self.0.types.iter();
            let (_, found) = types.find(|(_, ty)| ty.name.as_deref() == Some(name)).unwrap();
            let TypeInner::Struct { members, span } = &found.inner else {
                panic!("{name} is no struct")
            };
            let offset = |member: &naga::StructMember| {
                (member.name.clone().unwrap(), member.offset as usize)
            };
            (members.iter().map(offset).collect(), *span as usize)
        }

        /// Vertex inputs of an entry point: location, name, and size in bytes.
        pub(in crate::render) fn vertex_inputs(
            &self,
            entry_point: &str,
        ) -> BTreeMap<u32, (String, u32)> {
            let mut entries = self.0.entry_points.iter();
            let entry = entries
                .find(|entry| entry.name == entry_point && entry.stage == ShaderStage::Vertex)
                .unwrap();
            let mut inputs = BTreeMap::new();
            for argument in &entry.function.arguments {
                let TypeInner::Struct { members, .. } = &self.0.types[argument.ty].inner else {
                    continue;
                };
                for member in members {
                    let Some(Binding::Location { location, .. }) = member.binding else { continue };
                    let size = self.0.types[member.ty].inner.size(self.0.to_ctx());
                    inputs.insert(location, (member.name.clone().unwrap(), size));
                }
            }
            inputs
        }
    }

    #[test]
    fn the_modules_contain_every_shader_file_and_are_valid() {
        let folder = format!("{}/shaders", env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(folder).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            assert!(FILES.contains(&text.as_str()) || EVALUATED_FILES.contains(&text.as_str()));
        }
        Shader::scene();
        Shader::evaluated();
    }

    #[test]
    fn shaders_and_program_have_the_same_constants() {
        for (name, value) in [
            ("CUBE_RADIUS", format!("{:?}", Scale::RADIUS)),
            ("MAX_EMISSION", format!("{:?}", Color::MAX_EMISSION)),
            ("VERTICES_PER_CUBE", format!("{}u", pulled_mesh::VERTICES)),
            ("INDICES_PER_CUBE", format!("{}u", pulled_mesh::INDICES)),
        ] {
            let line = format!("const {name} = {value};");
            assert!(FILES.iter().any(|file| file.contains(&line)), "{line}");
        }
    }
}

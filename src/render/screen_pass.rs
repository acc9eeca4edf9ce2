//! A pass that draws one triangle over the whole target and reads textures.

use super::Gpu;
use super::scene_shader::{SceneShader, ScreenPipeline};

/// A texture or sampler that a screen pass reads; the value is its binding in `shaders/post.wgsl`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    DepthSamples = 0,
    DepthPixels = 1,
    Distances = 2,
    Occlusion = 3,
    Screen = 4,
    Bloom = 5,
    Sampler = 6,
}

impl Input {
    fn binding_type(self) -> wgpu::BindingType {
        let texture = |sample_type, multisampled| wgpu::BindingType::Texture {
            sample_type,
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled,
        };
        match self {
            Self::DepthSamples => texture(wgpu::TextureSampleType::Depth, true),
            Self::DepthPixels => texture(wgpu::TextureSampleType::Depth, false),
            Self::Distances | Self::Occlusion | Self::Screen => {
                texture(wgpu::TextureSampleType::Float { filterable: false }, false)
            }
            Self::Bloom => texture(wgpu::TextureSampleType::Float { filterable: true }, false),
            Self::Sampler => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
        }
    }
}

/// What a screen pass reads for one input.
pub(super) type Source<'a> = (Input, wgpu::BindingResource<'a>);

/// The pipeline of a screen pass, and the layout of what it reads.
pub(super) struct ScreenPass {
    label: &'static str,
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    /// Adds to the target instead of replacing it.
    adds: bool,
}

/// A target of a screen pass with everything that it reads.
pub(super) struct BoundPass {
    pub(super) target: wgpu::TextureView,
    pub(super) bindings: wgpu::BindGroup,
}

impl ScreenPass {
    pub(super) fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        label: &'static str,
        inputs: &[Input],
        settings: &ScreenPipeline,
    ) -> Self {
        let entries = inputs.iter().map(|&input| wgpu::BindGroupLayoutEntry {
            binding: input as u32,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: input.binding_type(),
            count: None,
        });
        let entries: Vec<_> = entries.collect();
        let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(label),
            entries: &entries,
        });
        let pipeline = shader.screen_pipeline(gpu, label, &layout, settings);
        Self { label, pipeline, layout, adds: settings.blend.is_some() }
    }

    /// Creates the bind group of what it reads.
    pub(super) fn bind(&self, gpu: &Gpu, sources: &[Source<'_>]) -> wgpu::BindGroup {
        let entries = sources.iter().map(|(input, resource)| wgpu::BindGroupEntry {
            binding: *input as u32,
            resource: resource.clone(),
        });
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.label),
            layout: &self.layout,
            entries: &entries.collect::<Vec<_>>(),
        })
    }

    /// Creates the bind group of what it reads, for drawing to `target`.
    pub(super) fn bound(
        &self,
        gpu: &Gpu,
        target: &wgpu::TextureView,
        sources: &[Source<'_>],
    ) -> BoundPass {
        BoundPass { target: target.clone(), bindings: self.bind(gpu, sources) }
    }

    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        bindings: &wgpu::BindGroup,
        target: &wgpu::TextureView,
        timestamp_writes: Option<wgpu::RenderPassTimestampWrites<'_>>,
    ) {
        let load =
            if self.adds { wgpu::LoadOp::Load } else { wgpu::LoadOp::Clear(wgpu::Color::BLACK) };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(self.label),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            timestamp_writes,
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, globals, &[]);
        pass.set_bind_group(1, bindings, &[]);
        pass.draw(0..3, 0..1);
    }
}

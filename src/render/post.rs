//! Passes over the finished scene: ambient occlusion in screen space, bloom, and their composition.

use super::attachments::Attachments;
use super::gpu_timer::{GpuTimer, TimedPass};
use super::scene_shader::{SceneShader, ScreenPipeline, post_effects};
use super::screen_pass::{BoundPass, Input, ScreenPass, Source};
use super::{AmbientOcclusion, Effects, Gpu, RenderError, Size};

/// Distances in m, exact enough for normals.
const DISTANCES: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;
/// Remaining light and distance.
const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::Rg16Float;
/// Emitted light, brighter than white.
const BLOOM: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;

/// Returns the number of levels of bloom, each half as large as the one before. The widest glow is a part of the
/// frame, of whatever size. Must equal `bloom_levels` in `post.wgsl`.
fn bloom_levels(size: Size) -> usize {
    (size.height() / 16).max(2).ilog2() as usize
}

/// Bytes of a pixel in all textures of this file, for the estimate of memory: the scene, distances, two of occlusion for
/// every fourth pixel, and the levels of bloom, 8/4 + 8/16 + … < 3.
pub(super) const BYTES_PER_PIXEL: u64 = 4 + 4 + 2 * 4 / 4 + 3;

/// Returns the effects without those that the device does not support, which are logged.
pub(super) fn supported(gpu: &Gpu, effects: Effects) -> Effects {
    if gpu.info.backend != wgpu::Backend::Gl || !post_effects(effects) {
        return effects;
    }
    log::info!(
        "no bloom and no ambient occlusion in screen space: OpenGL does not read multisampled depth or \
         draw to half-precision textures everywhere"
    );
    let ao = match effects.ao {
        AmbientOcclusion::Screen => AmbientOcclusion::Block,
        other => other,
    };
    Effects { ao, bloom: false, ..effects }
}

/// Pipelines, and textures of the size of the frame.
pub(super) struct Post {
    effects: Effects,
    format: wgpu::TextureFormat,
    distance: ScreenPass,
    occlusion: ScreenPass,
    blur: ScreenPass,
    emission: ScreenPass,
    shrink: ScreenPass,
    grow: ScreenPass,
    /// Without and with bloom.
    compose: [ScreenPass; 2],
    sampler: wgpu::Sampler,
    targets: Option<Targets>,
}

/// Textures of one size, bound to the passes.
struct Targets {
    size: Size,
    screen: wgpu::TextureView,
    /// Distance, occlusion, blur; empty without ambient occlusion in screen space.
    occlusion: Option<[BoundPass; 3]>,
    emission: Option<BoundPass>,
    /// From the largest to the smallest level.
    shrink: Vec<BoundPass>,
    /// From the smallest to the largest level.
    grow: Vec<BoundPass>,
    compose: [wgpu::BindGroup; 2],
}

/// A browser frees textures only with its garbage.
#[cfg(web)]
impl Drop for Targets {
    fn drop(&mut self) {
        let bound = self.occlusion.iter().flatten().chain(&self.emission).chain(&self.shrink);
        let views = bound.map(|bound| &bound.target).chain([&self.screen]);
        views.for_each(|view| view.texture().destroy());
    }
}

impl Post {
    /// Returns `None` if the effects need no such pass.
    pub(super) fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        format: wgpu::TextureFormat,
        effects: Effects,
    ) -> Option<Self> {
        use Input::{Bloom, DepthPixels, DepthSamples, Distances, Occlusion, Sampler, Screen};
        if !post_effects(effects) {
            return None;
        }
        let pass = |label, fragment, format, inputs: &[Input], bloom, blend| {
            let settings = ScreenPipeline { fragment, format, bloom, blend };
            ScreenPass::new(gpu, shader, label, inputs, &settings)
        };
        let plain = |label, fragment, format, inputs: &[Input]| {
            pass(label, fragment, format, inputs, false, None)
        };
        let (depth, distance) = if effects.msaa {
            (DepthSamples, "fs_distance_of_samples")
        } else {
            (DepthPixels, "fs_distance")
        };
        let add = wgpu::BlendComponent {
            src_factor: wgpu::BlendFactor::One,
            dst_factor: wgpu::BlendFactor::One,
            operation: wgpu::BlendOperation::Add,
        };
        let add = Some(wgpu::BlendState { color: add, alpha: add });
        let all = [Distances, Occlusion, Screen, Bloom, Sampler];
        let compose = |bloom| pass("compose", "fs_compose", format, &all, bloom, None);
        Some(Self {
            effects,
            format,
            distance: plain("distance", distance, DISTANCES, &[depth]),
            occlusion: plain("ambient occlusion", "fs_occlusion", OCCLUSION, &[Distances]),
            blur: plain("blurred occlusion", "fs_blur_occlusion", OCCLUSION, &[Occlusion]),
            emission: plain("emission", "fs_emission", BLOOM, &[Screen]),
            shrink: plain("smaller bloom", "fs_shrink", BLOOM, &[Bloom, Sampler]),
            grow: pass("larger bloom", "fs_grow", BLOOM, &[Bloom, Sampler], false, add),
            compose: [compose(false), compose(true)],
            sampler: gpu.device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("bloom"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            targets: None,
        })
    }

    /// Reallocates the textures if the size has changed.
    pub(super) fn resize(
        &mut self,
        gpu: &Gpu,
        size: Size,
        attachments: &Attachments,
    ) -> Result<(), RenderError> {
        if self.targets.as_ref().is_none_or(|targets| targets.size != size) {
            // They belong to attachments that are gone, also if there is no memory for others.
            self.targets = None;
            self.targets = Some(self.allocate(gpu, size, attachments)?);
        }
        Ok(())
    }

    fn allocate(
        &self,
        gpu: &Gpu,
        size: Size,
        attachments: &Attachments,
    ) -> Result<Targets, RenderError> {
        use wgpu::BindingResource::TextureView;
        let screen = create(gpu, "scene", size, self.format)?;
        let sampler = || (Input::Sampler, wgpu::BindingResource::Sampler(&self.sampler));
        let occlusion = match self.effects.ao {
            AmbientOcclusion::Screen => Some(self.allocate_occlusion(gpu, size, attachments)?),
            AmbientOcclusion::Off | AmbientOcclusion::Block => None,
        };
        // Passes that do not read a texture get another one.
        let [distances, blurred] = match &occlusion {
            Some([distance, _, blur]) => [&distance.target, &blur.target],
            None => [&screen; 2],
        };
        let count = if self.effects.bloom { bloom_levels(size) } else { 0 };
        let sizes = std::iter::successors(Some(size.halved()), |size| Some(size.halved()));
        let levels = sizes.take(count).map(|size| create(gpu, "bloom", size, BLOOM));
        let levels = levels.collect::<Result<Vec<_>, _>>()?;
        let from = |pass: &ScreenPass, source, target| {
            pass.bound(gpu, target, &[(Input::Bloom, TextureView(source)), sampler()])
        };
        let pairs = || levels.iter().zip(levels.iter().skip(1));
        let bloom = levels.first().unwrap_or(&screen);
        let all = [
            (Input::Distances, TextureView(distances)),
            (Input::Occlusion, TextureView(blurred)),
            (Input::Screen, TextureView(&screen)),
            (Input::Bloom, TextureView(bloom)),
            sampler(),
        ];
        let emission = (Input::Screen, TextureView(&screen));
        Ok(Targets {
            size,
            emission: levels.first().map(|level| self.emission.bound(gpu, level, &[emission])),
            shrink: pairs().map(|(large, small)| from(&self.shrink, large, small)).collect(),
            grow: pairs().rev().map(|(large, small)| from(&self.grow, small, large)).collect(),
            compose: self.compose.each_ref().map(|pass| pass.bind(gpu, &all)),
            occlusion,
            screen,
        })
    }

    /// Allocates the textures of ambient occlusion in screen space.
    fn allocate_occlusion(
        &self,
        gpu: &Gpu,
        size: Size,
        attachments: &Attachments,
    ) -> Result<[BoundPass; 3], RenderError> {
        use wgpu::BindingResource::TextureView;
        let half = size.halved();
        let distances = create(gpu, "distances", size, DISTANCES)?;
        let raw = create(gpu, "occlusion", half, OCCLUSION)?;
        let blurred = create(gpu, "blurred occlusion", half, OCCLUSION)?;
        let depth = if self.effects.msaa { Input::DepthSamples } else { Input::DepthPixels };
        let bind =
            |pass: &ScreenPass, target, source: Source<'_>| pass.bound(gpu, target, &[source]);
        Ok([
            bind(&self.distance, &distances, (depth, TextureView(attachments.depth_view()))),
            bind(&self.occlusion, &raw, (Input::Distances, TextureView(&distances))),
            bind(&self.blur, &blurred, (Input::Occlusion, TextureView(&raw))),
        ])
    }

    /// The texture that the scene is drawn to.
    pub(super) fn screen(&self) -> Option<&wgpu::TextureView> {
        self.targets.as_ref().map(|targets| &targets.screen)
    }

    /// Draws from the scene's texture to `target`. Without cubes that emit light there is no bloom.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        globals: &wgpu::BindGroup,
        target: &wgpu::TextureView,
        emits: bool,
        timer: Option<&GpuTimer>,
    ) {
        let Some(targets) = &self.targets else { return };
        let mut passes: Vec<(&ScreenPass, &BoundPass)> = Vec::new();
        if let Some(occlusion) = &targets.occlusion {
            passes.extend([&self.distance, &self.occlusion, &self.blur].into_iter().zip(occlusion));
        }
        let bloom = targets.emission.as_ref().filter(|_| emits);
        if let Some(emission) = bloom {
            passes.push((&self.emission, emission));
            passes.extend(targets.shrink.iter().map(|bound| (&self.shrink, bound)));
            passes.extend(targets.grow.iter().map(|bound| (&self.grow, bound)));
        }
        let with_bloom = usize::from(bloom.is_some());
        let (compose, bindings) = (&self.compose[with_bloom], &targets.compose[with_bloom]);
        let last = passes.len();
        let timestamps = |index| timer?.writes_of(TimedPass::Post, index, last + 1);
        for (index, (pass, bound)) in passes.into_iter().enumerate() {
            pass.draw(encoder, globals, &bound.bindings, &bound.target, timestamps(index));
        }
        compose.draw(encoder, globals, bindings, target, timestamps(last));
    }
}

fn create(
    gpu: &Gpu,
    label: &'static str,
    size: Size,
    format: wgpu::TextureFormat,
) -> Result<wgpu::TextureView, RenderError> {
    let texture = gpu.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: size.extent(),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    })?;
    Ok(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}

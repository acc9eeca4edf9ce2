//! Renderer: a frame from packed arrays to recorded draws.

use super::attachments::Attachments;
use super::cubes::Cubes;
use super::globals::Globals;
use super::gpu_timer::{GpuTimer, TimedPass};
use super::ground::Ground;
use super::outline::Outline;
use super::scene_shader::SceneShader;
use super::shadow_map::ShadowMap;
use super::sky::Sky;
use super::upload::Upload;
use super::{
    DrawHooks, DrawPhase, DrawStats, Geometry, Gpu, GpuTimes, RenderError, RenderSettings,
    RenderTarget, SceneView, Size,
};

/// Draws scenes onto targets of one format.
pub struct Renderer {
    settings: RenderSettings,
    shader: SceneShader,
    globals: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    attachments: Attachments,
    shadow_map: ShadowMap,
    cubes: Cubes,
    ground: Option<Ground>,
    sky: Sky,
    outline: Outline,
    upload: Upload,
    timer: Option<GpuTimer>,
    /// Frames encoded so far.
    frames: u64,
}

impl Renderer {
    /// Makes the pipelines for targets of `format`, which must encode sRGB: the shaders put out
    /// linear light.
    ///
    /// # Errors
    /// The device has not enough memory, or was lost.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        settings: RenderSettings,
    ) -> Result<Self, RenderError> {
        let RenderSettings { effects, geometry, culling } = settings;
        let shader = SceneShader::new(gpu, format, effects);
        let globals = gpu.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Globals>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })?;
        let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &shader.globals,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() }],
        });
        Ok(Self {
            settings,
            globals,
            bindings,
            attachments: Attachments::new(gpu, Size::default(), format, effects)?,
            shadow_map: ShadowMap::new(gpu, &shader.shadow, effects.shadows)?,
            cubes: Cubes::new(gpu, &shader, geometry, culling)?,
            ground: effects.ground.then(|| Ground::new(gpu, &shader)),
            sky: Sky::new(gpu, &shader),
            outline: Outline::default(),
            upload: Upload::new(gpu),
            timer: GpuTimer::new(gpu),
            frames: 0,
            shader,
        })
    }

    /// How cubes really become triangles.
    #[must_use]
    pub fn geometry(&self) -> Geometry {
        self.cubes.geometry()
    }

    /// What the prepared frame draws.
    #[must_use]
    pub fn draw_stats(&self) -> DrawStats {
        self.cubes.stats()
    }

    /// How long the GPU took for the latest frame that
    /// [`collect_gpu_times`](Self::collect_gpu_times) has seen, some frames ago.
    #[must_use]
    pub fn gpu_times(&self) -> GpuTimes {
        self.timer.as_ref().map_or(GpuTimes::default(), GpuTimer::latest)
    }

    /// Looks which frames the GPU has reported on since the last look: the number of each, counted
    /// from 0 in the order of encoding, and its times. Nothing for frames that were not measured.
    /// Does not wait; [`draw`](Self::draw) measures a frame only if fewer than ten are on their way.
    pub fn collect_gpu_times(&mut self) -> impl Iterator<Item = (u64, GpuTimes)> {
        if let Some(timer) = &mut self.timer {
            timer.collect();
        }
        self.timer.iter().flat_map(GpuTimer::arrived)
    }

    /// Whether the adapter can say how long it took.
    #[must_use]
    pub fn has_gpu_timer(&self) -> bool {
        self.timer.is_some()
    }

    /// How many frames were encoded.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Bytes that the prepared frame sent to the GPU.
    #[must_use]
    pub fn uploaded_bytes(&self) -> u64 {
        self.cubes.uploaded_bytes() + size_of::<Globals>() as u64
    }

    /// Draws one frame: uploads what changed, records the passes and submits them. The returned index
    /// can be [waited for](Gpu::wait_for).
    ///
    /// # Errors
    /// There are more cubes than the device can hold, its memory is exhausted, or it was lost.
    ///
    /// # Panics
    /// The arrays of the scene differ in length.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        scene: &SceneView<'_>,
        target: RenderTarget<'_>,
    ) -> Result<wgpu::SubmissionIndex, RenderError> {
        self.draw_with(gpu, scene, target, &mut ())
    }

    /// [`draw`](Self::draw) with callbacks at the end of each phase, and for an overlay.
    ///
    /// # Errors
    /// As for [`draw`](Self::draw), or the overlay failed.
    ///
    /// # Panics
    /// The arrays of the scene differ in length.
    pub fn draw_with(
        &mut self,
        gpu: &Gpu,
        scene: &SceneView<'_>,
        target: RenderTarget<'_>,
        hooks: &mut impl DrawHooks,
    ) -> Result<wgpu::SubmissionIndex, RenderError> {
        let copies = self.prepare(gpu, scene, target.size)?;
        hooks.phase_ended(DrawPhase::Upload);
        let passes = self.encode(gpu, target.view);
        hooks.phase_ended(DrawPhase::Encode);
        let overlay = hooks.overlay(gpu, target)?;
        let submission = gpu.queue.submit(copies.into_iter().chain([passes]).chain(overlay));
        hooks.phase_ended(DrawPhase::Submit);
        Ok(submission)
    }

    /// Brings GPU memory up to date. Returns the copies out of staging memory, if there are any: they
    /// run before the passes.
    fn prepare(
        &mut self,
        gpu: &Gpu,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<Option<wgpu::CommandBuffer>, RenderError> {
        let cubes = scene.positions.values.len();
        let others =
            [scene.rotations.values.len(), scene.scales.values.len(), scene.colors.values.len()];
        assert_eq!(others, [cubes; 3], "one of each to a cube");
        gpu.check_capacity(cubes)?;
        self.attachments.resize(gpu, size, self.settings.effects)?;
        let globals = Globals::new(scene, size);
        gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&globals));
        self.cubes.prepare(gpu, &self.shader, &mut self.upload, scene, size)?;
        self.outline.prepare(gpu, &self.shader, scene.outlined, size)?;
        Ok(self.upload.finish())
    }

    /// Records the passes of the prepared frame.
    fn encode(&mut self, gpu: &Gpu, target: &wgpu::TextureView) -> wgpu::CommandBuffer {
        let mut encoder = gpu
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        if let Some(timer) = &mut self.timer {
            timer.begin_frame(self.frames);
        }
        if self.settings.effects.shadows {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow map"),
                depth_stencil_attachment: Some(self.shadow_map.attachment()),
                timestamp_writes: timestamps(&mut self.timer, TimedPass::Shadow),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.bindings, &[]);
            self.cubes.draw_shadows(&mut pass);
        }
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(self.attachments.color(target))],
            depth_stencil_attachment: Some(self.attachments.depth()),
            timestamp_writes: timestamps(&mut self.timer, TimedPass::SceneView),
            ..Default::default()
        });
        self.render(&mut pass);
        drop(pass);
        if let Some(timer) = &mut self.timer {
            timer.end_frame(&mut encoder);
        }
        self.frames += 1;
        encoder.finish()
    }

    fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.set_bind_group(1, self.shadow_map.bindings(), &[]);
        self.cubes.draw(pass);
        if let Some(ground) = &self.ground {
            ground.draw(pass);
        }
        self.sky.draw(pass);
        self.outline.draw(pass);
    }
}

fn timestamps(
    timer: &mut Option<GpuTimer>,
    pass: TimedPass,
) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
    timer.as_mut().and_then(|timer| timer.writes(pass))
}

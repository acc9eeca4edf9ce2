//! The renderer: one call draws a frame.

use std::fmt;
use std::iter;

use super::attachments::Attachments;
use super::background::Background;
use super::cubes::Cubes;
use super::globals::Globals;
use super::gpu_timer::{GpuTimer, TimedPass};
use super::outline::Outline;
use super::post::{self, Post};
use super::scene_shader::SceneShader;
use super::shadow_map::ShadowMap;
use super::upload::Upload;
use super::{
    Culling, DrawHooks, DrawPhase, DrawStats, Geometry, Gpu, GpuTimes, RenderError, RenderSettings,
    RenderTarget, SceneView, Size,
};
use crate::components::{EvaluatedMotion, Motion};

/// Draws scenes onto targets of one format.
pub struct Renderer {
    settings: RenderSettings,
    shader: SceneShader,
    globals: wgpu::Buffer,
    bindings: wgpu::BindGroup,
    attachments: Attachments,
    shadow_map: ShadowMap,
    cubes: Cubes,
    stats: DrawStats,
    uploaded_bytes: u64,
    background: Background,
    outline: Outline,
    /// `None` if no effect needs it.
    post: Option<Post>,
    upload: Upload,
    timer: Option<GpuTimer>,
    frames: u64,
}

/// Prints the settings and the cubes in the last frame.
impl fmt::Debug for Renderer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer")
            .field("settings", &self.settings)
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}

impl Renderer {
    /// Creates the pipelines for targets of `format`. The format must encode sRGB: the shaders output
    /// linear light.
    ///
    /// # Errors
    /// The device is out of memory. A loss is returned by [`Gpu::check`].
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        settings: RenderSettings,
    ) -> Result<Self, RenderError> {
        let settings =
            RenderSettings { effects: post::supported(gpu, settings.effects), ..settings };
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
            bindings,
            // Resized to the first target.
            attachments: Attachments::new(
                gpu,
                Size::new(1, 1).expect("not empty"),
                format,
                effects,
            )?,
            shadow_map: ShadowMap::new(gpu, &shader.scene, &globals, effects.shadows)?,
            cubes: Cubes::new(gpu, geometry, culling)?,
            stats: DrawStats::default(),
            uploaded_bytes: 0,
            background: Background::new(gpu, &shader, effects.ground),
            outline: Outline::default(),
            upload: Upload::new(gpu),
            timer: GpuTimer::new(gpu, effects, culling)?,
            post: Post::new(gpu, &shader, format, effects),
            frames: 0,
            globals,
            shader,
        })
    }

    /// Creates the pipelines of both fall modes together from now on, so that the first frame after a switch takes no longer
    /// than others.
    pub fn prepare_switch(&mut self) {
        self.shader.prepares_switch = true;
    }

    /// The geometry in use, after any fallback.
    pub fn geometry(&self) -> Geometry {
        self.cubes.geometry()
    }

    /// The settings in use, after any fallback. Culling is off with instanced geometry, and with evaluated motion on
    /// devices that cannot cull.
    pub fn settings(&self) -> RenderSettings {
        let culling = if self.cubes.culls() { self.settings.culling } else { Culling::OFF };
        RenderSettings { geometry: self.geometry(), culling, ..self.settings }
    }

    /// What the latest frame drew. If the GPU culls, the numbers of visible cubes are some frames old.
    pub fn draw_stats(&self) -> DrawStats {
        self.stats
    }

    /// GPU times of the latest frame seen by [`collect_gpu_times`](Self::collect_gpu_times), a few
    /// frames ago.
    pub fn gpu_times(&self) -> GpuTimes {
        self.timer.as_ref().map_or(GpuTimes::default(), GpuTimer::latest)
    }

    /// Takes the GPU times that have arrived since the last call, each with the number of its frame,
    /// counted from 0, in any order. Does not wait. A frame is not measured while the times of ten others are not
    /// collected: call this once a frame.
    pub fn collect_gpu_times(&mut self) -> impl Iterator<Item = (u64, GpuTimes)> {
        self.timer.iter_mut().flat_map(GpuTimer::collect)
    }

    /// Discards the GPU times of the frames drawn so far that were not collected: they contain a time in which the process
    /// was suspended.
    pub fn discard_gpu_times(&mut self) {
        if let Some(timer) = &mut self.timer {
            timer.discard_before(self.frames);
        }
    }

    /// Frames drawn so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Bytes that the latest frame uploaded.
    pub fn uploaded_bytes(&self) -> u64 {
        self.uploaded_bytes
    }

    /// Draws one frame: uploads what changed, records the passes and submits them. The returned index
    /// can be [waited for](Gpu::wait_for).
    ///
    /// # Errors
    /// There are more cubes than the device can hold, its memory is exhausted, or it was lost. What wgpu refuses, such as
    /// a target of another format, and a loss that no call noticed, are returned by [`Gpu::check`]: call it once a frame.
    ///
    /// # Panics
    /// The arrays of the scene differ in length, or those of its motion are not as [`EvaluatedMotion`] requires.
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
    /// As for [`draw`](Self::draw), or the overlay [failed](DrawHooks::overlay).
    ///
    /// # Panics
    /// As for [`draw`](Self::draw).
    pub fn draw_with(
        &mut self,
        gpu: &Gpu,
        scene: &SceneView<'_>,
        target: RenderTarget<'_>,
        hooks: &mut impl DrawHooks,
    ) -> Result<wgpu::SubmissionIndex, RenderError> {
        let encoder = self.prepare(gpu, scene, target.size)?;
        hooks.phase_ended(DrawPhase::Upload);
        let passes = self.encode(encoder, target.view, scene.emits);
        hooks.phase_ended(DrawPhase::Encode);
        let overlay = hooks.overlay(gpu, target)?;
        let submission = gpu.queue.submit(iter::once(passes).chain(overlay));
        hooks.phase_ended(DrawPhase::Submit);
        Ok(submission)
    }

    /// Brings GPU memory up to date. Returns the encoder of the copies out of staging memory, for the passes
    /// after them.
    fn prepare(
        &mut self,
        gpu: &Gpu,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<wgpu::CommandEncoder, RenderError> {
        let cubes = scene.positions.values.len();
        let others =
            [scene.rotations.values.len(), scene.scales.values.len(), scene.colors.values.len()];
        assert_eq!(others, [cubes; 3], "the arrays of a scene have one element per cube");
        match &scene.motion {
            Some(motion) => {
                assert!(
                    is_consistent(motion, cubes),
                    "the arrays of a motion have one element per moving cube (angular velocities may have fewer), and at most one per cube"
                );
                gpu.check_capacity(cubes, Motion::Evaluated)?;
            }
            None => gpu.check_capacity(cubes, Motion::Integrated)?,
        }
        self.attachments.resize(gpu, size, self.settings.effects)?;
        if let Some(post) = &mut self.post {
            post.resize(gpu, size, &self.attachments)?;
        }
        let globals = Globals::new(scene, size, self.settings.culling);
        self.upload.copy(gpu, &self.globals, 0, bytemuck::bytes_of(&globals))?;
        let (stats, bytes) =
            self.cubes.prepare(gpu, &self.shader, &mut self.upload, scene, size)?;
        self.stats = stats;
        let outline = self.outline.prepare(gpu, &self.shader, &mut self.upload, scene, size)?;
        self.uploaded_bytes = bytes + outline + size_of::<Globals>() as u64;
        Ok(self.upload.finish(gpu))
    }

    /// Records the passes of the prepared frame.
    fn encode(
        &mut self,
        mut encoder: wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        emits: bool,
    ) -> wgpu::CommandBuffer {
        let culling = self.cubes.culling();
        if let Some(timer) = &mut self.timer {
            timer.begin_frame(self.frames, culling.is_some());
        }
        if let Some(culling) = culling {
            culling.encode(&mut encoder, &self.bindings, self.timer.as_ref());
        }
        let timestamps = |pass| self.timer.as_ref().and_then(|timer| timer.writes(pass));
        if self.settings.effects.shadows {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("shadow map"),
                depth_stencil_attachment: Some(self.shadow_map.attachment()),
                timestamp_writes: timestamps(TimedPass::Shadow),
                ..Default::default()
            });
            pass.set_bind_group(0, &self.bindings, &[]);
            self.cubes.draw_shadows(&mut pass);
        }
        let screen = self.post.as_ref().and_then(Post::screen).unwrap_or(target);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(self.attachments.color(screen))],
            depth_stencil_attachment: Some(self.attachments.depth()),
            timestamp_writes: timestamps(TimedPass::Scene),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.shadow_map.bindings, &[]);
        self.cubes.draw(&mut pass);
        self.background.draw(&mut pass);
        self.outline.draw(&mut pass);
        drop(pass);
        if let Some(post) = &self.post {
            post.draw(&mut encoder, &self.bindings, target, emits, self.timer.as_ref());
        }
        if let Some(timer) = &mut self.timer {
            timer.end_frame(&mut encoder);
        }
        self.frames += 1;
        encoder.finish()
    }
}

/// Returns `true` if the arrays have one element per moving cube, and no more than `cubes`.
fn is_consistent(motion: &EvaluatedMotion<'_>, cubes: usize) -> bool {
    let moving = motion.epochs.len();
    let lengths = [motion.velocities.len(), motion.accelerations.len(), motion.gravities.len()];
    lengths == [moving; 3] && motion.angular_velocities.len() <= moving && moving <= cubes
}

//! Cubes where their arrays say: the arrays on the GPU, culling, and the two ways to draw them.

use super::culling::{VisibleCounts, VisibleCubes};
use super::instance_buffer::{InstanceBuffer, MAX_SLOTS};
use super::instanced_cubes::{self, InstancedCubes};
use super::pulled_cubes::{ARRAYS, LISTED_ARRAYS, PulledCubes};
use super::scene_shader::SceneShader;
use super::upload::Upload;
use super::{Culling, DrawStats, Geometry, Gpu, RenderError, SceneView, Size};
use crate::components::{Color, Position, Rotation, Scale};

/// Buffers and pipelines of cubes without evaluated motion.
pub(super) struct IntegratedCubes {
    arrays: Arrays,
    total: u32,
    method: Method,
}

enum Method {
    Pulled(Box<Pulled>),
    Instanced(InstancedCubes),
}

struct Pulled {
    cubes: PulledCubes,
    culling: Culling,
    visible: VisibleCubes,
    /// [`VisibleCubes::indices`] on the GPU.
    list: InstanceBuffer<u32>,
    /// What `list` holds; `None` if the frame draws all cubes without a list.
    listed: Option<VisibleCounts>,
    /// One for each combination of the buffers that take turns, and the one of this frame.
    bindings: Vec<Bindings>,
    bound: usize,
}

/// Bind groups that are kept, at most.
const MAX_BINDINGS: usize = 2 * MAX_SLOTS;

/// A bind group, and the buffers it was made of.
struct Bindings {
    buffers: [wgpu::Buffer; 5],
    group: wgpu::BindGroup,
}

impl IntegratedCubes {
    pub(super) fn new(
        gpu: &Gpu,
        geometry: Geometry,
        culling: Culling,
    ) -> Result<Self, RenderError> {
        // Both usages where possible: pulled geometry may fall back to instances later.
        let usage = if gpu.can_pull() {
            wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE
        } else {
            wgpu::BufferUsages::VERTEX
        };
        Ok(Self {
            arrays: Arrays {
                positions: InstanceBuffer::new(gpu, "positions", usage)?,
                rotations: InstanceBuffer::new(gpu, "rotations", usage)?,
                scales: InstanceBuffer::new(gpu, "scales", usage)?,
                colors: InstanceBuffer::new(gpu, "colors", usage)?,
            },
            total: 0,
            method: match geometry {
                Geometry::Pulled if gpu.can_pull() => {
                    Method::Pulled(Box::new(Pulled::new(gpu, culling)?))
                }
                _ => Method::Instanced(InstancedCubes::new(gpu, &instanced_cubes::ARRAYS)),
            },
        })
    }

    pub(super) fn geometry(&self) -> Geometry {
        match self.method {
            Method::Pulled(_) => Geometry::Pulled,
            Method::Instanced(_) => Geometry::Instanced,
        }
    }

    /// Uploads what changed in the arrays, and culls. Returns what is drawn, and the bytes of the upload.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<(DrawStats, u64), RenderError> {
        let total = scene.positions.values.len() as u32;
        if self.geometry() == Geometry::Pulled && !gpu.can_pull_many(total) {
            log::warn!("{total} cubes exceed the largest storage buffer; using instanced geometry");
            self.method = Method::Instanced(InstancedCubes::new(gpu, &instanced_cubes::ARRAYS));
        }
        let Arrays { positions, rotations, scales, colors } = &mut self.arrays;
        let array_bytes = positions.update(gpu, upload, scene.positions)?
            + rotations.update(gpu, upload, scene.rotations)?
            + scales.update(gpu, upload, scene.scales)?
            + colors.update(gpu, upload, scene.colors)?;
        self.total = total;
        let endless = scene.field.is_some();
        let (visible, list_bytes) = match &mut self.method {
            Method::Pulled(pulled) => {
                pulled.cubes.set_endless(gpu, shader, endless);
                let bytes = pulled.prepare(gpu, upload, scene, size, self.arrays.buffers())?;
                (pulled.listed, bytes)
            }
            Method::Instanced(cubes) => {
                cubes.set_endless(gpu, shader, endless);
                (None, 0)
            }
        };
        Ok((DrawStats::new(total, visible), array_bytes + list_bytes))
    }

    /// Draws the visible cubes.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.method {
            Method::Pulled(pulled) => pulled.draw(pass, self.total),
            Method::Instanced(cubes) => {
                cubes.draw(pass, &cubes.pipelines().scene, &self.arrays.buffers(), self.total);
            }
        }
    }

    /// Draws all cubes into the shadow map.
    pub(super) fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.method {
            Method::Pulled(pulled) => pulled.draw_shadows(pass, self.total),
            Method::Instanced(cubes) => {
                let Some(shadow) = &cubes.pipelines().shadow else { return };
                cubes.draw(pass, shadow, &self.arrays.buffers(), self.total);
            }
        }
    }
}

/// GPU copies of the component arrays.
struct Arrays {
    positions: InstanceBuffer<Position>,
    rotations: InstanceBuffer<Rotation>,
    scales: InstanceBuffer<Scale>,
    colors: InstanceBuffer<Color>,
}

impl Arrays {
    fn buffers(&self) -> [&wgpu::Buffer; 4] {
        let Self { positions, rotations, scales, colors } = self;
        [positions.buffer(), rotations.buffer(), scales.buffer(), colors.buffer()]
    }
}

impl Pulled {
    fn new(gpu: &Gpu, culling: Culling) -> Result<Self, RenderError> {
        let input = if culling.is_off() { &ARRAYS } else { &LISTED_ARRAYS };
        Ok(Self {
            cubes: PulledCubes::new(gpu, input),
            culling,
            visible: VisibleCubes::default(),
            list: InstanceBuffer::new(gpu, "visible cubes", wgpu::BufferUsages::STORAGE)?,
            listed: None,
            bindings: Vec::new(),
            bound: 0,
        })
    }

    /// Culls and binds the buffers. Returns the size of the index list in bytes.
    fn prepare(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
        [positions, rotations, scales, colors]: [&wgpu::Buffer; 4],
    ) -> Result<u64, RenderError> {
        let bytes = self.cull(gpu, upload, scene, size)?;
        let buffers = [positions, rotations, scales, colors, self.list.buffer()];
        // Bind groups keep their buffers alive. Only a buffer of another size replaces one.
        let sizes = buffers.map(wgpu::Buffer::size);
        self.bindings.retain(|it| it.buffers.each_ref().map(wgpu::Buffer::size) == sizes);
        let known = self.bindings.iter().position(|it| it.buffers.each_ref() == buffers);
        self.bound = known.unwrap_or_else(|| {
            self.bindings.truncate(MAX_BINDINGS - 1);
            let group = self.cubes.bind(gpu, &buffers);
            self.bindings.push(Bindings { buffers: buffers.map(Clone::clone), group });
            self.bindings.len() - 1
        });
        Ok(bytes)
    }

    /// Culls, and uploads the list of the visible cubes; none if all cubes are drawn in full, entirely inside the frame. Returns
    /// its size in bytes.
    fn cull(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        scene: &SceneView<'_>,
        size: Size,
    ) -> Result<u64, RenderError> {
        self.listed = None;
        if self.culling.is_off() {
            return Ok(0);
        }
        let cubes = scene.positions.values.len();
        self.visible.update(scene, size, self.culling);
        let counts = self.visible.counts();
        if counts.full as usize == cubes {
            return Ok(0);
        }
        // Not to what is visible now, which changes with the view.
        self.list.shrink(gpu, cubes);
        let len = counts.total() as usize;
        let bytes = self.list.replace(gpu, upload, len, self.visible.indices())?;
        self.listed = Some(counts);
        Ok(bytes)
    }

    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, total: u32) {
        let Some(Bindings { group, .. }) = self.bindings.get(self.bound) else { return };
        match self.listed {
            Some(listed) => self.cubes.draw_listed(pass, group, listed),
            None => self.cubes.draw(pass, &self.cubes.pipelines().all, group, 0..total),
        }
    }

    fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>, total: u32) {
        let Some(Bindings { group, .. }) = self.bindings.get(self.bound) else { return };
        let Some(shadow) = &self.cubes.pipelines().shadow else { return };
        self.cubes.draw(pass, shadow, group, 0..total);
    }
}

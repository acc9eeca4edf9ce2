//! Cubes: the packed arrays on the GPU, and what of them is drawn how.

use super::instance_buffer::InstanceBuffer;
use super::instanced_cubes::InstancedCubes;
use super::pulled_cubes::PulledCubes;
use super::scene_shader::SceneShader;
use super::selection::{Counts, Selected};
use super::upload::Upload;
use super::{Geometry, Gpu, RenderError, Scene, Selection, Size};
use crate::components::{Color, Position, Rotation, Scale};

/// How many cubes a frame draws, and how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Drawn {
    /// Every cube there is.
    pub total: u32,
    /// Drawn with their faces.
    pub full: u32,
    /// Drawn as one triangle.
    pub small: u32,
}

/// Buffers and pipelines for cubes.
pub(super) struct Cubes {
    positions: InstanceBuffer<Position>,
    rotations: InstanceBuffer<Rotation>,
    scales: InstanceBuffer<Scale>,
    colors: InstanceBuffer<Color>,
    drawn: Drawn,
    uploaded_bytes: u64,
    path: Path,
}

enum Path {
    Pulled(Box<Pulled>),
    Instanced(InstancedCubes),
}

struct Pulled {
    cubes: PulledCubes,
    selection: Selection,
    selected: Selected,
    /// Numbers of the cubes to draw, in the order of `Selected::pieces`.
    list: InstanceBuffer<u32>,
    /// How many of each kind the list holds; none if this frame simply draws all cubes.
    listed: Option<Counts>,
    bindings: Option<Bindings>,
}

/// Arrays bound together, until one of them is in another buffer.
struct Bindings {
    arrays: [wgpu::Buffer; 5],
    group: wgpu::BindGroup,
}

impl Cubes {
    pub(super) fn new(
        gpu: &Gpu,
        shader: &SceneShader,
        geometry: Geometry,
        selection: Selection,
    ) -> Result<Self, RenderError> {
        // Both uses whatever the geometry, as long as the adapter can: the layout is the same.
        let usage = if gpu.can_pull() {
            wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE
        } else {
            wgpu::BufferUsages::VERTEX
        };
        Ok(Self {
            positions: InstanceBuffer::new(gpu, "positions", usage)?,
            rotations: InstanceBuffer::new(gpu, "rotations", usage)?,
            scales: InstanceBuffer::new(gpu, "scales", usage)?,
            colors: InstanceBuffer::new(gpu, "colors", usage)?,
            drawn: Drawn::default(),
            uploaded_bytes: 0,
            path: match geometry {
                Geometry::Pulled if gpu.can_pull() => Path::Pulled(Box::new(Pulled {
                    cubes: PulledCubes::new(gpu, shader),
                    selection,
                    selected: Selected::default(),
                    list: InstanceBuffer::new(gpu, "list of cubes", wgpu::BufferUsages::STORAGE)?,
                    listed: None,
                    bindings: None,
                })),
                _ => Path::Instanced(InstancedCubes::new(gpu, shader)),
            },
        })
    }

    pub(super) fn geometry(&self) -> Geometry {
        match self.path {
            Path::Pulled(_) => Geometry::Pulled,
            Path::Instanced(_) => Geometry::Instanced,
        }
    }

    pub(super) fn drawn(&self) -> Drawn {
        self.drawn
    }

    /// Bytes that the prepared frame sent to the GPU.
    pub(super) fn uploaded_bytes(&self) -> u64 {
        self.uploaded_bytes
    }

    /// Brings the arrays up to date and chooses what is drawn of them.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        shader: &SceneShader,
        upload: &mut Upload,
        scene: &Scene<'_>,
        size: Size,
    ) -> Result<(), RenderError> {
        let total = scene.positions.values.len() as u32;
        if self.geometry() == Geometry::Pulled && !gpu.can_pull_many(total) {
            log::warn!("{total} cubes are more than a storage buffer holds; drawing instances");
            self.path = Path::Instanced(InstancedCubes::new(gpu, shader));
        }
        self.uploaded_bytes = self.positions.update(gpu, upload, scene.positions)?
            + self.rotations.update(gpu, upload, scene.rotations)?
            + self.scales.update(gpu, upload, scene.scales)?
            + self.colors.update(gpu, upload, scene.colors)?;
        self.drawn = Drawn { total, full: total, small: 0 };
        if let Path::Pulled(pulled) = &mut self.path {
            self.drawn = pulled.select(gpu, upload, scene, size)?;
            let listed =
                pulled.listed.map_or(0, |counts| counts.full + counts.crossing + counts.small);
            self.uploaded_bytes += u64::from(listed) * size_of::<u32>() as u64;
            pulled.bind(
                gpu,
                [
                    self.positions.buffer(),
                    self.rotations.buffer(),
                    self.scales.buffer(),
                    self.colors.buffer(),
                ],
            );
        }
        Ok(())
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let total = self.drawn.total;
        match &self.path {
            Path::Pulled(pulled) => {
                let Some(Bindings { group, .. }) = &pulled.bindings else { return };
                match pulled.listed {
                    Some(Counts { full, crossing, small }) => {
                        pulled.cubes.draw_listed(pass, group, [full, crossing], small);
                    }
                    None => pulled.cubes.draw_all(pass, group, total),
                }
            }
            Path::Instanced(cubes) => cubes.draw_all(pass, self.arrays(), total),
        }
    }

    /// Draws all cubes as the light sees them.
    pub(super) fn draw_shadows(&self, pass: &mut wgpu::RenderPass<'_>) {
        match &self.path {
            Path::Pulled(pulled) => {
                if let Some(Bindings { group, .. }) = &pulled.bindings {
                    pulled.cubes.draw_shadows(pass, group, self.drawn.total);
                }
            }
            Path::Instanced(cubes) => cubes.draw_shadows(pass, self.arrays(), self.drawn.total),
        }
    }

    fn arrays(&self) -> [&wgpu::Buffer; 4] {
        [
            self.positions.buffer(),
            self.rotations.buffer(),
            self.scales.buffer(),
            self.colors.buffer(),
        ]
    }
}

impl Pulled {
    fn select(
        &mut self,
        gpu: &Gpu,
        upload: &mut Upload,
        scene: &Scene<'_>,
        size: Size,
    ) -> Result<Drawn, RenderError> {
        let total = scene.positions.values.len() as u32;
        self.listed = None;
        if self.selection.is_exact() {
            return Ok(Drawn { total, full: total, small: 0 });
        }
        self.selected.choose(scene, size, self.selection);
        let counts = self.selected.counts();
        let Counts { full, crossing, small } = counts;
        // Where all are drawn in full, a list of all would only be read for nothing.
        if full < total {
            let len = (full + crossing + small) as usize;
            self.list.replace(gpu, upload, len, self.selected.pieces())?;
            self.listed = Some(counts);
        }
        Ok(Drawn { total, full: full + crossing, small })
    }

    fn bind(&mut self, gpu: &Gpu, [positions, rotations, scales, colors]: [&wgpu::Buffer; 4]) {
        let arrays = [positions, rotations, scales, colors, self.list.buffer()];
        let bound = self.bindings.as_ref().map(|bindings| bindings.arrays.each_ref());
        if bound != Some(arrays) {
            let group = self.cubes.bind(gpu, arrays);
            self.bindings = Some(Bindings { arrays: arrays.map(Clone::clone), group });
        }
    }
}

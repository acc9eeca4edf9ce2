//! Canvas: a device, a target and a renderer, as the program has them.

use cubefall::frame;
use cubefall::render::{
    Culling, DrawHooks, DrawPhase, Gpu, GpuSettings, Image, OffscreenTarget, Quality, RenderError,
    RenderSettings, Renderer, Size, Streaming,
};
use cubefall::sim::{FallMode, SceneSettings, Simulation, TimeStep};

/// All that there is to lose: shadows, samples, fog, and lists of cubes.
const SETTINGS: RenderSettings = RenderSettings {
    effects: Quality::High.effects(),
    geometry: cubefall::render::Geometry::Pulled,
    culling: Culling::ON,
};

/// A call on the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Point {
    Target,
    Renderer,
    Prepare,
    Encode,
    Submit,
    Readback,
}

impl Point {
    pub(crate) const ALL: [Self; 6] =
        [Self::Target, Self::Renderer, Self::Prepare, Self::Encode, Self::Submit, Self::Readback];
}

pub(crate) struct Canvas {
    renderer: Renderer,
    target: OffscreenTarget,
    pub(crate) gpu: Gpu,
}

impl Canvas {
    pub(crate) fn open(size: Size) -> Result<Self, RenderError> {
        Self::open_and_lose(size, gpu(None), None)
    }

    /// Loses the device before a call.
    pub(crate) fn open_and_lose(
        size: Size,
        gpu: Gpu,
        lost: Option<Point>,
    ) -> Result<Self, RenderError> {
        lose_at(&gpu, lost, Point::Target);
        let target = OffscreenTarget::new(&gpu, size)?;
        lose_at(&gpu, lost, Point::Renderer);
        let renderer = Renderer::new(&gpu, OffscreenTarget::FORMAT, SETTINGS)?;
        Ok(Self { renderer, target, gpu })
    }

    pub(crate) fn resize(&mut self, size: Size) -> Result<(), RenderError> {
        self.target = OffscreenTarget::new(&self.gpu, size)?;
        Ok(())
    }

    pub(crate) fn draw(&mut self, simulation: &Simulation) -> Result<Image, RenderError> {
        self.draw_and_lose(simulation, None)
    }

    pub(crate) fn draw_and_lose(
        &mut self,
        simulation: &Simulation,
        lost: Option<Point>,
    ) -> Result<Image, RenderError> {
        let Self { renderer, target, gpu } = self;
        lose_at(gpu, lost, Point::Prepare);
        let mut hooks = LoseAt { gpu, lost };
        renderer.draw_with(gpu, &frame::scene_view(simulation), target.target(), &mut hooks)?;
        target.read(gpu)
    }
}

struct LoseAt<'a> {
    gpu: &'a Gpu,
    lost: Option<Point>,
}

impl DrawHooks for LoseAt<'_> {
    fn phase_ended(&mut self, phase: DrawPhase) {
        let next = match phase {
            DrawPhase::Upload => Point::Encode,
            DrawPhase::Encode => Point::Submit,
            DrawPhase::Submit => Point::Readback,
        };
        lose_at(self.gpu, self.lost, next);
    }
}

fn lose_at(gpu: &Gpu, lost: Option<Point>, here: Point) {
    if lost == Some(here) {
        gpu.inject_loss();
    }
}

pub(crate) fn gpu(streaming: Option<Streaming>) -> Gpu {
    let settings = GpuSettings { streaming, ..GpuSettings::default() };
    pollster::block_on(Gpu::headless(&settings)).expect("a graphics adapter; see setup.sh")
}

/// More cubes than the smallest buffers hold, in motion.
pub(crate) fn simulation() -> Simulation {
    let settings = SceneSettings { cubes: 1500, seed: 4 };
    let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
    for _ in 0..40 {
        simulation.step(TimeStep::default()).unwrap();
    }
    simulation
}

pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

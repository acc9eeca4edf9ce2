//! A device, a target and a renderer, with losses injected between steps.

use std::sync::OnceLock;

use cubefall::frame;
use cubefall::render::{
    Culling, DrawHooks, DrawPhase, DrawStats, Geometry, Gpu, GpuSettings, GpuTimes, Image,
    OffscreenTarget, Quality, RenderError, RenderSettings, Renderer, Size, Streaming,
};
use cubefall::sim::{FallMode, Motion, SceneSettings, Simulation, TimeStep};

/// Uses every resource: shadow map, multisampling, index list.
const SETTINGS: RenderSettings = RenderSettings {
    effects: Quality::High.effects(),
    geometry: Geometry::Pulled,
    culling: Culling::ON,
};

/// A step that uses the device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Target,
    Renderer,
    Upload,
    Encode,
    Submit,
    Readback,
}

impl Step {
    pub(crate) const ALL: [Self; 6] =
        [Self::Target, Self::Renderer, Self::Upload, Self::Encode, Self::Submit, Self::Readback];
}

pub(crate) struct Harness {
    renderer: Renderer,
    target: OffscreenTarget,
    gpu: Gpu,
}

impl Harness {
    pub(crate) fn open(size: Size) -> Result<Self, RenderError> {
        Self::open_and_lose(size, gpu(None), None)
    }

    /// Loses the device before a step.
    pub(crate) fn open_and_lose(
        size: Size,
        gpu: Gpu,
        lost: Option<Step>,
    ) -> Result<Self, RenderError> {
        lose_at(&gpu, lost, Step::Target);
        let target = OffscreenTarget::new(&gpu, size)?;
        lose_at(&gpu, lost, Step::Renderer);
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

    /// Numbers of cubes of the latest frame that the GPU has reported.
    pub(crate) fn draw_stats(&self) -> DrawStats {
        self.renderer.draw_stats()
    }

    /// Times of the latest frame that the GPU has reported.
    pub(crate) fn gpu_times(&mut self) -> GpuTimes {
        self.renderer.collect_gpu_times().for_each(drop);
        self.renderer.gpu_times()
    }

    pub(crate) fn draw_and_lose(
        &mut self,
        simulation: &Simulation,
        lost: Option<Step>,
    ) -> Result<Image, RenderError> {
        let Self { renderer, target, gpu } = self;
        lose_at(gpu, lost, Step::Upload);
        let mut hooks = LoseAt { gpu, lost };
        renderer.draw_with(gpu, &frame::scene_view(simulation), target.target(), &mut hooks)?;
        target.read(gpu)
    }
}

struct LoseAt<'a> {
    gpu: &'a Gpu,
    lost: Option<Step>,
}

impl DrawHooks for LoseAt<'_> {
    fn phase_ended(&mut self, phase: DrawPhase) {
        let next = match phase {
            DrawPhase::Upload => Step::Encode,
            DrawPhase::Encode => Step::Submit,
            DrawPhase::Submit => Step::Readback,
        };
        lose_at(self.gpu, self.lost, next);
    }
}

fn lose_at(gpu: &Gpu, lost: Option<Step>, step: Step) {
    if lost == Some(step) {
        gpu.inject_loss();
    }
}

/// Keeps the driver loaded, as a window does when it opens the device again: each time that it is loaded, Mesa 22.3
/// leaks 27 KB, and NVIDIA's cannot be loaded often in one process.
static DRIVER: OnceLock<wgpu::Instance> = OnceLock::new();

pub(crate) fn gpu(streaming: Option<Streaming>) -> Gpu {
    let settings = GpuSettings { streaming, ..GpuSettings::default() };
    let gpu =
        pollster::block_on(Gpu::headless(&settings)).expect("a graphics adapter; see setup.sh");
    DRIVER.get_or_init(|| gpu.instance().clone());
    gpu
}

/// A moving simulation with more cubes than the smallest buffers hold.
pub(crate) fn simulation(motion: Motion) -> Simulation {
    let settings = SceneSettings { cubes: 1500, seed: 4 };
    let mut simulation =
        Simulation::with_overrides(settings, FallMode::Cubes, Some(motion), None).unwrap();
    for _ in 0..40 {
        simulation.step(TimeStep::default()).unwrap();
    }
    simulation
}

pub(crate) fn size(width: u32, height: u32) -> Size {
    Size::new(width, height).unwrap()
}

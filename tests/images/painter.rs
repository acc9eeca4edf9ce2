//! Painter: a device and a renderer, which make pictures.

use cubefall::render::{
    Culling, Effects, Geometry, Gpu, GpuSettings, Image, OffscreenTarget, RenderError,
    RenderSettings, Renderer, SceneView, Size, Streaming,
};

/// A device; what is missing if there is none.
pub(crate) fn gpu() -> Gpu {
    streaming_gpu(None).expect("any way of streaming will do")
}

/// A device that streams in a way; none if the adapter cannot.
pub(crate) fn streaming_gpu(streaming: Option<Streaming>) -> Option<Gpu> {
    let settings = GpuSettings { streaming, ..GpuSettings::default() };
    match pollster::block_on(Gpu::headless(&settings)) {
        Ok(gpu) => Some(gpu),
        Err(RenderError::NotMappable) => None,
        Err(error) => panic!("{error}\nSet up this machine with: ./setup.sh --tests"),
    }
}

/// Pulled cubes, all of them in full.
pub(crate) const fn exact(effects: Effects) -> RenderSettings {
    RenderSettings { effects, geometry: Geometry::Pulled, culling: Culling::OFF }
}

/// Red, green and blue of a pixel.
pub(crate) fn pixel(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let at = (y * image.size().width() + x) as usize * 4;
    [image.rgba()[at], image.rgba()[at + 1], image.rgba()[at + 2]]
}

/// A renderer on a device.
pub(crate) struct Painter<'g> {
    gpu: &'g Gpu,
    pub(crate) renderer: Renderer,
}

impl<'g> Painter<'g> {
    pub(crate) fn new(gpu: &'g Gpu, settings: RenderSettings) -> Self {
        let renderer = Renderer::new(gpu, OffscreenTarget::FORMAT, settings).unwrap();
        Self { gpu, renderer }
    }

    /// Draws a scene; the device has nothing to complain about.
    pub(crate) fn draw(&mut self, scene: &SceneView<'_>, size: Size) -> Image {
        let target = OffscreenTarget::new(self.gpu, size).unwrap();
        self.submit(scene, &target);
        let image = target.read(self.gpu).unwrap();
        self.gpu.check().unwrap();
        image
    }

    /// Has a scene drawn and does not wait for it.
    pub(crate) fn submit(&mut self, scene: &SceneView<'_>, target: &OffscreenTarget) {
        self.renderer.draw(self.gpu, scene, target.target()).unwrap();
    }
}

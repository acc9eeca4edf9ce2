//! A device and a renderer.

use cubefall::render::{
    Culling, Effects, Geometry, Gpu, GpuSettings, Image, OffscreenTarget, RenderError,
    RenderSettings, Renderer, SceneView, Size, Streaming,
};

/// Opens a device; panics with instructions if there is none.
pub(crate) fn gpu() -> Gpu {
    streaming_gpu(None).expect("both ways of streaming are allowed")
}

/// Opens a device with a way of streaming; `None` if the adapter does not support it.
pub(crate) fn streaming_gpu(streaming: Option<Streaming>) -> Option<Gpu> {
    let settings = GpuSettings { streaming, ..GpuSettings::default() };
    match pollster::block_on(Gpu::headless(&settings)) {
        Ok(gpu) => Some(gpu),
        Err(error @ RenderError::NotMappable) => {
            println!("skipping mapped streaming: {error}");
            None
        }
        Err(error) => panic!("{error}\nSet up this machine with: ./setup.sh --tests"),
    }
}

/// Vertex pulling without culling.
pub(crate) const fn exact(effects: Effects) -> RenderSettings {
    RenderSettings { effects, geometry: Geometry::Pulled, culling: Culling::OFF }
}

/// Red, green and blue of a pixel.
pub(crate) fn pixel(image: &Image, x: u32, y: u32) -> [u8; 3] {
    let at = (y * image.size().width() + x) as usize * 4;
    [image.rgba()[at], image.rgba()[at + 1], image.rgba()[at + 2]]
}

/// A renderer on a device.
pub(crate) struct Harness<'g> {
    gpu: &'g Gpu,
    pub(crate) renderer: Renderer,
}

impl<'g> Harness<'g> {
    pub(crate) fn new(gpu: &'g Gpu, settings: RenderSettings) -> Self {
        let renderer = Renderer::new(gpu, OffscreenTarget::FORMAT, settings).unwrap();
        Self { gpu, renderer }
    }

    /// Draws a scene, and asserts that the device reports no error.
    pub(crate) fn draw(&mut self, scene: &SceneView<'_>, size: Size) -> Image {
        let target = OffscreenTarget::new(self.gpu, size).unwrap();
        self.submit(scene, &target);
        let image = target.read(self.gpu).unwrap();
        self.gpu.check().unwrap();
        image
    }

    /// Draws a scene without waiting for it.
    pub(crate) fn submit(&mut self, scene: &SceneView<'_>, target: &OffscreenTarget) {
        self.renderer.draw(self.gpu, scene, target.target()).unwrap();
    }
}

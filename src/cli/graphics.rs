//! Picture: on which adapter and how the cubes are drawn.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::render::{
    Backend, Culling, Effects, Geometry, Gpu, GpuSettings, Quality, RenderSettings, Streaming,
};

/// Longest edge of a cube that may be drawn as a small one, in pixels.
const LARGEST_SMALL: f32 = 16.0;

/// Which adapter draws, and how.
#[derive(Args, Clone, Debug)]
pub struct GraphicsArgs {
    /// How much the picture asks of the adapter; see the README for what each brings [default: low
    /// on the CPU, medium on an integrated or virtual GPU, high on others; high for `render`]
    #[arg(long, value_enum, value_name = "QUALITY")]
    pub quality: Option<Quality>,
    /// Shadows [default: as --quality says]
    #[arg(long, value_name = "on|off", value_parser = on_or_off())]
    pub shadows: Option<bool>,
    /// Smooth edges by four samples to a pixel [default: as --quality says]
    #[arg(long, value_name = "on|off", value_parser = on_or_off())]
    pub msaa: Option<bool>,
    /// Cubes that fade into the sky with distance, as the ground always does [default: as --quality
    /// says]
    #[arg(long, value_name = "on|off", value_parser = on_or_off())]
    pub fog: Option<bool>,
    /// The plane the cubes vanish in [default: on]
    #[arg(long, value_name = "on|off", value_parser = on_or_off())]
    pub ground: Option<bool>,
    /// Leave out cubes that are not in the picture; pulled ones only [default: on where the CPU draws;
    /// off for `render`]
    #[arg(long, value_name = "on|off", value_parser = on_or_off())]
    pub culling: Option<bool>,
    /// Draw cubes whose edge is shorter than this as one triangle, pulled ones only; 0 for none
    /// [default: 3 where the CPU draws, else 0; 0 for `render`]
    #[arg(long, value_name = "PIXELS", value_parser = small_cubes)]
    pub small_cubes: Option<f32>,
    /// How cubes become triangles [default: pulled where the adapter can]
    #[arg(long, value_enum, value_name = "WAY")]
    pub geometry: Option<Geometry>,
    /// Only adapters of this interface
    #[arg(long, value_enum, value_name = "NAME")]
    pub backend: Option<Backend>,
    /// Only an adapter with this in its name; `cubefall adapters` lists them
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Fail if there is only an adapter that draws on the CPU
    #[arg(long)]
    pub require_gpu: bool,
    /// How data gets to the adapter [default: mapped where CPU and GPU share memory]
    #[arg(long, value_enum, value_name = "WAY")]
    pub streaming: Option<Streaming>,
}

impl GraphicsArgs {
    /// The adapter these flags ask for.
    #[must_use]
    pub fn gpu(&self) -> GpuSettings {
        GpuSettings {
            backend: self.backend,
            adapter: self.adapter.clone(),
            require_gpu: self.require_gpu,
            streaming: self.streaming,
        }
    }

    /// How a window is drawn by an adapter, where speed counts.
    #[must_use]
    pub fn live(&self, gpu: &Gpu) -> RenderSettings {
        // Choosing costs the CPU some nanoseconds a cube, which a GPU can draw in less.
        let culling = if gpu.is_software() { Culling::ON } else { Culling::OFF };
        self.resolve(gpu.recommended_quality(), culling)
    }

    /// How a single picture is drawn, where only the result counts.
    #[must_use]
    pub fn still(&self) -> RenderSettings {
        self.resolve(Quality::High, Culling::OFF)
    }

    fn resolve(&self, quality: Quality, culling: Culling) -> RenderSettings {
        let preset = self.quality.unwrap_or(quality).effects();
        RenderSettings {
            effects: Effects {
                ground: self.ground.unwrap_or(preset.ground),
                fog: self.fog.unwrap_or(preset.fog),
                msaa: self.msaa.unwrap_or(preset.msaa),
                shadows: self.shadows.unwrap_or(preset.shadows),
            },
            geometry: self.geometry.unwrap_or(Geometry::Pulled),
            culling: Culling {
                frustum: self.culling.unwrap_or(culling.frustum),
                small_below: self.small_cubes.unwrap_or(culling.small_below),
            },
        }
    }
}

/// Reads the two words that the help names, so that an error can list them.
pub(super) fn on_or_off() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

fn small_cubes(text: &str) -> Result<f32, String> {
    let pixels = text.parse().ok().filter(|pixels| (0.0..=LARGEST_SMALL).contains(pixels));
    pixels.ok_or_else(|| format!("a number of pixels from 0 to {LARGEST_SMALL}, such as 3"))
}

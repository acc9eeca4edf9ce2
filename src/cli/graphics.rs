//! Graphics: flags for the adapter and the render settings.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::values::{number, on_or_off};
#[cfg(feature = "benchmark")]
use crate::benchmark::RunResult;
use crate::components::Motion;
use crate::render::{
    AmbientOcclusion, Backend, Culling, Effects, Geometry, Gpu, GpuSettings, Quality,
    RenderSettings, Streaming,
};

/// Largest accepted value of `--small-cubes`, in pixels.
const MAX_SMALL_CUBES: f32 = 16.0;

/// Heading of these flags in `--help`.
const HEADING: &str = "Graphics";

/// Which adapter renders.
#[derive(Args, Clone, Default, Debug)]
pub struct AdapterArgs {
    /// Use only adapters of this graphics API
    #[arg(long, value_enum, value_name = "API", help_heading = HEADING)]
    pub backend: Option<Backend>,
    /// Use an adapter with NAME in its name; `cubefall adapters` lists them
    #[arg(id = "adapter", long, value_name = "NAME", help_heading = HEADING)]
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub name: Option<String>,
    /// Fail if only a CPU adapter is available
    #[arg(long, help_heading = HEADING)]
    pub require_gpu: bool,
}

impl AdapterArgs {
    /// Returns the settings for opening the device.
    pub fn gpu(&self) -> GpuSettings {
        GpuSettings {
            backend: self.backend,
            adapter: self.name.clone(),
            require_gpu: self.require_gpu,
            ..GpuSettings::default()
        }
    }
}

/// Which adapter renders, and with which settings.
///
/// Flags that are not given depend on the adapter, so they are resolved when it is known.
#[derive(Args, Clone, Debug)]
pub struct GraphicsArgs {
    /// Quality preset [default: low on a CPU adapter, medium on an integrated or virtual GPU, high on
    /// other GPUs; high for `render` and `record`; the window: as last used]
    #[arg(long, value_enum, value_name = "QUALITY", help_heading = HEADING)]
    pub quality: Option<Quality>,
    /// Which effects are drawn.
    #[command(flatten)]
    pub effects: EffectArgs,
    /// Skip cubes outside the view; pulled geometry only [default: on with a CPU adapter or evaluated
    /// motion, else off; off for `render` and `record`; the window: as last used]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub culling: Option<bool>,
    /// Draw cubes smaller than this, at most 16, as one triangle, 0 for none; pulled geometry only [default: 3
    /// with a CPU adapter, else 1 with evaluated motion, else 0; 0 for `render` and `record`]
    #[arg(long, value_name = "PIXELS", value_parser = small_cubes, help_heading = HEADING)]
    pub small_cubes: Option<f32>,
    /// How cubes become triangles [default: pulled where supported]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = HEADING)]
    pub geometry: Option<Geometry>,
    /// Which adapter renders.
    #[command(flatten)]
    pub adapter: AdapterArgs,
    /// How data is uploaded to the GPU [default: mapped if CPU and GPU share memory]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = HEADING)]
    pub streaming: Option<Streaming>,
}

/// Which effects are drawn; those that are not given are the ones of the quality.
#[derive(Args, Clone, Copy, PartialEq, Default, Debug)]
pub struct EffectArgs {
    /// Shadows [default: set by --quality]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub shadows: Option<bool>,
    /// Antialiasing with four samples per pixel [default: set by --quality]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub msaa: Option<bool>,
    /// Fog that fades distant cubes into the sky [default: set by --quality]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub fog: Option<bool>,
    /// Ambient occlusion: by the depth in the block of cubes, or in screen space as well [default: set by
    /// --quality]
    #[arg(long, value_enum, value_name = "METHOD", help_heading = HEADING)]
    pub ao: Option<AmbientOcclusion>,
    /// Glow around cubes that emit light, not with OpenGL [default: set by --quality]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub bloom: Option<bool>,
    /// Noise against bands in gradients [default: set by --quality]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub dither: Option<bool>,
    /// Ground plane [default: on]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    pub ground: Option<bool>,
}

impl EffectArgs {
    fn over(self, preset: Effects) -> Effects {
        Effects {
            ground: self.ground.unwrap_or(preset.ground),
            fog: self.fog.unwrap_or(preset.fog),
            msaa: self.msaa.unwrap_or(preset.msaa),
            shadows: self.shadows.unwrap_or(preset.shadows),
            ao: self.ao.unwrap_or(preset.ao),
            bloom: self.bloom.unwrap_or(preset.bloom),
            dither: self.dither.unwrap_or(preset.dither),
        }
    }
}

impl GraphicsArgs {
    /// Returns a warning about flags that had no effect in a run: the adapter or other flags exclude them.
    #[cfg(feature = "benchmark")]
    pub fn without_effect(&self, run: &RunResult) -> Option<String> {
        let RenderSettings { geometry, effects, culling } = &run.graphics;
        let geometry = self.geometry.filter(|asked| asked != geometry);
        let ao = self.effects.ao.filter(|asked| *asked != effects.ao);
        let bloom = self.effects.bloom == Some(true) && !effects.bloom;
        let frustum = self.culling == Some(true) && !culling.frustum;
        let small = self.small_cubes.filter(|pixels| *pixels > 0.0 && culling.small_below <= 0.0);
        let streaming = self.streaming.filter(|asked| *asked != run.streaming);
        let flags = [
            geometry.map(|asked| format!("--geometry {asked}")),
            ao.map(|asked| format!("--ao {asked}")),
            bloom.then(|| "--bloom on".to_owned()),
            frustum.then(|| "--culling on".to_owned()),
            small.map(|pixels| format!("--small-cubes {pixels}")),
            streaming.map(|asked| format!("--streaming {}", asked.name())),
        ];
        let flags: Vec<_> = flags.into_iter().flatten().collect();
        (!flags.is_empty()).then(|| {
            format!(
                "without effect here, because of the adapter or of other flags: {}",
                flags.join(", ")
            )
        })
    }

    /// Chooses the effects of a quality together, instead of one by one. The ground, which is in all, stays as it is.
    pub fn set_quality(&mut self, quality: Quality) {
        self.quality = Some(quality);
        self.effects = EffectArgs { ground: self.effects.ground, ..EffectArgs::default() };
    }

    /// Returns `true` if a flag sets a single effect other than the ground.
    pub fn sets_effects(&self) -> bool {
        EffectArgs { ground: None, ..self.effects } != EffectArgs::default()
    }

    /// Returns the criteria for choosing an adapter.
    pub fn gpu(&self) -> GpuSettings {
        GpuSettings { streaming: self.streaming, ..self.adapter.gpu() }
    }

    /// Returns the settings for windows and benchmarks: defaults depend on the adapter, and on the motion of the
    /// cubes.
    pub fn live(&self, gpu: &Gpu, motion: Motion) -> RenderSettings {
        self.resolve(gpu.recommended_quality(), recommended_culling(gpu.is_software(), motion))
    }

    /// Returns the settings for images and videos: best quality by default, on every adapter.
    pub fn still(&self) -> RenderSettings {
        self.resolve(Quality::default(), Culling::default())
    }

    fn resolve(&self, quality: Quality, culling: Culling) -> RenderSettings {
        RenderSettings {
            effects: self.effects.over(self.quality.unwrap_or(quality).effects()),
            geometry: self.geometry.unwrap_or_default(),
            culling: Culling {
                frustum: self.culling.unwrap_or(culling.frustum),
                small_below: self.small_cubes.unwrap_or(culling.small_below),
            },
        }
    }
}

fn recommended_culling(is_software: bool, motion: Motion) -> Culling {
    match motion {
        _ if is_software => Culling::ON,
        // The GPU culls, which takes it less time than drawing.
        Motion::Evaluated => Culling { frustum: true, small_below: 1.0 },
        // The CPU would cull, and up to 100,000 cubes the GPU would save no time.
        Motion::Integrated => Culling::OFF,
    }
}

fn small_cubes(text: &str) -> Result<f32, String> {
    number(text, 0.0..=MAX_SMALL_CUBES, "pixels")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Flags {
        #[command(flatten)]
        graphics: GraphicsArgs,
    }

    fn culling(flags: &[&str], is_software: bool, motion: Motion) -> Culling {
        let Flags { graphics } = Flags::parse_from([&["test"], flags].concat());
        graphics.resolve(Quality::Low, recommended_culling(is_software, motion)).culling
    }

    #[test]
    fn flags_of_effects_replace_those_of_the_quality() {
        let flags = "test --quality low --ao screen --bloom on --dither on --ground off";
        let Flags { graphics } = Flags::parse_from(flags.split(' '));
        let ao = AmbientOcclusion::Screen;
        let low = Quality::Low.effects();
        let expected = Effects { ao, bloom: true, dither: true, ground: false, ..low };
        assert_eq!(graphics.still().effects, expected);
        let flags = "test --quality high --fog off --msaa off --shadows off --bloom off";
        let Flags { graphics } = Flags::parse_from(flags.split(' '));
        let high = Quality::High.effects();
        let expected = Effects { fog: false, msaa: false, shadows: false, bloom: false, ..high };
        assert_eq!(graphics.still().effects, expected);
    }

    #[test]
    fn images_and_videos_have_the_default_settings_of_the_library() {
        let Flags { graphics } = Flags::parse_from(["test"]);
        let settings = RenderSettings::default();
        assert_eq!(graphics.still(), settings);
        assert_eq!((settings.effects, settings.culling), (Quality::High.effects(), Culling::OFF));
        assert_eq!(settings.geometry, Geometry::Pulled);
    }

    #[test]
    fn only_a_gpu_that_would_leave_culling_to_the_cpu_draws_every_cube() {
        for motion in Motion::ALL {
            assert_eq!(culling(&[], true, motion), Culling::ON);
        }
        assert_eq!(culling(&[], false, Motion::Integrated), Culling::OFF);
        let evaluated = culling(&[], false, Motion::Evaluated);
        assert!(evaluated.frustum && evaluated.small_below < Culling::ON.small_below);
        let all = ["--culling", "off", "--small-cubes", "0"];
        assert_eq!(culling(&all, false, Motion::Evaluated), Culling::OFF);
        let visible = ["--culling", "on"];
        assert!(culling(&visible, false, Motion::Integrated).frustum);
    }
}

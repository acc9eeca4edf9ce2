//! The reference renderer: casts a ray through each sample of a pixel.

use cubefall::render::{AmbientOcclusion, Effects, SceneView, Size};
use glam::DVec3;

use crate::block::Block;
use crate::camera::Camera;
use crate::cube::Cube;
use crate::ground::Ground;
use crate::light;
use crate::shadows::Shadows;

/// Sample position without multisampling.
const CENTER: [[f64; 2]; 1] = [[0.5, 0.5]];

/// Sample positions with four samples, the same in Direct3D, Metal and Vulkan.
const FOUR: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// A sample is compared if the same face is visible this far around it, in pixels: adapters
/// snap corners to 1/256 of a pixel, and `f32` puts them off by no more.
const ASIDE: f64 = 1.0 / 32.0;

/// Tolerance of a stored channel, from 0 to 255: half a step for rounding to a byte,
/// a tenth that Direct3D allows for encoding sRGB (Mesa needs a little
/// more), and a tenth for `f32`.
pub(crate) const STORED: f64 = 0.75;

/// Lower and upper bounds of the channels of a pixel, from 0 to 255.
pub(crate) type Bounds = [[f64; 3]; 2];

#[derive(Clone, Copy, PartialEq)]
enum Surface {
    Sky,
    Ground,
    Face { cube: usize, face: usize },
}

#[derive(Clone, Copy)]
struct Sample {
    surface: Surface,
    normal: DVec3,
    /// Distance of the surface's plane from the camera, along its normal.
    offset: f64,
}

/// A scene for ray casting.
pub(crate) struct Reference {
    camera: Camera,
    cubes: Vec<Cube>,
    ground: Ground,
    block: Block,
    shadow_center: DVec3,
    extent: f64,
    /// Distance at which 1/e of a surface is visible through fog, in m.
    fog: f64,
    /// Light of the sky straight down.
    nadir: DVec3,
    size: Size,
}

impl Reference {
    pub(crate) fn new(scene: &SceneView<'_>, size: Size) -> Self {
        Self {
            camera: Camera::new(scene, size),
            cubes: Cube::all(scene),
            ground: Ground {
                height: scene.ground_height.into(),
                fog: scene.light.fog_distance.into(),
            },
            block: Block::new(scene),
            shadow_center: scene.shadow_center.0.as_dvec3(),
            extent: scene.shadow_half_extent.into(),
            fog: scene.light.fog_distance.into(),
            nadir: scene.light.nadir.as_dvec3(),
            size,
        }
    }

    /// Bounds of each pixel; `None` near edges and the rims of shadows. The
    /// ground is always drawn.
    pub(crate) fn expected(&self, effects: Effects) -> Vec<Option<Bounds>> {
        let shadows = Shadows::new(&self.cubes, self.shadow_center, self.extent);
        let row = |y: u32| {
            let across = self.camera.across_row(f64::from(y) + 0.5);
            let slope = self.camera.pixel();
            let met: Vec<usize> = (0..self.cubes.len())
                .filter(|&i| self.cubes[i].meets_plane(self.camera.eye, across, slope))
                .collect();
            let pixel = |x: u32| self.pixel(&met, [x, y], &shadows, effects);
            (0..self.size.width()).map(pixel).collect::<Vec<_>>()
        };
        (0..self.size.height()).flat_map(row).collect()
    }

    /// The mean of the samples of a pixel.
    fn pixel(
        &self,
        met: &[usize],
        at: [u32; 2],
        shadows: &Shadows<'_>,
        effects: Effects,
    ) -> Option<Bounds> {
        let [x, y] = at.map(f64::from);
        let places = if effects.msaa { &FOUR[..] } else { &CENTER };
        let mut seen: Vec<(Surface, [[f64; 3]; 2])> = Vec::new();
        for [right, down] in places {
            let sample = self.sample(met, x + right, y + down)?;
            let bounds = match seen.last() {
                Some((surface, bounds)) if *surface == sample.surface => *bounds,
                _ => self.shaded(&sample, at, shadows, effects)?.map(light::encoded),
            };
            seen.push((sample.surface, bounds));
        }
        let (surface, bounds) = seen[0];
        if seen.iter().all(|sample| sample.0 == surface) {
            return Some(bounds);
        }
        // Samples are stored before the mean is taken, and some GPUs may round their sum before they encode it.
        let stored = [-STORED, STORED];
        let rounded = [-0.5, 0.5];
        let bounds = [0, 1].map(|bound| {
            let samples = seen.iter().map(|sample| sample.1[bound].map(|e| e + stored[bound]));
            let sum: DVec3 = samples.map(light::decoded).sum();
            light::encoded(sum / seen.len() as f64).map(|e| e + rounded[bound])
        });
        Some(bounds)
    }

    /// The surface at a point of the image; `None` if it is not the same all around.
    fn sample(&self, met: &[usize], x: f64, y: f64) -> Option<Sample> {
        let sample = self.cast(met, self.camera.ray(x, y));
        let aside = [(-ASIDE, -ASIDE), (ASIDE, -ASIDE), (-ASIDE, ASIDE), (ASIDE, ASIDE)];
        let mut around = aside.iter().map(|(right, down)| self.camera.ray(x + right, y + down));
        around.all(|ray| self.cast(met, ray).surface == sample.surface).then_some(sample)
    }

    /// The first surface along a ray. Faces are visible from outside, beyond the near plane.
    fn cast(&self, met: &[usize], ray: DVec3) -> Sample {
        let Camera { eye, near, .. } = self.camera;
        let mut first = Sample { surface: Surface::Sky, normal: DVec3::ZERO, offset: 0.0 };
        let mut nearest = f64::INFINITY;
        if let Some(along) = self.ground.entry(&self.camera, ray) {
            nearest = along;
            let offset = self.ground.height - eye.y;
            first = Sample { surface: Surface::Ground, normal: DVec3::Y, offset };
        }
        for &cube in met {
            if !self.cubes[cube].is_near(eye, ray, 0.0) {
                continue;
            }
            let Some(entry) = self.cubes[cube].entry(eye, ray) else { continue };
            if entry.along >= near && entry.along < nearest {
                nearest = entry.along;
                first = Sample {
                    surface: Surface::Face { cube, face: entry.face },
                    normal: entry.normal,
                    offset: entry.normal.dot(ray * entry.along),
                };
            }
        }
        first
    }

    /// Lower and upper bounds of the displayed light of a surface. All samples of a pixel are
    /// shaded at its center, even where the surface does not reach it.
    fn shaded(
        &self,
        sample: &Sample,
        at: [u32; 2],
        shadows: &Shadows<'_>,
        effects: Effects,
    ) -> Option<[DVec3; 2]> {
        let [x, y] = at.map(f64::from);
        let ray = self.camera.ray(x + 0.5, y + 0.5);
        let normal = sample.normal;
        let ray = ray
            * if sample.surface == Surface::Sky { 1.0 } else { sample.offset / normal.dot(ray) };
        let place = self.camera.eye + ray;
        let visible = if effects.shadows && light::key_share(normal) > 0.0 {
            shadows.visible(place)?
        } else {
            1.0
        };
        // A face has the light of its cube's center.
        let surface = |albedo, place, emission: f64, fog| {
            let occluded = effects.ao != AmbientOcclusion::Off;
            let open = if occluded { self.block.ambient(place, normal) } else { 1.0 };
            let dim = if occluded && !effects.shadows { self.block.key(place) } else { 1.0 };
            let light = light::reflected(albedo, normal, visible * dim, open) + albedo * emission;
            let sky = light::sky(ray, self.nadir);
            let foggy = || light::through_fog(light, ray, self.fog, sky);
            light::tone_mapped(if fog { foggy() } else { light })
        };
        let dithered = |color, dithers| if dithers { light::dithered(color, at) } else { color };
        Some(match sample.surface {
            Surface::Sky => {
                let sky = light::tone_mapped(light::sky(ray, self.nadir));
                [dithered(sky, effects.dither); 2]
            }
            Surface::Face { cube, .. } => {
                let Cube { center, albedo, emission, .. } = self.cubes[cube];
                let color = surface(albedo, center, emission, effects.fog);
                // Faces of a single color are not.
                let dithers = effects.dither && (effects.fog || effects.shadows || effects.bloom);
                [dithered(color, dithers); 2]
            }
            Surface::Ground => {
                let albedos = self.ground.albedos(&self.camera, at);
                let colors = albedos
                    .map(|albedo| dithered(surface(albedo, place, 0.0, true), effects.dither))
                    .into_iter();
                [colors.clone().reduce(DVec3::min)?, colors.reduce(DVec3::max)?]
            }
        })
    }
}

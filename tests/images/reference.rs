//! Reference: what the picture has to be, found by casting a ray to each sample of a pixel.

use cubefall::render::{Effects, SceneView, Size};
use glam::DVec3;

use crate::camera::Camera;
use crate::light;
use crate::plane::Plane;
use crate::shade::Shade;
use crate::solid::Solid;

/// Where the only sample of a pixel lies.
const CENTER: [[f64; 2]; 1] = [[0.5, 0.5]];

/// Where four of them lie: the same in Direct3D, Metal and Vulkan.
const FOUR: [[f64; 2]; 4] = [[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]];

/// How far around a sample the same face has to be seen for it to be compared, in pixels: adapters
/// snap corners to 1/256 of a pixel, and `f32` puts them off by no more.
const ASIDE: f64 = 1.0 / 32.0;

/// How far off a channel may be when it is stored, from 0 to 255: half a step of rounding to a byte;
/// the encoding as sRGB, which Direct3D allows to be off by another tenth and Mesa takes a little
/// more of; and a tenth for `f32`.
pub(crate) const STORED: f64 = 0.75;

/// The least and the most that the channels of a pixel may be, from 0 to 255.
pub(crate) type Bounds = [[f64; 3]; 2];

#[derive(Clone, Copy, PartialEq)]
enum Surface {
    Sky,
    Ground,
    Face { solid: usize, face: usize },
}

#[derive(Clone, Copy)]
struct Sample {
    surface: Surface,
    normal: DVec3,
    /// How far the surface's plane is from the camera, along its normal.
    offset: f64,
}

/// A scene seen by rays.
pub(crate) struct Reference {
    camera: Camera,
    solids: Vec<Solid>,
    plane: Plane,
    extent: f64,
    size: Size,
}

impl Reference {
    pub(crate) fn new(scene: &SceneView<'_>, size: Size) -> Self {
        Self {
            camera: Camera::new(scene, size),
            solids: Solid::all(scene),
            plane: Plane { height: scene.ground_height.into() },
            extent: scene.shadow_extent.into(),
            size,
        }
    }

    /// What each pixel may be; nothing where an edge or the rim of a shadow is too near to say. The
    /// ground is always there.
    pub(crate) fn expected(&self, effects: Effects) -> Vec<Option<Bounds>> {
        let shade = Shade::new(&self.solids, self.extent);
        let row = |y: u32| {
            let across = self.camera.across_row(f64::from(y) + 0.5);
            let slope = self.camera.pixel();
            let met: Vec<usize> = (0..self.solids.len())
                .filter(|&i| self.solids[i].meets_plane(self.camera.eye, across, slope))
                .collect();
            let pixel = |x: u32| self.pixel(&met, [x, y], &shade, effects);
            (0..self.size.width()).map(pixel).collect::<Vec<_>>()
        };
        (0..self.size.height()).flat_map(row).collect()
    }

    /// The mean of the samples of a pixel.
    fn pixel(
        &self,
        met: &[usize],
        at: [u32; 2],
        shade: &Shade<'_>,
        effects: Effects,
    ) -> Option<Bounds> {
        let [x, y] = at.map(f64::from);
        let places = if effects.msaa { &FOUR[..] } else { &CENTER };
        let mut seen: Vec<(Surface, [[f64; 3]; 2])> = Vec::new();
        for [right, down] in places {
            let sample = self.sample(met, x + right, y + down)?;
            let bounds = match seen.last() {
                Some((surface, bounds)) if *surface == sample.surface => *bounds,
                _ => self.shaded(&sample, at, shade, effects)?.map(light::encoded),
            };
            seen.push((sample.surface, bounds));
        }
        let (surface, bounds) = seen[0];
        if seen.iter().all(|sample| sample.0 == surface) {
            return Some(bounds);
        }
        // Samples are stored before the mean is taken.
        let stored = [-STORED, STORED];
        let bounds = [0, 1].map(|bound| {
            let samples = seen.iter().map(|sample| sample.1[bound].map(|e| e + stored[bound]));
            let sum: DVec3 = samples.map(light::decoded).sum();
            light::encoded(sum / seen.len() as f64)
        });
        Some(bounds)
    }

    /// What is seen at a place of the picture; nothing if it is not the same all around.
    fn sample(&self, met: &[usize], x: f64, y: f64) -> Option<Sample> {
        let sample = self.cast(met, self.camera.ray(x, y));
        let aside = [(-ASIDE, -ASIDE), (ASIDE, -ASIDE), (-ASIDE, ASIDE), (ASIDE, ASIDE)];
        let mut around = aside.iter().map(|(right, down)| self.camera.ray(x + right, y + down));
        around.all(|ray| self.cast(met, ray).surface == sample.surface).then_some(sample)
    }

    /// What a ray meets first. Only the outside of a face is seen, and only from the near plane on.
    fn cast(&self, met: &[usize], ray: DVec3) -> Sample {
        let Camera { eye, near, .. } = self.camera;
        let mut first = Sample { surface: Surface::Sky, normal: DVec3::ZERO, offset: 0.0 };
        let mut nearest = f64::INFINITY;
        if let Some(along) = self.plane.entry(&self.camera, ray) {
            nearest = along;
            let offset = self.plane.height - eye.y;
            first = Sample { surface: Surface::Ground, normal: DVec3::Y, offset };
        }
        for &solid in met {
            if !self.solids[solid].is_near(eye, ray, 0.0) {
                continue;
            }
            let Some(entry) = self.solids[solid].entry(eye, ray) else { continue };
            if entry.along >= near && entry.along < nearest {
                nearest = entry.along;
                first = Sample {
                    surface: Surface::Face { solid, face: entry.face },
                    normal: entry.normal,
                    offset: entry.normal.dot(ray * entry.along),
                };
            }
        }
        first
    }

    /// The least and the most light that a surface sends to the display. All samples of a pixel are
    /// shaded at its centre, also where the surface ends before it.
    fn shaded(
        &self,
        sample: &Sample,
        at: [u32; 2],
        shade: &Shade<'_>,
        effects: Effects,
    ) -> Option<[DVec3; 2]> {
        let [x, y] = at.map(f64::from);
        let ray = self.camera.ray(x + 0.5, y + 0.5);
        let normal = sample.normal;
        let ray = ray
            * if sample.surface == Surface::Sky { 1.0 } else { sample.offset / normal.dot(ray) };
        let visible = if effects.shadows && light::key_share(normal) > 0.0 {
            shade.visible(self.camera.eye + ray)?
        } else {
            1.0
        };
        let surface = |albedo, fog| {
            let reflected = light::reflected(albedo, normal, visible);
            light::tone_mapped(if fog { light::through_fog(reflected, ray) } else { reflected })
        };
        Some(match sample.surface {
            Surface::Sky => [light::tone_mapped(light::sky(ray)); 2],
            Surface::Face { solid, .. } => [surface(self.solids[solid].albedo, effects.fog); 2],
            Surface::Ground => {
                let albedos = self.plane.albedos(&self.camera, at);
                let colors = albedos.map(|albedo| surface(albedo, true)).into_iter();
                [colors.clone().reduce(DVec3::min)?, colors.reduce(DVec3::max)?]
            }
        })
    }
}

//! The ground and its grid.

use glam::{DVec2, DVec3};

use crate::camera::Camera;
use crate::light::smooth;

/// Half the edge of the ground, which follows the camera, in m, at least.
const HALF_EDGE: f64 = 1500.0;
/// The same in distances of the fog.
const FOG_DISTANCES: f64 = 2.5;
const BARE: DVec3 = DVec3::new(0.22, 0.24, 0.25);
const PAINTED: DVec3 = DVec3::new(0.62, 0.64, 0.62);

/// The ground.
pub(crate) struct Ground {
    pub(crate) height: f64,
    /// Distance of the fog, in m.
    pub(crate) fog: f64,
}

impl Ground {
    /// Multiple of a ray from the camera at which it meets the ground, negative behind the camera.
    pub(crate) fn along(&self, camera: &Camera, ray: DVec3) -> f64 {
        (self.height - camera.eye.y) / ray.y
    }

    /// Where a ray meets the ground, within its edges.
    pub(crate) fn entry(&self, camera: &Camera, ray: DVec3) -> Option<f64> {
        let along = self.along(camera, ray);
        let reach = (ray * along).abs();
        let half_edge = HALF_EDGE.max(FOG_DISTANCES * self.fog);
        let met = along >= camera.near && reach.x <= half_edge && reach.z <= half_edge;
        met.then_some(along)
    }

    /// Possible colors at a pixel. Lines are at least a pixel wide, and an adapter derives the width of a
    /// pixel from its neighbors in a block of two by two. WGSL leaves open which row and which column
    /// of the block it uses.
    pub(crate) fn albedos(&self, camera: &Camera, [x, y]: [u32; 2]) -> [DVec3; 4] {
        let place = |x: u32, y: u32| {
            let ray = camera.ray(f64::from(x) + 0.5, f64::from(y) + 0.5);
            let at = camera.eye + ray * self.along(camera, ray);
            DVec2::new(at.x, at.z)
        };
        let (left, top) = (x & !1, y & !1);
        let across = [0, 1].map(|row| (place(left + 1, top + row) - place(left, top + row)).abs());
        let down =
            [0, 1].map(|column| (place(left + column, top + 1) - place(left + column, top)).abs());
        let here = place(x, y);
        let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
        pairs.map(|(row, column)| albedo(here, across[row] + down[column]))
    }
}

fn albedo(place: DVec2, pixel: DVec2) -> DVec3 {
    let fine = 0.55 * lines(place, pixel, 10.0, 0.06);
    let painted = fine.max(lines(place, pixel, 50.0, 0.15));
    BARE + (PAINTED - BARE) * painted
}

/// Fraction of a pixel covered by the lines of a square grid.
fn lines(place: DVec2, pixel: DVec2, spacing: f64, half_width: f64) -> f64 {
    let [across, down] = [0, 1].map(|axis| {
        let (pixel, wanted) = (pixel[axis] / spacing, half_width / spacing);
        let half = wanted.max(0.5 * pixel).min(0.5);
        let cells = place[axis] / spacing;
        let off = (cells - cells.round()).abs();
        let soft = 0.75 * pixel;
        let line = (1.0 - smooth(half - soft, half + soft, off)) * (wanted / half).min(1.0);
        // Lines closer than pixels become a mean gray.
        let fading = (2.0 * pixel - 1.0).clamp(0.0, 1.0);
        line + (2.0 * wanted - line) * fading
    });
    across + (1.0 - across) * down
}

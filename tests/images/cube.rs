//! Intersection of rays with cubes.

use cubefall::components::EndlessField;
use cubefall::render::SceneView;
use glam::DVec3;

use crate::camera::axes;
use crate::light::{decoded, smooth};

/// A cube in the world.
pub(crate) struct Cube {
    pub(crate) center: DVec3,
    axes: [DVec3; 3],
    half: f64,
    /// Linear color.
    pub(crate) albedo: DVec3,
    /// Emitted light as a multiple of the albedo.
    pub(crate) emission: f64,
}

/// Where a line enters a cube.
pub(crate) struct Entry {
    /// Multiple of the line's direction.
    pub(crate) along: f64,
    /// Index of the face, 0 to 5.
    pub(crate) face: usize,
    /// Outward normal of the face.
    pub(crate) normal: DVec3,
}

/// Center and edge with which a cube of an endless field is drawn: at its nearest image, smaller where
/// that image changes at half the period and where the camera would enter the cube.
fn placed(field: EndlessField, eye: DVec3, center: DVec3, edge: f64) -> (DVec3, f64) {
    let (period, strength) = (field.period.as_dvec3(), f64::from(field.strength));
    let mut image = center;
    for axis in 0..3 {
        while image[axis] - eye[axis] > period[axis] / 2.0 {
            image[axis] -= period[axis];
        }
        while image[axis] - eye[axis] < -period[axis] / 2.0 {
            image[axis] += period[axis];
        }
    }
    let reach = ((image - eye).abs() / (period / 2.0)).max_element();
    let (moves, arrives) = (image != center, strength >= 0.5);
    let drawn = if arrives { image } else { center };
    let gap = (drawn - eye).length() - edge * 0.867;
    let shown = (1.0 - smooth(0.80, 0.97, reach)) * smooth(0.2, f64::max(2.0, edge * 0.867), gap);
    let factor = 1.0 - strength * (1.0 - shown);
    (drawn, edge * factor * if moves { (2.0 * strength - 1.0).abs() } else { 1.0 })
}

impl Cube {
    /// All cubes of a scene.
    pub(crate) fn all(scene: &SceneView<'_>) -> Vec<Self> {
        (0..scene.positions.values.len())
            .map(|i| {
                let center = scene.positions.values[i].0.as_dvec3();
                let edge = f64::from(scene.scales.values[i].0);
                let eye = scene.camera_position.0.as_dvec3();
                let (center, edge) = match scene.field {
                    Some(field) => placed(field, eye, center, edge),
                    None => (center, edge),
                };
                Self {
                    center,
                    axes: axes(scene.rotations.values[i]),
                    half: edge / 2.0,
                    albedo: decoded(scene.colors.values[i].to_srgb().map(f64::from)),
                    emission: scene.colors.values[i].emission().into(),
                }
            })
            .collect()
    }

    /// Whether a line comes within `margin` of the bounding sphere.
    pub(crate) fn is_near(&self, origin: DVec3, direction: DVec3, margin: f64) -> bool {
        let to = self.center - origin;
        let along = to.dot(direction) / direction.length_squared();
        let reach = self.radius() + margin;
        (to - direction * along).length_squared() <= reach * reach
    }

    /// Whether the bounding sphere comes near a plane; the margin grows with distance.
    pub(crate) fn meets_plane(&self, origin: DVec3, normal: DVec3, slope: f64) -> bool {
        let to = self.center - origin;
        to.dot(normal).abs() <= self.radius() + slope * (to.length() + self.radius())
    }

    /// Both ends of each edge.
    pub(crate) fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> {
        (0..12).map(|edge| {
            let (axis, corner) = (edge / 4, edge % 4);
            let side = |bit: usize| if corner >> bit & 1 == 0 { -self.half } else { self.half };
            let middle = self.center
                + self.axes[(axis + 1) % 3] * side(0)
                + self.axes[(axis + 2) % 3] * side(1);
            [-self.half, self.half].map(|end| middle + self.axes[axis] * end)
        })
    }

    fn radius(&self) -> f64 {
        self.half * 3_f64.sqrt()
    }

    /// Where a line enters the cube, before or after its origin: at the last of the three
    /// slabs it enters, unless it has left one before.
    pub(crate) fn entry(&self, origin: DVec3, direction: DVec3) -> Option<Entry> {
        let from = origin - self.center;
        let mut entry = Entry { along: f64::NEG_INFINITY, face: 0, normal: DVec3::ZERO };
        let mut exit = f64::INFINITY;
        for (axis, &normal) in self.axes.iter().enumerate() {
            let (place, speed) = (from.dot(normal), direction.dot(normal));
            if speed == 0.0 {
                if place.abs() > self.half {
                    return None;
                }
                continue;
            }
            let [into, out] = [-1.0, 1.0].map(|side| {
                let face = side * self.half * speed.signum();
                (face - place) / speed
            });
            exit = exit.min(out);
            if into > entry.along {
                let face = axis * 2 + usize::from(speed > 0.0);
                entry = Entry { along: into, face, normal: normal * -speed.signum() };
            }
        }
        (entry.along < exit).then_some(entry)
    }
}

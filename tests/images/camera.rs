//! The rays of the camera.

use cubefall::components::Rotation;
use cubefall::render::{SceneView, Size};
use glam::DVec3;

/// A pinhole camera with the image plane at a distance of 1 m.
pub(crate) struct Camera {
    pub(crate) eye: DVec3,
    /// Distance of the near plane, in m.
    pub(crate) near: f64,
    /// From the eye to the upper left corner of the image.
    corner: DVec3,
    /// From one pixel to the next.
    steps: [DVec3; 2],
}

impl Camera {
    pub(crate) fn new(scene: &SceneView<'_>, size: Size) -> Self {
        let [right, up, back] = axes(scene.camera_rotation);
        let (width, height) = (f64::from(size.width()), f64::from(size.height()));
        let pixel = 2.0 * (f64::from(scene.lens.fov_y) / 2.0).tan() / height;
        let steps = [right * pixel, up * -pixel];
        Self {
            eye: scene.camera_position.0.as_dvec3(),
            near: scene.lens.near.into(),
            corner: -back - steps[0] * (width / 2.0) - steps[1] * (height / 2.0),
            steps,
        }
    }

    /// The ray to a point of the image, in pixels from its upper left corner. It is 1 m long along the view,
    /// so that a multiple of it is a depth.
    pub(crate) fn ray(&self, x: f64, y: f64) -> DVec3 {
        self.corner + self.steps[0] * x + self.steps[1] * y
    }

    /// A unit vector at right angles to all rays of a row of pixels.
    pub(crate) fn across_row(&self, y: f64) -> DVec3 {
        self.ray(0.0, y).cross(self.steps[0]).normalize()
    }

    /// Edge of a pixel at a distance of 1 m.
    pub(crate) fn pixel(&self) -> f64 {
        self.steps[0].length()
    }
}

/// The rotated axes: the columns of the rotation matrix.
pub(crate) fn axes(rotation: Rotation) -> [DVec3; 3] {
    let [x, y, z, w] = rotation.0.to_array().map(f64::from);
    [
        DVec3::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        DVec3::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        DVec3::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    ]
}

//! Scenes built by hand.

use std::sync::atomic::{AtomicU64, Ordering};

use cubefall::components::{Color, EndlessField, Lens, Light, Position, Rotation, Scale};
use cubefall::render::{ChangeTracked, SceneView};
use glam::{Quat, Vec3};

/// Cubes and a camera.
pub(crate) struct TestScene {
    pub(crate) eye: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) lens: Lens,
    pub(crate) ground: f32,
    pub(crate) extent: f32,
    /// Light absorbed by the cubes in the box of plus and minus `extent`, per m.
    pub(crate) extinction: f32,
    /// Distance at which fog leaves 1/e of the light, in m.
    pub(crate) fog: f32,
    pub(crate) field: Option<EndlessField>,
    /// Unique, so that a renderer detects another scene.
    pub(crate) revision: u64,
    pub(crate) positions: Vec<Position>,
    pub(crate) rotations: Vec<Rotation>,
    pub(crate) scales: Vec<Scale>,
    pub(crate) colors: Vec<Color>,
}

impl Default for TestScene {
    /// The camera at the origin, 10 m above the ground, looks along -Z.
    fn default() -> Self {
        Self {
            eye: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            lens: Lens::default(),
            ground: -10.0,
            extent: 40.0,
            extinction: 0.0,
            fog: Light::default().fog_distance,
            field: None,
            revision: next_revision(),
            positions: Vec::new(),
            rotations: Vec::new(),
            scales: Vec::new(),
            colors: Vec::new(),
        }
    }
}

/// Returns a new revision.
pub(crate) fn next_revision() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl TestScene {
    /// Adds a cube.
    pub(crate) fn with(mut self, at: Vec3, edge: f32, rotation: Quat, color: Color) -> Self {
        self.positions.push(Position(at));
        self.rotations.push(Rotation(rotation));
        self.scales.push(Scale(edge));
        self.colors.push(color);
        self
    }

    /// Moves the camera to `from`, looking at `to`.
    pub(crate) fn seen(mut self, from: Vec3, to: Vec3) -> Self {
        let ahead = (to - from).normalize();
        self.eye = from;
        self.rotation = Quat::from_rotation_y((-ahead.x).atan2(-ahead.z))
            * Quat::from_rotation_x(ahead.y.asin());
        self
    }

    pub(crate) fn scene(&self) -> SceneView<'_> {
        SceneView {
            camera_position: Position(self.eye),
            camera_rotation: Rotation(self.rotation),
            lens: self.lens,
            light: Light {
                extinction: self.extinction,
                fog_distance: self.fog,
                ..Light::default()
            },
            ground_height: self.ground,
            shadow_center: Position(if self.field.is_some() { self.eye } else { Vec3::ZERO }),
            shadow_half_extent: self.extent,
            box_half_extent: self.extent,
            emits: self.colors.iter().any(|color| color.emission() > 0.0),
            field: self.field,
            positions: ChangeTracked::new(&self.positions, self.revision),
            rotations: ChangeTracked::new(&self.rotations, self.revision),
            scales: ChangeTracked::new(&self.scales, self.revision),
            colors: ChangeTracked::new(&self.colors, self.revision),
            ..SceneView::default()
        }
    }
}

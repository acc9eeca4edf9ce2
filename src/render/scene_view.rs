//! What one frame draws.

use super::ChangeTracked;
use crate::components::{
    Color, EndlessField, EvaluatedMotion, FieldView, Lens, Light, Position, Rotation, Scale,
    Transform,
};

/// What one frame draws, borrowed from packed arrays. The four arrays have one element per cube, in
/// the same order.
#[derive(Clone, Copy, Default, Debug)]
pub struct SceneView<'a> {
    /// Camera position.
    pub camera_position: Position,
    /// Camera orientation: it looks along -Z.
    pub camera_rotation: Rotation,
    /// Field of view and near plane.
    pub lens: Lens,
    /// Light on the cubes, and colors of the sky.
    pub light: Light,
    /// Height of the ground, in m.
    pub ground_height: f32,
    /// Center of the box in which cubes cast shadows.
    pub shadow_center: Position,
    /// Half the edge of this box, in m: above 0 if there are shadows.
    pub shadow_half_extent: f32,
    /// Half the edge of the box around the origin in which cubes absorb light, in m.
    pub box_half_extent: f32,
    /// Whether any cube emits light.
    pub emits: bool,
    /// Repetition of the cubes around the camera; `None` if they are where their positions say.
    pub field: Option<EndlessField>,
    /// Centers of the cubes.
    pub positions: ChangeTracked<'a, Position>,
    /// Orientations of the cubes.
    pub rotations: ChangeTracked<'a, Rotation>,
    /// Edge lengths of the cubes.
    pub scales: ChangeTracked<'a, Scale>,
    /// Colors of the cubes.
    pub colors: ChangeTracked<'a, Color>,
    /// Motion of the first cubes, evaluated by the GPU; `None` if all cubes are where the arrays say.
    pub motion: Option<EvaluatedMotion<'a>>,
    /// The cube that gets an outline.
    pub outlined: Option<Transform>,
    /// The cube under the pointer, which gets a thin outline.
    pub hovered: Option<Transform>,
    /// Dims everything but the outlined cube.
    pub dims_others: bool,
}

impl SceneView<'_> {
    /// Returns the field as seen by the camera.
    pub(super) fn field_view(&self) -> Option<FieldView> {
        self.field.map(|field| FieldView::new(field, self.camera_position.0))
    }

    /// Returns the same view with an outline around the cube at `outlined`.
    #[must_use]
    pub fn with_outline(self, outlined: Option<Transform>) -> Self {
        Self { outlined, ..self }
    }

    /// Returns the same view with a thin outline around the cube at `hovered`.
    #[must_use]
    pub fn with_hovered(self, hovered: Option<Transform>) -> Self {
        Self { hovered, ..self }
    }

    /// Returns the same view with everything dimmed but the outlined cube, if there is one.
    #[must_use]
    pub fn with_dimmed_others(self) -> Self {
        Self { dims_others: true, ..self }
    }
}

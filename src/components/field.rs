//! The endless field: cubes that repeat around the camera in all directions.

use std::array;

use glam::Vec3;

use super::{Position, Scale, Transform};

/// Cubes that repeat around the camera in all directions.
///
/// Each cube is drawn once, at its image nearest to the camera. Cubes shrink to nothing toward the end of
/// the field, where the nearest image changes, and where the camera would enter them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EndlessField {
    /// Distance after which the cubes repeat along each axis, in m.
    pub period: Vec3,
    /// From 0, where all cubes are in place, to 1 for the complete field.
    pub strength: f32,
}

impl EndlessField {
    /// Shortest and longest period along an axis, in m.
    pub const PERIODS: [f32; 2] = [20.0, 4e6];

    /// Distance from the camera at which cubes start to shrink and are gone, as a fraction of half the
    /// period.
    const END: [f32; 2] = [0.80, 0.97];

    /// Distances of a cube's bounding sphere from the camera at which it is gone and complete, in m. A larger cube is complete
    /// only as far away as its radius: it would fill the view within a frame or two.
    const NEAR: [f32; 2] = [0.2, 2.0];

    /// Returns the image of a point in the cell around the origin.
    #[must_use]
    pub fn wrapped(period: Vec3, point: Vec3) -> Vec3 {
        point - period * (point / period).map(round)
    }
}

/// An [`EndlessField`] seen from one point, ready to place many cubes. `shaders/cubes.wgsl` repeats the
/// computation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FieldView {
    /// The point that the field surrounds.
    pub eye: Vec3,
    /// 1 / period.
    pub inverse_period: Vec3,
    /// Period by which cubes are displaced; zero while all are in place.
    pub displacement: Vec3,
    /// [`EndlessField::strength`].
    pub strength: f32,
    /// Factor of the edges of cubes of which another image is nearer than the cube itself.
    pub displaced_scale: f32,
}

impl FieldView {
    /// Returns the field as seen from `eye`. Cubes that have to move shrink to nothing until the strength is
    /// one half, and grow at their new places.
    pub fn new(field: EndlessField, eye: Vec3) -> Self {
        let EndlessField { period, strength } = field;
        let displacement = if strength >= 0.5 { period } else { Vec3::ZERO };
        let displaced_scale = (2.0 * strength - 1.0).abs();
        Self { eye, inverse_period: period.recip(), displacement, strength, displaced_scale }
    }

    /// Returns the drawn position and edge of a cube.
    #[must_use]
    pub fn place(&self, position: Position, scale: Scale) -> (Position, Scale) {
        let ([position], [scale]) = self.place_all(&[position], &[scale]);
        (position, scale)
    }

    /// Returns the drawn positions and edges of cubes.
    #[inline]
    #[must_use]
    pub fn place_all<const N: usize>(
        &self,
        positions: &[Position; N],
        scales: &[Scale; N],
    ) -> ([Position; N], [Scale; N]) {
        // One step for all cubes after the other, each with plain numbers: so the compiler vectorizes it.
        let [mut reach, mut squared_distance, mut moved] = [[0.0_f32; N]; 3];
        let mut placed = [[0.0; N]; 3];
        for (axis, placed) in placed.iter_mut().enumerate() {
            let (eye, displacement) = (self.eye[axis], self.displacement[axis]);
            for i in 0..N {
                let position = positions[i].0.to_array()[axis];
                let cells = (position - eye) * self.inverse_period[axis];
                let whole = round(cells);
                placed[i] = position - whole * displacement;
                reach[i] = reach[i].max(((cells - whole) * 2.0).abs());
                squared_distance[i] += (placed[i] - eye) * (placed[i] - eye);
                moved[i] += whole.abs();
            }
        }
        let [near, complete] = EndlessField::NEAR;
        let [start, end] = EndlessField::END;
        let mut edges = [0.0; N];
        for i in 0..N {
            let edge = scales[i].0;
            let gap = squared_distance[i].sqrt() - edge * Scale::RADIUS;
            let complete = complete.max(edge * Scale::RADIUS);
            let share = (1.0 - smooth((reach[i] - start) / (end - start)))
                * smooth((gap - near) / (complete - near));
            let displaced = if moved[i] > 0.0 { self.displaced_scale } else { 1.0 };
            edges[i] = edge * (1.0 + (share - 1.0) * self.strength) * displaced;
        }
        let [x, y, z] = placed;
        (array::from_fn(|i| Position(Vec3::new(x[i], y[i], z[i]))), edges.map(Scale))
    }

    /// Returns the drawn transform of a cube.
    #[must_use]
    pub fn transform(&self, Transform { position, rotation, scale }: Transform) -> Transform {
        let (position, scale) = self.place(position, scale);
        Transform { position, rotation, scale }
    }
}

/// Rounds to whole numbers up to 4 million, ties to even, as shaders do. Adding 1.5 * 2^23 leaves no
/// fraction; unlike `f32::round` this is vectorized on every processor.
#[inline]
fn round(number: f32) -> f32 {
    const SHIFT: f32 = 12_582_912.0;
    (number + SHIFT) - SHIFT
}

/// Smoothstep from 0 at 0 to 1 at 1.
#[inline]
fn smooth(x: f32) -> f32 {
    let t = x.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELD: EndlessField = EndlessField { period: Vec3::splat(200.0), strength: 1.0 };

    #[test]
    fn cubes_are_drawn_at_the_image_nearest_to_the_camera() {
        let view = FieldView::new(FIELD, Vec3::new(90.0, -95.0, 0.0));
        for (at, image) in [
            (Vec3::new(80.0, -80.0, 3.0), Vec3::new(80.0, -80.0, 3.0)),
            (Vec3::new(-90.0, -80.0, 3.0), Vec3::new(110.0, -80.0, 3.0)),
            (Vec3::new(-70.0, 70.0, -60.0), Vec3::new(130.0, -130.0, -60.0)),
            (Vec3::new(80.0, -80.0, 603.0), Vec3::new(80.0, -80.0, 3.0)),
        ] {
            let (position, scale) = view.place(Position(at), Scale(1.0));
            assert_eq!((position, scale), (Position(image), Scale(1.0)), "{at}");
        }
    }

    #[test]
    fn cubes_vanish_at_the_end_of_the_field_and_before_the_camera_enters_them() {
        let view = FieldView::new(FIELD, Vec3::ZERO);
        let edge = |at: Vec3| view.place(Position(at), Scale(2.0)).1.0;
        for axis in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
            assert_eq!(edge(axis * 79.0), 2.0);
            assert!((0.1..1.9).contains(&edge(axis * 88.0)));
            assert_eq!([edge(axis * 97.5), edge(axis * 102.0)], [0.0; 2]);
        }
        // The corners of the field are farther away: 1.73 times 79 m.
        assert_eq!(edge(Vec3::splat(79.0)), 2.0);
        for millimeters in 0_u16..6000 {
            let distance = f32::from(millimeters) / 1000.0;
            let at = Vec3::new(0.6, 0.0, -0.8) * distance;
            assert!(edge(at) * Scale::RADIUS < distance.max(0.1), "inside at {distance} m");
        }
        assert_eq!(edge(Vec3::X * 3.8), 2.0);
        // A cube of 20 m passes a camera at 45 m/s and 60 steps per second.
        let edge = |z: f32| view.place(Position(Vec3::new(0.0, 0.0, z)), Scale(20.0)).1.0;
        assert_eq!((edge(17.4), edge(35.0)), (0.0, 20.0));
        for step in 0_u8..40 {
            let z = 10.0 + f32::from(step) * 0.75;
            assert!((edge(z + 0.75) - edge(z)).abs() < 2.0, "{z}");
        }
    }

    #[test]
    fn a_field_without_strength_leaves_every_cube_in_place() {
        let view = FieldView::new(EndlessField { strength: 0.0, ..FIELD }, Vec3::ONE);
        for at in [Vec3::ZERO, Vec3::splat(99.0), Vec3::new(-150.0, 400.0, 3.0), Vec3::ONE] {
            let cube = (Position(at), Scale(1.7));
            assert_eq!(view.place(cube.0, cube.1), cube, "{at}");
        }
    }

    #[test]
    fn no_cube_jumps_while_the_field_appears() {
        let at = |thousandths: u16| {
            let strength = f32::from(thousandths) / 1000.0;
            let view = FieldView::new(EndlessField { strength, ..FIELD }, Vec3::splat(90.0));
            view.place(Position(Vec3::splat(-60.0)), Scale(1.0))
        };
        for step in 0..1000 {
            let ((from, before), (to, after)) = (at(step), at(step + 1));
            assert!((before.0 - after.0).abs() < 0.01);
            assert!(from == to || after.0 < 0.01, "{step}: {before:?} {after:?}");
        }
        assert_eq!(at(1000).0, Position(Vec3::splat(140.0)));
    }

    #[test]
    fn whole_numbers_are_those_of_the_standard_library() {
        for halves in -4001_i16..4001 {
            for aside in [-0.2, 0.0, 0.2] {
                let x = f32::from(halves) / 2.0 + aside;
                assert_eq!(round(x), x.round_ties_even(), "{x}");
            }
        }
    }
}

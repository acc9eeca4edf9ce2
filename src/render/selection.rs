//! Selection: which cubes are drawn, and which of them in full.

use glam::Vec3;

use super::{Scene, Selection, Size};
use crate::components::{Position, Scale};

/// Cubes that a thread looks at at a time.
const CHUNK: usize = 8192;

/// Circumscribed sphere of the unit cube: half its diagonal, and what `f32` may put it off by.
const RADIUS: f32 = 0.867;

/// How far the triangle for a small cube of edge 1 reaches that is seen corner on in the middle of the
/// picture: the circumscribed circle of an equilateral triangle of the area of that cube's outline,
/// the square root of 3.
const TRIANGLE_RADIUS: f32 = 1.155;

/// Numbers of the cubes to draw, in the order of the arrays; kept from frame to frame.
#[derive(Default)]
pub(super) struct Selected {
    /// In runs of [`CHUNK`]: each begins with the cubes drawn in full and ends with the small ones.
    numbers: Vec<u32>,
    /// For each run how many of either there are.
    counts: Vec<[u32; 2]>,
}

/// The view volume of a camera.
struct Frustum {
    eye: Vec3,
    forward: Vec3,
    near: f32,
    /// How far a cube of edge 1 reaches at most in the picture.
    reach: f32,
    /// Inward normals of the four sides.
    sides: [Vec3; 4],
    /// At least so many metres of edge to a metre of distance make a cube that is not small.
    edge_by_distance: f32,
    culling: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Full,
    Small,
    Unseen,
}

impl Frustum {
    fn new(scene: &Scene<'_>, size: Size, selection: Selection) -> Self {
        let rotation = scene.rotation.0;
        let [right, up, forward] = [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| rotation * axis);
        let half_height = (scene.lens.fov_y / 2.0).tan();
        let half_width = half_height * size.aspect();
        let side = |inward: Vec3, half: f32| (inward + forward * half).normalize();
        // In the corners of the picture the triangles for small cubes are largest.
        let corner = (1.0 + half_width * half_width + half_height * half_height).sqrt();
        let reach =
            if selection.small_below > 0.0 { TRIANGLE_RADIUS * corner.sqrt() } else { RADIUS };
        let pixel_by_distance = 2.0 * half_height / size.height() as f32;
        Self {
            eye: scene.position.0,
            forward,
            near: scene.lens.near,
            reach,
            sides: [
                side(right, half_width),
                side(-right, half_width),
                side(up, half_height),
                side(-up, half_height),
            ],
            edge_by_distance: selection.small_below * pixel_by_distance,
            culling: selection.culling,
        }
    }

    fn choose(&self, position: Vec3, scale: f32) -> Choice {
        let ray = position - self.eye;
        let distance = ray.dot(self.forward);
        let reach = -scale * self.reach;
        if self.culling {
            let nearest_side =
                self.sides.iter().map(|side| side.dot(ray)).fold(f32::INFINITY, f32::min);
            if nearest_side < reach || distance - self.near < reach {
                return Choice::Unseen;
            }
        }
        if scale < self.edge_by_distance * distance { Choice::Small } else { Choice::Full }
    }
}

impl Selected {
    /// Chooses among the cubes of a scene, on all threads of the current pool where the crate is
    /// built with them. The result does not depend on how many these are.
    pub(super) fn choose(&mut self, scene: &Scene<'_>, size: Size, selection: Selection) {
        let frustum = Frustum::new(scene, size, selection);
        let (positions, scales) = (scene.positions.values, scene.scales.values);
        let runs = positions.len().div_ceil(CHUNK);
        self.numbers.resize(positions.len(), 0);
        self.counts.clear();
        self.counts.resize(runs, [0; 2]);
        let choose_run = |run: usize, numbers: &mut [u32], counts: &mut [u32; 2]| {
            let start = run * CHUNK;
            let range = start..start + numbers.len();
            *counts = choose(&frustum, start, &positions[range.clone()], &scales[range], numbers);
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            let runs = self.numbers.par_chunks_mut(CHUNK).zip(&mut self.counts);
            runs.enumerate().for_each(|(run, (numbers, counts))| choose_run(run, numbers, counts));
        }
        #[cfg(not(feature = "parallel"))]
        for (run, (numbers, counts)) in
            self.numbers.chunks_mut(CHUNK).zip(&mut self.counts).enumerate()
        {
            choose_run(run, numbers, counts);
        }
    }

    /// How many cubes are drawn in full, and how many as small ones.
    pub(super) fn counts(&self) -> [u32; 2] {
        let sum = |kind: usize| self.counts.iter().map(|counts| counts[kind]).sum();
        [sum(0), sum(1)]
    }

    /// The numbers of the cubes drawn in full, in pieces.
    pub(super) fn full(&self) -> impl Iterator<Item = &[u32]> {
        let runs = self.numbers.chunks(CHUNK).zip(&self.counts);
        runs.map(|(run, &[full, _])| &run[..full as usize])
    }

    /// The numbers of the small cubes, in pieces.
    pub(super) fn small(&self) -> impl Iterator<Item = &[u32]> {
        let runs = self.numbers.chunks(CHUNK).zip(&self.counts);
        runs.map(|(run, &[_, small])| &run[run.len() - small as usize..])
    }
}

/// Puts the numbers of the cubes to draw into `numbers`, which has room for all: those drawn in full
/// at the front, in order, the small ones at the end, in reverse. The first cube has number `start`.
fn choose(
    frustum: &Frustum,
    start: usize,
    positions: &[Position],
    scales: &[Scale],
    numbers: &mut [u32],
) -> [u32; 2] {
    let (mut full, mut small) = (0, numbers.len());
    for (i, (position, scale)) in positions.iter().zip(scales).enumerate() {
        let number = (start + i) as u32;
        match frustum.choose(position.0, scale.0) {
            Choice::Full => {
                numbers[full] = number;
                full += 1;
            }
            Choice::Small => {
                small -= 1;
                numbers[small] = number;
            }
            Choice::Unseen => {}
        }
    }
    [full as u32, (numbers.len() - small) as u32]
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::components::{Color, Lens, Rotation};
    use crate::render::Tracked;

    fn selected(positions: &[Position], scales: &[Scale], selection: Selection) -> Selected {
        let rotations = vec![Rotation::default(); positions.len()];
        let colors = vec![Color::srgb(0, 0, 0); positions.len()];
        let scene = Scene {
            position: Position(Vec3::new(1.0, 2.0, 3.0)),
            rotation: Rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)),
            lens: Lens::default(),
            ground: 0.0,
            extent: 100.0,
            positions: Tracked::new(positions, 1),
            rotations: Tracked::new(&rotations, 1),
            scales: Tracked::new(scales, 1),
            colors: Tracked::new(&colors, 1),
        };
        let mut selected = Selected::default();
        selected.choose(&scene, Size::default(), selection);
        selected
    }

    /// Points all around, the same in every run, and sizes from small to large.
    fn cubes() -> (Vec<Position>, Vec<Scale>) {
        let mut state = 1_u32;
        let mut random = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 2_f32.powi(24)
        };
        (0..20_000)
            .map(|_| {
                let position = Vec3::new(random(), random(), random()) * 400.0 - 200.0;
                (Position(position), Scale(random() * 3.0))
            })
            .unzip()
    }

    fn sorted<'a>(pieces: impl Iterator<Item = &'a [u32]>) -> Vec<u32> {
        let mut numbers: Vec<u32> = pieces.flatten().copied().collect();
        numbers.sort_unstable();
        numbers
    }

    #[test]
    fn whatever_can_be_seen_is_selected_once() {
        let (positions, scales) = cubes();
        let selected = selected(&positions, &scales, Selection::VISIBLE);
        let (full, small) = (sorted(selected.full()), sorted(selected.small()));
        assert_eq!(selected.counts(), [full.len() as u32, small.len() as u32]);
        assert!(full.len() > 500 && small.len() > 500 && full.len() + small.len() < 8000);

        // A cube is seen if one of its points is in the picture; random points of it will do.
        let eye = Vec3::new(1.0, 2.0, 3.0);
        let back = (Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)).inverse();
        let half = (Lens::default().fov_y / 2.0).tan();
        for (number, (position, scale)) in positions.iter().zip(&scales).enumerate() {
            let corners = (0..8).map(|i| {
                let corner = Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5;
                back * (position.0 + corner * scale.0 - eye)
            });
            let seen = corners.clone().any(|p| {
                p.z < -0.1 && p.x.abs() < -p.z * half * 16.0 / 9.0 && p.y.abs() < -p.z * half
            });
            let number = number as u32;
            let (in_full, in_small) =
                (full.binary_search(&number).is_ok(), small.binary_search(&number).is_ok());
            assert!(!seen || in_full || in_small, "{number} is seen and not drawn");
            assert!(!(in_full && in_small));
            let pixels = scale.0 / -(back * (position.0 - eye)).z * 720.0 / (2.0 * half);
            assert!(!in_small || pixels < 2.001, "{pixels} px is not small");
            assert!(!in_full || pixels < 0.0 || pixels > 1.999, "{pixels} px is small");
        }
    }

    #[test]
    fn without_culling_all_are_selected() {
        let (positions, scales) = cubes();
        let selection = Selection { culling: false, small_below: 2.0 };
        let selected = selected(&positions, &scales, selection);
        assert_eq!(selected.counts().iter().sum::<u32>(), 20_000);
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_selects_the_same() {
        let (positions, scales) = cubes();
        let select = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let selected = selected(&positions, &scales, Selection::VISIBLE);
                (selected.numbers, selected.counts)
            })
        };
        // What lies between the two kinds is left over and says nothing.
        let used = |(numbers, counts): (Vec<u32>, Vec<[u32; 2]>)| {
            let selected = Selected { numbers, counts };
            let pieces = selected.full().chain(selected.small());
            pieces.map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        assert_eq!(used(select(1)), used(select(3)));
    }
}

//! Selection: which cubes are drawn, and which of them in full.

use glam::Vec3;

use super::{Scene, Selection, Size};
use crate::components::{Position, Scale};

/// Cubes that a thread looks at at a time.
const CHUNK: usize = 16_384;

/// Circumscribed sphere of the unit cube: half its diagonal, and what `f32` may put it off by.
const RADIUS: f32 = 0.867;

/// How far the triangle for a small cube of edge 1 reaches that is seen corner on in the middle of the
/// picture: the circumscribed circle of an equilateral triangle of the area of that cube's outline,
/// the square root of 3.
const TRIANGLE_RADIUS: f32 = 1.155;

/// Numbers of the cubes to draw, in the order of the arrays; kept from frame to frame.
///
/// Those that reach over an edge of the picture are kept apart: whoever rasterises takes the long
/// way, by way of clipping, for every batch that holds one of them.
#[derive(Default)]
pub(super) struct Selected {
    /// In runs of [`CHUNK`]: each begins with the cubes drawn in full and ends with the small ones.
    inside: Vec<u32>,
    /// In runs of [`CHUNK`]: each begins with the cubes that reach over an edge.
    crossing: Vec<u32>,
    /// For each run how many of each there are.
    counts: Vec<Counts>,
}

/// How many cubes are drawn, and how.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Counts {
    /// In full, wholly inside of the picture.
    pub(super) full: u32,
    /// In full, over an edge of the picture.
    pub(super) crossing: u32,
    /// As small ones, wholly inside of the picture.
    pub(super) small: u32,
}

/// Cubes that are judged together, so that the compiler can do several at a time.
const LANES: usize = 16;

/// The view volume of a camera. With a cube's place along the camera's axes, what it takes to be in
/// the picture is a comparison for each axis.
struct Frustum {
    eye: Vec3,
    /// To the right, up, forward.
    axes: [Vec3; 3],
    near: f32,
    /// How far a cube of edge 1 reaches at most, drawn in whichever way.
    reach: f32,
    /// For the sides left and right, and for those above and below: cosine and sine of the angle
    /// from the direction of view.
    sides: [[f32; 2]; 2],
    /// At least so many metres of edge to a metre of distance make a cube that is not small.
    edge_by_distance: f32,
    culling: bool,
}

#[expect(clippy::needless_bitwise_bool, reason = "several cubes at a time, without a branch")]
impl Frustum {
    fn new(scene: &Scene<'_>, size: Size, selection: Selection) -> Self {
        let half_height = (scene.lens.fov_y / 2.0).tan();
        let half_width = half_height * size.aspect();
        let plane = |half: f32| [1.0, half].map(|part| part / (1.0 + half * half).sqrt());
        // In the corners of the picture the triangles for small cubes are largest.
        let corner = (1.0 + half_width * half_width + half_height * half_height).sqrt();
        let reach =
            if selection.small_below > 0.0 { TRIANGLE_RADIUS * corner.sqrt() } else { RADIUS };
        let pixel_by_distance = 2.0 * half_height / size.height() as f32;
        Self {
            eye: scene.position.0,
            axes: [Vec3::X, Vec3::Y, Vec3::NEG_Z].map(|axis| scene.rotation.0 * axis),
            near: scene.lens.near,
            reach,
            sides: [plane(half_width), plane(half_height)],
            edge_by_distance: selection.small_below * pixel_by_distance,
            culling: selection.culling,
        }
    }

    /// For each cube whether it is drawn at all, and whether as a small one.
    #[inline]
    fn judge(&self, positions: &[Position; LANES], scales: &[Scale; LANES]) -> [Choice; LANES] {
        let [[cos_x, sin_x], [cos_y, sin_y]] = self.sides;
        std::array::from_fn(|i| {
            let (ray, scale) = (positions[i].0 - self.eye, scales[i].0);
            let [x, y, distance] = self.axes.map(|axis| axis.dot(ray));
            let outside_by = (x.abs() * cos_x - distance * sin_x)
                .max(y.abs() * cos_y - distance * sin_y)
                .max(self.near - distance);
            let inside = outside_by <= -scale * self.reach;
            Choice {
                drawn: (outside_by <= scale * RADIUS) | !self.culling,
                inside,
                small: inside & (scale < self.edge_by_distance * distance),
            }
        })
    }
}

#[derive(Clone, Copy)]
struct Choice {
    drawn: bool,
    /// Wholly inside of the picture.
    inside: bool,
    small: bool,
}

impl Selected {
    /// Chooses among the cubes of a scene, on all threads of the current pool where the crate is
    /// built with them. The result does not depend on how many these are.
    pub(super) fn choose(&mut self, scene: &Scene<'_>, size: Size, selection: Selection) {
        let frustum = Frustum::new(scene, size, selection);
        let (positions, scales) = (scene.positions.values, scene.scales.values);
        let runs = positions.len().div_ceil(CHUNK);
        self.inside.resize(positions.len(), 0);
        self.crossing.resize(positions.len(), 0);
        self.counts.clear();
        self.counts.resize(runs, Counts::default());
        let choose_run = |run: usize, ((inside, crossing), counts): Run<'_>| {
            let start = run * CHUNK;
            let range = start..start + inside.len();
            let cubes = (&positions[range.clone()], &scales[range]);
            *counts = choose(&frustum, start, cubes, inside, crossing);
        };
        #[cfg(feature = "parallel")]
        if runs > 1 {
            use rayon::prelude::*;
            let numbers =
                self.inside.par_chunks_mut(CHUNK).zip(self.crossing.par_chunks_mut(CHUNK));
            let runs = numbers.zip(&mut self.counts).enumerate();
            runs.for_each(|(run, places)| choose_run(run, places));
            return;
        }
        let numbers = self.inside.chunks_mut(CHUNK).zip(self.crossing.chunks_mut(CHUNK));
        for (run, places) in numbers.zip(&mut self.counts).enumerate() {
            choose_run(run, places);
        }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts.iter().fold(Counts::default(), |sum, run| Counts {
            full: sum.full + run.full,
            crossing: sum.crossing + run.crossing,
            small: sum.small + run.small,
        })
    }

    /// The numbers of the cubes drawn in full inside of the picture, then over its edges, then of
    /// the small ones; in pieces.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        let inside = || self.inside.chunks(CHUNK).zip(&self.counts);
        let full = inside().map(|(run, counts)| &run[..counts.full as usize]);
        let crossing = self.crossing.chunks(CHUNK).zip(&self.counts);
        let crossing = crossing.map(|(run, counts)| &run[..counts.crossing as usize]);
        let small = inside().map(|(run, counts)| &run[run.len() - counts.small as usize..]);
        full.chain(crossing).chain(small)
    }
}

/// Places for the numbers of a run's cubes, inside and crossing, and for their counts.
type Run<'a> = ((&'a mut [u32], &'a mut [u32]), &'a mut Counts);

/// Puts the numbers of the cubes to draw to their places, each of which has room for all: those drawn
/// in full to the front, in order, the small ones to the end of `inside`, in reverse. The first cube
/// has number `start`.
fn choose(
    frustum: &Frustum,
    start: usize,
    (positions, scales): (&[Position], &[Scale]),
    inside: &mut [u32],
    crossing: &mut [u32],
) -> Counts {
    let mut counts = Counts::default();
    let mut put = |number: usize, choice: Choice| {
        if !choice.drawn {
            return;
        }
        let (places, place) = if choice.small {
            counts.small += 1;
            let end = inside.len();
            (&mut *inside, end - counts.small as usize)
        } else if choice.inside {
            counts.full += 1;
            (&mut *inside, counts.full as usize - 1)
        } else {
            counts.crossing += 1;
            (&mut *crossing, counts.crossing as usize - 1)
        };
        places[place] = number as u32;
    };
    let (lanes, rest) = positions.as_chunks::<LANES>();
    let (scale_lanes, scales_rest) = scales.as_chunks::<LANES>();
    let mut number = start;
    for (positions, scales) in lanes.iter().zip(scale_lanes) {
        for choice in frustum.judge(positions, scales) {
            put(number, choice);
            number += 1;
        }
    }
    let (mut positions, mut scales) = ([Position::default(); LANES], [Scale::default(); LANES]);
    positions[..rest.len()].copy_from_slice(rest);
    scales[..rest.len()].copy_from_slice(scales_rest);
    for choice in frustum.judge(&positions, &scales).into_iter().take(rest.len()) {
        put(number, choice);
        number += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::components::{Color, Lens, Light, Rotation};
    use crate::render::Tracked;

    fn selected(positions: &[Position], scales: &[Scale], selection: Selection) -> Selected {
        let rotations = vec![Rotation::default(); positions.len()];
        let colors = vec![Color::srgb(0, 0, 0); positions.len()];
        let scene = Scene {
            position: Position(Vec3::new(1.0, 2.0, 3.0)),
            rotation: Rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)),
            lens: Lens::default(),
            light: Light::default(),
            ground: 0.0,
            extent: 100.0,
            positions: Tracked::new(positions, 1),
            rotations: Tracked::new(&rotations, 1),
            scales: Tracked::new(scales, 1),
            colors: Tracked::new(&colors, 1),
            outlined: None,
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

    #[test]
    fn whatever_can_be_seen_is_selected_once() {
        let (positions, scales) = cubes();
        let selected = selected(&positions, &scales, Selection::VISIBLE);
        let mut numbers: Vec<u32> = selected.pieces().flatten().copied().collect();
        let counts = selected.counts();
        let in_full = (counts.full + counts.crossing) as usize;
        assert_eq!(numbers.len(), in_full + counts.small as usize);
        let (full, small) = numbers.split_at_mut(in_full);
        let crossing = full[counts.full as usize..].to_vec();
        full.sort_unstable();
        small.sort_unstable();
        assert!(full.len() > 1000 && small.len() > 200 && full.len() + small.len() < 8000);

        // A cube is seen if one of its points is in the picture; random points of it will do.
        let eye = Vec3::new(1.0, 2.0, 3.0);
        let back = (Quat::from_rotation_y(0.4) * Quat::from_rotation_x(0.2)).inverse();
        let half = (Lens::default().fov_y / 2.0).tan();
        for (number, (position, scale)) in positions.iter().zip(&scales).enumerate() {
            let corners = (0..8).map(|i| {
                let corner = Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5;
                back * (position.0 + corner * scale.0 - eye)
            });
            let in_view = |p: Vec3| {
                p.z < -0.1 && p.x.abs() < -p.z * half * 16.0 / 9.0 && p.y.abs() < -p.z * half
            };
            let seen = corners.clone().any(in_view);
            let number = number as u32;
            let (in_full, in_small) =
                (full.binary_search(&number).is_ok(), small.binary_search(&number).is_ok());
            assert!(!seen || in_full || in_small, "{number} is seen and not drawn");
            assert!(!(in_full && in_small));
            let over_an_edge = crossing.contains(&number);
            assert!(!(in_full || in_small) || over_an_edge || corners.clone().all(in_view));
            let pixels = scale.0 / -(back * (position.0 - eye)).z * 720.0 / (2.0 * half);
            assert!(!in_small || pixels < 3.001, "{pixels} px is not small");
            assert!(!in_full || over_an_edge || pixels > 2.999, "{pixels} px is small");
        }
    }

    #[test]
    fn without_culling_all_are_selected() {
        let (positions, scales) = cubes();
        let selection = Selection { culling: false, small_below: 2.0 };
        let selected = selected(&positions, &scales, selection);
        let Counts { full, crossing, small } = selected.counts();
        assert_eq!(full + crossing + small, 20_000);
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn any_number_of_threads_selects_the_same() {
        let (positions, scales) = cubes();
        let select = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let selected = selected(&positions, &scales, Selection::VISIBLE);
                selected.pieces().map(<[u32]>::to_vec).collect::<Vec<_>>()
            })
        };
        assert_eq!(select(1), select(3));
    }
}

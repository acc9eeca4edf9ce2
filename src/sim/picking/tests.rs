//! Tests of picking against the twelve triangles of each cube, in `f64`.

use glam::{Quat, Vec3};
use proptest::prelude::*;

use super::{Ray, nearest};
use crate::components::{Position, Rotation, Scale};

type V = [f64; 3];

fn sub(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn wide(v: Vec3) -> V {
    v.to_array().map(f64::from)
}

/// Arrays of cubes.
#[derive(Clone, Debug, Default)]
struct Cubes {
    positions: Vec<Position>,
    rotations: Vec<Rotation>,
    scales: Vec<Scale>,
}

impl Cubes {
    fn with(mut self, at: Vec3, rotation: Quat, edge: f32) -> Self {
        self.positions.push(Position(at));
        self.rotations.push(Rotation(rotation));
        self.scales.push(Scale(edge));
        self
    }

    fn pick(&self, ray: &Ray) -> Option<(usize, f32)> {
        let place = |_, position, scale| (position, scale);
        let turn = |_, rotation| rotation;
        nearest(ray, &self.positions, &self.rotations, &self.scales, place, turn)
    }

    /// Entry distance of each cube that the ray hits, with every cube scaled by `factor`.
    fn entries(&self, ray: &Ray, factor: f64) -> Vec<Option<f64>> {
        (0..self.scales.len())
            .map(|i| {
                let half = f64::from(self.scales[i].0) * 0.5 * factor;
                entry(ray, wide(self.positions[i].0), self.rotations[i].0, half)
            })
            .collect()
    }
}

/// Rotates a vector by a unit quaternion.
fn turned(by: Quat, v: V) -> V {
    let (real, imaginary) = (f64::from(by.w), wide(by.xyz()));
    let once = cross(imaginary, v).map(|part| 2.0 * part);
    let twice = cross(imaginary, once);
    [0, 1, 2].map(|axis| v[axis] + real * once[axis] + twice[axis])
}

/// The six faces of a cube, with corners counter-clockwise as seen from outside.
fn faces(center: V, rotation: Quat, half: f64) -> [[V; 4]; 6] {
    std::array::from_fn(|face| {
        let (axis, side) = (face / 2, if face % 2 == 0 { half } else { -half });
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(along, up)| {
            let mut local = [0.0; 3];
            local[axis] = side;
            local[(axis + 1) % 3] = along * half;
            local[(axis + 2) % 3] = up * side;
            let corner = turned(rotation, local);
            [0, 1, 2].map(|axis| center[axis] + corner[axis])
        })
    })
}

/// Distance along the ray to the front of a triangle (Möller and Trumbore, "Fast, Minimum Storage
/// Ray/Triangle Intersection", 1997).
fn triangle(from: V, toward: V, corners: [V; 3]) -> Option<f64> {
    let edges = [sub(corners[1], corners[0]), sub(corners[2], corners[0])];
    let across = cross(toward, edges[1]);
    let determinant = dot(edges[0], across);
    // Positive for the front.
    if determinant <= 0.0 {
        return None;
    }
    let to_start = sub(from, corners[0]);
    let normal = cross(to_start, edges[0]);
    let first = dot(to_start, across) / determinant;
    let second = dot(toward, normal) / determinant;
    let distance = dot(edges[1], normal) / determinant;
    let inside = first >= 0.0 && second >= 0.0 && first + second <= 1.0;
    (inside && distance >= 0.0).then_some(distance)
}

/// Entry distance of a cube, from its twelve triangles as seen from outside.
fn entry(ray: &Ray, center: V, rotation: Quat, half: f64) -> Option<f64> {
    let (from, toward) = (wide(ray.origin()), wide(ray.direction()));
    let faces = faces(center, rotation, half);
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    triangles.filter_map(|corners| triangle(from, toward, corners)).min_by(f64::total_cmp)
}

fn nearest_of(entries: &[Option<f64>]) -> Option<f64> {
    entries.iter().flatten().copied().min_by(f64::total_cmp)
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from)
}

fn rotation() -> impl Strategy<Value = Quat> {
    [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0].prop_filter_map(
        "no rotation",
        |parts| {
            let quat = Quat::from_array(parts);
            (quat.length() > 0.1).then(|| quat.normalize())
        },
    )
}

fn cubes() -> impl Strategy<Value = Cubes> {
    let cube = (vector(60.0), rotation(), 0.01_f32..12.0);
    prop::collection::vec(cube, 0..80).prop_map(|cubes| {
        cubes
            .into_iter()
            .fold(Cubes::default(), |all, (at, rotation, edge)| all.with(at, rotation, edge))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// Rounding may move an edge slightly. So a hit of slightly smaller cubes must be found, and a
    /// found hit must be one of slightly larger cubes.
    #[test]
    fn first_of_many_cubes_matches_the_triangles(
        cubes in cubes(),
        from in vector(90.0),
        toward in vector(1.0),
        target in any::<prop::sample::Index>(),
        aimed in any::<bool>(),
    ) {
        // Half of the rays pass through a cube.
        let aim = (aimed && !cubes.positions.is_empty())
            .then(|| cubes.positions[target.index(cubes.positions.len())].0 + toward - from);
        let Some(ray) = Ray::new(from, aim.unwrap_or(toward)) else { return Ok(()) };
        let picked = cubes.pick(&ray);
        let shrunk = nearest_of(&cubes.entries(&ray, 1.0 - 1e-5));
        let grown = cubes.entries(&ray, 1.0 + 1e-5);
        match picked {
            None => prop_assert!(shrunk.is_none(), "{shrunk:?} was missed"),
            Some((index, distance)) => {
                prop_assert!(grown[index].is_some(), "cube {index} was not there");
                let distance = f64::from(distance);
                // On a face nearly parallel to the ray, a small shift is a large distance.
                prop_assert!(shrunk.is_none_or(|shrunk| distance <= shrunk + 1e-4));
                let grown = nearest_of(&grown).unwrap();
                prop_assert!(distance >= grown - 1e-4, "{distance} before {grown}");
            }
        }
    }
}

fn ray(from: Vec3, toward: Vec3) -> Ray {
    Ray::new(from, toward).unwrap()
}

#[test]
fn cube_ahead_is_hit_at_its_near_face() {
    let cubes = Cubes::default().with(Vec3::new(0.0, 0.0, -30.0), Quat::IDENTITY, 4.0).with(
        Vec3::new(0.0, 0.0, -10.0),
        Quat::IDENTITY,
        4.0,
    );
    assert_eq!(cubes.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), Some((1, 8.0)));
    // After a turn by 45 degrees an edge of the cube is sqrt(2) / 2 of its length from the center.
    let turned = Quat::from_rotation_y(std::f32::consts::FRAC_PI_4);
    let cubes = Cubes::default().with(Vec3::new(0.0, 0.0, -10.0), turned, 4.0);
    let (_, distance) = cubes.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)).unwrap();
    assert!((distance - (10.0 - 2.0 * 2_f32.sqrt())).abs() < 1e-5);
}

#[test]
fn cube_behind_or_around_the_start_is_not_hit() {
    let behind = Cubes::default().with(Vec3::Z * 10.0, Quat::IDENTITY, 4.0);
    assert_eq!(behind.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), None);
    let around = Cubes::default().with(Vec3::Z, Quat::IDENTITY, 4.0);
    assert_eq!(around.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), None);
    // A cube beyond the one around the start is hit.
    let both = around.with(Vec3::Z * -10.0, Quat::IDENTITY, 4.0);
    assert_eq!(both.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), Some((1, 8.0)));
    // A start on the surface is a hit at distance 0.
    assert_eq!(both.pick(&ray(Vec3::Z * -8.0, Vec3::NEG_Z)), Some((1, 0.0)));
}

#[test]
fn ray_parallel_to_faces_hits_only_between_them() {
    let cubes = Cubes::default().with(Vec3::Z * -10.0, Quat::IDENTITY, 4.0);
    for (x, met) in [(0.0, true), (1.999, true), (2.001, false), (-2.001, false)] {
        let picked = cubes.pick(&ray(Vec3::X * x, Vec3::NEG_Z));
        assert_eq!(picked.is_some(), met, "{x}");
    }
}

#[test]
fn cube_without_size_is_never_hit() {
    for edge in [0.0, -1.0, f32::NAN] {
        let cubes = Cubes::default().with(Vec3::Z * -10.0, Quat::IDENTITY, edge);
        assert_eq!(cubes.pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), None, "{edge}");
    }
    assert_eq!(Cubes::default().pick(&ray(Vec3::ZERO, Vec3::NEG_Z)), None);
}

#[test]
fn small_distant_cube_is_not_lost_to_rounding() {
    // A cube of 1 mm, 700 m away along each axis.
    let at = Vec3::new(700.3, -699.7, 701.1);
    let cubes = Cubes::default().with(at, Quat::IDENTITY, 1e-3);
    let from = Vec3::new(0.1, 0.2, 0.3);
    let (_, distance) = cubes.pick(&ray(from, at - from)).unwrap();
    assert!((f64::from(distance) - (at - from).as_dvec3().length()).abs() < 2e-3);
}

#[cfg(parallel)]
#[test]
fn any_number_of_threads_finds_the_same_cube() {
    // Several chunks. Of four cubes in the same place the first is the hit.
    let mut cubes = Cubes::default();
    for i in 0..100_000_u32 {
        let at = Vec3::new((i % 50) as f32, (i / 50 % 50) as f32, (i / 2500 % 10) as f32) * 3.0;
        cubes = cubes.with(at, Quat::IDENTITY, 1.0);
    }
    let rays: Vec<_> = (0..50)
        .map(|i| ray(Vec3::new(3.0 * i as f32, 200.0, 15.0), Vec3::new(1e-3, -1.0, 1e-3)))
        .collect();
    let found = |threads| -> Vec<_> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| rays.iter().map(|ray| cubes.pick(ray)).collect())
    };
    let alone = found(1);
    assert!(alone.iter().flatten().count() == 50 && alone.iter().flatten().all(|it| it.0 < 25_000));
    assert_eq!([2, 3, 8].map(found), [alone.clone(), alone.clone(), alone]);
}

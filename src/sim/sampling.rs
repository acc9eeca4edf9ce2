//! Drawing random values of a scene file.
//!
//! Operations are those that IEEE 754 rounds exactly, and sines and cosines of the crate `libm`, so the same seed gives
//! the same bits on every platform. The order of the random numbers is part of the format.

use std::f32::consts::TAU;

use glam::{Quat, Vec2, Vec3};
use rand_chacha::rand_core::Rng;

use super::random::RandomStream;
use crate::components::{Color, Gravity};
use crate::scenes::{
    AxisAngle, ColorSpec, Distribution, FixedAxisAngle, FixedRotation, GravitySpec, Grid, HexColor,
    Interval, List, Menger, Quantity, RandomColor, RandomNumber, Region, RotationSpec, Spiral,
    Vector, to_vec3,
};

/// Draws a number.
pub(super) fn number<Q: Quantity>(
    from: &Distribution<Q>,
    random: &mut RandomStream<impl Rng>,
) -> f32 {
    match from {
        Distribution::Constant(value) => value.get(),
        Distribution::Random(RandomNumber::Uniform(Interval(low, high))) => {
            random.between(low.get(), high.get())
        }
        Distribution::Random(RandomNumber::Choice(List(values))) => choice(values, random).get(),
    }
}

/// Draws a vector. `index` counts the entities of the template and selects a grid point.
pub(super) fn vector<Q: Quantity>(
    from: &Vector<Q>,
    random: &mut RandomStream<impl Rng>,
    index: u64,
) -> Vec3 {
    match from {
        Vector::Axes(distributions) => axes(distributions, random),
        Vector::Region(region) => point(region, random, index),
    }
}

/// Draws a rotation.
pub(super) fn rotation(from: &RotationSpec, random: &mut RandomStream<impl Rng>) -> Quat {
    match from {
        RotationSpec::Random => random.rotation(),
        RotationSpec::Quaternion(quaternion) => quaternion.get(),
        RotationSpec::AxisAngle(AxisAngle { axis, degrees }) => {
            about(axis.unit(), number(degrees, random))
        }
    }
}

/// Returns the rotation of one entity.
pub(super) fn fixed_rotation(from: &FixedRotation) -> Quat {
    match from {
        FixedRotation::Quaternion(quaternion) => quaternion.get(),
        FixedRotation::AxisAngle(FixedAxisAngle { axis, degrees }) => {
            about(axis.unit(), degrees.get())
        }
    }
}

/// Returns the rotation about an axis of length 1.
fn about(axis: Vec3, degrees: f32) -> Quat {
    let half = Vec2::from_angle(degrees.to_radians() * 0.5);
    let [x, y, z] = (axis * half.y).to_array();
    Quat::from_xyzw(x, y, z, half.x)
}

/// Draws a color.
pub(super) fn color(from: &ColorSpec, random: &mut RandomStream<impl Rng>) -> Color {
    match from {
        ColorSpec::Constant(HexColor(color)) => *color,
        ColorSpec::Random(RandomColor::Hsv(channels)) => {
            let Vec3 { x: hue, y: saturation, z: value } = axes(channels, random);
            Color::from_hsv(hue, saturation, value)
        }
        ColorSpec::Random(RandomColor::Choice(List(colors))) => choice(colors, random).0,
    }
}

/// Draws a gravity.
pub(super) fn gravity<Q: Quantity>(
    from: &GravitySpec<Distribution<Q>>,
    random: &mut RandomStream<impl Rng>,
) -> Gravity {
    Gravity(match from {
        GravitySpec::Down(down) => Vec3::new(0.0, -number(down, random), 0.0),
        GravitySpec::Vector(distributions) => axes(distributions, random),
    })
}

fn axes<Q: Quantity>(from: &[Distribution<Q>; 3], random: &mut RandomStream<impl Rng>) -> Vec3 {
    Vec3::from(from.each_ref().map(|distribution| number(distribution, random)))
}

fn choice<T: Copy>(values: &[T], random: &mut RandomStream<impl Rng>) -> T {
    values[random.below(values.len() as u32) as usize]
}

fn point<Q: Quantity>(region: &Region<Q>, random: &mut RandomStream<impl Rng>, index: u64) -> Vec3 {
    match region {
        Region::Sphere(sphere) => {
            let (inner, outer) = sphere.radius.bounds();
            to_vec3(sphere.center) + random.direction() * random.radius(inner, outer, 2)
        }
        Region::Disk(disk) => {
            let (inner, outer) = disk.radius.bounds();
            let (x, z) = random.heading();
            let radius = random.radius(inner, outer, 1);
            let half = disk.height.get() * 0.5;
            let y = random.between(-half, half);
            to_vec3(disk.center) + Vec3::new(x * radius, y, z * radius)
        }
        Region::Spiral(spiral) => spiral_point(spiral, random),
        Region::Grid(grid) => grid_point(grid, index),
        Region::Menger(menger) => menger_point(menger, index),
    }
}

fn spiral_point<Q: Quantity>(spiral: &Spiral<Q>, random: &mut RandomStream<impl Rng>) -> Vec3 {
    let (inner, outer) = spiral.radius.bounds();
    // Uniform in the radius, so that points are denser towards the center.
    let radius = random.between(inner, outer);
    let way = if outer > inner { (radius - inner) / (outer - inner) } else { 0.0 };
    let arm = random.below(spiral.arms.0) as f32 / spiral.arms.0 as f32;
    let heading = Vec2::from_angle(TAU * (arm + spiral.turns.get() * way));
    let mut offset = |size: f32| (random.unit() + random.unit() - 1.0) * size * 0.5;
    let (width, height) = (spiral.width.get(), spiral.height.get());
    let (x, y, z) = (offset(width), offset(height), offset(width));
    to_vec3(spiral.center) + Vec3::new(heading.x * radius + x, y, heading.y * radius + z)
}

fn grid_point<Q: Quantity>(grid: &Grid<Q>, index: u64) -> Vec3 {
    let [width, height, depth] = grid.counts.0.map(u64::from);
    let [x, z, y] = [index % width, index / width % depth, index / (width * depth) % height];
    let steps = [(x, width), (y, height), (z, depth)]
        .map(|(step, count)| step as f32 - (count - 1) as f32 * 0.5);
    to_vec3(grid.center) + Vec3::from(steps) * to_vec3(grid.spacing)
}

/// Returns the center of a cube of a Menger sponge: each digit of the index in base 20 selects one of the
/// 20 cubes of a level, which are those of 27 that lie at the center of at most one axis.
fn menger_point<Q: Quantity>(menger: &Menger<Q>, index: u64) -> Vec3 {
    let mut edge = menger.edge.get();
    let mut center = to_vec3(menger.center);
    for level in 0..menger.level.0 {
        edge /= 3.0;
        let kept = (0..27_u8).map(|place| [place % 3, place / 9, place / 3 % 3]);
        let mut kept =
            kept.filter(|steps| steps.map(|step| u8::from(step == 1)).iter().sum::<u8>() < 2);
        let digit = index / 20_u64.pow(level) % 20;
        let steps = kept.nth(digit as usize).expect("20 of 27 cubes");
        center += Vec3::from(steps.map(|step| f32::from(step) - 1.0)) * edge;
    }
    center
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_and_angle_rotate_counter_clockwise() {
        let spec = serde_json::from_str(r#"{"axis": [0, 2, 0], "degrees": 90}"#).unwrap();
        let rotated = rotation(&spec, &mut RandomStream::new(1)) * Vec3::X;
        assert!((rotated - Vec3::NEG_Z).length() < 1e-6, "{rotated}");
    }
}

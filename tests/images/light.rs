//! Colors from surface to byte.
//!
//! The formulas and numbers of `shaders/*.wgsl`, repeated independently.

use glam::DVec3;

/// Direction to the key light, not normalized.
const TO_KEY: DVec3 = DVec3::new(3.0, 5.0, 4.0);
const KEY: DVec3 = DVec3::new(2.9, 2.5, 2.0);
const FROM_BELOW: DVec3 = DVec3::new(0.13, 0.12, 0.12);
const FROM_ABOVE: DVec3 = DVec3::new(0.34, 0.44, 0.62);
/// Direction of the fill light: across the key light, to its left.
const FILL_FROM: DVec3 = DVec3::new(0.8, 0.0, -0.6);
/// Direction of the rim light: opposite of the key light, slightly from above; not normalized.
const RIM_FROM: DVec3 = DVec3::new(-0.6, 0.5, -0.8);

/// The direction to the key light.
pub(crate) fn to_key() -> DVec3 {
    TO_KEY.normalize()
}

/// Lambert's cosine of the key light.
pub(crate) fn key_share(normal: DVec3) -> f64 {
    normal.dot(to_key()).max(0.0)
}

/// Light reflected by a matte surface; `visible` and `open` are the fractions of the key light and of the
/// ambient light that reach it.
pub(crate) fn reflected(albedo: DVec3, normal: DVec3, visible: f64, open: f64) -> DVec3 {
    let above = f64::midpoint(normal.y, 1.0);
    let around = FROM_ABOVE * above + FROM_BELOW * (1.0 - above);
    let side = 1.0 + 0.3 * normal.dot(FILL_FROM);
    let back = 0.5 * normal.dot(RIM_FROM.normalize()).max(0.0);
    albedo * (KEY * key_share(normal) * visible + (around * side + FROM_ABOVE * back) * open)
}

/// Noise of the product from -0.5 to 0.5, in fixed-point numbers with 32 binary places: the fraction of
/// 52.9829189 times the first 16 places of the fraction of 0.06711 x + 0.005837 y.
fn noise([x, y]: [u32; 2]) -> f64 {
    let sum = (u64::from(x) * 288_237_631 + u64::from(y) * 25_070_363) % (1 << 32);
    let fraction = (sum / 65_536) * 3_472_289 % (1 << 32);
    (fraction / 256) as f64 / f64::from(1 << 24) - 0.5
}

/// A displayed color with the noise of its pixel, about one step of a byte.
pub(crate) fn dithered(shown: DVec3, at: [u32; 2]) -> DVec3 {
    shown + shown.map(f64::sqrt) * (noise(at) * 2.1 / 255.0)
}

/// The sky in a direction of any length; `nadir` is its light straight down.
pub(crate) fn sky(direction: DVec3, nadir: DVec3) -> DVec3 {
    let direction = direction.normalize();
    let zenith = DVec3::new(0.10, 0.28, 0.72);
    let horizon = DVec3::new(0.62, 0.82, 1.05);
    let gradient = if direction.y > 0.0 {
        let up = direction.y;
        horizon + (zenith - horizon) * (1.02 * up * up.sqrt() / (up + 0.02))
    } else {
        horizon + (nadir - horizon) * smooth(0.0, 0.75, -direction.y)
    };
    gradient + DVec3::new(0.70, 0.44, 0.20) * direction.dot(to_key()).max(0.0).powi(6)
}

/// A surface behind fog in front of `sky`, at the end of a ray. At the distance `fog`, in m, 1/e of it is
/// visible.
pub(crate) fn through_fog(light: DVec3, ray: DVec3, fog: f64, sky: DVec3) -> DVec3 {
    let clear = (-ray.length_squared() / (fog * fog)).exp();
    light * clear + sky * (1.0 - clear)
}

/// Smoothstep from 0 at `low` to 1 at `high`.
pub(crate) fn smooth(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Decodes sRGB (IEC 61966-2-1) from 0 to 255 into linear light.
pub(crate) fn decoded(stored: [f64; 3]) -> DVec3 {
    DVec3::from(stored).map(|stored| {
        let x = stored / 255.0;
        if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    })
}

/// The filmic curve from light to the display, from 0 to 1.
pub(crate) fn tone_mapped(light: DVec3) -> DVec3 {
    light.map(|light| {
        let x = 0.6 * light;
        let shown = (2.51 * x * x + 0.03 * x) / (2.43 * x * x + 0.59 * x + 0.14);
        shown.clamp(0.0, 1.0)
    })
}

/// Encodes as sRGB, from 0 to 255, not rounded.
pub(crate) fn encoded(shown: DVec3) -> [f64; 3] {
    shown.to_array().map(|x| {
        255.0 * if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
    })
}

//! Shadows of the key light.

use glam::DVec3;

use crate::cube::Cube;
use crate::light::to_key;

/// Texels along an edge of the shadow map.
const TEXELS: f64 = 2048.0;
/// Radius of the map, relative to half the edge of the box.
const REACH: f64 = 1.733;

/// Radius around a point that must be lit alike, in texels: the product takes the mean of
/// texels up to two away, and a third covers the position of their centers.
const ASIDE: f64 = 3.0;

/// Distance from the middle of the map, relative to its radius, from which on shadows fade.
const FADE: f64 = 0.89;

/// Casts rays toward the key light.
pub(crate) struct Shadows<'a> {
    cubes: &'a [Cube],
    /// Center of the map.
    center: DVec3,
    to_key: DVec3,
    /// Two vectors perpendicular to the light, a texel long.
    across: [DVec3; 2],
    /// Radius of the map, in m.
    reach: f64,
}

impl<'a> Shadows<'a> {
    /// Shadows in the box of plus and minus `extent` around `center`.
    pub(crate) fn new(cubes: &'a [Cube], center: DVec3, extent: f64) -> Self {
        let reach = extent * REACH;
        let to_key = to_key();
        let texel = 2.0 * reach / TEXELS;
        // The axes of the map: its upper edge points to the zenith.
        let right = DVec3::Y.cross(to_key).normalize();
        let across = [right * texel, to_key.cross(right) * texel];
        Self { cubes, center, to_key, across, reach }
    }

    /// Fraction of the light that reaches a point, 0 or 1; `None` where it is not the
    /// same all around it, and where shadows fade.
    pub(crate) fn visible(&self, place: DVec3) -> Option<f64> {
        let margin = ASIDE * 2_f64.sqrt() * self.across[0].length();
        let near = self.cubes.iter().filter(|cube| cube.is_near(place, self.to_key, margin));
        let near: Vec<&Cube> = near.collect();
        let mut edges = near.iter().flat_map(|cube| cube.edges());
        if edges.any(|edge| self.is_rim(place, edge, margin)) {
            return None;
        }
        // Without an edge the rest is flat: the corners of the square stand for all of it.
        let lit = self.is_lit(&near, place);
        let corners = [(-ASIDE, -ASIDE), (ASIDE, -ASIDE), (-ASIDE, ASIDE), (ASIDE, ASIDE)];
        let same = corners.iter().all(|&(right, up)| {
            let beside = place + self.across[0] * right + self.across[1] * up;
            self.is_lit(&near, beside) == lit
        });
        if !lit && self.border(place) > FADE {
            return None;
        }
        same.then_some(if lit { 1.0 } else { 0.0 })
    }

    /// Whether an edge passes between a point and the light within a margin.
    fn is_rim(&self, place: DVec3, [from, to]: [DVec3; 2], margin: f64) -> bool {
        let (from, to) = (from - place, to - place);
        let height = from.dot(self.to_key).max(to.dot(self.to_key));
        // Seen from the light, where the margin is a circle around the point.
        let [from, to] = [from, to].map(|end| end - self.to_key * end.dot(self.to_key));
        let way = to - from;
        let nearest = (-from.dot(way) / way.length_squared().max(1e-30)).clamp(0.0, 1.0);
        height > -margin && (from + way * nearest).length() < margin
    }

    /// Faces turned away from the light bound a shadow: those where a ray to the light enters.
    fn is_lit(&self, near: &[&Cube], place: DVec3) -> bool {
        if !self.is_mapped(place) {
            return true;
        }
        !near.iter().any(|cube| {
            cube.entry(place, self.to_key).is_some_and(|entry| {
                entry.along > 0.0 && self.is_mapped(place + self.to_key * entry.along)
            })
        })
    }

    /// Outside the map nothing casts or receives shadows.
    fn is_mapped(&self, place: DVec3) -> bool {
        let depth = -(place - self.center).dot(self.to_key);
        self.border(place) <= 1.0 && (-self.reach..=2.0 * self.reach).contains(&depth)
    }

    /// Returns the distance from the middle of the map, which is 1 at its border.
    fn border(&self, place: DVec3) -> f64 {
        let place = place - self.center;
        let [x, y] = self.across.map(|axis| place.dot(axis.normalize()).abs());
        x.max(y) / self.reach
    }
}

//! Colors of cubes from the palette of the scene.
//!
//! A cube whose place in the palette does not change is painted once, when it spawns or the palette
//! changes. Height, speed and age change in every step: only with these does the system rewrite the colors.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::bundles::{Cube, Physics};
use super::cube_generator::{CubeGenerator, HALF_EXTENT};
use super::evaluation::{self, Evaluation};
use super::groups::Groups;
use super::parallel::{for_each_chunk, map};
use super::timeline::simulated_time;
use super::tuning::Tuning;
use crate::components::{
    Acceleration, Color, ColorBy, Coloring, Epoch, EvaluatedMotion, Gravity, Motion, Palette,
    Position, Velocity,
};
use crate::ecs::{Entity, Error, SystemArgs, World};

/// Entities per chunk.
const CHUNK: usize = 16_384;

/// Speed at the end of the palette, in m/s: that of a middling cube at the ground of the classic box.
const MAX_SPEED: f32 = 40.0;
/// Age at the end of the palette, in s.
const MAX_AGE: f32 = 10.0;
/// Share of the palette by which neighbors colored by place differ.
const MIXING: f32 = 0.34;
/// Places by position leave out the dark end, which would hide the shape of a cube.
const DARKEST: f32 = 0.2;

/// System that colors cubes by height, speed or age, on all threads of the current pool. With any other
/// coloring, and with time at 0, it marks no color as changed.
pub(super) fn repaint_moving(world: &mut World, args: SystemArgs) -> Result<(), Error> {
    let Some(Coloring { palette, by }) = coloring(world) else { return Ok(()) };
    if simulated_time(world, args) == 0.0 {
        return Ok(());
    }
    let factor = Tuning::of(world).gravity;
    match by {
        ColorBy::Place | ColorBy::Random => Ok(()),
        ColorBy::Height => repaint(world, palette, |at, _, _, _| height(at)),
        ColorBy::Speed => repaint(world, palette, |_, v, _, _| speed(v)),
        ColorBy::Age => repaint(world, palette, |_, v, a, g| age(v, a, g, factor)),
    }
}

/// Gives each falling cube the color at the place that `place` returns for its current position and velocity, and the
/// forces on it.
fn repaint(
    world: &mut World,
    palette: Palette,
    place: impl Fn(&Position, &Velocity, &Acceleration, &Gravity) -> f32 + Sync,
) -> Result<(), Error> {
    type Integrated<'a> =
        (&'a mut Color, &'a Position, &'a Velocity, &'a Acceleration, &'a Gravity);
    type Evaluated<'a> =
        (&'a mut Color, &'a Position, &'a Velocity, &'a Acceleration, &'a Gravity, &'a Epoch);
    let paint = |color: &mut Color, place: f32| *color = color.with_srgb_of(palette.color(place));
    let Groups { motion, falling, .. } = Groups::of(world);
    if motion == Motion::Integrated {
        return for_each_chunk::<Integrated<'_>>(world, falling, CHUNK, |(colors, p, v, a, g)| {
            let (moving, forces) = (p.iter().zip(v), a.iter().zip(g));
            for ((color, (position, velocity)), (a, g)) in colors.iter_mut().zip(moving).zip(forces)
            {
                paint(color, place(position, velocity, a, g));
            }
        });
    }
    let evaluation = Evaluation::of(world);
    for_each_chunk::<Evaluated<'_>>(world, falling, CHUNK, |(colors, p, v, a, g, epochs)| {
        let (stated, forces) = (p.iter().zip(v).zip(epochs), a.iter().zip(g));
        for ((color, (a, g)), ((&position, &velocity), &epoch)) in
            colors.iter_mut().zip(forces).zip(stated)
        {
            let (mut position, mut velocity) = (position, velocity);
            evaluation.advance(epoch, (&mut position, &mut velocity), (a, g));
            paint(color, place(&position, &velocity, a, g));
        }
    })
}

fn coloring(world: &World) -> Option<Coloring> {
    world.resources().get::<Option<Coloring>>().copied().flatten()
}

/// Paints all cubes by the coloring of the world, if it has one.
pub(super) fn paint_all(world: &mut World) -> Result<(), Error> {
    let (painter, drawn) = (Painter::of(world), Groups::of(world).drawn);
    if painter.coloring.is_none() {
        return Ok(());
    }
    let group = world.group(drawn)?;
    let mut new_colors = Vec::new();
    let reserved = new_colors.try_reserve_exact(group.len());
    reserved.map_err(|_| Error::OutOfMemory { entities: group.len() })?;
    let (colors, positions) = group.slices::<(&Color, &Position)>();
    let evaluated = EvaluatedMotion::of(world);
    map(group.len(), &mut new_colors, |index| {
        let (color, at) = (colors[index], positions[index]);
        let position = || Some(evaluated.map_or(at, |cubes| cubes.position(index, at)));
        let new_color = group.entity(index).and_then(|cube| {
            let velocity = || evaluation::velocity(world, cube).ok();
            painter.color(cube, color, position, velocity, || forces(world, cube))
        });
        new_color.unwrap_or(color)
    });
    world.group_mut(drawn)?.slices_mut::<(&mut Color,)>().0.copy_from_slice(&new_colors);
    Ok(())
}

/// Paints cubes that hang still by the physics with which they will fall, if the coloring of the world depends on it.
pub(super) fn paint_resting(
    world: &mut World,
    resting: impl Iterator<Item = (Entity, Physics)>,
) -> Result<(), Error> {
    let painter = Painter::of(world);
    if !painter.coloring.is_some_and(|it| matches!(it.by, ColorBy::Speed | ColorBy::Age)) {
        return Ok(());
    }
    for (cube, Physics { body, gravity }) in resting {
        let color = world.get_mut::<Color>(cube)?;
        let forces = || Some((body.acceleration, gravity));
        *color =
            painter.color(cube, *color, || None, || Some(body.velocity), forces).unwrap_or(*color);
    }
    Ok(())
}

/// Paints new entities by the coloring of the world, if it has one. Those without a color stay as they are.
pub(super) fn paint(world: &mut World, entities: &[Entity]) -> Result<(), Error> {
    let painter = Painter::of(world);
    if painter.coloring.is_none() {
        return Ok(());
    }
    for &entity in entities {
        let Ok(&color) = world.get::<&Color>(entity) else { continue };
        let new = painter.color(
            entity,
            color,
            || evaluation::position(world, entity).ok(),
            || evaluation::velocity(world, entity).ok(),
            || forces(world, entity),
        );
        if let Some(new) = new {
            *world.get_mut(entity)? = new;
        }
    }
    Ok(())
}

/// Returns acceleration and gravity of a cube. Resting cubes have neither these nor a velocity.
fn forces(world: &World, cube: Entity) -> Option<(Acceleration, Gravity)> {
    world.get::<(&Acceleration, &Gravity)>(cube).ok().map(|(&a, &g)| (a, g))
}

/// Paints single cubes by the coloring of a world.
#[derive(Clone, Copy)]
pub(super) struct Painter {
    coloring: Option<Coloring>,
    seed: u64,
    /// Factor of gravity.
    factor: f32,
}

impl Painter {
    pub(super) fn of(world: &World) -> Self {
        let seed = world.resources().get::<CubeGenerator>().map_or(0, |it| it.settings().seed);
        Self { coloring: coloring(world), seed, factor: Tuning::of(world).gravity }
    }

    /// Paints a cube that is about to spawn with this handle.
    pub(super) fn paint(self, new: Entity, cube: &mut Cube) {
        let Cube { transform, color, physics: Physics { body, gravity } } = *cube;
        let forces = || Some((body.acceleration, gravity));
        let painted =
            self.color(new, color, || Some(transform.position), || Some(body.velocity), forces);
        cube.color = painted.unwrap_or(color);
    }

    fn color(
        self,
        cube: Entity,
        color: Color,
        position: impl FnOnce() -> Option<Position>,
        velocity: impl FnOnce() -> Option<Velocity>,
        forces: impl FnOnce() -> Option<(Acceleration, Gravity)>,
    ) -> Option<Color> {
        let Coloring { palette, by } = self.coloring?;
        let place = match by {
            ColorBy::Place => by_place(&position()?, self.unit(cube)),
            ColorBy::Random => self.unit(cube),
            ColorBy::Height => height(&position()?),
            ColorBy::Speed => velocity().map_or(0.0, |velocity| speed(&velocity)),
            ColorBy::Age => {
                velocity().zip(forces()).map_or(0.0, |(v, (a, g))| age(&v, &a, &g, self.factor))
            }
        };
        Some(color.with_srgb_of(Palette::color(palette, place)))
    }

    /// Returns a random number from 0 to 1 that depends on the seed and the handle only, as spin does.
    fn unit(self, cube: Entity) -> f32 {
        // Another number than that of the spin.
        let bits = xxh3_64_with_seed(&cube.to_bits().to_le_bytes(), !self.seed);
        (bits >> 40) as f32 / (1 << 24) as f32
    }
}

/// Returns the place of a cube by its position and a random number from 0 to 1. It has the period of the
/// box in X and Z.
fn by_place(&Position(at): &Position, random: f32) -> f32 {
    let turns = (at.x + at.z) / (2.0 * HALF_EXTENT) + 0.25;
    // Rounded toward 0, which the wave's symmetry allows: `floor` is a call on processors without SSE 4.1.
    let wave = 2.0 * ((turns - turns as i32 as f32).abs() - 0.5).abs();
    let place = wave * (1.0 - MIXING) + random * MIXING;
    DARKEST + place * (1.0 - DARKEST)
}

fn height(&Position(at): &Position) -> f32 {
    at.y / (2.0 * HALF_EXTENT) + 0.5
}

fn speed(&Velocity(velocity): &Velocity) -> f32 {
    velocity.length() / MAX_SPEED
}

/// The place in the palette of the time since the cube was at rest along its acceleration, with this factor of gravity.
fn age(
    &Velocity(velocity): &Velocity,
    acceleration: &Acceleration,
    gravity: &Gravity,
    factor: f32,
) -> f32 {
    let total = acceleration.with_gravity(*gravity, factor);
    let squared = total.length_squared();
    if squared > 0.0 { velocity.dot(total) / squared / MAX_AGE } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn age_is_the_time_of_a_fall_from_rest() {
        let (a, g) = (Acceleration(Vec3::new(0.5, 0.0, 0.0)), Gravity(Vec3::new(0.0, -4.0, 0.0)));
        for (seconds, factor) in [(0.0_f32, 1.0), (2.0, 1.0), (7.5, 4.0), (3.0, 0.25)] {
            let velocity = Velocity(a.with_gravity(g, factor) * seconds);
            assert!((age(&velocity, &a, &g, factor) * MAX_AGE - seconds).abs() < 1e-5);
        }
        assert_eq!(age(&Velocity(Vec3::X), &Acceleration::default(), &g, 0.0), 0.0);
    }

    #[test]
    fn place_is_in_range_and_has_the_period_of_the_box() {
        for x in -30..30_i8 {
            let at = Vec3::new(f32::from(x) * 7.3, 3.0, 11.0);
            for random in [0.0, 0.5, 1.0] {
                let place = by_place(&Position(at), random);
                assert!((DARKEST..=1.0).contains(&place), "{at}: {place}");
                for period in [Vec3::X, Vec3::Z, Vec3::NEG_X] {
                    let next = by_place(&Position(at + period * 200.0), random);
                    assert!((next - place).abs() < 1e-4, "{at}, {period}");
                }
            }
        }
    }

    #[test]
    fn heights_and_speeds_span_the_palette() {
        let at = |y: f32| height(&Position(Vec3::new(5.0, y, 5.0)));
        assert_eq!([at(-100.0), at(0.0), at(100.0)], [0.0, 0.5, 1.0]);
        assert_eq!(speed(&Velocity(Vec3::new(0.0, 0.0, -20.0))), 0.5);
    }
}

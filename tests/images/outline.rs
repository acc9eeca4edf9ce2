//! Outline: what the line around a selected cube does to a picture.

use cubefall::components::{Color, Position, Rotation, Scale, Transform};
use cubefall::render::{Effects, Geometry, Gpu, Image, Quality, RenderSettings, Size};
use glam::{Quat, Vec3};

use crate::gallery::BLUE;
use crate::painter::{Painter, exact, gpu, pixel};
use crate::still::Still;

const BARE: Effects = Effects { ground: false, fog: false, msaa: false, shadows: false };
const SIZE: u32 = 200;

fn draw(gpu: &Gpu, still: &Still, outlined: Option<usize>) -> Image {
    draw_with(gpu, exact(BARE), still, outlined)
}

fn draw_with(gpu: &Gpu, settings: RenderSettings, still: &Still, outlined: Option<usize>) -> Image {
    let scene = still.scene().with_outline(outlined.map(|cube| transform(still, cube)));
    Painter::new(gpu, settings).draw(&scene, Size::new(SIZE, SIZE).unwrap())
}

fn transform(still: &Still, cube: usize) -> Transform {
    Transform {
        position: still.positions[cube],
        rotation: still.rotations[cube],
        scale: still.scales[cube],
    }
}

/// Pixels that differ.
fn changed(a: &Image, b: &Image) -> Vec<[u32; 2]> {
    let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4)).enumerate();
    pixels.filter(|(_, (a, b))| a != b).map(|(i, _)| [i as u32 % SIZE, i as u32 / SIZE]).collect()
}

/// A cube whose front face, of 4 m, is so many metres ahead.
fn one(distance: f32) -> Still {
    let at = Vec3::new(0.0, 0.0, -distance - 2.0);
    Still::default().with(at, 4.0, Quat::IDENTITY, BLUE)
}

/// Half the edge in pixels of a face of 4 m that is so many metres ahead.
fn half(distance: f32) -> f32 {
    2.0 / (distance * 25_f32.to_radians().tan()) * (SIZE / 2) as f32
}

/// How far in pixels the middle of a pixel is from the border of a square about the middle.
fn from_border([x, y]: [u32; 2], half: f32) -> f32 {
    let [x, y] = [x, y].map(|place| (place as f32 + 0.5 - (SIZE / 2) as f32).abs());
    let outside = [x - half, y - half].map(|beyond| beyond.max(0.0));
    let inside = (x - half).max(y - half).min(0.0);
    outside[0].hypot(outside[1]) - inside
}

fn is_orange([red, green, blue]: [u8; 3]) -> bool {
    red > 200 && (100..220).contains(&green) && blue < 110
}

#[test]
fn the_line_runs_along_the_silhouette_and_nowhere_else_and_is_as_wide_at_any_distance() {
    let gpu = gpu();
    for distance in [6.0, 10.0, 40.0] {
        let still = one(distance);
        let (plain, lined) = (draw(&gpu, &still, None), draw(&gpu, &still, Some(0)));
        let (half, changed) = (half(distance), changed(&plain, &lined));
        for &at in &changed {
            assert!(from_border(at, half) < 4.0, "{at:?} at {distance} m");
        }
        for [x, y] in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| [x, y])) {
            if from_border([x, y], half) < 1.0 {
                let color = pixel(&lined, x, y);
                assert!(is_orange(color), "{color:?} at {x}, {y}, {distance} m");
            }
        }
        // Across the line on the left, in the middle of its height.
        let across = (0..SIZE / 2).filter(|&x| changed.contains(&[x, SIZE / 2])).count();
        assert!((6..=8).contains(&across), "{across} pixels wide at {distance} m");
    }
}

#[test]
fn without_a_selection_the_picture_is_the_same_to_the_byte() {
    let gpu = gpu();
    for settings in [exact(BARE), exact(Quality::High.effects())] {
        let still = one(10.0);
        let size = Size::new(SIZE, SIZE).unwrap();
        let never = Painter::new(&gpu, settings).draw(&still.scene(), size);
        let mut painter = Painter::new(&gpu, settings);
        let before = painter.draw(&still.scene(), size);
        let scene = still.scene().with_outline(Some(transform(&still, 0)));
        let during = painter.draw(&scene, size);
        let after = painter.draw(&still.scene(), size);
        assert!(before == never && after == never && during != never);
    }
}

#[test]
fn behind_another_cube_the_line_is_faint_but_there() {
    let gpu = gpu();
    // A wall that hides all of the cube behind it.
    let wall = |still: Still| {
        still.with(Vec3::new(0.0, 0.0, -6.0), 5.0, Quat::IDENTITY, Color::srgb(120, 120, 120))
    };
    let hidden = wall(one(10.0));
    let (plain, lined) = (draw(&gpu, &hidden, None), draw(&gpu, &hidden, Some(0)));
    let half = half(10.0);
    let line = changed(&plain, &lined);
    assert!(!line.is_empty() && line.iter().all(|&pixel| from_border(pixel, half) < 2.5));
    let free = draw(&gpu, &one(10.0), Some(0));
    for &[x, y] in line.iter().filter(|&&pixel| from_border(pixel, half) < 0.8) {
        let [before, now, open] = [&plain, &lined, &free].map(|image| pixel(image, x, y));
        // Between what hides it and what it would be in the open, nowhere twice as strong.
        let redder = i32::from(now[0]) - i32::from(before[0]);
        let open = i32::from(open[0]) - i32::from(before[0]);
        assert!(redder * 5 > open && redder * 10 < open * 8, "{redder} of {open} at {x}, {y}");
    }
}

/// The pixel at a place from -1 (left, top) to 1.
#[expect(clippy::cast_sign_loss, reason = "the places asked for lie in the picture")]
fn pixel_of(place: f32) -> u32 {
    let middle = (SIZE / 2) as f32;
    (place * middle + middle) as u32
}

#[test]
fn every_way_of_drawing_shows_the_line() {
    let gpu = gpu();
    let rotation = Quat::from_rotation_x(0.6) * Quat::from_rotation_y(-0.7);
    let still = Still::default().with(Vec3::Z * -14.0, 4.0, rotation, BLUE);
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        for effects in [BARE, Quality::High.effects()] {
            let settings = RenderSettings { geometry, ..exact(effects) };
            let lined = draw_with(&gpu, settings, &still, Some(0));
            let orange = lined.rgba().chunks(4).filter(|it| is_orange([it[0], it[1], it[2]]));
            // Six edges of 4 m, some of them foreshortened, about three pixels wide.
            let orange = orange.count();
            assert!((400..1200).contains(&orange), "{orange} pixels");
            // Not along the edges inside: three of them meet at the nearest corner.
            let nearest = (0..8)
                .map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5)
                .map(|corner| Vec3::Z * -14.0 + rotation * corner * 4.0)
                .max_by(|a, b| a.z.total_cmp(&b.z))
                .unwrap();
            let edge = -nearest.z * 25_f32.to_radians().tan();
            let [x, y] = [nearest.x, -nearest.y].map(|at| pixel_of(at / edge));
            assert!(!is_orange(pixel(&lined, x, y)));
        }
    }
}

#[test]
fn from_within_there_is_no_silhouette_and_beside_the_camera_only_what_is_ahead() {
    let gpu = gpu();
    let within = Still::default().with(Vec3::ZERO, 4.0, Quat::IDENTITY, BLUE);
    assert!(draw(&gpu, &within, None) == draw(&gpu, &within, Some(0)));
    let behind = Still::default().with(Vec3::Z * 10.0, 4.0, Quat::IDENTITY, BLUE);
    assert!(draw(&gpu, &behind, None) == draw(&gpu, &behind, Some(0)));
    // A floor that begins behind the camera and ends 20 m ahead, 1 m below it: its far edge is
    // seen, and its sides run out of the picture.
    let floor = Still::default().with(Vec3::new(0.0, -21.0, 0.0), 40.0, Quat::IDENTITY, BLUE);
    let lined = changed(&draw(&gpu, &floor, None), &draw(&gpu, &floor, Some(0)));
    let horizon = 1.0 / (20.0 * 25_f32.to_radians().tan()) * 100.0 + 100.0;
    assert!(lined.len() as u32 > SIZE * 5);
    assert!(lined.iter().all(|&[_, y]| (y as f32 + 0.5 - horizon) > -4.0), "not above it");
}

#[test]
fn an_entity_that_moves_takes_its_line_along() {
    let gpu = gpu();
    let mut painter = Painter::new(&gpu, exact(BARE));
    let size = Size::new(SIZE, SIZE).unwrap();
    let still = one(10.0);
    let at = |x: f32| Transform {
        position: Position(Vec3::new(x, 0.0, -12.0)),
        rotation: Rotation::default(),
        scale: Scale(4.0),
    };
    let left = painter.draw(&still.scene().with_outline(Some(at(-1.0))), size);
    let right = painter.draw(&still.scene().with_outline(Some(at(1.0))), size);
    assert!(left != right);
    let again = painter.draw(&still.scene().with_outline(Some(at(-1.0))), size);
    assert!(left == again);
}

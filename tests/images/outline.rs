//! The outline of the selected cube.

use cubefall::components::{Color, Position, Rotation, Scale, Transform};
use cubefall::render::{
    AmbientOcclusion, Effects, Geometry, Gpu, Image, Quality, RenderSettings, Size,
};
use glam::{Quat, Vec3};

use crate::cases::BLUE;
use crate::harness::{Harness, exact, gpu, pixel};
use crate::test_scene::TestScene;

const BARE: Effects = Effects {
    ground: false,
    fog: false,
    msaa: false,
    shadows: false,
    ao: AmbientOcclusion::Off,
    bloom: false,
    dither: false,
};
const SIZE: u32 = 200;

fn draw(gpu: &Gpu, test_scene: &TestScene, outlined: Option<usize>) -> Image {
    draw_with(gpu, exact(BARE), test_scene, outlined)
}

fn draw_with(
    gpu: &Gpu,
    settings: RenderSettings,
    test_scene: &TestScene,
    outlined: Option<usize>,
) -> Image {
    let scene = test_scene.scene().with_outline(outlined.map(|cube| transform(test_scene, cube)));
    Harness::new(gpu, settings).draw(&scene, Size::new(SIZE, SIZE).unwrap())
}

fn transform(test_scene: &TestScene, cube: usize) -> Transform {
    Transform {
        position: test_scene.positions[cube],
        rotation: test_scene.rotations[cube],
        scale: test_scene.scales[cube],
    }
}

/// Positions of the pixels that differ.
fn changed(a: &Image, b: &Image) -> Vec<[u32; 2]> {
    let pixels = a.rgba().chunks(4).zip(b.rgba().chunks(4)).enumerate();
    pixels.filter(|(_, (a, b))| a != b).map(|(i, _)| [i as u32 % SIZE, i as u32 / SIZE]).collect()
}

/// A cube of 4 m whose front face is `distance` m ahead.
fn one(distance: f32) -> TestScene {
    let at = Vec3::new(0.0, 0.0, -distance - 2.0);
    TestScene::default().with(at, 4.0, Quat::IDENTITY, BLUE)
}

/// Half the edge of its front face, in pixels.
fn half(distance: f32) -> f32 {
    2.0 / (distance * 25_f32.to_radians().tan()) * (SIZE / 2) as f32
}

/// Distance of a pixel's center from the border of a square in the center of the image, in pixels.
fn from_border([x, y]: [u32; 2], half: f32) -> f32 {
    let [x, y] = [x, y].map(|place| (place as f32 + 0.5 - (SIZE / 2) as f32).abs());
    let outside = [x - half, y - half].map(|beyond| beyond.max(0.0));
    let inside = (x - half).max(y - half).min(0.0);
    outside[0].hypot(outside[1]) - inside
}

fn is_pink([red, green, blue]: [u8; 3]) -> bool {
    red > 200 && (20..140).contains(&green) && (120..225).contains(&blue)
}

#[test]
fn the_line_follows_the_silhouette_only_and_has_the_same_width_at_any_distance() {
    let gpu = gpu();
    for distance in [6.0, 10.0, 40.0] {
        let test_scene = one(distance);
        let (plain, lined) = (draw(&gpu, &test_scene, None), draw(&gpu, &test_scene, Some(0)));
        let (half, changed) = (half(distance), changed(&plain, &lined));
        for &at in &changed {
            assert!(from_border(at, half) < 4.0, "{at:?} at {distance} m");
        }
        for [x, y] in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| [x, y])) {
            if from_border([x, y], half) < 1.0 {
                let color = pixel(&lined, x, y);
                assert!(is_pink(color), "{color:?} at {x}, {y}, {distance} m");
            }
        }
        // Across the left line, at half its height.
        let across = (0..SIZE / 2).filter(|&x| changed.contains(&[x, SIZE / 2])).count();
        assert!((6..=8).contains(&across), "{across} pixels wide at {distance} m");
    }
}

#[test]
fn without_an_outline_the_image_is_identical() {
    let gpu = gpu();
    for settings in [exact(BARE), exact(Quality::High.effects())] {
        let test_scene = one(10.0);
        let size = Size::new(SIZE, SIZE).unwrap();
        let never = Harness::new(&gpu, settings).draw(&test_scene.scene(), size);
        let mut harness = Harness::new(&gpu, settings);
        let before = harness.draw(&test_scene.scene(), size);
        let scene = test_scene.scene().with_outline(Some(transform(&test_scene, 0)));
        let during = harness.draw(&scene, size);
        let after = harness.draw(&test_scene.scene(), size);
        assert!(before == never && after == never && during != never);
    }
}

#[test]
fn behind_another_cube_the_line_is_faint() {
    let gpu = gpu();
    // A wall that hides all of the cube behind it.
    let wall = |test_scene: TestScene| {
        test_scene.with(Vec3::new(0.0, 0.0, -6.0), 5.0, Quat::IDENTITY, Color::srgb(120, 120, 120))
    };
    let hidden = wall(one(10.0));
    let (plain, lined) = (draw(&gpu, &hidden, None), draw(&gpu, &hidden, Some(0)));
    let half = half(10.0);
    let line = changed(&plain, &lined);
    assert!(!line.is_empty() && line.iter().all(|&pixel| from_border(pixel, half) < 2.5));
    let free = draw(&gpu, &one(10.0), Some(0));
    for &[x, y] in line.iter().filter(|&&pixel| from_border(pixel, half) < 0.8) {
        let [before, now, open] = [&plain, &lined, &free].map(|image| pixel(image, x, y));
        // Between the color in front and that of an unhidden line, nowhere drawn twice.
        let redder = i32::from(now[0]) - i32::from(before[0]);
        let open = i32::from(open[0]) - i32::from(before[0]);
        assert!(redder * 5 > open && redder * 10 < open * 8, "{redder} of {open} at {x}, {y}");
    }
}

/// Converts -1 (left, top) to 1 into pixels.
#[expect(clippy::cast_sign_loss, reason = "the places asked for lie in the image")]
fn pixel_of(place: f32) -> u32 {
    let middle = (SIZE / 2) as f32;
    (place * middle + middle) as u32
}

#[test]
fn the_line_is_drawn_with_every_geometry_and_quality() {
    let gpu = gpu();
    let rotation = Quat::from_rotation_x(0.6) * Quat::from_rotation_y(-0.7);
    let test_scene = TestScene::default().with(Vec3::Z * -14.0, 4.0, rotation, BLUE);
    for geometry in [Geometry::Pulled, Geometry::Instanced] {
        for effects in [BARE, Quality::High.effects()] {
            let settings = RenderSettings { geometry, ..exact(effects) };
            let lined = draw_with(&gpu, settings, &test_scene, Some(0));
            let pink = lined.rgba().chunks(4).filter(|it| is_pink([it[0], it[1], it[2]]));
            // Six edges of 4 m, some of them foreshortened, about three pixels wide.
            let pink = pink.count();
            assert!((400..1200).contains(&pink), "{pink} pixels");
            // Inner edges have no line: three of them meet at the nearest corner.
            let nearest = (0..8)
                .map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) - 0.5)
                .map(|corner| Vec3::Z * -14.0 + rotation * corner * 4.0)
                .max_by(|a, b| a.z.total_cmp(&b.z))
                .unwrap();
            let edge = -nearest.z * 25_f32.to_radians().tan();
            let [x, y] = [nearest.x, -nearest.y].map(|at| pixel_of(at / edge));
            assert!(!is_pink(pixel(&lined, x, y)));
        }
    }
}

#[test]
fn the_line_is_clipped_at_the_camera_and_absent_from_inside_the_cube() {
    let gpu = gpu();
    let within = TestScene::default().with(Vec3::ZERO, 4.0, Quat::IDENTITY, BLUE);
    assert!(draw(&gpu, &within, None) == draw(&gpu, &within, Some(0)));
    let behind = TestScene::default().with(Vec3::Z * 10.0, 4.0, Quat::IDENTITY, BLUE);
    assert!(draw(&gpu, &behind, None) == draw(&gpu, &behind, Some(0)));
    // A slab 1 m below the camera that ends 20 m ahead: its far edge is
    // visible, and its sides extend beyond the image.
    let floor = TestScene::default().with(Vec3::new(0.0, -21.0, 0.0), 40.0, Quat::IDENTITY, BLUE);
    let lined = changed(&draw(&gpu, &floor, None), &draw(&gpu, &floor, Some(0)));
    let horizon = 1.0 / (20.0 * 25_f32.to_radians().tan()) * 100.0 + 100.0;
    assert!(lined.len() as u32 > SIZE * 5);
    assert!(lined.iter().all(|&[_, y]| (y as f32 + 0.5 - horizon) > -4.0), "not above it");
}

#[test]
fn the_line_moves_with_its_cube() {
    let gpu = gpu();
    let mut harness = Harness::new(&gpu, exact(BARE));
    let size = Size::new(SIZE, SIZE).unwrap();
    let test_scene = one(10.0);
    let at = |x: f32| Transform {
        position: Position(Vec3::new(x, 0.0, -12.0)),
        rotation: Rotation::default(),
        scale: Scale(4.0),
    };
    let left = harness.draw(&test_scene.scene().with_outline(Some(at(-1.0))), size);
    let right = harness.draw(&test_scene.scene().with_outline(Some(at(1.0))), size);
    assert!(left != right);
    let again = harness.draw(&test_scene.scene().with_outline(Some(at(-1.0))), size);
    assert!(left == again);
}

#[test]
fn a_selected_cube_of_less_than_a_pixel_has_a_visible_outline() {
    let gpu = gpu();
    for distance in [500.0, 5000.0] {
        let test_scene = one(distance);
        let (plain, lined) = (draw(&gpu, &test_scene, None), draw(&gpu, &test_scene, Some(0)));
        let changed = changed(&plain, &lined);
        let [left, right] = [changed.iter().min(), changed.iter().max()].map(|at| at.unwrap()[0]);
        assert!((12..=24).contains(&(right - left)), "{} pixels at {distance} m", right - left);
    }
}

#[test]
fn the_cube_under_the_pointer_has_a_thinner_outline_without_pink() {
    let gpu = gpu();
    let test_scene = one(10.0);
    let plain = draw(&gpu, &test_scene, None);
    let selected = changed(&plain, &draw(&gpu, &test_scene, Some(0)));
    let scene = test_scene.scene().with_hovered(Some(transform(&test_scene, 0)));
    let hovered = Harness::new(&gpu, exact(BARE)).draw(&scene, Size::new(SIZE, SIZE).unwrap());
    let thin = changed(&plain, &hovered);
    assert!(thin.len() > 200 && thin.len() < selected.len(), "{} pixels", thin.len());
    assert!(thin.iter().all(|&[x, y]| !is_pink(pixel(&hovered, x, y))));
    // Both at once, each on a cube of its own.
    let two = test_scene.with(Vec3::new(3.0, 0.0, -8.0), 1.0, Quat::IDENTITY, BLUE);
    let scene = two.scene().with_outline(Some(transform(&two, 0)));
    let scene = scene.with_hovered(Some(transform(&two, 1)));
    let both = Harness::new(&gpu, exact(BARE)).draw(&scene, Size::new(SIZE, SIZE).unwrap());
    let one_line = changed(&draw(&gpu, &two, Some(0)), &both).len();
    assert!(one_line > 50, "{one_line} pixels");
}

#[test]
fn all_but_the_selected_cube_is_dimmed() {
    let gpu = gpu();
    let size = Size::new(SIZE, SIZE).unwrap();
    let rotation = Quat::from_rotation_x(0.6) * Quat::from_rotation_y(-0.7);
    let other = |test_scene: TestScene| {
        test_scene.with(Vec3::new(-4.0, 4.0, -14.0), 2.0, Quat::IDENTITY, BLUE)
    };
    let test_scene = other(TestScene::default().with(Vec3::Z * -14.0, 4.0, rotation, BLUE));
    for effects in [BARE, Quality::High.effects()] {
        let lined = draw_with(&gpu, exact(effects), &test_scene, Some(0));
        let scene = test_scene.scene().with_dimmed_others();
        let unselected = Harness::new(&gpu, exact(effects)).draw(&scene, size);
        assert!(unselected == draw_with(&gpu, exact(effects), &test_scene, None));
        let scene = scene.with_outline(Some(transform(&test_scene, 0)));
        let dimmed = Harness::new(&gpu, exact(effects)).draw(&scene, size);
        let brightness =
            |image: &Image, x, y| pixel(image, x, y).into_iter().map(u32::from).sum::<u32>();
        // The middle of the cube, of the other one, and the sky at a corner.
        let [middle, beside] = [SIZE / 2, pixel_of(-4.0 / 14.0 / 25_f32.to_radians().tan())];
        assert_eq!(pixel(&dimmed, middle, middle), pixel(&lined, middle, middle));
        for [x, y] in [[beside, beside], [SIZE - 3, 3]] {
            let [now, before] = [&dimmed, &lined].map(|image| brightness(image, x, y));
            assert!(
                now * 10 < before * 9 && now * 10 > before * 4,
                "{now} of {before} at {x}, {y}"
            );
        }
    }
}

#[test]
fn what_is_dimmed_does_not_glow() {
    let gpu = gpu();
    let effects = Effects { bloom: true, ..BARE };
    let test_scene = TestScene::default().with(Vec3::Z * -14.0, 4.0, Quat::IDENTITY, BLUE).with(
        Vec3::new(4.0, 4.0, -14.0),
        1.0,
        Quat::IDENTITY,
        BLUE.with_emission(4.0),
    );
    let scene = test_scene.scene().with_outline(Some(transform(&test_scene, 0)));
    let size = Size::new(SIZE, SIZE).unwrap();
    let lined = Harness::new(&gpu, exact(effects)).draw(&scene, size);
    let scene = scene.with_dimmed_others();
    let dimmed = Harness::new(&gpu, exact(effects)).draw(&scene, size);
    // The sky, far from the cube that glows.
    for [x, y] in [[3, 3], [3, SIZE / 3]] {
        let [before, now] = [&lined, &dimmed].map(|image| pixel(image, x, y));
        assert!(now.iter().zip(before).all(|(now, before)| *now < before), "{now:?} {before:?}");
    }
}

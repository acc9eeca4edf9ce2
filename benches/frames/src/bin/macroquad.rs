//! macroquad: `draw_cube` for every cube, as in typical macroquad code.
//!
//! The library generates 24 vertices per cube on the CPU in every frame and uploads them in batches, here
//! as large as its 16-bit indices allow. It draws through OpenGL. Cubes are not rotated; there is no
//! light, no fog and no sky. Moving them is the floor's loop.
//!
//! `encode` is the generation of vertices; what `next_frame` does, upload, draw calls and present, is
//! counted as `present`. There is no headless mode, and no `--culled`: it has no culling.

use std::process::ExitCode;
use std::sync::mpsc;

use frames::{Contestant, Options, Part, Scene, Stopwatch};
use macroquad::Window;
use macroquad::camera::{Camera3D, set_camera};
use macroquad::color::Color;
use macroquad::conf::Conf;
use macroquad::math::Vec3;
use macroquad::miniquad::conf::{Conf as WindowConf, Platform};
use macroquad::models::draw_cube;
use macroquad::window::{clear_background, next_frame};

/// The most vertices that 16-bit indices can address, and their indices.
const VERTICES: usize = 1 << 16;
const INDICES: usize = VERTICES / 4 * 6;

fn main() -> ExitCode {
    frames::run(Contestant::Macroquad, |options| {
        let scene = Scene::new(options.cubes)?;
        let (done, measured) = mpsc::channel();
        let paint = {
            let options = options.clone();
            async move { done.send(paint(scene, &options).await).expect("somebody waits for it") }
        };
        Window::from_config(conf(options), paint);
        Ok(measured.try_recv()?)
    })
}

fn conf(options: &Options) -> Conf {
    Conf {
        miniquad_conf: WindowConf {
            window_title: "frames".to_owned(),
            window_width: options.size.width().cast_signed(),
            window_height: options.size.height().cast_signed(),
            window_resizable: false,
            platform: Platform { swap_interval: Some(0), ..Default::default() },
            ..Default::default()
        },
        draw_call_vertex_capacity: VERTICES,
        draw_call_index_capacity: INDICES,
        ..Default::default()
    }
}

async fn paint(mut scene: Scene, options: &Options) -> Stopwatch {
    let camera = camera(&scene);
    let colors: Vec<_> = scene.cubes.colors.iter().map(|color| color.to_srgb()).collect();
    let mut watch = Stopwatch::start(options);
    loop {
        if !options.still {
            scene.cubes.step();
        }
        watch.lap(Part::Simulate);
        clear_background(Color::from_rgba(124, 160, 203, 255));
        set_camera(&camera);
        for (transform, &[red, green, blue]) in scene.cubes.transforms.iter().zip(&colors) {
            let position = Vec3::from(transform.position.to_array());
            let color = Color::from_rgba(red, green, blue, 255);
            draw_cube(position, Vec3::splat(transform.scale), None, color);
        }
        watch.lap(Part::Encode);
        next_frame().await;
        watch.lap(Part::Present);
        if !watch.next_frame() {
            return watch;
        }
    }
}

fn camera(scene: &Scene) -> Camera3D {
    let position = Vec3::from(scene.camera.position.0.to_array());
    let forward = scene.camera.rotation.0 * glam::Vec3::NEG_Z;
    Camera3D {
        position,
        target: position + Vec3::from(forward.to_array()),
        up: Vec3::Y,
        fovy: scene.camera.lens.fov_y,
        z_near: scene.camera.lens.near,
        ..Default::default()
    }
}

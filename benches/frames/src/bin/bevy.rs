//! Bevy: one entity per cube with a shared `Mesh3d`, as in typical Bevy code.
//!
//! The cubes are rotated and scaled as elsewhere; they share [`MATERIALS`] unlit materials in place
//! of a color each. `RigidBody` and `Gravity` are components of this program, moved by one system
//! with `par_iter_mut`. Default plugins, of which only those for 3D in an X11 window are compiled;
//! threads and pipelined rendering as by default. No lights, fog, sky, tone mapping, shadows or
//! multisampling; no vsync.
//!
//! A frame is from one update to the next; rendering runs beside the next update, so only
//! `simulate` is measured. With `--headless` there is no window, and the render world waits for the
//! GPU in every frame, beside the next update as well. With `--culled` the camera looks away and Bevy's
//! own frustum culling skips every cube.

#![expect(clippy::needless_pass_by_value, reason = "systems take their parameters that way")]

use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy::app::ScheduleRunnerPlugin;
use bevy::camera::RenderTarget;
use bevy::core_pipeline::tonemapping::Tonemapping;
use bevy::prelude::*;
use bevy::render::render_resource::{PollType, TextureFormat};
use bevy::render::renderer::RenderDevice;
use bevy::render::{Render, RenderApp, RenderPlugin, RenderSystems};
use bevy::window::{ExitCondition, PresentMode, WindowResizeConstraints, WindowResolution};
use bevy::winit::{WinitPlugin, WinitSettings};
use frames::{Contestant, HALF_EXTENT, Mode, Options, Outcome, Part, STEP, Stopwatch};

/// Number of materials; a cube uses one by its index.
const MATERIALS: usize = 8;

#[derive(Component)]
struct RigidBody {
    velocity: Vec3,
    acceleration: Vec3,
}

#[derive(Component)]
struct Gravity(Vec3);

#[derive(Resource)]
struct Flags(Options);

/// Shared with `main`, which the app does not give it back to.
#[derive(Resource, Clone)]
struct Watch(Arc<Mutex<Option<Stopwatch>>>);

impl Watch {
    fn with<R>(&self, work: impl FnOnce(&mut Option<Stopwatch>) -> R) -> R {
        work(&mut self.0.lock().expect("no system panics while it holds it"))
    }
}

fn main() -> ExitCode {
    frames::run(Contestant::Bevy, measure)
}

fn measure(options: &Options) -> Outcome<Stopwatch> {
    let watch = Watch(Arc::new(Mutex::new(None)));
    // Otherwise the first frames would have no cubes.
    let rendering = RenderPlugin { synchronous_pipeline_compilation: true, ..Default::default() };
    let plugins = DefaultPlugins.set(rendering);
    let mut app = App::new();
    match options.mode() {
        Mode::Window => {
            let primary_window = Some(window(options));
            app.add_plugins(plugins.set(WindowPlugin { primary_window, ..Default::default() }));
            app.insert_resource(WinitSettings::continuous());
        }
        Mode::Headless => {
            let windows = WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..Default::default()
            };
            app.add_plugins(plugins.set(windows).disable::<WinitPlugin>());
            app.add_plugins(ScheduleRunnerPlugin::run_loop(Duration::ZERO));
            let render_app = app.get_sub_app_mut(RenderApp).ok_or("no adapter can draw")?;
            render_app.add_systems(Render, wait_for_gpu.after(RenderSystems::Render));
        }
    }
    app.insert_resource(ClearColor(Color::srgb_u8(124, 160, 203)))
        .insert_resource(Flags(options.clone()))
        .insert_resource(watch.clone())
        .add_systems(Startup, spawn)
        .add_systems(First, next_frame)
        .add_systems(Update, integrate.run_if(|flags: Res<Flags>| !flags.0.still))
        .run();
    watch.with(Option::take).ok_or_else(|| "no frame was drawn".into())
}

fn window(options: &Options) -> Window {
    Window {
        title: "frames".to_owned(),
        resolution: WindowResolution::new(options.size.width(), options.size.height())
            .with_scale_factor_override(1.0),
        resize_constraints: WindowResizeConstraints {
            min_width: 1.0,
            min_height: 1.0,
            ..Default::default()
        },
        present_mode: PresentMode::AutoNoVsync,
        resizable: false,
        ..Default::default()
    }
}

fn spawn(
    flags: Res<Flags>,
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut images: ResMut<Assets<Image>>,
) -> Result {
    let frames::Scene { cubes, camera } = frames::Scene::new(flags.0.cubes)?;
    let mesh = meshes.add(Cuboid::default());
    let materials: [_; MATERIALS] = std::array::from_fn(|i| {
        let base_color = Color::hsv(i as f32 / MATERIALS as f32 * 360.0, 0.65, 0.9);
        materials.add(StandardMaterial { base_color, unlit: true, ..Default::default() })
    });
    let cubes: Vec<_> = cubes
        .transforms
        .iter()
        .zip(&cubes.gravities)
        .enumerate()
        .map(|(i, (transform, gravity))| {
            let place = Transform {
                translation: Vec3::from(transform.position.to_array()),
                rotation: Quat::from_array(transform.rotation.to_array()),
                scale: Vec3::splat(transform.scale),
            };
            (
                place,
                RigidBody { velocity: Vec3::ZERO, acceleration: Vec3::ZERO },
                Gravity(Vec3::from(gravity.0.to_array())),
                Mesh3d(mesh.clone()),
                MeshMaterial3d(materials[i % MATERIALS].clone()),
            )
        })
        .collect();
    commands.spawn_batch(cubes);

    let mut place = Transform {
        translation: Vec3::from(camera.position.0.to_array()),
        rotation: Quat::from_array(camera.rotation.0.to_array()),
        ..Default::default()
    };
    if flags.0.culled {
        place.rotate_y(std::f32::consts::PI);
    }
    let projection = PerspectiveProjection {
        fov: camera.lens.fov_y,
        near: camera.lens.near,
        ..Default::default()
    };
    let mut camera = commands.spawn((
        Camera3d::default(),
        Projection::Perspective(projection),
        place,
        Msaa::Off,
        Tonemapping::None,
    ));
    if flags.0.mode() == Mode::Headless {
        let (width, height) = (flags.0.size.width(), flags.0.size.height());
        let format = TextureFormat::Rgba8UnormSrgb;
        let image = images.add(Image::new_target_texture(width, height, format, None));
        camera.insert(RenderTarget::Image(image.into()));
    }
    Ok(())
}

fn wait_for_gpu(device: Res<RenderDevice>) -> Result {
    device.poll(PollType::wait_indefinitely())?;
    Ok(())
}

fn integrate(watch: Res<Watch>, mut cubes: Query<(&mut Transform, &mut RigidBody, &Gravity)>) {
    watch.with(|watch| watch.as_mut().map(Stopwatch::skip));
    cubes.par_iter_mut().for_each(|(mut transform, mut body, gravity)| {
        let acceleration = gravity.0 + body.acceleration;
        transform.translation += body.velocity * STEP + acceleration * (0.5 * STEP * STEP);
        body.velocity += acceleration * STEP;
        if transform.translation.y < -HALF_EXTENT {
            transform.translation.y = HALF_EXTENT;
            body.velocity = Vec3::ZERO;
        }
    });
    watch.with(|watch| watch.as_mut().map(|watch| watch.lap(Part::Simulate)));
}

fn next_frame(watch: Res<Watch>, flags: Res<Flags>, mut exit: MessageWriter<AppExit>) {
    let more = watch.with(|watch| {
        if let Some(watch) = watch {
            return watch.next_frame();
        }
        *watch = Some(Stopwatch::start(&flags.0));
        true
    });
    if !more {
        exit.write(AppExit::Success);
    }
}

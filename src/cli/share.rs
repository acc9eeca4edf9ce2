//! Share text: scene, seed, mode, motion, count, colors, factors and camera in one line, which `--open` reads.
//!
//! `cubefall://galaxy/seed=11/mode=cubes-fall/camera=0,95,190/look-at=0,49,101/fov=52`. No character of it is
//! special to a shell.

use std::fmt;

use glam::Vec3;

use super::camera::{copied_camera, degrees, fov, point, point_text, rate};
use super::scenes::{ChosenScene, bundled_scene, names};
use super::values::{parse_count, whole};
use super::{TuningArgs, tuning};
use crate::components::{ColorBy, Coloring, Motion, Palette};
use crate::sim::{CLASSIC, CameraSetup, FallMode, SceneSource, Simulation};

const PREFIX: &str = "cubefall://";

/// What a share text describes.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SharedView {
    /// Name of a bundled scene; `classic` is the scene of `--cubes`.
    scene: String,
    pub(super) cubes: Option<u32>,
    pub(super) seed: Option<u64>,
    pub(super) mode: Option<FallMode>,
    /// Left out if it is that of the scene.
    pub(super) motion: Option<Motion>,
    /// Left out with `color_by` if the colors are those of a scene file.
    pub(super) palette: Option<Palette>,
    pub(super) color_by: Option<ColorBy>,
    /// What differs from the scene.
    pub(super) tuning: TuningArgs,
    camera: Option<Vec3>,
    look_at: Option<Vec3>,
    /// In degrees.
    fov: Option<f32>,
    /// In degrees per second.
    orbit: Option<f32>,
}

impl SharedView {
    /// Returns the current scene and camera. `None` if the scene is a file of the user.
    pub fn of(simulation: &Simulation) -> Option<Self> {
        let source = simulation.source();
        let (scene, cubes) = match &source {
            // A scene starts with one cube at least.
            SceneSource::Classic(settings) => (CLASSIC, Some(settings.cubes.max(1))),
            SceneSource::File(scene) => (scene.name(), None),
        };
        let is_bundled = match &source {
            SceneSource::Classic(_) => true,
            SceneSource::File(file) => bundled_scene(scene)
                .is_some_and(|bundled| bundled.fingerprint() == file.fingerprint()),
        };
        // The scene opens on its path by itself.
        let camera = if simulation.is_on_path_of_scene() {
            CameraSetup::default()
        } else {
            copied_camera(&simulation.camera())
        };
        let CameraSetup { position, look_at, fov_y, orbit_speed, .. } = camera;
        // A window may have saved another palette for the scene without a file.
        let is_classic = matches!(source, SceneSource::Classic(_));
        let is_told = |it: &Coloring| is_classic || Some(*it) != source.coloring();
        let coloring = simulation.coloring().filter(is_told);
        is_bundled.then(|| Self {
            scene: scene.to_owned(),
            cubes,
            seed: Some(source.seed()),
            mode: Some(simulation.mode()),
            motion: Some(simulation.motion()).filter(|&motion| motion != source.motion()),
            palette: coloring.map(|it| it.palette),
            color_by: coloring.map(|it| it.by),
            tuning: TuningArgs::changed(source.tuning(), simulation.tuning()),
            camera: position,
            look_at,
            fov: fov_y.map(degrees),
            orbit: orbit_speed.map(degrees),
        })
    }

    /// Returns the bundled scene; `None` if a number of cubes is given.
    pub(super) fn scene(&self) -> Option<ChosenScene> {
        bundled_scene(&self.scene).filter(|_| self.cubes.is_none())
    }

    pub(super) fn camera(&self) -> CameraSetup {
        let fov_y = self.fov.map(f32::to_radians);
        CameraSetup {
            position: self.camera,
            look_at: self.look_at,
            fov_y,
            orbit_speed: self.orbit.map(f32::to_radians),
            ..CameraSetup::default()
        }
    }

    /// Parses a share text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let example = format!("expected a text such as {PREFIX}galaxy/seed=11/camera=0,95,190");
        let mut parts = text.trim().strip_prefix(PREFIX).ok_or(example)?.split('/');
        let scene = parts.next().unwrap_or_default().to_owned();
        if bundled_scene(&scene).is_none() {
            return Err(format!("unknown scene \"{scene}\", expected one of {}", names()));
        }
        let mut view = Self { scene, ..Self::default() };
        for part in parts.filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            view.set(key, value).map_err(|message| format!("{key}: {message}"))?;
        }
        if view.cubes.is_some() && view.scene != CLASSIC {
            return Err(format!("cubes: the scene {} has its own number", view.scene));
        }
        view.camera().check().map_err(|invalid| invalid.to_string())?;
        Ok(view)
    }

    /// Returns what is given beside the name of the scene.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let parts = [
            ("cubes", self.cubes.map(|cubes| cubes.to_string())),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("mode", self.mode.map(|mode| mode.to_string())),
            ("motion", self.motion.map(|motion| motion.to_string())),
            ("palette", self.palette.map(|palette| palette.to_string())),
            ("color-by", self.color_by.map(|by| by.to_string())),
        ];
        let view = [
            ("camera", self.camera.map(point_text)),
            ("look-at", self.look_at.map(point_text)),
            ("fov", self.fov.map(|fov| fov.to_string())),
            ("orbit", self.orbit.map(|orbit| orbit.to_string())),
        ];
        let given = |(key, value): (_, Option<String>)| Some((key, value?));
        let parts = parts.into_iter().filter_map(given).chain(self.tuning.parts());
        parts.chain(view.into_iter().filter_map(given))
    }

    #[cfg(feature = "app")]
    pub(super) fn scene_name(&self) -> &str {
        &self.scene
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let twice = || format!("given twice, the second time as \"{value}\"");
        let is_new = match key {
            "cubes" => self.cubes.replace(parse_count(value)?).is_none(),
            "seed" => self.seed.replace(whole(0..=u64::MAX)(value)?).is_none(),
            "mode" => self.mode.replace(named(&FallMode::ALL, value)?).is_none(),
            "motion" => self.motion.replace(named(&Motion::ALL, value)?).is_none(),
            "palette" => self.palette.replace(named(&Palette::ALL, value)?).is_none(),
            "color-by" => self.color_by.replace(named(&ColorBy::ALL, value)?).is_none(),
            "gravity" => self.tuning.gravity.replace(tuning::gravity(value)?).is_none(),
            "time" => self.tuning.time.replace(tuning::time(value)?).is_none(),
            "spin" => self.tuning.spin.replace(tuning::spin(value)?).is_none(),
            "camera" => self.camera.replace(point(value)?).is_none(),
            "look-at" => self.look_at.replace(point(value)?).is_none(),
            "fov" => self.fov.replace(fov(value)?).is_none(),
            "orbit" => self.orbit.replace(rate(value)?).is_none(),
            _ => {
                let expected = "unknown, expected cubes, seed, mode, motion, palette, color-by, gravity, \
                                time, spin, camera, look-at, fov or orbit";
                return Err(expected.into());
            }
        };
        is_new.then_some(()).ok_or_else(twice)
    }
}

/// Returns the value with a name.
fn named<T: Copy + fmt::Display>(all: &[T], name: &str) -> Result<T, String> {
    let names: Vec<_> = all.iter().map(T::to_string).collect();
    let found = names.iter().position(|other| other == name).map(|at| all[at]);
    found.ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

/// Prints the share text.
impl fmt::Display for SharedView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.scene)?;
        self.parts().try_for_each(|(key, value)| write!(f, "/{key}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::option::of;
    use proptest::prelude::*;

    use super::*;
    use crate::scenes::bundled;
    use crate::sim::{SceneSettings, Tuning};

    fn coordinates() -> impl Strategy<Value = Vec3> {
        let range = || -10_000.0_f32..=10_000.0;
        (range(), range(), range()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn a_printed_view_is_parsed_back(
            scene in 0..bundled().len(), count in of(1..=100_000_000_u32), seed in of(any::<u64>()),
            falls in of(any::<bool>()), evaluated in any::<bool>(), camera in of(coordinates()), look_at in of(coordinates()),
            palette in of(0..Palette::ALL.len()), by in of(0..ColorBy::ALL.len()),
            fov in of(10.0..=120.0_f32), orbit in of(-360.0..=360.0_f32),
            gravity in of(0.0..=4.0_f32), time in of(0.0..=8.0_f32), spin in of(0.0..=4.0_f32),
        ) {
            let tuning = TuningArgs { gravity, time, spin };
            let scene = bundled()[scene].name.to_owned();
            let cubes = count.filter(|_| scene == CLASSIC);
            let mode = falls.map(|falls| if falls { FallMode::Camera } else { FallMode::Cubes });
            let motion = evaluated.then_some(Motion::Evaluated);
            let (palette, color_by) =
                (palette.map(|at| Palette::ALL[at]), by.map(|at| ColorBy::ALL[at]));
            let view = SharedView {
                scene, cubes, seed, mode, motion, palette, color_by, tuning, camera, look_at, fov, orbit,
            };
            let text = view.to_string();
            let safe = |c: char| c.is_ascii_alphanumeric() || ":/=,.-".contains(c);
            prop_assert!(text.chars().all(safe), "{text}");
            match view.camera().check() {
                Ok(()) => prop_assert_eq!(SharedView::parse(&text), Ok(view)),
                Err(invalid) => prop_assert_eq!(SharedView::parse(&text), Err(invalid.to_string())),
            }
        }

        #[test]
        fn any_other_text_is_refused_with_a_short_message(rest in ".{0,40}") {
            prop_assume!(!rest.trim().starts_with(PREFIX));
            // No key begins with x.
            for text in [rest.clone(), format!("{PREFIX}galaxy/x{rest}")] {
                let parsed = SharedView::parse(&text);
                let is_short = |message: &String| message.chars().count() < 200;
                prop_assert!(parsed.as_ref().is_err_and(is_short), "{parsed:?}");
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("galaxy", "cubefall://galaxy/seed=11"),
            ("cubefall://galaxie", "expected one of classic"),
            ("cubefall://galaxy/seed=x", "seed: expected a whole number"),
            ("cubefall://galaxy/seed=1/seed=2", "seed: given twice"),
            ("cubefall://galaxy/cubes=5", "cubes: the scene galaxy has its own number"),
            ("cubefall://galaxy/camera=1,2", "camera: expected three numbers"),
            ("cubefall://galaxy/mode=up", "mode: expected one of cubes-fall, camera-falls"),
            ("cubefall://galaxy/gravity=5", "gravity: expected 0 to 4 as the factor of gravity"),
            ("cubefall://galaxy/time=1/time=2", "time: given twice"),
            ("cubefall://galaxy/color-by=x", "color-by: expected one of place, random"),
            ("cubefall://galaxy//x/", "x: unknown"),
            (
                "cubefall://galaxy/camera=0,0,0/look-at=0,0,0",
                "camera and look-at are both at 0,0,0",
            ),
            ("cubefall://galaxy/camera=0,0,0/look-at=0,9000,0/orbit=10", "is 9000 m from it"),
        ] {
            let message = SharedView::parse(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn factors_that_differ_from_the_scene_are_shared() {
        let settings = SceneSettings { cubes: 3, seed: 5 };
        let mut simulation = Simulation::new(settings, FallMode::Cubes).unwrap();
        let text = |simulation: &Simulation| SharedView::of(simulation).unwrap().to_string();
        assert!(!text(&simulation).contains("gravity"));
        let tuning = Tuning { gravity: 0.25, ..simulation.tuning() };
        simulation.set_tuning(tuning).unwrap();
        let text = text(&simulation);
        assert!(text.contains("/gravity=0.25/camera="), "{text}");
        let parsed = SharedView::parse(&text).unwrap();
        assert_eq!(parsed.tuning.of(Tuning::default()), tuning);
    }

    #[test]
    fn the_colors_of_the_scene_without_a_file_are_always_told() {
        let shared = |source| SharedView::of(&Simulation::new(source, FallMode::Cubes).unwrap());
        let classic = shared(SceneSource::Classic(SceneSettings { cubes: 3, seed: 5 })).unwrap();
        let Coloring { palette, by } = Coloring::default();
        assert_eq!((classic.palette, classic.color_by), (Some(palette), Some(by)));
        let file = SceneSource::File(bundled_scene("galaxy").unwrap().scene(None));
        assert_eq!(shared(file).unwrap().palette, None);
    }

    #[test]
    fn a_camera_on_the_path_of_its_scene_is_not_shared() {
        let scene = bundled_scene("galaxy").unwrap().scene(None);
        let mut simulation = Simulation::new(scene, FallMode::Cubes).unwrap();
        assert_eq!(SharedView::of(&simulation).unwrap().camera(), CameraSetup::default());
        simulation.camera_mut().rotate(10.0, 0.0);
        assert!(SharedView::of(&simulation).unwrap().camera().position.is_some());
    }

    #[test]
    fn views_at_the_limits_are_parsed_back() {
        let mut simulation =
            Simulation::new(SceneSettings { cubes: 3, seed: 5 }, FallMode::Cubes).unwrap();
        for distance in [1.0, 2000.0] {
            for turn in 0..50 {
                let (target, angle) = (Vec3::new(0.3, 7.7, 0.1), 0.1 * turn as f32);
                let direction = Vec3::new(angle.sin(), 0.3, angle.cos()).normalize();
                let setup = CameraSetup {
                    position: Some(target + direction * distance),
                    look_at: Some(target),
                    orbit_speed: Some(0.1),
                    ..CameraSetup::default()
                };
                simulation.camera_mut().set_up(&setup).unwrap();
                simulation.step(crate::sim::TimeStep::default()).unwrap();
                let text = SharedView::of(&simulation).unwrap().to_string();
                assert_eq!(SharedView::parse(&text).map(|_| ()), Ok(()), "{text}");
            }
        }
    }

    #[test]
    fn an_opened_view_is_the_one_that_was_shared() {
        let settings = SceneSettings { cubes: 300, seed: 5 };
        let mut simulation = Simulation::new(settings, FallMode::Camera).unwrap();
        simulation.set_motion(Motion::Evaluated).unwrap();
        simulation.camera_mut().rotate(250.0, -60.0);
        simulation.step(crate::sim::TimeStep::default()).unwrap();
        let shared = SharedView::of(&simulation).unwrap();
        assert_eq!(
            (shared.cubes, shared.seed, shared.mode, shared.motion),
            (Some(300), Some(5), Some(FallMode::Camera), Some(Motion::Evaluated))
        );
        let mut opened = Simulation::new(settings, FallMode::Camera).unwrap();
        opened.camera_mut().set_up(&shared.camera()).unwrap();
        let (now, then) = (opened.camera().view(), simulation.camera().view());
        assert!(now.position.0.distance(then.position.0) < 1e-3);
        assert!(now.rotation.0.angle_between(then.rotation.0) < 1e-3);
    }
}

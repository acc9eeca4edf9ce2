//! Flags of the camera.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use glam::Vec3;

use super::values::{number, on_or_off};
use crate::components::Orbit;
use crate::scenes::{CameraPath, SceneError};
use crate::sim::{Camera, CameraSetup};

/// Heading of these flags in `--help`.
const HEADING: &str = "Camera";

/// Largest coordinate, in m.
const MAX_COORDINATE: f32 = 10_000.0;

/// Smallest and largest vertical field of view, in degrees.
const FOVS: [f32; 2] = [10.0, 120.0];

/// Distance of the point that a copied camera looks at, in m, unless it orbits one.
const AHEAD: f32 = 100.0;

/// Camera instead of that of the scene: flags that were checked against each other.
#[derive(Clone, Debug, Default)]
pub struct CameraArgs(CameraFlags);

/// The flags of the camera.
#[derive(Args, Clone, Debug, Default)]
struct CameraFlags {
    /// Position of the camera in meters; it looks in the direction of the scene's camera, unless
    /// --look-at is given
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    #[arg(help_heading = HEADING, conflicts_with = "camera_path")]
    camera: Option<Vec3>,
    /// Point to look at, in meters
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    #[arg(help_heading = HEADING, conflicts_with = "camera_path")]
    look_at: Option<Vec3>,
    /// Vertical field of view in degrees, from 10 to 120
    #[arg(long, value_name = "DEGREES", value_parser = fov, help_heading = HEADING)]
    #[arg(conflicts_with = "camera_path")]
    fov: Option<f32>,
    /// Circle the point to look at by so many degrees per simulated second, from -360 to 360; seen from above, positive is
    /// counterclockwise
    #[arg(long, value_name = "DEGREES", value_parser = rate, allow_hyphen_values = true)]
    #[arg(help_heading = HEADING, conflicts_with = "camera_path")]
    orbit: Option<f32>,
    /// Widen the view while the camera falls; not part of a saved state [default: on; the window: as last used]
    #[arg(long, value_name = "on|off", value_parser = on_or_off(), help_heading = HEADING)]
    widen_view: Option<bool>,
    /// Move along the key frames of a JSON file; in the window until the user moves the camera
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    #[arg(value_parser = PathBufValueParser::new().try_map(|file| PathFile::read(file.into())))]
    camera_path: Option<PathFile>,
}

/// File of a camera path, already parsed.
#[derive(Clone, Debug)]
struct PathFile {
    argument: OsString,
    path: Arc<CameraPath>,
}

impl PathFile {
    fn read(argument: OsString) -> Result<Self, SceneError> {
        let path = CameraPath::read(&argument)?;
        Ok(Self { argument, path: Arc::new(path) })
    }
}

impl FromArgMatches for CameraArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let args = Self(CameraFlags::from_arg_matches(matches)?);
        let checked = args.setup(&CameraSetup::default()).check();
        let refused =
            |message| clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"));
        checked.map(|()| args).map_err(refused)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for CameraArgs {
    fn augment_args(command: Command) -> Command {
        CameraFlags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        CameraFlags::augment_args_for_update(command)
    }
}

impl CameraArgs {
    /// Returns the camera of the flags, and where they say nothing, that of `shared`.
    pub(super) fn setup(&self, shared: &CameraSetup) -> CameraSetup {
        let CameraFlags { camera, look_at, fov, orbit, widen_view, camera_path } = &self.0;
        // A path replaces all other places.
        let none = CameraSetup::default();
        let shared = if camera_path.is_some() { &none } else { shared };
        CameraSetup {
            position: camera.or(shared.position),
            look_at: look_at.or(shared.look_at),
            fov_y: fov.map(f32::to_radians).or(shared.fov_y),
            orbit_speed: orbit.map(f32::to_radians).or(shared.orbit_speed),
            widened_view: *widen_view,
            path: camera_path.as_ref().map(|file| Arc::clone(&file.path)),
        }
    }

    /// Returns the file of the path.
    pub(super) fn file(&self) -> Option<&Path> {
        self.0.camera_path.as_ref().map(|file| Path::new(&file.argument))
    }

    /// Returns the flags as words, for a child process.
    pub fn flags(&self) -> Vec<OsString> {
        let CameraFlags { camera, look_at, fov, orbit, widen_view, camera_path } = &self.0;
        let points = [("camera", *camera), ("look-at", *look_at)];
        let numbers = [("fov", *fov), ("orbit", *orbit)];
        let points = points.into_iter().filter_map(|(name, at)| Some((name, point_text(at?))));
        let numbers = numbers.into_iter().filter_map(|(name, it)| Some((name, it?.to_string())));
        let mut flags: Vec<OsString> =
            points.chain(numbers).map(|(name, value)| format!("--{name}={value}").into()).collect();
        let switch = widen_view.map(|on| if on { "on" } else { "off" });
        flags.extend(switch.map(|on| format!("--widen-view={on}").into()));
        if let Some(PathFile { argument, .. }) = camera_path {
            let mut flag = OsString::from("--camera-path=");
            flag.push(argument);
            flags.push(flag);
        }
        flags
    }
}

/// Returns a camera as one text, which tells results with other cameras apart. `None` for the camera of the scene.
#[cfg(feature = "benchmark")]
pub(super) fn camera_text(setup: &CameraSetup) -> Option<String> {
    let CameraSetup { position, look_at, fov_y, orbit_speed, widened_view, path } = setup;
    let points = [("camera", *position), ("look-at", *look_at)];
    let points = points.into_iter().filter_map(|(name, at)| Some((name, point_text(at?))));
    let angles = [("fov", *fov_y), ("orbit", *orbit_speed)];
    let angles = angles.into_iter().filter_map(|(name, it)| Some((name, degrees(it?).to_string())));
    // On is the default.
    let narrow = (*widened_view == Some(false)).then(|| ("widen-view", "off".to_owned()));
    let path = path.as_ref().map(|path| ("camera-path", format!("{:016x}", path.content_hash())));
    let parts = points.chain(angles).chain(narrow).chain(path);
    let words: Vec<_> = parts.map(|(name, value)| format!("--{name}={value}")).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the flags that place another camera where this one is.
pub fn camera_flags(camera: &Camera<'_>) -> String {
    let CameraSetup { position, look_at, fov_y, orbit_speed, .. } = copied_camera(camera);
    let [position, look_at] = [position, look_at].map(|at| point_text(at.unwrap_or_default()));
    let fov = degrees(fov_y.unwrap_or_default());
    let orbit = orbit_speed.map(|rate| format!(" --orbit {}", degrees(rate))).unwrap_or_default();
    format!("--camera {position} --look-at {look_at} --fov {fov}{orbit}")
}

/// Returns the current position and view.
pub fn current_camera(camera: &Camera<'_>) -> CameraSetup {
    let view = camera.view();
    let position = view.position.0;
    CameraSetup {
        position: Some(position),
        look_at: Some(position + ahead(camera)),
        fov_y: Some(camera.lens().fov_y),
        orbit_speed: camera.orbit_speed(),
        ..CameraSetup::default()
    }
}

/// Returns the way from a camera to a point that it looks at.
fn ahead(camera: &Camera<'_>) -> Vec3 {
    let view = camera.view();
    let [nearest, farthest] = Orbit::DISTANCES;
    let distance = |target: Vec3| target.distance(view.position.0).clamp(nearest, farthest);
    view.rotation.0 * Vec3::NEG_Z * camera.target().map_or(AHEAD, distance)
}

/// Returns the current position and view for a text: within its range, and rounded to millimeters and thousandths of a
/// degree.
pub(super) fn copied_camera(camera: &Camera<'_>) -> CameraSetup {
    let limit = Vec3::splat(MAX_COORDINATE);
    let position = camera.view().position.0.clamp(-limit, limit);
    let target = position + ahead(camera);
    // Both points move, so that the direction stays.
    let inward = target.clamp(-limit, limit) - target;
    // Adding 0 turns -0 into 0.
    let rounded = |at: Vec3| ((at + inward) * 1000.0).round() / 1000.0 + Vec3::ZERO;
    CameraSetup {
        position: Some(rounded(position)),
        look_at: Some(rounded(target)),
        // A path may reach a little further.
        fov_y: Some(camera.lens().fov_y.clamp(FOVS[0].to_radians(), FOVS[1].to_radians())),
        ..current_camera(camera)
    }
}

/// Returns an angle in degrees, rounded to thousandths.
pub(super) fn degrees(radians: f32) -> f32 {
    (radians.to_degrees() * 1000.0).round() / 1000.0
}

/// Returns the text that [`point`] parses.
pub(super) fn point_text(at: Vec3) -> String {
    format!("{},{},{}", at.x, at.y, at.z)
}

/// Parses three coordinates separated by commas.
pub(super) fn point(text: &str) -> Result<Vec3, String> {
    let mut numbers = text.split(',').map(|number| number.trim().parse::<f32>());
    let point = match [numbers.next(), numbers.next(), numbers.next(), numbers.next()] {
        [Some(Ok(x)), Some(Ok(y)), Some(Ok(z)), None] => Some(Vec3::new(x, y, z)),
        _ => None,
    };
    let in_range = |at: &Vec3| at.to_array().iter().all(|it| it.abs() <= MAX_COORDINATE);
    point.filter(in_range).ok_or_else(|| {
        "expected three numbers of meters from -10000 to 10000, such as 0,45.5,-120".to_owned()
    })
}

/// Parses a field of view.
pub(super) fn fov(text: &str) -> Result<f32, String> {
    number(text, FOVS[0]..=FOVS[1], "degrees")
}

pub(super) fn rate(text: &str) -> Result<f32, String> {
    number(text, -360.0..=360.0, "degrees per second")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{FallMode, SceneSettings, Simulation, TimeStep};

    #[test]
    fn a_copied_camera_keeps_its_direction_at_the_largest_coordinates() {
        let scene = SceneSettings { cubes: 1, ..SceneSettings::default() };
        let mut simulation = Simulation::new(scene, FallMode::Cubes).unwrap();
        for position in [Vec3::new(0.0, 0.0, 9950.0), Vec3::splat(9990.0), Vec3::splat(-9990.0)] {
            let look_at = position + position.signum() * Vec3::new(1.0, 2.0, 5.0);
            let (position, look_at) = (Some(position), Some(look_at));
            let setup = CameraSetup { position, look_at, ..CameraSetup::default() };
            simulation.camera_mut().set_up(&setup).unwrap();
            let view = simulation.camera().view();
            let copied = copied_camera(&simulation.camera());
            let [from, to] = [copied.position, copied.look_at].map(Option::unwrap);
            assert!(
                from.max(to).max(-from).max(-to).max_element() <= MAX_COORDINATE,
                "{from} {to}"
            );
            let turned = (to - from).angle_between(view.rotation.0 * Vec3::NEG_Z);
            assert!(turned < 1e-3 && (from - view.position.0).length() < 130.0, "{from} {turned}");
        }
    }

    #[test]
    fn copied_flags_place_another_camera_there() {
        let scene = SceneSettings { cubes: 1, ..SceneSettings::default() };
        let mut simulation = Simulation::new(scene, FallMode::Cubes).unwrap();
        let setup = CameraSetup {
            position: Some(Vec3::new(-1.0, 2.5, 60.0)),
            look_at: Some(Vec3::new(3.0, -4.0, 0.0)),
            fov_y: Some(40_f32.to_radians()),
            orbit_speed: Some(90_f32.to_radians()),
            ..CameraSetup::default()
        };
        simulation.camera_mut().set_up(&setup).unwrap();
        let flags = camera_flags(&simulation.camera());
        assert_eq!(flags, "--camera -1,2.5,60 --look-at 3,-4,0 --fov 40 --orbit 90");
    }

    #[test]
    fn a_copied_orbit_beyond_the_largest_coordinates_can_be_set_up() {
        let scene = SceneSettings { cubes: 1, ..SceneSettings::default() };
        let mut simulation = Simulation::new(scene, FallMode::Cubes).unwrap();
        let (position, look_at) = (Some(Vec3::splat(9990.0)), Some(Vec3::splat(9980.0)));
        let setup =
            CameraSetup { position, look_at, orbit_speed: Some(0.0), ..CameraSetup::default() };
        simulation.camera_mut().set_up(&setup).unwrap();
        for _ in 0..600 {
            simulation.camera_mut().controls().motion = Vec3::Z;
            simulation.camera_mut().controls().speed = 1000.0;
            simulation.step(TimeStep::default()).unwrap();
        }
        assert!(simulation.camera().view().position.0.max_element() > MAX_COORDINATE + 500.0);
        assert_eq!(copied_camera(&simulation.camera()).check(), Ok(()));
    }

    #[test]
    fn points_are_three_numbers_in_range() {
        assert_eq!(point("1,-2.5,3e1"), Ok(Vec3::new(1.0, -2.5, 30.0)));
        assert_eq!(point(&point_text(Vec3::new(-0.001, 1e4, 7.25))).unwrap().y, 1e4);
        for wrong in ["", "1,2", "1,2,3,4", "1,2,x", "nan,0,0", "inf,0,0", "0,10001,0", "--look-at"]
        {
            assert!(point(wrong).is_err(), "{wrong}");
        }
        assert!(fov("9").is_err() && rate("361").is_err() && rate("-360").is_ok());
    }
}

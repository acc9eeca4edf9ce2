//! The selected cube, and the cube under the pointer.

use std::time::Duration;

use glam::Vec2;

use super::error::AppError;
use crate::components::{EndlessField, Position, Transform};
use crate::ecs::Entity;
use crate::render::Size;
use crate::sim::{FallMode, HALF_EXTENT, Ray, Simulation};
use crate::time::Instant;

/// Largest distance from the camera at which a cube is dropped, in m.
const MAX_DROP_DISTANCE: f32 = 40.0;
/// The same in a field, as a share of its shortest period: cubes farther away are smaller or of another image.
const COMPLETE: f32 = 0.4;
/// Smallest height above the ground at which a cube is dropped, in m.
const MIN_DROP_HEIGHT: f32 = 5.0;

/// Least time between two searches for the cube under the pointer while cubes move.
const HOVER_INTERVAL: Duration = Duration::from_millis(100);

/// Which cube is selected, and which one the pointer is over.
pub(super) struct CubeSelection {
    selected: Option<Entity>,
    hovered: Option<Entity>,
    hover_due: Instant,
}

impl CubeSelection {
    pub(super) fn new() -> Self {
        Self { selected: None, hovered: None, hover_due: Instant::now() }
    }

    /// Starts with another simulation: selects the cube that its camera follows.
    pub(super) fn reset(&mut self, simulation: &Simulation) {
        self.selected = simulation.camera().followed();
    }

    /// Returns the selected cube if it is alive.
    pub(super) fn selected(&self, simulation: &Simulation) -> Option<Entity> {
        self.selected.filter(|&cube| simulation.cubes().get(cube).is_some())
    }

    /// Returns whether a cube is selected, also one whose end has not been reported yet.
    pub(super) fn has_selection(&self) -> bool {
        self.selected.is_some()
    }

    /// Returns the transform of the selected cube, to outline it.
    pub(super) fn outlined(&self, simulation: &Simulation) -> Option<Transform> {
        simulation.cubes().get(self.selected?)
    }

    /// Returns the transform of the cube under the pointer, to outline it, unless it is selected.
    pub(super) fn hovered_outline(&self, simulation: &Simulation) -> Option<Transform> {
        simulation.cubes().get(self.hovered.filter(|_| self.hovered != self.selected)?)
    }

    /// Deselects a cube that was despawned. Returns a message about it.
    pub(super) fn take_despawned(&mut self, simulation: &Simulation) -> Option<String> {
        let cube = self.selected.take_if(|cube| simulation.cubes().get(*cube).is_none())?;
        let slot = cube.index();
        Some(match simulation.world().inspect().entity_in_slot(slot) {
            Some(next) => format!("Cube {cube} hit the ground; slot {slot} now holds {next}."),
            None => format!("Cube {cube} was despawned."),
        })
    }

    /// Returns the cube under the pointer, as of the last search.
    pub(super) fn hovered(&self) -> Option<Entity> {
        self.hovered
    }

    /// Searches for the cube at a window position from time to time.
    pub(super) fn update_hovered(
        &mut self,
        at: Option<[f64; 2]>,
        simulation: &Simulation,
        size: Size,
        shows_ground: bool,
    ) {
        // A pressed button keeps the pointer beyond the window.
        let is_inside = |[x, y]: &[f64; 2]| {
            (0.0..f64::from(size.width())).contains(x)
                && (0.0..f64::from(size.height())).contains(y)
        };
        let Some(at) = at.filter(is_inside) else {
            self.hovered = None;
            return;
        };
        let now = Instant::now();
        // At rest a frame is drawn for each move of the pointer, and none after the last one.
        let rests = !simulation.advances() || simulation.tuning().time == 0.0;
        if now >= self.hover_due || rests {
            self.hovered = pick(simulation, at, size, shows_ground);
            // While cubes move, searches take at most a twentieth of the time.
            self.hover_due = now + HOVER_INTERVAL.max(20 * now.elapsed());
        }
    }

    /// Selects the cube at a window position. The camera follows it if cubes fall, or if the camera follows a cube already.
    /// Without a cube there, deselects, and the camera no longer moves by itself.
    pub(super) fn select_at(
        &mut self,
        at: [f64; 2],
        simulation: &mut Simulation,
        size: Size,
        shows_ground: bool,
    ) -> Result<(), AppError> {
        self.selected = pick(simulation, at, size, shows_ground);
        let Some(cube) = self.selected else {
            log::debug!("selected none");
            self.clear(simulation);
            simulation.camera_mut().stop();
            return Ok(());
        };
        log::debug!("selected {cube}");
        // A falling camera does not start to follow; after the fall it follows as before.
        let follows = simulation.camera().followed().is_some();
        if follows || simulation.mode() == FallMode::Cubes {
            simulation.camera_mut().follow_from_here(cube)?;
        }
        Ok(())
    }

    /// Deselects the cube. A camera that follows it flies.
    pub(super) fn clear(&mut self, simulation: &mut Simulation) {
        self.selected = None;
        if simulation.camera().followed().is_some() {
            simulation.camera_mut().fly();
        }
    }

    /// Drops a cube at a window position and selects it. A camera that follows a cube follows this one.
    pub(super) fn drop_cube_at(
        &mut self,
        at: [f64; 2],
        simulation: &mut Simulation,
        size: Size,
    ) -> Result<(), AppError> {
        let Some(ray) = view_ray(simulation, at, size) else { return Ok(()) };
        let at = drop_position(simulation, &ray);
        let cube = simulation.cubes_mut().spawn_at(at)?;
        self.selected = Some(cube);
        if simulation.camera().followed().is_some() {
            simulation.camera_mut().follow_from_here(cube)?;
        }
        Ok(())
    }

    /// Despawns the selected cube.
    pub(super) fn despawn(&mut self, simulation: &mut Simulation) -> Result<(), AppError> {
        if let Some(cube) = self.selected(simulation) {
            simulation.cubes_mut().despawn(cube)?;
        }
        self.selected = None;
        Ok(())
    }
}

/// Returns the cube that is visible at a window position in pixels. The ground hides cubes below it if it is shown.
fn pick(simulation: &Simulation, at: [f64; 2], size: Size, shows_ground: bool) -> Option<Entity> {
    let ray = view_ray(simulation, at, size)?;
    let hit = simulation.cubes().pick(&ray)?;
    let (height, rise) = (ray.origin().y + HALF_EXTENT, ray.direction().y);
    let has_ground = shows_ground && simulation.has_ground() && simulation.field().is_none();
    // The ray meets the ground before the cube: from above, or from below.
    let is_above = height > 0.0;
    let is_hidden = has_ground && (height + hit.distance * rise > 0.0) != is_above;
    (!is_hidden).then_some(hit.entity)
}

/// Returns the ray of view through a window position in pixels.
fn view_ray(simulation: &Simulation, [x, y]: [f64; 2], size: Size) -> Option<Ray> {
    let (width, height) = (f64::from(size.width()), f64::from(size.height()));
    let point = Vec2::new((x / width * 2.0 - 1.0) as f32, (1.0 - y / height * 2.0) as f32);
    simulation.camera().view().ray(point, size.aspect())
}

/// Returns where a cube is dropped along a ray: in front of the first cube, and above the height at which cubes land.
fn drop_position(simulation: &Simulation, ray: &Ray) -> Position {
    let field = simulation.field();
    let farthest = field.map_or(MAX_DROP_DISTANCE, |field| {
        MAX_DROP_DISTANCE.min(COMPLETE * field.period.min_element())
    });
    let hit = simulation.cubes().pick(ray);
    let mut at = ray.at(hit.map_or(farthest, |hit| hit.distance.min(farthest)));
    let lowest = MIN_DROP_HEIGHT - HALF_EXTENT;
    if let Some(EndlessField { period, .. }) = field {
        at = EndlessField::wrapped(period, at);
        // One period higher it looks the same.
        if at.y < lowest {
            at.y += period.y;
        }
    }
    at.y = at.y.max(lowest);
    Position(at)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scenes::Scene;

    #[test]
    fn the_ground_hides_cubes_below_it() {
        let picked = |ground: bool, shown: bool, from: f32, y: f32| {
            let json = format!(
                r##"{{"version": 1, "name": "a", "ground": {ground}, "entities": [
                {{"position": [0, {y}, 0], "color": "#ffffff", "scale": 4}}],
                "camera": {{"position": [0, {from}, 0.5], "look_at": [0, {y}, 0]}}}}"##
            );
            let scene = Arc::new(Scene::parse("a.json", json.as_bytes()).unwrap());
            let simulation = Simulation::new(&scene, FallMode::Cubes).unwrap();
            pick(&simulation, [50.0, 50.0], Size::new(100, 100).unwrap(), shown).is_some()
        };
        assert!(picked(true, true, -50.0, -90.0) && !picked(true, true, -50.0, -120.0));
        assert!(picked(false, true, -50.0, -120.0) && picked(true, false, -50.0, -120.0));
        assert!(
            picked(true, true, -150.0, -120.0) && !picked(true, true, -150.0, -90.0),
            "from below"
        );
    }

    /// Returns a scene of one cube at a position, with these keys of its camera.
    fn facing(cube: [f32; 3], camera: &str) -> Simulation {
        let json = format!(
            r##"{{"version": 1, "name": "a", "ground": true, "camera": {{{camera}}},
            "entities": [{{"position": {cube:?}, "color": "#ffffff"}}]}}"##
        );
        let scene = Arc::new(Scene::parse("a.json", json.as_bytes()).unwrap());
        Simulation::new(&scene, FallMode::Cubes).unwrap()
    }

    const AHEAD: &str = r#""position": [0, 0, 0], "look_at": [0, 0, -1]"#;

    #[test]
    fn the_cube_at_the_position_is_picked_and_none_at_its_mirror_images() {
        // Right of the middle and above it, by 0.429 of half the width and height.
        let simulation = facing([4.0, 2.0, -10.0], AHEAD);
        let picked = |at| pick(&simulation, at, Size::new(200, 100).unwrap(), true).is_some();
        assert!(picked([143.0, 28.0]));
        assert!(![[57.0, 28.0], [143.0, 72.0], [57.0, 72.0]].into_iter().any(picked));
    }

    #[test]
    fn a_cube_is_dropped_in_front_of_another_one_at_most_40_m_away_and_above_the_ground() {
        let at = |simulation: &Simulation| {
            let ray = view_ray(simulation, [50.0, 50.0], Size::new(100, 100).unwrap()).unwrap();
            drop_position(simulation, &ray).0
        };
        let before = at(&facing([0.0, 0.0, -10.0], AHEAD));
        assert!((before - glam::Vec3::new(0.0, 0.0, -9.5)).length() < 1e-3, "{before}");
        let far = at(&facing([0.0, 0.0, -90.0], AHEAD));
        assert!((far - glam::Vec3::new(0.0, 0.0, -40.0)).length() < 1e-3, "{far}");
        let down = r#""position": [0, -80, 0.5], "look_at": [0, -120, 0]"#;
        assert_eq!(at(&facing([90.0, 0.0, 0.0], down)).y, MIN_DROP_HEIGHT - HALF_EXTENT);
    }
}

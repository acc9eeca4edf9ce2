//! Operations that take many frames: a new number of cubes, the search for the largest one that holds 60
//! frames per second, and the measurement of the score.

use super::count_change::CountChange;
use super::host::ScoreMeasurement;
use super::maximum_search::MaximumSearch;
use crate::hud::Progress;
use crate::sim::Simulation;
use crate::units;

/// What runs over many frames.
#[derive(Default)]
pub(super) struct Operation {
    pub(super) change: Option<CountChange>,
    pub(super) search: Option<MaximumSearch>,
    /// The window rests meanwhile.
    pub(super) score: Option<ScoreMeasurement>,
}

impl Operation {
    /// Returns whether every frame does a part of it.
    pub(super) fn needs_frames(&self) -> bool {
        self.change.is_some() || self.search.is_some()
    }

    pub(super) fn is_running(&self) -> bool {
        self.needs_frames() || self.score.is_some()
    }

    /// Returns what the HUD shows.
    pub(super) fn progress(&self, simulation: &Simulation) -> Option<Progress> {
        if !self.is_running() {
            return None;
        }
        let cubes = simulation.cubes().count();
        let count = units::counted(cubes, "cube");
        let share = self.change.map(|change| change.share(cubes as u32));
        if let Some(score) = &self.score {
            let text = format!("Measuring your score: {}", score.progress());
            return Some(Progress { text, share: None });
        }
        let text = match (&self.search, self.change) {
            (Some(_), _) if simulation.is_paused() => {
                "Finding the maximum: waiting for the end of the pause".to_owned()
            }
            (Some(_), Some(_)) => format!("Finding the maximum: {count}"),
            (Some(_), None) => format!("Finding the maximum: measuring {count}"),
            (None, change) => {
                format!("{} of {}", units::count(cubes), units::counted(change?.target, "cube"))
            }
        };
        Some(Progress { text, share })
    }
}

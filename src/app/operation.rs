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
        let cubes = simulation.cubes().count();
        let count = || units::counted(cubes, "cube");
        let text = match self {
            Self { score: Some(score), .. } => {
                format!("Measuring your score: {}", score.progress())
            }
            Self { search: Some(_), .. } if simulation.is_paused() => {
                "Finding the maximum: waiting for the end of the pause".to_owned()
            }
            Self { search: Some(_), change: Some(_), .. } => {
                format!("Finding the maximum: {}", count())
            }
            Self { search: Some(_), .. } => format!("Finding the maximum: measuring {}", count()),
            Self { change: Some(change), .. } => {
                let target = units::counted(change.target, "cube");
                if change.target < cubes as u32 {
                    format!("Removing cubes: {}, down to {target}", units::count(cubes))
                } else {
                    format!("{} of {target}", units::count(cubes))
                }
            }
            Self { .. } => return None,
        };
        let share = self.change.map(|change| change.share(cubes as u32));
        Some(Progress { text, share })
    }
}

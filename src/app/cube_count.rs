//! The number of cubes: changes it in slices, searches for the largest one that holds 60 frames per second,
//! and measures the score.

use std::sync::Arc;
use std::time::Duration;

use super::count_change::CountChange;
use super::error::AppError;
use super::host::{self, ScoreMeasurement};
use super::maximum_search::{Maximum, MaximumSearch, Next};
use super::operation::Operation;
use super::state::App;
#[cfg(web)]
use crate::benchmark::FrameSample;
use crate::components::Motion;
use crate::hud::Tone;
use crate::memory::CubeMemory;
use crate::render::FramesInFlight;
#[cfg(web)]
use crate::sim::SceneSettings;
use crate::sim::{ADDED_BYTES_PER_CUBE, SceneSource};
use crate::time::Instant;
use crate::units;

impl App {
    /// Starts to change the number of cubes. On an error nothing is changed, but a reduction by the user ends.
    pub(super) fn set_cubes(&mut self, cubes: u32) -> Result<(), AppError> {
        let is_reduced = self.operation.change.is_some_and(|change| change.target < self.count());
        if is_reduced && self.operation.search.is_none() {
            // Frees what the removed cubes held.
            self.settle_count()?;
        }
        self.check_count(cubes)?;
        self.stop_operation()?;
        self.start_change(cubes)
    }

    /// Chooses the number of cubes from the first frames and their work in ns, unless the user has set it.
    #[cfg(web)]
    pub(super) fn probe_count(
        &mut self,
        cubes: u32,
        frame: &FrameSample,
        work: u64,
    ) -> Result<(), AppError> {
        let is_first_scene = cubes == SceneSettings::default().cubes
            && matches!(self.source, SceneSource::Classic(_));
        let Some(probe) = self.count_probe.as_mut().filter(|_| is_first_scene) else {
            self.count_probe = None;
            return Ok(());
        };
        let Some(chosen) = probe.frame(cubes, frame, work) else { return Ok(()) };
        self.count_probe = None;
        if chosen == cubes {
            return Ok(());
        }
        let count = units::count(chosen);
        self.notify(Tone::Done, &format_args!("{count} cubes, chosen by the speed of this device"));
        let changed = self.set_cubes(chosen);
        self.report_recoverable(changed)
    }

    /// Starts to search for the largest number of cubes that holds 60 frames per second.
    pub(super) fn find_maximum(&mut self) -> Result<(), AppError> {
        self.stop_operation()?;
        self.simulation.set_paused(false);
        let search = MaximumSearch::new(self.count(), self.largest_count());
        let first = search.candidate();
        self.operation.search = Some(search);
        self.start_change(first)
    }

    /// Starts to measure the score of this machine with the adapter of the window.
    pub(super) fn measure_score(&mut self) -> Result<(), AppError> {
        self.stop_operation()?;
        let window = Arc::clone(&self.window.winit);
        let wake = move || window.request_redraw();
        match ScoreMeasurement::start(&self.window.target.gpu, wake) {
            Ok(score) => self.operation.score = Some(score),
            Err(reason) => self.notify(Tone::Failed, &format_args!("No score: {reason}")),
        }
        Ok(())
    }

    /// Shows the progress of the measurement, and the score when it is known.
    pub(super) fn poll_score(&mut self) {
        let Some(score) = &mut self.operation.score else { return };
        let (is_new, result) = score.poll();
        let Some(result) = result else {
            if is_new {
                host::announce(&format!("Measuring your score: {}", score.progress()));
                self.refresh();
            }
            return;
        };
        self.operation.score = None;
        match result {
            Ok(suite) => {
                self.notify(Tone::Done, &suite.in_words());
                self.suite = Some(suite);
            }
            Err(reason) => self.notify(Tone::Failed, &format_args!("No score: {reason}")),
        }
    }

    /// Cancels the running operation, with a message: the cubes that are there stay.
    pub(super) fn cancel_operation(&mut self) -> Result<(), AppError> {
        self.stop_score();
        self.cancel_change()
    }

    fn notify_canceled(&mut self) {
        let count = units::counted(self.simulation.cubes().count(), "cube");
        self.notify(Tone::Done, &format_args!("Canceled at {count}"));
    }

    /// Ends the operation as it is. There is a message for a score and for a search.
    fn stop_operation(&mut self) -> Result<(), AppError> {
        self.stop_score();
        self.stop_change()
    }

    fn stop_score(&mut self) {
        if self.operation.score.take().is_some() {
            self.notify(Tone::Done, &"Canceled: no score was measured");
        }
    }

    /// Ends a change of the count and a search as they are, with a message.
    pub(super) fn cancel_change(&mut self) -> Result<(), AppError> {
        let changes = self.operation.change.is_some() && self.operation.search.is_none();
        self.stop_change()?;
        if changes {
            self.notify_canceled();
        }
        Ok(())
    }

    /// Ends a change of the count and a search as they are. There is a message for a search.
    fn stop_change(&mut self) -> Result<(), AppError> {
        self.settle_count()?;
        if self.operation.search.take().is_some() {
            self.notify_canceled();
        }
        Ok(())
    }

    /// Ends a change of the count as it is.
    fn settle_count(&mut self) -> Result<(), AppError> {
        #[cfg(web)]
        {
            self.count_probe = None;
        }
        if self.operation.change.take().is_some() {
            let count = self.count();
            self.simulation.cubes_mut().set_count(count)?;
            self.count_changed();
        }
        Ok(())
    }

    /// Does the work of one frame. `frame` is the time of the previous one; `None` if it was hidden or excluded.
    pub(super) fn advance_operation(&mut self, frame: Option<Duration>) -> Result<(), AppError> {
        // `wake` looks for progress only while no frame is due.
        self.poll_score();
        if let Some(change) = self.operation.change {
            return self.advance_change(change, frame);
        }
        // Paused frames are cheaper, so the search waits.
        let frame = frame.filter(|_| !self.simulation.is_paused());
        let (Some(search), Some(frame)) = (&mut self.operation.search, frame) else {
            return Ok(());
        };
        match search.frame(frame) {
            Next::Measure => Ok(()),
            Next::Try(cubes) => self.start_change(cubes),
            Next::Found(maximum) => self.found(maximum),
        }
    }

    /// Changes the count by a slice.
    fn advance_change(
        &mut self,
        mut change: CountChange,
        frame: Option<Duration>,
    ) -> Result<(), AppError> {
        let start = Instant::now();
        let cubes = self.simulation.cubes_mut().approach_count(change.target, change.slice);
        // Without memory nothing was changed, so the cubes that are there stay.
        let cubes = match cubes {
            Ok(cubes) => cubes,
            Err(error) => {
                let settled = self.settle_count();
                self.operation = Operation::default();
                return settled.and(Err(error.into()));
            }
        };
        let took = start.elapsed();
        change.adapt(took);
        let [slice, frame] = [took, frame.unwrap_or_default()].map(|time| time.as_micros());
        log::debug!("{cubes} cubes: a slice of {slice} us after a frame of {frame} us");
        self.operation.change = (cubes != change.target).then_some(change);
        if self.operation.change.is_none() {
            self.count_changed();
        }
        self.refresh();
        Ok(())
    }

    fn found(&mut self, maximum: Maximum) -> Result<(), AppError> {
        self.operation.search = None;
        let (tone, cubes, message) = match maximum {
            Maximum::Holds(cubes) => {
                let count = units::counted(cubes, "cube");
                (Tone::Done, cubes, format!("Your maximum: {count} at 60 fps"))
            }
            Maximum::Limit(cubes) => {
                let count = units::counted(cubes, "cube");
                (Tone::Done, cubes, format!("Your maximum: {count} at 60 fps, the most that fit"))
            }
            Maximum::Nothing(before) => {
                let reason = self.slow_reason();
                (Tone::Failed, before, format!("Not even one cube holds 60 fps{reason}"))
            }
        };
        self.notify(tone, &message);
        self.start_change(cubes)
    }

    /// Returns a possible reason why not even one cube holds the frame rate, with a colon in front; empty if none is known.
    fn slow_reason(&self) -> &'static str {
        if self.window.target.gpu.is_software() {
            ": this is a software adapter, which draws on the CPU"
        } else if cfg!(web) {
            ": some browsers draw fewer frames than that, to save power"
        } else if self.window.waits_for_vblank() {
            ": turn vsync off (V) and try again, in case the display is slower"
        } else {
            ""
        }
    }

    /// Returns to the graphics settings, and to the number and the motion of the cubes, that were drawn last, since
    /// the adapter has no memory for the present ones.
    ///
    /// # Errors
    /// `error`, if not even these can be drawn.
    pub(super) fn return_to_drawn(&mut self, error: AppError) -> Result<(), AppError> {
        let Some((cubes, motion)) = self.drawn.take() else { return Err(error) };
        self.notify(Tone::Failed, &error);
        self.settle_count()?;
        // The score is measured by another process.
        self.operation = Operation { score: self.operation.score.take(), ..Operation::default() };
        if let Some(before) = &self.unproven {
            self.window.set_graphics(before.graphics.clone())?;
            (self.preferences.quality, self.preferences.culling) = before.saved;
            self.unproven = None;
        }
        self.simulation.set_motion(motion)?;
        self.comfortable.reset();
        if self.count() > cubes {
            self.simulation.cubes_mut().set_count(cubes)?;
            self.count_changed();
        }
        Ok(())
    }

    fn start_change(&mut self, cubes: u32) -> Result<(), AppError> {
        let change = CountChange::new(self.count(), cubes);
        self.operation.change = Some(change);
        self.advance_operation(None)
    }

    /// Follows a new number of cubes: a reset creates as many again, and title and slider show it.
    fn count_changed(&mut self) {
        let count = self.count();
        if let SceneSource::Classic(settings) = &mut self.source {
            settings.cubes = count;
        }
        self.update_title();
        self.update_counts();
    }

    pub(super) fn count(&self) -> u32 {
        self.simulation.cubes().count() as u32
    }

    /// Checks that a number of cubes fits into the adapter and into memory.
    fn check_count(&self, cubes: u32) -> Result<(), AppError> {
        self.window.target.gpu.check_capacity(cubes as usize, Motion::Integrated)?;
        Ok(self.added_memory().check_growth(self.count() as usize, cubes as usize)?)
    }

    /// Returns the largest number of cubes that fits into the adapter and into memory.
    fn largest_count(&self) -> u32 {
        let memory = self.added_memory().largest_after_growth(self.count() as usize);
        self.window.target.info.max_cubes.min(u32::try_from(memory).unwrap_or(u32::MAX))
    }

    fn added_memory(&self) -> CubeMemory {
        let gpu = &self.window.target.gpu;
        CubeMemory::new(ADDED_BYTES_PER_CUBE + gpu.memory_per_cube(FramesInFlight::Many))
    }

    /// Updates where the slider of the HUD ends.
    pub(super) fn update_counts(&mut self) {
        let comfortable = self.comfortable.count().min(self.largest_count()).max(1);
        self.window.target.info.comfortable_cubes = comfortable;
    }
}

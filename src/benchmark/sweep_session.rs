//! A sweep in progress: which run comes next, and when the sweep is over.

use super::{RunError, RunResult, Sweep, SweepPoint, TimeOf, add_warnings};
use crate::frame;
use crate::render::{FramesInFlight, Gpu};
use crate::units::counted;

/// Which counts a sweep measures.
#[derive(Clone, Copy, Debug)]
pub struct SweepPlan {
    /// Smallest count, at least 1, unless `largest` is smaller.
    pub from: u32,
    /// Largest count.
    pub largest: u32,
    /// Counts per power of ten.
    pub per_decade: u32,
    /// Frame rate: the first count with a lower one is the last.
    pub slowest_fps: f64,
    /// Number of counts that are measured in any case.
    pub fewest: usize,
}

/// Measures counts in ascending order until frames take too long or the device is full. The caller makes
/// the runs.
#[derive(Debug)]
pub struct SweepSession {
    plan: SweepPlan,
    counts: Vec<u32>,
    /// Why there are no larger counts, if the plan has some.
    refused: Option<String>,
    /// The count whose runs are being made.
    point: SweepPoint,
}

impl SweepSession {
    /// Starts to measure the counts of a plan that fit into the memory and into the device, each as often as the
    /// settings of the sweep want.
    ///
    /// # Errors
    /// Not even the smallest count fits.
    pub fn new(plan: SweepPlan, gpu: &Gpu, sweep: &Sweep) -> Result<Self, RunError> {
        let mut counts = Sweep::counts(plan.from.min(plan.largest), plan.largest, plan.per_decade);
        let motion = sweep.settings.motion;
        let check = |cubes: u32| -> Result<(), RunError> {
            frame::cube_memory(gpu, FramesInFlight::Many).check(cubes as usize)?;
            Ok(gpu.check_capacity(cubes as usize, motion)?)
        };
        check(counts[0])?;
        let refused = |(at, &cubes): (usize, &u32)| Some((at, check(cubes).err()?));
        let refused = counts.iter().enumerate().find_map(refused);
        counts.truncate(refused.as_ref().map_or(counts.len(), |(first, _)| *first));
        let refused = refused.map(|(_, error)| error.to_string());
        Ok(Self { refused, ..Self::of_counts(plan, counts) })
    }

    pub(super) fn of_counts(plan: SweepPlan, counts: Vec<u32>) -> Self {
        Self { plan, point: SweepPoint::new(counts[0]), counts, refused: None }
    }

    /// Returns the number of cubes of the next run, and the name of the run. `None` after the last one.
    pub fn next_run(&self, sweep: &Sweep) -> Option<(u32, String)> {
        let SweepPoint { cubes, medians_ns, .. } = &self.point;
        let (run, runs) = (medians_ns.len() + 1, sweep.settings.runs);
        let label = || match (counted(*cubes, "cube"), runs) {
            (count, 1) => count,
            (count, _) => format!("{count}, run {run} of {runs}"),
        };
        (!sweep.complete).then(|| (*cubes, label()))
    }

    /// Returns the largest number of runs that are left.
    pub fn runs_left(&self, sweep: &Sweep) -> u64 {
        let points = if sweep.complete { 0 } else { self.counts.len() - sweep.points.len() };
        points as u64 * u64::from(sweep.settings.runs) - self.point.medians_ns.len() as u64
    }

    /// Adds the result of the next run, which has frames.
    pub fn push(&mut self, sweep: &mut Sweep, run: &RunResult) {
        self.point.push(run);
        add_warnings(&mut sweep.warnings, std::slice::from_ref(run));
        sweep.adapter.get_or_insert_with(|| run.adapter.clone());
        #[cfg(not(web))]
        self.add_conditions(sweep, run);
        if self.point.medians_ns.len() < sweep.settings.runs as usize {
            return;
        }
        let slowest = 1e9 / self.plan.slowest_fps;
        let is_slow = self.point.median_of(TimeOf::Frame).is_none_or(|median| median > slowest);
        let next = self.counts.get(sweep.points.len() + 1).copied();
        let is_too_slow = is_slow && sweep.points.len() + 1 >= self.plan.fewest;
        sweep.stopped = match next {
            // Also if this one was too slow: more could not be measured either way.
            None => self.refused.take(),
            Some(_) => is_too_slow
                .then(|| format!("frames of {} take too long", counted(self.point.cubes, "cube"))),
        };
        sweep.complete = is_too_slow || next.is_none();
        let next = SweepPoint::new(next.unwrap_or(self.point.cubes));
        sweep.points.push(std::mem::replace(&mut self.point, next));
        sweep.summary = sweep.summarize();
    }

    /// Keeps how the run drew. The page, whose size counts, measures the standard settings only.
    #[cfg(not(web))]
    fn add_conditions(&self, sweep: &mut Sweep, run: &RunResult) {
        let first = *sweep.graphics.get_or_insert(run.graphics);
        // Buffers of many cubes may be too large for one geometry.
        if first.geometry != run.graphics.geometry && self.point.medians_ns.len() == 1 {
            let (cubes, geometry) = (counted(self.point.cubes, "cube"), run.graphics.geometry);
            sweep.warnings.push(format!("{cubes} are drawn with {geometry} geometry"));
        }
        sweep.streaming = sweep.streaming.or(Some(run.streaming));
        sweep.presentation = sweep.presentation.or(run.presentation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benchmark::tests::fixtures::{run, sim_frame};
    use crate::benchmark::{BenchSettings, LargestCount, SweepSummary};

    #[test]
    fn a_sweep_stops_for_lack_of_memory_only_after_the_last_count_that_fits() {
        let plan = SweepPlan { from: 1, largest: 1000, per_decade: 1, slowest_fps: 1.0, fewest: 1 };
        let refused = Some("not enough memory".to_owned());
        let mut session =
            SweepSession { refused: refused.clone(), ..SweepSession::of_counts(plan, vec![1, 10]) };
        let settings = BenchSettings { runs: 1, ..BenchSettings::default() };
        let mut sweep = Sweep::new("test".to_owned(), settings, 60.0);
        let measured = run(vec![sim_frame(1_000_000); 10]);
        session.push(&mut sweep, &measured);
        assert_eq!((sweep.complete, sweep.stopped.clone()), (false, None));
        session.push(&mut sweep, &measured);
        assert_eq!((sweep.complete, sweep.stopped), (true, refused));
        let summary = SweepSummary { largest_count: LargestCount::AtLeast(10), exponent: None };
        assert_eq!(sweep.summary, Some(summary));
    }

    #[test]
    fn a_sweep_measures_its_fewest_counts_however_slow_and_names_another_geometry_once() {
        use crate::render::{Geometry, RenderSettings};

        let plan = SweepPlan { from: 1, largest: 999, per_decade: 1, slowest_fps: 50.0, fewest: 2 };
        let settings = BenchSettings { runs: 2, ..BenchSettings::default() };
        let mut sweep = Sweep::new("test".to_owned(), settings, 50.0);
        let mut session = SweepSession::of_counts(plan, vec![1, 10, 100, 999]);
        let slow = || run(vec![sim_frame(20_000_001); 10]);
        for _ in 0..2 {
            session.push(&mut sweep, &slow());
        }
        assert!(!sweep.complete, "one count");
        let graphics = RenderSettings { geometry: Geometry::Instanced, ..slow().graphics };
        for _ in 0..2 {
            session.push(&mut sweep, &RunResult { graphics, ..slow() });
        }
        assert_eq!(sweep.warnings, ["10 cubes are drawn with instanced geometry"]);
        let reason = Some("frames of 10 cubes take too long");
        assert_eq!((sweep.complete, sweep.stopped.as_deref()), (true, reason));
        let mut sweep = Sweep { points: vec![], complete: false, ..sweep };
        let mut session =
            SweepSession::of_counts(SweepPlan { fewest: 1, ..plan }, vec![1, 10, 100, 999]);
        for _ in 0..2 {
            session.push(&mut sweep, &run(vec![sim_frame(20_000_000); 10]));
        }
        assert!(!sweep.complete, "20 ms are 50 fps");
    }
}

//! The score of this machine: a quick suite in the page, while the window rests.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::{Rc, Weak};
use std::task::Poll;

use wasm_bindgen_futures::spawn_local;

use super::page;
use crate::benchmark::{
    PlannedRun, RunError, SCORE_FPS, STANDARD_FLAGS, Suite, SuiteLength, SuiteSession, Sweep,
    run_headless,
};
use crate::cli::RunArgs;
use crate::render::Gpu;

/// A suite that is being measured. Dropping it ends the measurement.
pub(in crate::app) struct ScoreMeasurement {
    /// What the measurement reports.
    reports: Rc<RefCell<Reports>>,
    /// What it measures.
    progress: String,
}

#[derive(Default)]
struct Reports {
    progress: Option<String>,
    outcome: Option<Result<Suite, String>>,
}

impl ScoreMeasurement {
    /// Starts to measure with the device of the window. Calls `wake` when there is progress: while all the time of
    /// the page goes into measuring, timers may not run.
    #[expect(clippy::unnecessary_wraps, reason = "a desktop may refuse to start a process")]
    pub(in crate::app) fn start(gpu: &Gpu, wake: impl Fn() + 'static) -> Result<Self, String> {
        let reports = Rc::new(RefCell::new(Reports::default()));
        let (gpu, to) = (gpu.clone(), Rc::downgrade(&reports));
        spawn_local(async move {
            // A phone that is not touched would hide the page after half a minute.
            let lock = page::keep_awake().await;
            let mut measurement = pin!(measure(&gpu, &to, wake));
            let canceled = || to.strong_count() == 0;
            poll_fn(|context| match measurement.as_mut().poll(context) {
                Poll::Pending if !canceled() => Poll::Pending,
                _ => Poll::Ready(()),
            })
            .await;
            if let Some(lock) = lock {
                page::let_sleep(&lock);
            }
        });
        Ok(Self { reports, progress: "starting".to_owned() })
    }

    /// Returns what it measures.
    pub(in crate::app) fn progress(&self) -> &str {
        &self.progress
    }

    /// Reads the progress since the last call, and whether there is any. Returns the suite, or why it failed,
    /// when it is done.
    pub(in crate::app) fn poll(&mut self) -> (bool, Option<Result<Suite, String>>) {
        let Reports { progress, outcome } = std::mem::take(&mut *self.reports.borrow_mut());
        let is_new = progress.is_some();
        self.progress = progress.unwrap_or_else(|| std::mem::take(&mut self.progress));
        (is_new, outcome)
    }
}

/// Reports the progress and the outcome of a suite.
async fn measure(gpu: &Gpu, to: &Weak<RefCell<Reports>>, wake: impl Fn()) {
    let report = |progress, outcome| {
        if let Some(reports) = to.upgrade() {
            *reports.borrow_mut() = Reports { progress, outcome };
            wake();
        }
    };
    let outcome = measure_suite(gpu, |label| report(Some(label), None)).await;
    report(None, Some(outcome));
}

/// Makes all runs of a suite. Calls `begin` with the label of each.
async fn measure_suite(gpu: &Gpu, begin: impl Fn(String)) -> Result<Suite, String> {
    let text = |error: RunError| error.to_string();
    let growth = Sweep::new("cubefall".to_owned(), args("")?.bench_settings(1), SCORE_FPS);
    let paths = gpu.geometries().map(|geometry| (geometry, gpu.streaming())).collect();
    let mut session = SuiteSession::new(growth, SuiteLength::Quick, gpu, paths).map_err(text)?;
    while let Some(PlannedRun { label, flags }) = session.next_run() {
        begin(label);
        let args = args(&flags)?;
        let graphics = args.graphics.live(gpu, args.scene.motion());
        let run = run_headless(gpu, args.size, args.settings(), graphics).await.map_err(text)?;
        if run.median_ns.is_none() {
            return Err("a run measured no frames".to_owned());
        }
        session.push(&run);
    }
    Ok(session.suite)
}

/// Returns the standard settings with more flags.
fn args(flags: &str) -> Result<RunArgs, String> {
    let words = STANDARD_FLAGS.split_whitespace().chain(flags.split_whitespace());
    RunArgs::from_flags(words).map_err(|error| error.to_string())
}

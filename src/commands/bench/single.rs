//! One run, in this process: what it found out goes to standard output as JSON.

use super::{BenchError, Outcome};
use crate::benchmark::{self, CourseResult, RunResult};
use crate::cli::CourseArgs;
use crate::commands::text;
use crate::render::{Geometry, Gpu, PresentMode, RenderSettings, Selection};

pub(super) fn run(args: &CourseArgs) -> Result<Outcome, BenchError> {
    let result = measure(args)?;
    text::print(&format!("{}\n", serde_json::to_string(&result)?))?;
    Ok(Outcome::Done)
}

fn measure(args: &CourseArgs) -> Result<RunResult, BenchError> {
    #[cfg(feature = "app")]
    if args.window {
        let (course, gpu, picture, mode) = crate::app::run_course(args)?;
        return Ok(report(&gpu, picture, Some(mode), course));
    }
    let gpu = pollster::block_on(Gpu::headless(&args.picture.gpu()))?;
    let picture = args.picture.live(&gpu);
    let course = benchmark::run_headless(&gpu, args.size, args.course(), picture)?;
    Ok(report(&gpu, picture, None, course))
}

fn report(
    gpu: &Gpu,
    picture: RenderSettings,
    present_mode: Option<PresentMode>,
    course: CourseResult,
) -> RunResult {
    RunResult {
        adapter: gpu.summary().to_string(),
        software: gpu.is_software(),
        streaming: gpu.streaming().name().to_owned(),
        geometry: course.geometry.name().to_owned(),
        picture: words(picture, course.geometry),
        present_mode: present_mode.map(|mode| mode.name().to_owned()),
        gpu_timer: course.gpu_timer,
        warmup: course.warmup,
        state_hash: format!("{:016x}", course.state_hash),
        memory_bytes: benchmark::memory_in_use(),
        samples: course.samples,
    }
}

/// Effects and selection.
fn words(RenderSettings { effects, selection, .. }: RenderSettings, geometry: Geometry) -> String {
    // Instances are all drawn, and in full.
    let selection = if geometry == Geometry::Pulled { selection } else { Selection::EXACT };
    let switches = [
        ("ground", effects.ground),
        ("fog", effects.fog),
        ("msaa", effects.msaa),
        ("shadows", effects.shadows),
        ("culling", selection.culling),
    ];
    let mut words: Vec<_> =
        switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()).collect();
    if selection.small_below > 0.0 {
        words.push(format!("small cubes below {} px", selection.small_below));
    }
    words.join(", ")
}

//! Single: one run in this process.

use super::{BenchError, Outcome, print_run};
use crate::benchmark;
use crate::cli::RunArgs;
use crate::render::Gpu;

pub(super) fn run(args: &RunArgs) -> Result<Outcome, BenchError> {
    #[cfg(feature = "app")]
    if args.window {
        print_run(&crate::app::run_benchmark(args)?)?;
        return Ok(Outcome::Done);
    }
    let gpu = pollster::block_on(Gpu::headless(&args.graphics.gpu()))?;
    let graphics = args.graphics.live(&gpu);
    print_run(&benchmark::run_headless(&gpu, args.size, args.settings(), graphics)?)?;
    Ok(Outcome::Done)
}

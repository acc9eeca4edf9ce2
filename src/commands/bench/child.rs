//! Child: one run in a process of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use super::BenchError;
use crate::benchmark::RunResult;
use crate::cli::RunArgs;

/// Starts `program` for one run and takes what it found out.
pub(super) fn measure(
    program: &Path,
    args: &RunArgs,
    slowed_by: u32,
) -> Result<RunResult, BenchError> {
    let mut command = Command::new(program);
    command.args(["bench", "single"]).args(flags(args, slowed_by));
    let output = command.stdin(Stdio::null()).stderr(Stdio::piped()).output();
    let output =
        output.map_err(|why| BenchError::NotStarted { program: program.to_owned(), why })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let mut said = said.lines().filter(|line| line.starts_with("cubefall: "));
        let said = said.next_back().unwrap_or("nothing").to_owned();
        let (program, status) = (program.to_owned(), output.status);
        return Err(BenchError::RunFailed { program, status, said });
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|why| BenchError::NotUnderstood { program: program.to_owned(), why })
}

/// The flags that say the same to another process.
fn flags(args: &RunArgs, slowed_by: u32) -> Vec<String> {
    let RunArgs { scene, graphics, size, dt, frames, duration, warmup, latency, .. } = args;
    let mut flags = Vec::new();
    let mut flag = |name: &str, value: String| flags.push(format!("--{name}={value}"));
    match &scene.scene {
        Some(chosen) => flag("scene", chosen.given().to_owned()),
        None => flag("cubes", scene.cubes.to_string()),
    }
    if let Some(seed) = scene.seed {
        flag("seed", seed.to_string());
    }
    if let Some(mode) = scene.mode {
        flag("mode", mode.name().to_owned());
    }
    flag("size", size.to_string());
    flag("dt", dt.seconds().to_string());
    match frames {
        Some(frames) => flag("frames", frames.to_string()),
        None => flag("duration", duration.to_string()),
    }
    if let Some(frames) = warmup {
        flag("warmup", frames.to_string());
    }
    if !args.is_windowed() {
        flag("latency", latency.to_string());
    }
    flag("slowed-by", slowed_by.to_string());
    if let Some(quality) = graphics.quality {
        flag("quality", quality.name().to_owned());
    }
    let switches = [
        ("shadows", graphics.shadows),
        ("msaa", graphics.msaa),
        ("fog", graphics.fog),
        ("ground", graphics.ground),
        ("culling", graphics.culling),
    ];
    for (name, on) in switches {
        if let Some(on) = on {
            flag(name, if on { "on" } else { "off" }.to_owned());
        }
    }
    if let Some(pixels) = graphics.small_cubes {
        flag("small-cubes", pixels.to_string());
    }
    if let Some(geometry) = graphics.geometry {
        flag("geometry", geometry.name().to_owned());
    }
    if let Some(streaming) = graphics.streaming {
        flag("streaming", streaming.name().to_owned());
    }
    if let Some(backend) = graphics.backend {
        flag("backend", backend.name().to_owned());
    }
    if let Some(adapter) = &graphics.adapter {
        flag("adapter", adapter.clone());
    }
    #[cfg(feature = "app")]
    if args.window {
        flag("present", args.present.name().to_owned());
    }
    let words = [("--require-gpu", graphics.require_gpu), ("--window", args.is_windowed())];
    flags.extend(words.into_iter().filter(|(_, on)| *on).map(|(word, _)| word.to_owned()));
    flags
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{BenchCommand, Cli, Command};

    fn parsed(flags: &[String]) -> RunArgs {
        let words = ["cubefall", "bench", "single"].map(str::to_owned);
        match Cli::parse_from(words.iter().chain(flags)).command {
            Some(Command::Bench(bench)) => match bench.command {
                Some(BenchCommand::Single(args)) => args,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_flags_of_a_run_mean_the_same_in_its_process() {
        let given = "--cubes=1500 --seed=9 --mode=camera-falls --size=64x48 --dt=1/30 --frames=77 --warmup=5 \
                     --latency=1 --quality=high --shadows=off --msaa=on --fog=off --ground=off --culling=on \
                     --small-cubes=1.5 --geometry=instanced --streaming=staged --backend=gl --adapter=llvm \
                     --require-gpu";
        let given: Vec<_> = given.split_whitespace().map(str::to_owned).collect();
        let another = ["--scene=rain".to_owned(), "--seed=5".to_owned()];
        for given in [&given[..], &[], &["--duration=2.5".to_owned()], &another] {
            let first = parsed(given);
            let again = parsed(&flags(&first, 0));
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
        }
    }
}

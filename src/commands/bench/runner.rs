//! Runs as child processes.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::BenchError;
use crate::benchmark::{RunMedian, RunResult};
use crate::cli::RunArgs;
use crate::commands::open_simulation::SIMULATED;
use crate::commands::progress::Progress;
use crate::interrupt;
use crate::memory;
use crate::render::{Backend, Geometry, Streaming};

/// Starts one child process at a time, until a signal arrives.
pub(super) struct Runner {
    child: RunningChild,
    progress: Progress,
}

/// The child process, while there is one.
#[derive(Clone, Default)]
struct RunningChild(Arc<Mutex<Option<Child>>>);

impl Runner {
    /// Creates a runner that shows progress for a number of `runs`.
    pub(super) fn new(runs: u64) -> Result<Self, BenchError> {
        let child = RunningChild::default();
        let running = child.clone();
        interrupt::listen(move || running.kill()).map_err(BenchError::Signal)?;
        Ok(Self { child, progress: Progress::new(runs) })
    }

    /// Runs `program` once, with every frame slowed by `slow_down` percent. Returns `None` after a
    /// signal, which ends the run. Fails at once if the cubes do not fit into memory.
    pub(super) fn run(
        &self,
        label: &str,
        program: &Path,
        args: &RunArgs,
        slow_down: u32,
    ) -> Result<Option<RunResult>, BenchError> {
        if interrupt::received().is_some() {
            return Ok(None);
        }
        SIMULATED.check(args.scene.source().cubes())?;
        self.progress.begin(label);
        let result = self.child.run(program, args, slow_down);
        if result.is_err() {
            // Ctrl-C ends the child too, perhaps before this process handles the signal.
            thread::sleep(Duration::from_millis(50));
            if interrupt::received().is_some() {
                return Ok(None);
            }
        }
        self.progress.done();
        result.map(Some)
    }
}

/// Returns the path of this binary.
pub(super) fn own_program() -> Result<PathBuf, BenchError> {
    std::env::current_exe()
        .map_err(|error| BenchError::NotStarted { program: "cubefall".into(), error })
}

/// Returns the median of a run of `program`.
pub(super) fn median(run: &RunResult, program: &Path) -> Result<RunMedian, BenchError> {
    run.median().ok_or_else(|| BenchError::NoFrames(program.to_owned()))
}

impl RunningChild {
    fn run(&self, program: &Path, args: &RunArgs, slow_down: u32) -> Result<RunResult, BenchError> {
        let program = || program.to_owned();
        let mut command = Command::new(program());
        command.args(["bench", "single"]).args(flags(args, slow_down));
        let output = self.output(&mut command);
        let output =
            output.map_err(|error| BenchError::NotStarted { program: program(), error })?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let message = stderr.lines().rfind(|line| line.starts_with("cubefall: "));
            let message = message.unwrap_or("no error message").to_owned();
            let status = output.status;
            return Err(BenchError::RunFailed { program: program(), status, message });
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| BenchError::InvalidOutput { program: program(), error })
    }

    /// Starts a child process, which [`kill`](Self::kill) can end, and waits for its output.
    fn output(&self, command: &mut Command) -> io::Result<Output> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut stdin = child.stdin.take().expect("standard input is piped");
        let mut pipe = child.stdout.take().expect("standard output is piped");
        let mut messages = child.stderr.take().expect("standard error is piped");
        *self.child() = Some(child);
        if interrupt::received().is_some() {
            self.kill();
        }
        // Open until the run ends: the child process ends when the pipe closes without this process.
        let _ = stdin.write_all(b"\n");
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        thread::scope(|scope| {
            scope.spawn(|| messages.read_to_end(&mut stderr));
            pipe.read_to_end(&mut stdout)
        })?;
        let status = self.child().take().expect("it was just started").wait()?;
        Ok(Output { status, stdout, stderr })
    }

    fn kill(&self) {
        if let Some(child) = self.child().as_mut() {
            // Fails if the process has ended, which is fine.
            let _ = child.kill();
        }
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the flags that give a child process the same settings.
fn flags(args: &RunArgs, slow_down: u32) -> Vec<OsString> {
    fn text<T: ToString>(value: Option<T>) -> Option<OsString> {
        value.map(|value| value.to_string().into())
    }
    fn flag(name: &str, value: OsString) -> OsString {
        let mut flag = OsString::from(format!("--{name}="));
        flag.push(value);
        flag
    }

    let RunArgs { scene, graphics, size, dt, frames, duration, warmup, latency, .. } = args;
    let windowed = args.is_windowed();
    let on_off = |on: Option<bool>| text(on.map(|on| if on { "on" } else { "off" }));
    let values = [
        ("cubes", text((scene.scene.is_none() && scene.open.is_none()).then_some(scene.cubes))),
        ("open", text(scene.open.as_ref())),
        ("scene", scene.scene.as_ref().map(|scene| scene.argument().to_owned())),
        ("seed", text(scene.seed)),
        ("mode", text(scene.mode)),
        ("size", text(Some(size))),
        ("dt", text(Some(dt.seconds()))),
        ("frames", text(*frames)),
        ("duration", text(frames.is_none().then_some(duration))),
        ("warmup", text(*warmup)),
        ("memory", text(memory::assumed())),
        ("latency", text((!windowed).then_some(latency))),
        ("slow-down", text(Some(slow_down))),
        ("quality", text(graphics.quality)),
        ("shadows", on_off(graphics.shadows)),
        ("msaa", on_off(graphics.msaa)),
        ("fog", on_off(graphics.fog)),
        ("ground", on_off(graphics.ground)),
        ("ao", text(graphics.ao)),
        ("bloom", on_off(graphics.bloom)),
        ("dither", on_off(graphics.dither)),
        ("culling", on_off(graphics.culling)),
        ("small-cubes", text(graphics.small_cubes)),
        ("geometry", text(graphics.geometry.map(Geometry::name))),
        ("streaming", text(graphics.streaming.map(Streaming::name))),
        ("backend", text(graphics.backend.map(Backend::name))),
        ("adapter", text(graphics.adapter.clone())),
        #[cfg(feature = "app")]
        ("present", text(windowed.then_some(args.present))),
    ];
    let switches = [("require-gpu", graphics.require_gpu), ("window", windowed)];
    let values = values.into_iter().filter_map(|(name, value)| Some(flag(name, value?)));
    let switches = switches.into_iter().filter(|(_, on)| *on);
    let switches = switches.map(|(name, _)| format!("--{name}").into());
    values.chain(switches).chain(scene.camera.flags()).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{BenchCommand, Cli, Command};

    fn parsed(flags: &[OsString]) -> RunArgs {
        let words = ["cubefall", "bench", "single"].map(OsString::from);
        match Cli::parse_from(words.iter().chain(flags)).command {
            Some(Command::Bench(bench)) => match bench.command {
                Some(BenchCommand::Single(args)) => args,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_child_process_gets_the_same_settings() {
        let all = "--cubes=1500 --seed=9 --mode=camera-falls --size=64x48 --dt=1/30 --frames=77 --warmup=5 \
                   --latency=1 --quality=high --shadows=off --msaa=on --fog=off --ground=off --ao=block \
                   --bloom=on --dither=off --culling=on \
                   --small-cubes=1.5 --geometry=instanced --streaming=staged --backend=gl --adapter=llvm \
                   --require-gpu";
        for given in [
            all,
            "",
            "--duration=2.5",
            "--scene=rain --seed=5 --camera=-1,2.5,3 --look-at=0,0,0.1 --fov=33 --orbit=-7.5",
            "--open=cubefall://classic/cubes=700/seed=4/fov=60",
        ] {
            let given: Vec<_> = given.split_whitespace().map(OsString::from).collect();
            let first = parsed(&given);
            let again = parsed(&flags(&first, 0));
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
        }
    }

    #[cfg(feature = "app")]
    #[test]
    fn a_child_process_gets_the_window_and_its_present_mode() {
        let first = parsed(&["--window".into(), "--present=mailbox".into()]);
        let again = parsed(&flags(&first, 0));
        assert!(again.window);
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
    }
}

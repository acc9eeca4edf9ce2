//! Runs as child processes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::BenchError;
use super::sensors;
use crate::benchmark::{RunResult, read_samples};
use crate::cli::{self, AdapterArgs, EffectArgs, GraphicsArgs, RunArgs, SceneArgs};
use crate::commands::progress::Progress;
use crate::render::{Backend, Geometry, Streaming};
use crate::{error_text, interrupt, memory};

/// How often to look whether a child process has ended that has closed its output.
const POLL: Duration = Duration::from_millis(5);

/// Exit code of a Rust program that panicked.
const PANIC: i32 = 101;

/// Starts one child process at a time, until a signal arrives.
pub(super) struct Runner {
    child: RunningChild,
    progress: Progress,
    /// Log records that were shown.
    logged: RefCell<BTreeSet<String>>,
}

/// The child process, while there is one.
#[derive(Clone, Default)]
struct RunningChild(Arc<Mutex<Option<Child>>>);

impl Runner {
    /// Creates a runner that shows progress for a number of `runs`.
    pub(super) fn new(runs: u64) -> Result<Self, BenchError> {
        let child = RunningChild::default();
        let running = child.clone();
        interrupt::listen(move || running.kill()).map_err(|error| {
            BenchError::Failed(format!(
                "cannot listen for Ctrl-C and other signals: {}",
                error_text::io(&error)
            ))
        })?;
        Ok(Self { child, progress: Progress::new(runs), logged: RefCell::default() })
    }

    /// Prints a line above the progress.
    pub(super) fn status(&self, line: &str) {
        self.progress.status(line);
    }

    /// Shows the log of a run if it was asked for. Otherwise each record is shown once: an error of a library, or why an
    /// adapter is not used.
    fn show_log(&self, stderr: &str, is_wanted: bool) {
        let mut is_shown = is_wanted;
        for line in stderr.lines() {
            // A record starts with its time, and may have further lines.
            let record = line.strip_prefix("[20").and_then(|record| record.split_once(' '));
            if let Some((_, record)) = record {
                is_shown = is_wanted || self.logged.borrow_mut().insert(record.to_owned());
            }
            // The error of a run that failed has its message.
            if is_wanted || is_shown && !line.starts_with("cubefall: ") {
                self.status(&error_text::harmless_line(line));
            }
        }
    }

    /// Shows progress for this many further runs.
    pub(super) fn expect(&self, runs: u64) {
        self.progress.expect(runs);
    }

    /// Runs `program` once. Returns `None` after a signal, which ends the run. Fails after a run in which no frame
    /// counts.
    pub(super) fn run(
        &self,
        label: &str,
        program: &Path,
        args: &RunArgs,
    ) -> Result<Option<RunResult>, BenchError> {
        if interrupt::received().is_some() {
            return Ok(None);
        }
        self.progress.begin(label);
        let (result, samples) = sensors::during(|| self.run_child(program, args));
        if result.is_err() {
            // Ctrl-C ends the child too, perhaps before this process handles the signal.
            thread::sleep(Duration::from_millis(50));
            if interrupt::received().is_some() {
                return Ok(None);
            }
        }
        self.progress.done();
        let mut run = result?;
        // A program that reads sensors itself knows them better.
        if run.sensors.is_unknown() {
            run.sensors = samples.sensors(&run.adapter);
        }
        if run.median().is_none() {
            return Err(BenchError::Failed(format!(
                "a run of {} measured no frame that counts; use a larger --frames or --duration, and keep a \
                 window visible",
                error_text::path(program)
            )));
        }
        Ok(Some(run))
    }

    /// Runs `program` as a child process, and shows its log.
    fn run_child(&self, program: &Path, args: &RunArgs) -> Result<RunResult, BenchError> {
        let mut command = started(program);
        command.args(["bench", "single"]).args(flags(args));
        command.args(memory::assumed().map(|bytes| format!("--memory={bytes}")));
        let output = self.child.output(&mut command);
        let output = output.map_err(|error| not_started(program, &error))?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        // Logs that were asked for, and what a report of a defect needs.
        let panicked = output.status.code() == Some(PANIC);
        self.show_log(&stderr, panicked || env::var_os("RUST_LOG").is_some());
        let program = error_text::path(program);
        if !output.status.success() {
            let message = failure(output.status, &stderr);
            let reason = format!("a run of {program} failed ({}): {message}", output.status);
            let is_usage = output.status.code() == Some(2);
            let error = if is_usage { BenchError::Input } else { BenchError::Failed };
            return Err(error(reason));
        }
        let unreadable = "printed no result this version can read";
        parse(&output.stdout)
            .map_err(|reason| BenchError::Failed(format!("{program} {unreadable}: {reason}")))
    }
}

/// Path of this program when the first run was planned.
static OWN: LazyLock<io::Result<PathBuf>> = LazyLock::new(env::current_exe);

/// Returns the path of the binary to measure; this one if `given` is `None`.
pub(super) fn program(given: Option<&Path>) -> Result<PathBuf, BenchError> {
    let own = OWN.as_ref().map_err(|error| not_started("cubefall".as_ref(), error));
    let Some(path) = given else { return own.cloned() };
    if is_program(path) {
        return Ok(path.to_owned());
    }
    let hint = if has_folder(path) || !path.is_file() {
        String::new()
    } else {
        format!(" in PATH; did you mean ./{}?", error_text::path(path))
    };
    Err(BenchError::Input(format!("there is no program {}{hint}", error_text::path(path))))
}

/// Returns the command that starts a program. If a build has replaced this one, it is the file that runs: all runs
/// measure the same program.
fn started(program: &Path) -> Command {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        use std::os::unix::process::CommandExt;

        let running = Path::new("/proc/self/exe");
        let file = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino())).ok();
        let is_own = OWN.as_ref().is_ok_and(|own| own == program);
        if is_own && file(running).is_some_and(|running| file(program) != Some(running)) {
            let mut command = Command::new(running);
            command.arg0(program);
            return command;
        }
    }
    Command::new(program)
}

/// Returns whether a program can be started. A name without a folder is looked for in the folders of `PATH`, on
/// Windows in others, too.
fn is_program(path: &Path) -> bool {
    let extension = env::consts::EXE_EXTENSION;
    let both = |path: &Path| [path.to_owned(), path.with_added_extension(extension)];
    if has_folder(path) {
        // Without permission to look at it, the error of starting it has the reason.
        let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
        let may_start = |path: &PathBuf| {
            path.metadata().map_or_else(|error| !is_missing(error), |it| it.is_file())
        };
        return both(path).iter().any(may_start);
    }
    let exists = |path: &Path| both(path).iter().any(|path| path.is_file());
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).any(|folder| exists(&folder.join(path)))
        || (cfg!(windows) && exists(path))
}

fn has_folder(path: &Path) -> bool {
    path.components().count() > 1
}

fn not_started(program: &Path, error: &io::Error) -> BenchError {
    BenchError::Failed(format!(
        "cannot start {}: {}",
        error_text::path(program),
        error_text::io(error)
    ))
}

impl RunningChild {
    /// Starts a child process, which [`kill`](Self::kill) can end, and waits for its output.
    fn output(&self, command: &mut Command) -> io::Result<Output> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        // Open until the run ends: the child process ends when the pipe closes without this process.
        let _ = child.stdin.as_mut().expect("standard input is piped").write_all(b"\n");
        let mut pipe = child.stdout.take().expect("standard output is piped");
        let mut messages = child.stderr.take().expect("standard error is piped");
        *self.child() = Some(child);
        if interrupt::received().is_some() {
            self.kill();
        }
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let read = thread::scope(|scope| {
            thread::Builder::new().spawn_scoped(scope, || messages.read_to_end(&mut stderr))?;
            // Killed here, since the other thread ends with the child process.
            pipe.read_to_end(&mut stdout).inspect_err(|_| self.kill())
        });
        if read.is_err() {
            self.kill();
        }
        let status = self.wait()?;
        read?;
        Ok(Output { status, stdout, stderr })
    }

    /// Waits for the end of the child process, without the lock that [`kill`](Self::kill) needs.
    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            let status = self.child().as_mut().expect("it was just started").try_wait()?;
            if let Some(status) = status {
                *self.child() = None;
                return Ok(status);
            }
            thread::sleep(POLL);
        }
    }

    fn kill(&self) {
        if let Some(child) = self.child().as_mut() {
            // A child process of this one, under a script, ends too when its input does.
            drop(child.stdin.take());
            // Fails if the process has ended, which is fine.
            let _ = child.kill();
        }
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns why a run failed.
fn failure(status: ExitStatus, stderr: &str) -> &str {
    if status.code() == Some(PANIC) {
        return "see above";
    }
    // Such a signal leaves no message, unlike a crash.
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(signal_hook::consts::SIGKILL)
    {
        return "it was killed; is there enough memory?";
    }
    // Other programs, the linker and panics have messages of another form.
    let message = stderr.lines().rev().find_map(|line| line.strip_prefix("cubefall: "));
    let message = message.or_else(|| stderr.lines().find(|line| !line.trim().is_empty()));
    message.unwrap_or("no error message")
}

/// Parses what `bench single` prints.
fn parse(output: &[u8]) -> Result<RunResult, String> {
    let end = output.iter().position(|&byte| byte == b'\n').unwrap_or(output.len());
    let (json, frames) = output.split_at(end);
    let run: RunResult = serde_json::from_slice(json).map_err(|error| error_text::json(&error))?;
    let frames = frames.get(1..).unwrap_or_default();
    let samples = read_samples(frames, 1).map_err(|error| error.to_string())?;
    let run = RunResult { samples: samples.into_iter().flatten().collect(), ..run };
    run.check_samples()?;
    Ok(run)
}

/// Flags, and those of other runs that they replace besides equal ones.
const REPLACED: [(&str, &[&str]); 13] = [
    ("--cubes", &["--scene", "--open"]),
    ("--scene", &["--cubes", "--open"]),
    ("--open", &["--cubes", "--scene"]),
    ("--camera-path", &["--camera", "--look-at", "--fov", "--orbit"]),
    ("--camera", &["--camera-path"]),
    ("--look-at", &["--camera-path"]),
    ("--fov", &["--camera-path"]),
    ("--orbit", &["--camera-path"]),
    ("--frames", &["--duration", "--max-duration"]),
    ("--duration", &["--frames"]),
    ("--max-duration", &["--frames"]),
    ("--window", &["--latency"]),
    ("--latency", &["--window", "--present"]),
];

/// Returns `args` with more flags, given as one text. They replace equal ones, and those that contradict.
pub(super) fn with_flags(args: &RunArgs, text: &str) -> Result<RunArgs, BenchError> {
    let wrong = |reason: &str| {
        BenchError::Input(format!("wrong flags \"{}\": {reason}", error_text::harmless(text)))
    };
    let more = words(text, cfg!(windows)).ok_or_else(|| wrong("a quote is not closed"))?;
    let name = |flag: &str| flag.split('=').next().unwrap_or_default().to_owned();
    let names: Vec<_> = more.iter().map(|flag| name(flag)).collect();
    let has = |flag: &str| names.iter().any(|name| name == flag);
    if has("--memory") {
        return Err(wrong("--memory is the same for both sides: give it outside of the quotes"));
    }
    let replaced = REPLACED.iter().filter(|(flag, _)| has(flag)).flat_map(|(_, others)| *others);
    let replaced: Vec<_> = replaced.collect();
    let mut flags = flags(args);
    flags.retain(|flag| !replaced.iter().any(|other| **other == name(&flag.to_string_lossy())));
    let flags = flags.into_iter().chain(more.into_iter().map(OsString::from));
    RunArgs::from_flags(flags).map_err(|error| {
        // Otherwise it is the text of --help.
        let is_error = error.use_stderr();
        if let Some(file) = cli::wrong_file(&error) {
            return BenchError::Input(file.to_string());
        }
        wrong(&if is_error { cli::one_line(&error) } else { "not flags of a run".to_owned() })
    })
}

/// Splits a text into words as a shell does. In paths of `windows` a backslash escapes nothing. `None` if a quote is
/// not closed.
fn words(text: &str, windows: bool) -> Option<Vec<String>> {
    // Every other part is between single quotes, where it escapes nothing anywhere.
    let part = |(at, part): (usize, &str)| {
        if windows && at % 2 == 0 { part.replace('\\', r"\\") } else { part.to_owned() }
    };
    shlex::split(&text.split('\'').enumerate().map(part).collect::<Vec<_>>().join("'"))
}

/// Returns the flags that give a child process the same settings.
fn flags(args: &RunArgs) -> Vec<OsString> {
    fn text<T: ToString>(value: Option<T>) -> Option<OsString> {
        value.map(|value| value.to_string().into())
    }

    // All fields, so that the compiler finds a new flag here.
    #[rustfmt::skip]
    let RunArgs {
        frames, duration, max_duration, warmup, dt, latency, size, inject_slowdown, scene, graphics,
        #[cfg(feature = "app")] window: _, #[cfg(feature = "app")] present,
    } = args;
    let SceneArgs { cubes, seed, mode, motion, scene: chosen, open, tuning, camera } = scene;
    #[rustfmt::skip]
    let GraphicsArgs {
        quality, culling, small_cubes, geometry, streaming,
        effects: EffectArgs { shadows, msaa, fog, ground, ao, bloom, dither },
        adapter: AdapterArgs { backend, name: adapter, require_gpu },
    } = graphics;
    let windowed = args.is_windowed();
    let on_off = |on: Option<bool>| text(on.map(|on| if on { "on" } else { "off" }));
    let values = [
        ("cubes", text((chosen.is_none() && open.is_none()).then_some(cubes))),
        ("open", text(open.as_ref())),
        ("scene", chosen.as_ref().map(|scene| scene.argument().to_owned())),
        ("seed", text(*seed)),
        ("mode", text(*mode)),
        ("motion", text(*motion)),
        ("size", text(Some(size))),
        ("dt", text(Some(dt.seconds()))),
        ("frames", text(*frames)),
        ("duration", text(*duration)),
        ("max-duration", text(*max_duration)),
        ("warmup", text(*warmup)),
        ("latency", text(*latency)),
        ("inject-slowdown", text(Some(inject_slowdown))),
        ("quality", text(*quality)),
        ("shadows", on_off(*shadows)),
        ("msaa", on_off(*msaa)),
        ("fog", on_off(*fog)),
        ("ground", on_off(*ground)),
        ("ao", text(*ao)),
        ("bloom", on_off(*bloom)),
        ("dither", on_off(*dither)),
        ("culling", on_off(*culling)),
        ("small-cubes", text(*small_cubes)),
        ("geometry", text(geometry.map(Geometry::name))),
        ("streaming", text(streaming.map(Streaming::name))),
        ("backend", text(backend.map(Backend::name))),
        ("adapter", text(adapter.clone())),
        #[cfg(feature = "app")]
        ("present", text(windowed.then_some(*present))),
    ];
    let factors = tuning.parts().map(|(name, value)| (name, Some(value.into())));
    let values = values.into_iter().chain(factors).filter_map(|(name, value)| {
        let mut flag = OsString::from(format!("--{name}="));
        flag.push(value?);
        Some(flag)
    });
    let switches = [("--require-gpu", *require_gpu), ("--window", windowed)];
    let switches = switches.into_iter().filter(|(_, on)| *on).map(|(flag, _)| flag.into());
    values.chain(switches).chain(camera.flags()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_side_replace_those_that_contradict() {
        let common = RunArgs::from_flags(["--cubes=700", "--duration=3"]).unwrap();
        let side = with_flags(&common, "--scene rain --frames 12").unwrap();
        assert!(side.scene.scene.is_some());
        assert_eq!((side.frames, side.duration), (Some(12), None));
        let side = with_flags(&side, "--cubes=900 --max-duration 4").unwrap();
        assert!(side.scene.scene.is_none());
        assert_eq!((side.scene.cubes, side.frames, side.max_duration), (900, None, Some(4.0)));
        let placed = with_flags(&common, "--seed 5 --camera 0,0,50 --fov 40").unwrap();
        let open = with_flags(&placed, "--open cubefall://galaxy").unwrap();
        assert!(open.scene.open.is_some() && open.scene.seed == Some(5));
        for (flags, reason) in [
            ("--memory 1G", "--memory is the same for both sides"),
            ("--quality ultra", "[possible values: low, medium, high]"),
            ("--cubes 5 --scene rain", "cannot be used with"),
            ("--help", "not flags of a run"),
        ] {
            let error = with_flags(&common, flags).unwrap_err().to_string();
            assert!(error.contains(reason) && error.lines().count() == 1, "{error}");
        }
    }

    #[test]
    fn backslashes_in_paths_of_windows_are_kept() {
        let text = r#"--scene C:\a\b.json '\\server\c d.json' "C:\e f.json""#;
        let kept = ["--scene", r"C:\a\b.json", r"\\server\c d.json", r"C:\e f.json"];
        assert_eq!(words(text, true).unwrap(), kept);
        assert_eq!(words(r"a\ b", false).unwrap(), ["a b"]);
        assert_eq!(words("'a", true), None);
    }

    #[test]
    fn a_child_process_gets_the_same_settings() {
        let all = "--cubes=1500 --seed=9 --mode=camera-falls --motion=evaluated --size=64x48 --dt=1/30 --frames=77 --warmup=5 \
                   --gravity=0.5 --time=2 --spin=0 --widen-view=off \
                   --latency=1 --quality=high --shadows=off --msaa=on --fog=off --ground=off --ao=block \
                   --bloom=on --dither=off --culling=on \
                   --small-cubes=1.5 --geometry=instanced --streaming=staged --backend=gl --adapter=llvm \
                   --require-gpu";
        for given in [
            all,
            "",
            "--duration=2.5 --max-duration=7",
            "--scene=rain --seed=5 --camera=-1,2.5,3 --look-at=0,0,0.1 --fov=33 --orbit=-7.5",
            "--open=cubefall://classic/cubes=700/seed=4/spin=2/fov=60",
            #[cfg(feature = "app")]
            "--window --present=mailbox",
        ] {
            let first = RunArgs::from_flags(given.split_whitespace()).unwrap();
            let again = RunArgs::from_flags(flags(&first)).unwrap();
            assert_eq!(format!("{first:?}"), format!("{again:?}"));
        }
    }
}

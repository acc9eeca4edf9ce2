//! The score of this machine: a quick suite in another process, while the window rests.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;

use crate::benchmark::Suite;
use crate::render::Gpu;
use crate::{error_text, memory, output};

/// How an error ends that refers to lines before it.
const SEE_ABOVE: &str = "see above";

/// A suite that is being measured. Dropping it ends the process.
pub(in crate::app) struct ScoreMeasurement {
    child: Child,
    _input: ChildStdin,
    messages: Receiver<Message>,
    /// What it measures.
    progress: String,
    /// All lines about the progress so far: those of a panic are among them.
    lines: Vec<String>,
    /// Its last error.
    error: Option<String>,
}

enum Message {
    /// A line of standard error about the progress.
    Status(String),
    /// An error or a warning.
    Error(String),
    /// All of standard output.
    Output(Vec<u8>),
}

impl ScoreMeasurement {
    /// Starts `bench suite --quick` with the adapter of the window. A page has to be woken up; this window looks
    /// for progress by itself.
    ///
    /// # Errors
    /// Says why the process did not start.
    pub(in crate::app) fn start(gpu: &Gpu, _wake: impl Fn() + 'static) -> Result<Self, String> {
        let program = if cfg!(target_os = "linux") {
            // This one, also if a build has replaced it.
            Ok("/proc/self/exe".into())
        } else {
            std::env::current_exe()
        };
        let mut command = Command::new(program.map_err(|error| error_text::io(&error))?);
        let adapter = gpu.summary();
        command.args(["bench", "suite", "--quick", "--json", "--end-with-input"]);
        command.arg(format!("--adapter={}", adapter.name));
        command.arg(format!("--backend={}", adapter.backend));
        command.args(memory::assumed().map(|bytes| format!("--memory={bytes}")));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| error_text::io(&error))?;
        // Open until the measurement ends: the process also ends with the window, however that ends.
        let mut input = child.stdin.take().expect("standard input is piped");
        let _ = input.write_all(b"\n");
        let stdout = child.stdout.take().expect("standard output is piped");
        let stderr = child.stderr.take().expect("standard error is piped");
        let (sender, messages) = mpsc::channel();
        let progress = "starting".to_owned();
        let (lines, error) = (Vec::new(), None);
        let measurement = Self { child, _input: input, messages, progress, lines, error };
        let reader = thread::Builder::new().spawn(move || read(stderr, stdout, &sender));
        reader.map_err(|error| error_text::io(&error))?;
        Ok(measurement)
    }

    /// Returns what it measures.
    pub(in crate::app) fn progress(&self) -> &str {
        &self.progress
    }

    /// Reads the progress since the last call, and whether there is any. Returns the suite, or why it failed,
    /// when it is done.
    pub(in crate::app) fn poll(&mut self) -> (bool, Option<Result<Suite, String>>) {
        let mut is_new = false;
        loop {
            match self.messages.try_recv() {
                Ok(Message::Status(line)) => {
                    self.lines.push(line.clone());
                    (self.progress, is_new) = (line, true);
                }
                Ok(Message::Error(line)) => self.error = Some(line),
                Ok(Message::Output(json)) => {
                    let suite = serde_json::from_slice::<Suite>(&json).ok();
                    // After an error its output has what was measured before.
                    let complete = suite.filter(|suite| suite.complete);
                    return (true, Some(complete.ok_or_else(|| self.failure())));
                }
                Err(TryRecvError::Empty) => return (is_new, None),
                Err(TryRecvError::Disconnected) => {
                    return (true, Some(Err(self.failure())));
                }
            }
        }
    }
}

impl ScoreMeasurement {
    /// Returns why there is no score. Prints what an error refers to.
    fn failure(&self) -> String {
        if self.error.as_ref().is_some_and(|error| error.ends_with(SEE_ABOVE)) {
            self.lines.iter().for_each(|line| output::status(line));
        }
        // A process that is killed leaves no error.
        let killed = || format!("its process ended, at {}; is there enough memory?", self.progress);
        self.error.clone().unwrap_or_else(killed)
    }
}

impl Drop for ScoreMeasurement {
    fn drop(&mut self) {
        // Fails if the process has ended, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends all lines of standard error, and then what was on standard output.
fn read(stderr: impl Read, mut stdout: impl Read, sender: &Sender<Message>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        let message = match line.strip_prefix("cubefall: ") {
            Some(error) => Message::Error(error.to_owned()),
            None => Message::Status(line),
        };
        // Fails if the measurement was canceled.
        if sender.send(message).is_err() {
            return;
        }
    }
    let mut output = Vec::new();
    if stdout.read_to_end(&mut output).is_ok() {
        let _ = sender.send(Message::Output(output));
    }
}

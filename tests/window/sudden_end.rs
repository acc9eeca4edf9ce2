//! The window or the display goes away at any moment, and the program ends in order.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tempfile::NamedTempFile;

use super::desktop::{Desktop, PATIENCE, POLL};

const DEMO: [&str; 5] = ["--require-display", "--cubes", "50", "--size", "200x150"];
const BENCHMARK: [&str; 9] =
    ["bench", "single", "--window", "--cubes", "50", "--size", "200x150", "--frames", "1000000"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// Another program destroys the window.
    Closed,
    /// The server closes the connection.
    Disconnected,
    /// The server is killed.
    Crashed,
}

/// Starts the program, and after `delay` injects the fault. The delay counts from the window on if the
/// fault needs one, else from the start. Returns what is wrong with the end, if anything is.
fn unexpected_end(program: &[&str], fault: Fault, delay: Duration) -> Option<String> {
    let desktop = Desktop::start();
    let stderr = NamedTempFile::new().unwrap();
    let mut command = desktop.command(program);
    let mut child = command.stdout(Stdio::null()).stderr(stderr.reopen().unwrap()).spawn().unwrap();
    let start = Instant::now();
    let mut window = String::new();
    while fault != Fault::Crashed
        && window.is_empty()
        && child.try_wait().unwrap().is_none()
        && start.elapsed() < PATIENCE
    {
        let found = desktop.tool(&["search", "--name", "Cubefall"]);
        found.lines().next().unwrap_or_default().clone_into(&mut window);
    }
    sleep(delay);
    match fault {
        Fault::Closed => drop(desktop.tool(&["windowclose", &window])),
        Fault::Disconnected => drop(desktop.tool(&["windowkill", &window])),
        Fault::Crashed => desktop.crash(),
    }
    let injected = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if injected.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        sleep(POLL);
    };
    let log = std::fs::read_to_string(stderr.path()).unwrap();
    // Xlib prints the second and third one, and ends the process.
    let is_explained =
        ["cubefall: ", "XIO: ", "X connection"].iter().any(|part| log.contains(part));
    let code = status.and_then(|status| status.code());
    let is_expected = match (fault, code) {
        (Fault::Closed, Some(0)) => program == DEMO,
        (Fault::Closed, Some(1)) => program == BENCHMARK && is_explained,
        // The display may end before the program has connected to it.
        (_, Some(1)) | (Fault::Crashed, Some(3)) => is_explained,
        _ => false,
    };
    let is_expected = is_expected && !log.contains("panicked");
    (!is_expected).then(|| format!("{} {fault:?} after {delay:?}: {status:?}: {log}", program[0]))
}

#[test]
fn a_window_or_display_that_goes_away_ends_the_program_in_order() {
    // The long delays let the program open its device: Mesa can crash if the connection ends just before.
    for (program, fault, delay) in [
        (&DEMO[..], Fault::Closed, 0),
        (&DEMO, Fault::Closed, 40),
        (&DEMO, Fault::Closed, 900),
        (&DEMO, Fault::Disconnected, 3000),
        (&DEMO, Fault::Crashed, 3000),
        (&BENCHMARK, Fault::Closed, 0),
        (&BENCHMARK, Fault::Disconnected, 3000),
    ] {
        let end = unexpected_end(program, fault, Duration::from_millis(delay));
        assert!(end.is_none(), "{}", end.unwrap());
    }
}

/// Set `CUBEFALL_TRIES` and `CUBEFALL_SEED` for another number and other delays.
#[test]
#[ignore = "takes about a quarter of an hour: 300 tries"]
fn no_moment_of_the_end_of_a_window_or_display_is_unsafe() {
    let number = |name, or| std::env::var(name).map_or(or, |text| text.parse().unwrap());
    let tries = number("CUBEFALL_TRIES", 300);
    let mut random = ChaCha8Rng::seed_from_u64(number("CUBEFALL_SEED", 1));
    let mut unexpected = Vec::new();
    for tried in 0..tries {
        let program = [&DEMO[..], &DEMO, &BENCHMARK][tried as usize % 3];
        let fault = [Fault::Closed, Fault::Disconnected, Fault::Crashed][tried as usize / 3 % 3];
        // Half of them while the window opens, half of them over some updates of the title.
        let longest = [600, 3000][tried as usize / 9 % 2];
        let delay = Duration::from_millis(random.next_u64() % longest);
        if let Some(end) = unexpected_end(program, fault, delay) {
            println!("{end}");
            unexpected.push(end);
        }
    }
    assert!(unexpected.is_empty(), "{} of {tries} ends were unexpected", unexpected.len());
}

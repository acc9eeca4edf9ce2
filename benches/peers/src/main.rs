//! Compares Cubefall's Entity Component System with other libraries on the same workloads.
//!
//! ```text
//! cargo build --release -p peers
//! target/release/peers [counts ..] [--rounds N] [--only a,g] [--with cubefall,hecs] [--entt PROGRAM]
//! ```
//!
//! Each round runs all libraries in rotating order, so that other load affects all of them equally. The
//! result is the median of the rounds. Compare results of one run only.
//!
//! The process keeps freed memory (Linux with glibc only, unless `GLIBC_TUNABLES` is set). Otherwise whether a new world
//! gets fresh pages, which costs more than filling it, depends on the sizes of the blocks freed before.
//!
//! | file | holds |
//! |---|---|
//! | `components` | the components and the arithmetic |
//! | `workload` | the workloads and the time measurement |
//! | `floor` | raw `Vec`s |
//! | `entt`, and `../entt.cpp` | EnTT, in a process of its own |
//! | one per other library | the workloads as its documentation recommends |

mod bevy;
mod components;
mod cubefall;
mod entt;
mod flecs;
mod floor;
mod hecs;
mod shipyard;
mod sparsey;
mod specs;
mod workload;

use std::env;
use std::fmt::Write;
use std::path::PathBuf;

use workload::{Subject, Workload};

/// Returns the floor and Cubefall first, then the other libraries.
fn subjects(entt: Option<PathBuf>) -> Vec<Box<dyn Subject>> {
    let mut subjects: Vec<Box<dyn Subject>> = vec![
        Box::new(floor::Floor),
        Box::new(cubefall::Cubefall),
        Box::new(hecs::Hecs),
        Box::new(bevy::Bevy),
        Box::new(shipyard::Shipyard),
        Box::new(specs::Specs),
        Box::new(sparsey::Sparsey),
        Box::new(flecs::Flecs),
    ];
    subjects.extend(entt.map(|program| Box::new(entt::Entt { program }) as Box<dyn Subject>));
    subjects
}

struct Arguments {
    counts: Vec<usize>,
    rounds: usize,
    only: Vec<String>,
    with: Vec<String>,
    /// Program built from `entt.cpp`.
    entt: Option<PathBuf>,
}

/// Keeps freed memory in the process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const TUNABLES: &str =
    "glibc.malloc.mmap_threshold=0x40000000:glibc.malloc.trim_threshold=0x100000000";

fn main() -> Result<(), String> {
    let arguments = Arguments::parse(env::args().skip(1))?;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    keep_freed_memory()?;
    let subjects = subjects(arguments.entt.clone());
    let is_known = |name: &&String| subjects.iter().any(|subject| subject.name() == **name);
    if let Some(unknown) = arguments.with.iter().find(|name| !is_known(name)) {
        return Err(format!("--with {unknown}: no such library; entt also needs --entt PROGRAM"));
    }
    print!("{}", heading(&subjects));
    for workload in Workload::ALL {
        let (short, _) = workload.names();
        let chosen = arguments.only.iter().any(|only| short.starts_with(only.as_str()));
        if !chosen && !arguments.only.is_empty() {
            continue;
        }
        for &count in &arguments.counts {
            let medians = medians(&subjects, workload, count, &arguments);
            println!("{}", row(&subjects, workload, count, &medians));
        }
    }
    Ok(())
}

/// Starts the program again with [`TUNABLES`], unless others are set.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep_freed_memory() -> Result<(), String> {
    use std::os::unix::process::CommandExt;

    if env::var_os("GLIBC_TUNABLES").is_some() {
        return Ok(());
    }
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let mut again = std::process::Command::new(program);
    let error = again.args(env::args_os().skip(1)).env("GLIBC_TUNABLES", TUNABLES).exec();
    Err(format!("cannot start this program again: {error}"))
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments =
            Self { counts: Vec::new(), rounds: 5, only: Vec::new(), with: Vec::new(), entt: None };
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => arguments.rounds = number(&words.next().unwrap_or_default())?,
                "--only" => arguments.only = list(words.next()),
                "--with" => arguments.with = list(words.next()),
                "--entt" => {
                    arguments.entt = Some(words.next().ok_or("--entt needs a program")?.into());
                }
                count => arguments.counts.push(number(count)?),
            }
        }
        if arguments.counts.is_empty() {
            arguments.counts = vec![10_000, 100_000, 1_000_000];
        }
        let least = components::NUMBERED_TYPES.max(components::PROBE + 1);
        match arguments.counts.iter().find(|&&count| count < least) {
            Some(count) => Err(format!("{count} entities are too few, take at least {least}")),
            None => Ok(arguments),
        }
    }
}

fn list(word: Option<String>) -> Vec<String> {
    word.unwrap_or_default().split(',').map(str::to_owned).collect()
}

fn number(word: &str) -> Result<usize, String> {
    match word.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!(
            "'{word}': expected a count above 0, `--rounds N`, `--only a,g`, `--with cubefall` or `--entt PROGRAM`"
        )),
    }
}

/// Returns the median over the rounds for each library.
fn medians(
    subjects: &[Box<dyn Subject>],
    workload: Workload,
    count: usize,
    arguments: &Arguments,
) -> Vec<Option<f64>> {
    let mut times = vec![Vec::new(); subjects.len()];
    for round in 0..arguments.rounds {
        for turn in 0..subjects.len() {
            let subject = (round + turn) % subjects.len();
            let name = subjects[subject].name();
            if arguments.with.is_empty() || arguments.with.iter().any(|with| with == name) {
                times[subject].extend(subjects[subject].measure(workload, count));
            }
        }
    }
    times
        .into_iter()
        .map(|mut times| {
            times.sort_by(f64::total_cmp);
            let low = *times.get(times.len().checked_sub(1)? / 2)?;
            Some(f64::midpoint(low, times[times.len() / 2]))
        })
        .collect()
}

fn heading(subjects: &[Box<dyn Subject>]) -> String {
    let mut text = String::new();
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let _ = writeln!(text, "{}, {cores} cores", model.map_or("unknown CPU", |(_, model)| model));

    let versions = subjects
        .iter()
        .filter_map(|subject| Some(format!("{} {}", subject.name(), version(subject.name())?)));
    let _ = writeln!(text, "{}", versions.collect::<Vec<_>>().join(", "));
    let _ = writeln!(text, "\nThread CPU time in ns per entity, median of the rounds.\n");

    let names: Vec<_> = subjects[2..].iter().map(|subject| subject.name()).collect();
    let _ = writeln!(
        text,
        "| workload | count | floor | cubefall | best peer | cubefall / best peer | cubefall / floor | {} |",
        names.join(" | "),
    );
    let _ = writeln!(text, "|{}", "---|".repeat(7 + names.len()));
    text
}

/// Returns the linked version: the newest one in the lock file.
fn version(name: &str) -> Option<&'static str> {
    let lock = include_str!("../../../Cargo.lock");
    let packages = lock.split("[[package]]").filter_map(|package| {
        package.trim_start().strip_prefix("name = ")?.strip_prefix(&format!("\"{name}\"\n"))
    });
    let package = packages.last()?;
    package.strip_prefix("version = \"")?.split('"').next()
}

fn row(
    subjects: &[Box<dyn Subject>],
    workload: Workload,
    count: usize,
    medians: &[Option<f64>],
) -> String {
    let [floor, cubefall, peers @ ..] = medians else { return String::new() };
    let peers_by_name = subjects[2..].iter().zip(peers);
    let best = peers_by_name
        .filter_map(|(subject, time)| Some((subject.name(), (*time)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let ratio = |to: Option<f64>| match (cubefall, to) {
        (Some(ours), Some(theirs)) => format!("{:.2}", ours / theirs),
        _ => "-".to_owned(),
    };
    let (short, long) = workload.names();
    let mut row = format!("| {short} {long} | {count} | {} | {} |", cell(*floor), cell(*cubefall));
    let _ = match best {
        Some((name, time)) => write!(row, " {} ({name}) |", cell(Some(time))),
        None => write!(row, " - |"),
    };
    let _ = write!(row, " {} | {} |", ratio(best.map(|best| best.1)), ratio(*floor));
    for &peer in peers {
        let _ = write!(row, " {} |", cell(peer));
    }
    row
}

fn cell(time: Option<f64>) -> String {
    match time {
        Some(time) if time < 10.0 => format!("{time:.2}"),
        Some(time) => format!("{time:.1}"),
        None => "-".to_owned(),
    }
}

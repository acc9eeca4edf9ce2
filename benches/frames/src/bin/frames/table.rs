//! Results as Markdown.

use std::fmt::Write;

use frames::{Contestant, Part};

use crate::contest::{Contest, Entry};

/// The machine and the linked versions.
pub(crate) fn heading() -> String {
    let cpus = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown CPU", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let packages = [("cubefall", ""), ("wgpu", "30."), ("bevy", ""), ("macroquad", "")];
    let versions: Vec<_> = packages
        .into_iter()
        .filter_map(|(name, from)| Some(format!("{name} {}", version(name, from)?)))
        .collect();
    format!("{model}, {cores} cores\n{}\n", versions.join(", "))
}

/// The version of a package that begins with `from`.
fn version(name: &str, from: &str) -> Option<&'static str> {
    let lock = include_str!("../../../../../Cargo.lock");
    let prefix = format!("name = \"{name}\"\nversion = \"{from}");
    let package = lock.split("[[package]]\n").find(|package| package.starts_with(&prefix))?;
    package.split('"').nth(3)
}

/// Whole frames, and below them their phases.
pub(crate) fn tables(contest: &Contest, results: &[(u32, Vec<Entry>)]) -> String {
    let Contest { title, size, rounds, frames, .. } = contest;
    let mode = contest.mode().name();
    let mut text = format!(
        "\n## {title}, {size}, {mode}\n\n{} in ms: median of {rounds} rounds of {frames} frames, and times the \
         floor.\n\n",
        if contest.by_parts {
            "Simulate, upload, encode and submit together (whole frames, without a ratio, of Bevy, which does not tell \
             them apart)"
        } else {
            "Whole frames"
        },
    );
    let names: Vec<_> = contest.contestants.iter().map(|contestant| contestant.name()).collect();
    let _ =
        writeln!(text, "| cubes | {} |\n|{}", names.join(" | "), "---|".repeat(1 + names.len()));
    for (cubes, entries) in results {
        let frame = |entry: &Entry| entry.frame(|frame| frame.median);
        let time = |entry: &Entry| if contest.by_parts { entry.own_work() } else { frame(entry) };
        let floor = entries.iter().find(|entry| entry.contestant == Contestant::Floor);
        let floor = floor.and_then(time);
        let cells: Vec<_> = entries
            .iter()
            .map(|entry| match time(entry) {
                Some(ms) => against(ms, floor),
                None => cell(frame(entry)),
            })
            .collect();
        let _ = writeln!(text, "| {cubes} | {} |", cells.join(" | "));
    }

    let parts = Part::ALL.map(Part::name);
    let _ = writeln!(
        text,
        "\nThe parts on the main thread, where the contestant can tell them apart; `process` is the CPU \
         time of all its threads.\n\n| cubes | contestant | mean | p95 | {} | process |\n|{}",
        parts.join(" | "),
        "---|".repeat(5 + parts.len()),
    );
    for (cubes, entries) in results {
        for entry in entries {
            let parts = Part::ALL.map(|part| cell(entry.part(part)));
            let _ = writeln!(
                text,
                "| {cubes} | {} | {} | {} | {} | {} |",
                entry.contestant.name(),
                cell(entry.frame(|frame| frame.mean)),
                cell(entry.frame(|frame| frame.p95)),
                parts.join(" | "),
                cell(entry.process_cpu()),
            );
        }
    }
    text
}

fn against(ms: f64, floor: Option<f64>) -> String {
    let ratio = floor.map_or_else(String::new, |floor| format!(" ({:.2} x)", ms / floor));
    format!("{}{ratio}", cell(Some(ms)))
}

fn cell(ms: Option<f64>) -> String {
    match ms {
        Some(ms) if ms < 1.0 => format!("{ms:.3}"),
        Some(ms) if ms < 10.0 => format!("{ms:.2}"),
        Some(ms) => format!("{ms:.1}"),
        None => "-".to_owned(),
    }
}

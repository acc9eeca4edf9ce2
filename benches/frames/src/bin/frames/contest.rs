//! Runs the contestants in turns, each in its own process.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use cubefall::render::Size;
use frames::{Contestant, Mode, Part, Report, Summary};

/// What one table compares.
pub(crate) struct Contest {
    pub(crate) contestants: Vec<Contestant>,
    pub(crate) size: Size,
    pub(crate) frames: u32,
    pub(crate) warmup: u32,
    /// Idle time after each frame, in ms.
    pub(crate) idle: u32,
    pub(crate) rounds: u32,
    pub(crate) headless: bool,
    /// Heading of the table.
    pub(crate) title: &'static str,
    /// Additional flags for the contestants.
    pub(crate) flags: &'static [&'static str],
    /// Cubefall's cubes spin.
    pub(crate) spin: bool,
    /// Compares CPU work instead of whole frames, where a contestant can separate it.
    pub(crate) by_parts: bool,
}

/// Reports of a contestant from all rounds.
pub(crate) struct Entry {
    pub(crate) contestant: Contestant,
    reports: Vec<Report>,
    /// No turn has failed; a failure ends the contestant's turns.
    pub(crate) sound: bool,
}

impl Entry {
    /// Median over the rounds of a figure in the reports.
    fn median(&self, figure: impl Fn(&Report) -> Option<f64>) -> Option<f64> {
        let mut figures: Vec<_> = self.reports.iter().filter_map(figure).collect();
        figures.sort_by(f64::total_cmp);
        let low = *figures.get(figures.len().checked_sub(1)? / 2)?;
        Some(f64::midpoint(low, figures[figures.len() / 2]))
    }

    /// Median of whole frames, in ms.
    pub(crate) fn frame(&self, figure: impl Fn(&Summary) -> f64) -> Option<f64> {
        self.median(|report| Some(figure(&report.frame)))
    }

    /// Mean CPU time of all threads per frame, in ms. No median: threads on other cores are
    /// counted up to the last clock tick only, which a short frame may miss.
    pub(crate) fn process_cpu(&self) -> Option<f64> {
        self.median(|report| Some(report.process_cpu.mean))
    }

    /// Work of the main thread per frame without waiting, in ms; `None` for contestants that
    /// cannot separate phases.
    pub(crate) fn own_work(&self) -> Option<f64> {
        self.part(Part::Submit)?;
        let parts = [Part::Simulate, Part::Upload, Part::Encode, Part::Submit];
        Some(parts.into_iter().filter_map(|part| self.part(part)).sum())
    }

    /// Median of a phase, in ms.
    pub(crate) fn part(&self, part: Part) -> Option<f64> {
        self.median(|report| Some(report.parts.get(&part)?.median))
    }
}

/// Checks that all contestants can be started.
pub(crate) fn check(contestants: &[Contestant], headless: bool) -> Result<(), String> {
    for &contestant in contestants {
        let path = path(contestant);
        if !path.is_file() {
            let path = path.display();
            return Err(format!("{path} is not there; build it: cargo build --release -p frames"));
        }
    }
    if headless { Ok(()) } else { Ok(frames::check_display()?) }
}

/// Path of a contestant, in the folder of this program.
fn path(contestant: Contestant) -> PathBuf {
    let own = env::current_exe().unwrap_or_default();
    own.with_file_name(format!("{}{}", contestant.program(), env::consts::EXE_SUFFIX))
}

impl Contest {
    pub(crate) const fn mode(&self) -> Mode {
        if self.headless { Mode::Headless } else { Mode::Window }
    }

    /// Runs every contestant in every round.
    pub(crate) fn hold(&self, cubes: u32) -> Vec<Entry> {
        let new = |&contestant| Entry { contestant, reports: Vec::new(), sound: true };
        let mut entries: Vec<_> = self.contestants.iter().map(new).collect();
        for round in 0..self.rounds as usize {
            for turn in 0..entries.len() {
                let at = (round + turn) % entries.len();
                let entry = &mut entries[at];
                if !entry.sound {
                    continue;
                }
                match self.turn(entry.contestant, cubes) {
                    Ok(report) => entry.reports.push(report),
                    Err(error) => {
                        eprintln!(
                            "frames: {} with {cubes} cubes: {error}",
                            entry.contestant.name()
                        );
                        entry.sound = false;
                    }
                }
            }
        }
        entries
    }

    fn turn(&self, contestant: Contestant, cubes: u32) -> Result<Report, String> {
        let mut command = Command::new(path(contestant));
        command.args(self.headless.then_some("--headless"));
        command.args(self.flags).args(contestant.flags());
        command.args(self.spin.then_some("--spin"));
        let flags = [
            ("--cubes", cubes.to_string()),
            ("--size", self.size.to_string()),
            ("--frames", self.frames.to_string()),
            ("--warmup", self.warmup.to_string()),
            ("--idle", self.idle.to_string()),
        ];
        command.args(flags.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]));
        let output = command.output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}\n{}", output.status, said.trim_end()));
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let line = said.lines().rfind(|line| line.starts_with('{'));
        serde_json::from_str(line.ok_or("it reported nothing")?).map_err(|error| error.to_string())
    }
}

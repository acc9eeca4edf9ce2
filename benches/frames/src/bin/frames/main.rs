//! Frame times of Cubefall beside other renderers of the same scene.
//!
//! ```text
//! cargo build --release -p frames
//! target/release/frames [counts ..] [--rounds N] [--with floor,bevy] [--size WxH] [--only frame|exact|cpu|still]
//! ```
//!
//! The contestants are separate programs. They take turns in rotating order, and figures are medians
//! over the rounds, so that other load affects all of them alike. Compare within one run only.

mod contest;
mod table;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use cubefall::render::Size;
use frames::Contestant;

use contest::Contest;

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Subject {
    /// A whole frame at the given size
    Frame,
    /// The same without culling; only the floor and Cubefall
    Exact,
    /// CPU work of a frame without visible cubes, at 64x64
    Cpu,
    /// The same with static cubes
    Still,
}

impl Subject {
    const fn title(self) -> &'static str {
        match self {
            Self::Frame => "Frame",
            Self::Exact => "Frame, culling off",
            Self::Cpu => "CPU only, no visible cube",
            Self::Still => "CPU only, no visible cube, static cubes",
        }
    }

    /// Flags for the contestants.
    const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Frame => &[],
            Self::Exact => &["--exact"],
            Self::Cpu => &["--culled"],
            Self::Still => &["--culled", "--still"],
        }
    }

    /// Whether a contestant can take part.
    const fn suits(self, contestant: Contestant) -> bool {
        match self {
            Self::Frame => true,
            // The others have no culling to switch off.
            Self::Exact => contestant.can_draw_all(),
            Self::Cpu | Self::Still => contestant.can_cull(),
        }
    }
}

/// Whole frames of the same scene, drawn by different programs in turns; prints Markdown.
#[derive(Parser, Debug)]
#[command(name = "frames", version)]
struct Arguments {
    /// Cube counts
    #[arg(default_values_t = [1_000, 10_000, 100_000], value_name = "COUNTS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    counts: Vec<u32>,
    /// Turns of each contestant
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: u32,
    /// Contestants [default: all]
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    with: Vec<Contestant>,
    /// Size of a frame in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    size: Size,
    /// Only this table
    #[arg(long, value_enum)]
    only: Option<Subject>,
    /// Measured frames per turn [default: 40, or 200 for CPU tables]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: Option<u32>,
    /// Warm-up frames per turn
    #[arg(long, value_name = "W", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    warmup: u32,
    /// Idle time after each frame in ms, as of a program that waits for a display
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000))]
    idle: u32,
    /// Draw without a window and wait for every frame; only contestants that support it
    #[arg(long)]
    headless: bool,
    /// Cubefall's cubes spin, as in the demo; those of the others never do
    #[arg(long)]
    spin: bool,
}

impl Arguments {
    /// The selected contestants. Ends the process with code 2 if one of them has no headless mode.
    fn contestants(&self) -> Vec<Contestant> {
        let able = |contestant: &Contestant| contestant.can_be_headless() || !self.headless;
        if let Some(unable) = self.with.iter().find(|contestant| !able(contestant)) {
            let message = format!("{} has no headless mode", unable.name());
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        let all = Contestant::value_variants().iter().copied();
        all.filter(|asked| able(asked) && (self.with.is_empty() || self.with.contains(asked)))
            .collect()
    }

    fn contest(&self, subject: Subject) -> Contest {
        let cpu = matches!(subject, Subject::Cpu | Subject::Still);
        let mut contestants = self.contestants();
        contestants.retain(|contestant| subject.suits(*contestant));
        Contest {
            contestants,
            size: if cpu { Size::new(64, 64).expect("not empty") } else { self.size },
            frames: self.frames.unwrap_or(if cpu { 200 } else { 40 }),
            warmup: self.warmup,
            idle: self.idle,
            rounds: self.rounds,
            headless: self.headless,
            title: subject.title(),
            flags: subject.flags(),
            spin: self.spin,
            by_parts: cpu,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Err(refusal) = contest::check(&arguments.contestants(), arguments.headless) {
        eprintln!("frames: {refusal}");
        return ExitCode::FAILURE;
    }
    print!("{}", table::heading());
    let mut sound = true;
    for subject in Subject::value_variants() {
        if arguments.only.is_some_and(|only| only != *subject) {
            continue;
        }
        let contest = arguments.contest(*subject);
        let results: Vec<_> =
            arguments.counts.iter().map(|&count| (count, contest.hold(count))).collect();
        sound &= results.iter().flat_map(|(_, entries)| entries).all(|entry| entry.sound);
        print!("{}", table::tables(&contest, &results));
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

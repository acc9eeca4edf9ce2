//! Whole frames of Cubefall beside other ways to draw the same scene.
//!
//! ```text
//! cargo build --release -p frames
//! target/release/frames [counts ..] [--rounds N] [--with floor,bevy] [--size WxH] [--only picture|exact|cpu|still]
//! ```
//!
//! The contestants are programs beside this one. They take turns round by round, in rotating order,
//! and the median of the rounds counts: what the machine does meanwhile hits all of them alike.
//! Compare within one run only.

mod contest;
mod table;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};
use cubefall::render::Size;
use frames::{Contestant, size_flag};

use contest::Contest;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Subject {
    /// Everything, at the size asked for
    Picture,
    /// The same with every cube drawn in full; off screen contestants only
    Exact,
    /// What the CPU does for a frame of which no cube is seen, at 64x64
    Cpu,
    /// The same while the cubes hang still
    Still,
}

impl Subject {
    const fn title(self) -> &'static str {
        match self {
            Self::Picture => "Picture",
            Self::Exact => "Picture, every cube in full",
            Self::Cpu => "CPU only, no cube seen",
            Self::Still => "CPU only, no cube seen, cubes hang still",
        }
    }

    /// What the contestants are told.
    const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Picture => &[],
            Self::Exact => &["--exact"],
            Self::Cpu => &["--culled"],
            Self::Still => &["--culled", "--still"],
        }
    }

    /// Whether a contestant can take part.
    const fn suits(self, contestant: Contestant) -> bool {
        match self {
            Self::Picture => true,
            // The others know no other way.
            Self::Exact => contestant.can_be_headless(),
            Self::Cpu | Self::Still => contestant.can_cull(),
        }
    }
}

/// Whole frames of the same scene, drawn by different programs in turns; prints Markdown.
#[derive(Parser, Debug)]
#[command(name = "frames", version)]
struct Arguments {
    /// How many cubes
    #[arg(default_values_t = [1_000, 10_000, 100_000], value_name = "COUNTS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    counts: Vec<u32>,
    /// How often each contestant has its turn
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rounds: u32,
    /// Who takes part; everybody unless told otherwise
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',')]
    with: Vec<Contestant>,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t, value_parser = size_flag)]
    size: Size,
    /// One of the tables
    #[arg(long, value_enum)]
    only: Option<Subject>,
    /// Frames measured in a turn [default: 40 for the picture, 200 for the CPU]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    frames: Option<u32>,
    /// Frames before that
    #[arg(long, value_name = "W", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    warmup: u32,
    /// Draw off screen and wait for every frame; only those who can
    #[arg(long)]
    headless: bool,
}

impl Arguments {
    /// Those asked for; ends the process with code 2 if one of them cannot do it.
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
            rounds: self.rounds,
            headless: self.headless,
            title: subject.title(),
            flags: subject.flags(),
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

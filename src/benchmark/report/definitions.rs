//! Definitions: what each figure is, and how it was computed.

use maud::{Markup, html};

use crate::benchmark::{FramePhase, LowFps};

/// What is true of every result.
const FIGURES: [(&str, &str); 15] = [
    ("frame time", "from the begin of a frame to the begin of the next, by one clock, in whole ns"),
    ("average fps", "number of frames / sum of their times; never a mean of rates"),
    (
        "median, p95, p99",
        "the time that so many per cent of the frames stay within, interpolated between frames \
         (Hyndman and Fan, definition 7); given only where ten frames lie beyond",
    ),
    (
        "over several runs",
        "each figure is worked out for every run, and the middle one is shown (of two, the upper one)",
    ),
    (
        "run to run",
        "the highest less the lowest median of a run, as a share of the median of all: a difference \
         from another result that is smaller says nothing",
    ),
    (
        "keeps up with",
        "the fastest display of 60, 120, 144 and 240 Hz at which at most 1 % of the time goes by in \
         frames longer than one refresh",
    ),
    (
        "too long for",
        "share of the time, not of the frames, that is spent in frames longer than one refresh",
    ),
    (
        "hitch",
        "a frame of more than 2.5 times the median of the second around it, and 4 ms more than it",
    ),
    ("jitter", "mean of the differences between one frame time and the next"),
    (
        "drift",
        "how much longer frames take at the end of a run than at its begin, by the median slope \
         between twenty stretches (Theil and Sen)",
    ),
    (
        "warm-up",
        "frames that do not count: two seconds and 120 frames at least, until four half seconds agree \
         within 1 %, twenty seconds at most",
    ),
    ("state at the end", "hash of all that was simulated: equal if two runs did the same work"),
    (
        "gpu",
        "from the begin of the first to the end of the last pass on the GPU, by its own clock; not known \
         where it keeps none",
    ),
    (
        "95 % interval",
        "all differences that the test does not reject: the sign-flip test of pairs, the rank-sum test of \
         results that were saved",
    ),
    ("p", "how often chance alone would bring about a difference as great or greater"),
];

/// What the main thread does.
const fn of_part(part: FramePhase) -> &'static str {
    match part {
        FramePhase::Sim => "simulation: the systems of the ECS",
        FramePhase::Upload => {
            "it is chosen what is drawn, and what changed goes to the GPU's memory"
        }
        FramePhase::Encode => "draws are recorded",
        FramePhase::Acquire => {
            "a texture of the window is asked for; waits where the display sets the pace"
        }
        FramePhase::Submit => {
            "the record is handed to the driver; one that draws on the CPU may work here"
        }
        FramePhase::Present => "the picture is handed to the display; may wait for it",
        FramePhase::GpuWait => {
            "waits for the GPU, so that it is no more than so many frames behind"
        }
        FramePhase::Other => "the rest of the frame: events, the loop itself",
    }
}

/// What is true of every sweep.
const OF_SWEEPS: [(&str, &str); 3] = [
    (
        "median frame time",
        "of each run the time that half of the frames stay within, and of these the one in the middle",
    ),
    (
        "exponent",
        "k in time = c cubes^k: the median slope between any two of the largest numbers of cubes, up to \
         thirty times apart, in logarithms (Theil and Sen); smaller numbers show what a frame costs \
         without any cube",
    ),
    (
        "up to about",
        "where a straight line in logarithms between the two numbers around it meets the budget",
    ),
];

/// Those of results.
pub(super) fn section() -> Markup {
    let lows = LowFps::ALL.map(|low| (low.name(), format!("frames per second: {}", low.formula())));
    let parts = FramePhase::ALL.map(|part| (part.name(), of_part(part).to_owned()));
    let figures = FIGURES.map(|(name, meaning)| (name, meaning.to_owned()));
    list(&[&figures[..], &lows, &parts].concat())
}

/// Those of sweeps.
pub(super) fn of_sweep() -> Markup {
    list(&OF_SWEEPS.map(|(name, meaning)| (name, meaning.to_owned())))
}

fn list(definitions: &[(&str, String)]) -> Markup {
    html! {
        section {
            h2 { "What the figures mean" }
            dl.definitions { @for (name, meaning) in definitions { dt { (name) } dd { (meaning) } } }
        }
    }
}

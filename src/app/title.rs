//! Title: what the window says about itself.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::frame_clock::FrameClock;
use super::window::AppWindow;
use crate::input::KEYS;
use crate::render::{DrawStats, Gpu, PresentMode};
use crate::sim::Simulation;

/// State and figures.
pub(super) fn state(simulation: &Simulation, clock: &FrameClock, screen: &AppWindow) -> String {
    let (drawn, gpu) = screen.drawn();
    format!(
        "Cubefall | {}{} | {}{} | {}{}{} | H: help",
        format_args!("{} cubes", simulation.cubes().count()),
        drawn_of(drawn),
        simulation.mode(),
        if simulation.is_paused() { " | paused" } else { "" },
        clock.figures(),
        gpu.frame
            .map_or_else(String::new, |time| format!(", gpu {:.2} ms", time.as_secs_f64() * 1e3)),
        match screen.present_mode() {
            PresentMode::Fifo | PresentMode::FifoRelaxed => "",
            _ => " | vsync off",
        },
    )
}

/// What is left out or drawn cheaper, if anything is.
fn drawn_of(DrawStats { total, full, small }: DrawStats) -> String {
    match (full + small == total, small) {
        (true, 0) => String::new(),
        (_, 0) => format!(", {full} drawn"),
        _ => format!(", {} drawn, {small} as small ones", full + small),
    }
}

/// The keys, on one line.
pub(super) fn keys() -> String {
    format!("Cubefall | {}", KEYS.map(|(key, what)| format!("{key}: {what}")).join(" | "))
}

/// The keys, for whoever started the program from a terminal.
pub(super) fn print_keys() {
    let mut lines = String::from("Keys:\n");
    for (key, what) in KEYS {
        let _ = writeln!(lines, "  {key:<14}{what}");
    }
    // A desktop program may have nobody to read its output.
    let _ = io::stdout().write_all(lines.as_bytes());
}

/// Says that there is no GPU, so that nobody takes this for the speed of one.
pub(super) fn warn_of_software(gpu: &Gpu) {
    let _ = writeln!(
        io::stderr(),
        "cubefall: drawing on the CPU by {}: slow, so at quality {} unless told otherwise",
        gpu.summary(),
        gpu.recommended_quality(),
    );
}

//! The title of the window or page.

use super::frame_clock::FrameClock;
use crate::hud::GraphicsInfo;
use crate::input::CONTROLS;
use crate::render::DrawStats;
use crate::sim::Simulation;
use crate::units;

/// Returns the title with the state of the simulation, and in a window with the frame rate, unless nothing is drawn. A
/// page has none: its title is the name of a tab.
pub(super) fn state(
    simulation: &Simulation,
    clock: &FrameClock,
    graphics: &GraphicsInfo,
    rests: bool,
) -> String {
    let cubes = units::counted(simulation.cubes().count(), "cube");
    let mode = simulation.mode();
    let paused = if simulation.is_paused() { " | paused" } else { "" };
    if cfg!(web) {
        return format!("Cubefall | {cubes} | {mode}{paused}");
    }
    let figures = format!(" | {}", clock.figures());
    format!(
        "Cubefall | {cubes}{} | {mode}{paused}{}{} | H: keys",
        drawn(graphics.draw_stats),
        if rests { "" } else { &figures },
        if graphics.present_mode.waits_for_vblank() { "" } else { " | vsync off" },
    )
}

/// Returns how many cubes are drawn, unless all are drawn in full.
fn drawn(DrawStats { total, full, small }: DrawStats) -> String {
    match (full == total, small) {
        (true, 0) => String::new(),
        (_, 0) => format!(", {} drawn", units::count(full)),
        _ => {
            let [drawn, small] = [full + small, small].map(units::count);
            format!(", {drawn} drawn, {small} of them as one triangle each")
        }
    }
}

/// Returns the title that lists the controls.
pub(super) fn keys() -> String {
    let controls: Vec<_> = CONTROLS.iter().map(|(key, what)| format!("{key}: {what}")).collect();
    format!("Cubefall | {}", controls.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_counts_drawn_cubes_unless_all_are_drawn_in_full() {
        let text = |full, small| drawn(DrawStats { total: 3000, full, small });
        assert_eq!([text(3000, 0), text(1200, 0)], ["", ", 1,200 drawn"]);
        assert_eq!(text(1200, 300), ", 1,500 drawn, 300 of them as one triangle each");
        assert_eq!(text(2700, 300), ", 3,000 drawn, 300 of them as one triangle each");
    }
}

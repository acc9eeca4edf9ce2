//! Statistics: frame times, where the time goes, counts, memory and the adapter.

use egui::{Align2, Rect, Sense, Ui, pos2, vec2};

use super::frame_slice::FRAME_SLICES;
use super::history::FrameStats;
use super::panel::{MONO_DOWN, block, heading, row, shortened_text, swatch};
use super::{Model, graph, theme};
use crate::benchmark::LowFps;
use crate::render::DrawStats;
use crate::units;

/// Memory in use, in bytes; read less often than every frame.
#[derive(Default)]
pub(super) struct Memory {
    /// Of this process; `None` if the system does not report it.
    pub(super) process: Option<u64>,
    /// Reserved by the ECS.
    pub(super) ecs: usize,
}

pub(super) fn show(ui: &mut Ui, model: &Model<'_>, memory: &Memory) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let stats = model.history.stats();
    headline(ui, model, stats);
    graph::show(ui, model.history).on_hover_text(
        "Frame times, newest on the right. The lines mark 16.7 and 8.3 ms: 60 and 120 frames per \
         second.",
    );
    ui.add_space(2.0);
    tails(ui, stats);
    heading(ui, "Main thread per frame, ms");
    time_slices(ui, stats);
    let gpu = if model.graphics.has_timestamps {
        units::or_unknown(stats.gpu, units::live_ms)
    } else {
        "unavailable".to_owned()
    };
    row(
        ui,
        "GPU time, ms",
        &gpu,
        "GPU time of the passes of the scene, without this UI and uploads, from timestamp queries. The \
         GPU works in parallel with the CPU.",
    );
    heading(ui, "Scene");
    scene(ui, model, stats, memory);
    heading(ui, "Adapter");
    device(ui, model);
}

fn headline(ui: &mut Ui, model: &Model<'_>, stats: &FrameStats) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    let painter = ui.painter();
    let base = rect.bottom() - 3.0;
    if model.idle {
        let at = pos2(rect.left(), base);
        let idle = painter.text(at, Align2::LEFT_BOTTOM, "Idle", theme::sans(20.0), theme::WEAK);
        let at = pos2(idle.right() + 8.0, base - 8.0);
        let text = if model.progress.is_some() {
            "the scene rests while the score is measured"
        } else {
            "no frames drawn while nothing moves"
        };
        shortened_text(ui, at, text, theme::sans(10.5), theme::WEAK, rect.right() - at.x);
        return;
    }
    let rate = units::or_unknown(stats.mean, |ns| units::live_rate(1e9 / ns));
    let at = pos2(rect.left(), base);
    let number = painter.text(at, Align2::LEFT_BOTTOM, rate, theme::mono(22.0), theme::STRONG);
    let at = pos2(number.right() + 5.0, base - 2.0);
    painter.text(at, Align2::LEFT_BOTTOM, "fps", theme::sans(11.5), theme::WEAK);
    let at = pos2(rect.right(), base - 2.0);
    let text = format!("{} ms", units::or_unknown(stats.mean, units::live_ms));
    painter.text(at, Align2::RIGHT_BOTTOM, text, theme::mono(13.0), theme::TEXT);
}

/// Shows median, 99th percentile and 1 % low side by side.
fn tails(ui: &mut Ui, stats: &FrameStats) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    let columns = [
        ("Median, ms", units::or_unknown(stats.median, units::live_ms)),
        ("p99, ms", units::or_unknown(stats.p99, units::live_ms)),
        ("1 % low, fps", units::or_unknown(stats.low, units::live_rate)),
    ];
    for (i, (name, figure)) in columns.into_iter().enumerate() {
        let x = rect.left() + rect.width() * i as f32 / 3.0;
        let painter = ui.painter();
        painter.text(pos2(x, rect.top()), Align2::LEFT_TOP, name, theme::sans(10.5), theme::WEAK);
        painter.text(
            pos2(x, rect.bottom()),
            Align2::LEFT_BOTTOM,
            figure,
            theme::mono(12.5),
            theme::TEXT,
        );
    }
    response.on_hover_ui(|ui| {
        ui.label(format!(
            "Over the last {} ({:.1} s), at most ten seconds or 1,000 frames, whichever is \
             longer. p99 and 1 % low need 1,000 frames.",
            units::counted(stats.frames, "frame"),
            stats.span.as_secs_f64(),
        ));
        ui.label(format!("{}: {}.", LowFps::OnePercent.name(), LowFps::OnePercent.formula()));
    });
}

/// Shows the mean frame as one bar, and the time of each slice.
fn time_slices(ui: &mut Ui, stats: &FrameStats) {
    let total: f64 = stats.slices.iter().sum();
    let (bar, _) = ui.allocate_exact_size(vec2(ui.available_width(), 8.0), Sense::hover());
    block(ui.painter(), bar, ui.visuals().extreme_bg_color);
    if total > 0.0 {
        let mut left = bar.left();
        for (number, share) in stats.slices.into_iter().enumerate() {
            let right = left + (share / total) as f32 * bar.width();
            let part = Rect::from_x_y_ranges(left..=right, bar.y_range());
            block(ui.painter(), part, theme::slice(number));
            left = right;
        }
    }
    ui.add_space(1.0);
    let slices = FRAME_SLICES.iter().zip(stats.slices).enumerate().collect::<Vec<_>>();
    for pair in slices.chunks(2) {
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 13.0), Sense::hover());
        for (column, &(number, (slice, mean))) in pair.iter().enumerate() {
            let width = line.width() / 2.0 - 6.0;
            let left = line.left() + column as f32 * (width + 12.0);
            let half = Rect::from_min_size(pos2(left, line.top()), vec2(width, line.height()));
            swatch(ui, half.left_center(), theme::slice(number));
            let time = units::or_unknown(stats.mean.map(|_| mean), units::live_ms);
            let at = half.right_center() + MONO_DOWN;
            let (font, color) = (theme::mono(11.5), theme::TEXT);
            let time = ui.painter().text(at, Align2::RIGHT_CENTER, time, font, color);
            let at = half.left_center() + vec2(12.0, 0.0);
            let space = time.left() - at.x - 4.0;
            shortened_text(ui, at, slice.name, theme::sans(11.5), theme::WEAK, space);
            ui.interact(half, ui.scope_id().with(slice.name), Sense::hover())
                .on_hover_text(slice.description);
        }
    }
}

fn scene(ui: &mut Ui, model: &Model<'_>, stats: &FrameStats, memory: &Memory) {
    let DrawStats { total, full, small } = model.graphics.draw_stats;
    let drawn = units::count(full + small);
    let all = units::count(total);
    let others = if full + small < total { " The others are outside the view." } else { "" };
    let (full, small) = (units::counted(full, "cube"), units::count(small));
    let hint = format!("{full} in full, {small} drawn as one triangle each.{others}");
    row(ui, "Drawn / total", &format!("{drawn} / {all}"), &hint);
    // The latest rates are those before the window came to rest.
    let rates = |rates: [f64; 2]| match stats.mean {
        _ if model.idle => Some([0.0; 2]),
        mean => mean.map(|_| rates),
    };
    let spawned = units::or_unknown(rates(stats.spawn_stats), |rates| {
        let [spawned, removed] = rates.map(|rate| units::count(units::live_rate(rate)));
        format!("{spawned} / {removed}")
    });
    row(
        ui,
        "Spawned / removed per s",
        &spawned,
        "A cube that falls through the ground is replaced by a new one, which reuses its slot in the ECS. \
         In a scene that rewinds, none is.",
    );
    let uploaded = units::or_unknown(rates(stats.upload), |rates| {
        let [per_frame, per_second] = rates.map(units::bytes);
        format!("{per_frame}, {per_second}/s")
    });
    row(
        ui,
        "Uploaded",
        &uploaded,
        "Per frame and per second. What has changed is uploaded; also short gaps between changes, or the whole array, where that is faster.",
    );
    let process = units::or_unknown(memory.process, |used| units::bytes(used as f64));
    let ecs = units::bytes(memory.ecs as f64);
    row(ui, "Memory: ECS / all", &format!("{ecs} / {process}"), "");
}

fn device(ui: &mut Ui, model: &Model<'_>) {
    let graphics = model.graphics;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let name = &graphics.adapter.name;
    shortened_text(ui, rect.left_center(), name, theme::sans(11.5), theme::TEXT, rect.width());
    response.on_hover_text(graphics.adapter.to_string());
    if graphics.software {
        let text = "Software adapter: the CPU draws";
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
        let at = rect.left_center();
        ui.painter().text(at, Align2::LEFT_CENTER, text, theme::sans(11.5), theme::WARNING);
    }
    let how = format!("{}, {}", graphics.adapter.backend, graphics.present_mode);
    row(ui, "Backend, present mode", &how, "");
}

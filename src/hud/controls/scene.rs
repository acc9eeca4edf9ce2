//! Controls of the scene: which one, how many cubes, and their colors.

use std::cell::Cell;
use std::ffi::OsStr;
use std::path::Path;

use egui::{Button, ComboBox, DragValue, Response, Sense, TextStyle, Ui, UiBuilder, vec2};

use super::{Controls, Scale, finger, label};
use crate::components::{ColorBy, Coloring, Palette};
use crate::hud::Model;
use crate::hud::panel::{beside, heading};
use crate::input::Action;
use crate::scenes::bundled;
use crate::units;

/// Width of the buttons for files, with gaps.
const FILES_WIDTH: f32 = if cfg!(web) { 98.0 } else { 46.0 };

/// Largest width of the menu of scenes, whose file names may be long.
const MENU_WIDTH: f32 = 268.0;

/// Largest seed that dragging can set: egui's values are `f64`, exact up to 2^53 - 1.
const LARGEST_SEED: f64 = 9_007_199_254_740_991.0;

impl Controls<'_> {
    pub(super) fn scene(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let is_wide = ui.available_width() > FILES_WIDTH + 130.0;
        ui.horizontal(|ui| {
            label(ui, "Scene");
            let width = ui.available_width() - if is_wide { FILES_WIDTH } else { 0.0 };
            self.scene_menu(ui, width.max(40.0), model)
                .on_hover_text(if cfg!(target_os = "linux") {
                    "Bundled scenes; or drop a scene file onto the window (with Wayland: start with --scene FILE)"
                } else {
                    "Bundled scenes; or drop a scene file onto the window"
                });
            if is_wide {
                self.files(ui);
            }
        });
        if !is_wide {
            ui.horizontal(|ui| self.files(ui));
        }
    }

    fn scene_menu(&mut self, ui: &mut Ui, width: f32, model: &Model<'_>) -> Response {
        self.menu(ui, "scene", model.scene, width, |controls, ui| {
            ui.set_max_width(MENU_WIDTH);
            for &scene in bundled() {
                let entry = ui.selectable_label(scene.name == model.scene, scene.name);
                controls.on_click(
                    &format!("scene {}", scene.name),
                    &entry,
                    Action::StartScene(scene),
                );
            }
            if !model.recent.is_empty() {
                heading(ui, "Recent");
            }
            for (number, recent) in model.recent.iter().enumerate() {
                let name = Path::new(recent).file_name().map(OsStr::to_string_lossy);
                let button = Button::selectable(false, name.unwrap_or_default()).truncate();
                let entry = ui.add(button).on_hover_text(recent);
                controls.on_click(&format!("recent {number}"), &entry, Action::OpenRecent(number));
            }
        })
    }

    fn files(&mut self, ui: &mut Ui) {
        #[cfg(web)]
        {
            let open = ui.add_sized(vec2(40.0, 19.0), Button::new("Open"));
            if open.on_hover_text("Open a scene file or a saved state").clicked() {
                self.actions.push(Action::ChooseFile);
            }
        }
        let save = ui.add_sized(vec2(40.0, 19.0), Button::new("Save"));
        let save = save.on_hover_text("Save the current state as a scene file");
        self.on_click("save scene", &save, Action::SaveScene);
    }

    pub(super) fn cubes(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.cubes().count() as f64;
        let graphics = model.graphics;
        let comfortable = f64::from(graphics.comfortable_cubes).max(now).max(1.0);
        let scale = Scale {
            // Despawning may leave none.
            range: now.min(1.0)..=comfortable,
            largest: f64::from(graphics.max_cubes).max(comfortable),
            logarithmic: true,
            format: &|value| units::count(value.round().max(0.0) as u32),
            parse: &typed_count,
        };
        // While the slider is dragged or the number typed, the value stays here, and is applied at the end.
        let shown = self.dragged_count.unwrap_or(now);
        let change = self.slider(ui, "count", "Cubes", shown, &scale);
        if change.released {
            *self.dragged_count = None;
            if change.value != now {
                self.actions.push(Action::SetCubes(to_count(change.value)));
            }
        } else {
            *self.dragged_count = change.held.then_some(change.value);
        }
    }

    /// Adds the buttons that measure how many cubes hold 60 frames per second, and the one that saves the score.
    pub(super) fn measurements(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let hint = "Add cubes until 60 frames per second are lost, and name the largest count that holds \
                    them";
        // Not cut off in a narrow panel.
        let [left, right] = if ui.available_width() < 236.0 {
            [beside(ui), beside(ui)].map(|[whole]| whole)
        } else {
            beside(ui)
        };
        self.act(ui, left, "find maximum", "Find my maximum", hint, Action::FindMaximum);
        let hint = "Measure for one to three minutes how many cubes hold 60 frames per second at standard settings. \
                    The scene pauses meanwhile.";
        self.act(ui, right, "measure score", "Measure my score", hint, Action::MeasureScore);
        if let Some(suite) = model.suite {
            let [whole] = beside(ui);
            self.act(
                ui,
                whole,
                "save score",
                "Save my score",
                &suite.in_words(),
                Action::SaveScore,
            );
        }
    }

    pub(super) fn seed(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let mut seed = model.seed as f64;
        // The typed seed itself: the f64 of the widget is exact only up to `LARGEST_SEED`.
        let typed = Cell::new(None);
        ui.horizontal(|ui| {
            label(ui, "Seed");
            let value = DragValue::new(&mut seed)
                .range(0.0..=LARGEST_SEED)
                .clamp_existing_to_range(false)
                .max_decimals(0)
                .speed(0.05)
                // Large seeds have more digits than a float64.
                .custom_formatter(|value, _| {
                    if value == model.seed as f64 {
                        model.seed.to_string()
                    } else {
                        value.to_string()
                    }
                })
                .custom_parser(|text| {
                    let seed = typed_seed(text)?;
                    typed.set(Some(seed));
                    Some(seed as f64)
                })
                .update_while_editing(false);
            let width = (ui.available_width() - 46.0).max(20.0);
            let (place, _) = ui.allocate_exact_size(vec2(width, 19.0), Sense::hover());
            let mut clipped = ui.new_child(UiBuilder::new().max_rect(place));
            clipped.shrink_clip_rect(place);
            // Enough space for the 20 digits of the largest seeds.
            clipped.spacing_mut().button_padding.x = 2.0;
            if model.seed >= 10_u64.pow(17) {
                clipped.style_mut().drag_value_text_style = TextStyle::Small;
            }
            let response = clipped.add_sized(place.size(), value);
            self.layout.record("seed", &response);
            let keeps = finger::keeps_value(ui, &response);
            let wanted = typed.get().or_else(|| response.changed().then(|| to_seed(seed)));
            if let Some(wanted) = wanted.filter(|&wanted| wanted != model.seed)
                && !keeps
                && !self.edit_is_canceled
            {
                self.actions.push(Action::SetSeed(wanted));
            }
            let new = ui.add_sized(vec2(40.0, 19.0), Button::new("New")).on_hover_text("New seed");
            self.on_click("new seed", &new, Action::SetSeed(model.seed.wrapping_add(1)));
        });
    }

    /// Palette, and what selects colors of it.
    pub(super) fn coloring(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let now = model.simulation.coloring();
        let Coloring { palette, by } = model.simulation.coloring_or_default();
        ui.horizontal(|ui| {
            label(ui, "Colors");
            let width = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
            let shown = now.map_or("scene", |it| it.palette.name());
            let choices = Palette::ALL.map(|it| (it.name(), Coloring { palette: it, by }));
            self.coloring_menu(ui, "palette", shown, width, &choices)
                .on_hover_text("Palette of the cubes (P)");
            let choices = ColorBy::ALL.map(|it| (it.name(), Coloring { palette, by: it }));
            self.coloring_menu(
                ui,
                "color by",
                now.map_or("scene", |it| it.by.name()),
                width,
                &choices,
            )
            .on_hover_text("Property that selects the color of a cube in the palette");
        });
    }

    fn coloring_menu(
        &mut self,
        ui: &mut Ui,
        name: &str,
        shown: &str,
        width: f32,
        choices: &[(&str, Coloring)],
    ) -> Response {
        self.menu(ui, name, shown, width, |controls, ui| {
            for &(text, coloring) in choices {
                let entry = ui.selectable_label(text == shown, text);
                controls.on_click(&format!("{name} {text}"), &entry, Action::SetColoring(coloring));
            }
        })
    }

    /// Adds a menu of `entries`. Its button shows the text `shown`; `name` identifies it in the layout.
    fn menu(
        &mut self,
        ui: &mut Ui,
        name: &str,
        shown: &str,
        width: f32,
        entries: impl FnOnce(&mut Self, &mut Ui),
    ) -> Response {
        let menu = ComboBox::from_id_salt(name).selected_text(shown).width(width).truncate();
        let show = |ui: &mut Ui| menu.height(360.0).show_ui(ui, |ui| entries(self, ui));
        // `ComboBox::width` sets a minimum; a long text would push what follows out of the panel.
        let menu = ui.allocate_ui(vec2(width, 19.0), show).inner;
        self.layout.record(name, &menu.response);
        menu.response
    }
}

/// Reads a typed number such as `10,000`, `10.000`, `10 000`, `10k`, `1.5M` or `1,5M`. One out of range becomes the nearest
/// possible later.
fn typed_count(text: &str) -> Option<f64> {
    let text = text.replace(|c: char| c == '_' || c.is_whitespace(), "");
    let units = [(['k', 'K'], 1e3), (['m', 'M'], 1e6)];
    let found = units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(*unit)?, *factor)));
    let (digits, factor) = found.unwrap_or((&text, 1.0));
    // In some languages points separate thousands, and a comma is the decimal point.
    let is_whole = factor == 1.0 && !digits.contains(',');
    let digits = if is_whole { digits.replace('.', ",") } else { digits.to_owned() };
    // Between thousands, three digits follow each comma, and no unit; else it is a decimal point.
    let is_group = |group: &str| {
        group
            .split('.')
            .next()
            .is_some_and(|it| it.len() == 3 && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let (first, rest) = digits.split_once(',').unwrap_or((&digits, ""));
    let is_grouped = factor == 1.0
        && (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && rest.split(',').all(is_group);
    let digits = digits.replace(',', if is_grouped { "" } else { "." });
    let count = digits.parse::<f64>().ok()? * factor;
    count.is_finite().then(|| count.round())
}

/// Reads a typed seed.
fn typed_seed(text: &str) -> Option<u64> {
    text.split_whitespace().collect::<String>().parse().ok()
}

fn to_count(value: f64) -> u32 {
    value.round().clamp(1.0, u32::MAX.into()) as u32
}

fn to_seed(value: f64) -> u64 {
    value.round().clamp(0.0, LARGEST_SEED) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_counts_may_be_out_of_range_but_are_numbers() {
        for (text, count) in [
            ("10,000", Some(1e4)),
            ("1,500,000.2", Some(1.5e6)),
            ("1,5M", Some(1.5e6)),
            ("1,125M", Some(1.125e6)),
            ("20.000", Some(2e4)),
            ("1.000.000", Some(1e6)),
            ("3\u{202f}000", Some(3e3)),
            ("2.6", Some(3.0)),
            ("1.5e3", Some(1.5e3)),
            ("1.5e6", Some(1.5e6)),
            ("0,5k", Some(500.0)),
            ("0,125M", Some(125e3)),
            (",500M", Some(500e3)),
            ("1,50,000", None),
            ("1.5M", Some(1.5e6)),
            ("200m", Some(2e8)),
            ("-5", Some(-5.0)),
            ("0", Some(0.0)),
            ("inf", None),
            ("nan", None),
            ("many", None),
        ] {
            assert_eq!(typed_count(text), count, "{text}");
        }
    }
}

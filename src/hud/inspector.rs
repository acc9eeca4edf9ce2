//! Inspector: the ECS as it lies in memory, while it runs.

use egui::{Align2, RichText, Sense, Ui, pos2, vec2};

use super::array_bars::{self, ArrayBars};
use super::layout::Layout;
use super::panel::{block, heading, swatch};
use super::{Model, theme};
use crate::components::{AngularVelocity, Gravity, Lens};
use crate::ecs::{ComponentType, Error, GroupInfo, MemoryUse, Slots, SystemInfo, World};
use crate::input::Action;
use crate::units;

/// Weight of the newest time in the mean that is shown.
const NEWEST: f64 = 0.1;

/// What is remembered from one look to the next.
#[derive(Default)]
pub(super) struct Inspector {
    /// As [`World::memory`] tells it now and then.
    pub(super) memory: Vec<MemoryUse>,
    /// The position pointed at in any array.
    pointed: Option<usize>,
    /// Of each system, in ns.
    times: Vec<f64>,
}

impl Inspector {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        layout: &mut Layout,
        model: &Model<'_>,
        actions: &mut Vec<Action>,
    ) {
        let world = model.simulation.world();
        self.arrays(ui, model);
        heading(ui, "slots");
        self.slots(ui, world);
        heading(ui, "systems, in their order");
        self.systems(ui, layout, world, actions);
    }

    fn arrays(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let world = model.simulation.world();
        say(
            ui,
            "Each component type has one packed array. A group keeps the entities that have all of \
             its components at the front, in the same order, so its systems walk slices side by side.",
        );
        ui.add_space(3.0);
        let lens = world.component_type::<Lens>().ok();
        let cameras = lens.into_iter().flat_map(|lens| {
            let count = world.inspect().array_len(lens).unwrap_or_default();
            (0..count).filter_map(move |position| world.inspect().array_entity(lens, position))
        });
        let lengths = world
            .inspect()
            .component_types()
            .filter_map(|component| world.inspect().array_len(component));
        let arrays = ArrayBars {
            world,
            groups: world.inspect().groups().collect(),
            longest: lengths.max().unwrap_or_default(),
            cameras: cameras.collect(),
            selected: model.selected,
            pointed: self.pointed.take(),
        };
        ui.spacing_mut().item_spacing.y = 1.0;
        for component in world.inspect().component_types() {
            // The rows of entities come first.
            let bytes = self.memory.get(component.index() + 1).map_or(0, |memory| memory.bytes);
            let pointed = arrays.row(ui, component, bytes);
            self.pointed = self.pointed.or(pointed);
        }
        ui.add_space(4.0);
        for group in &arrays.groups {
            arrays.bracket(ui, group, group_name(world, group));
        }
        legend(ui);
    }

    fn slots(&self, ui: &mut Ui, world: &World) {
        let most = array_bars::slots(ui, world);
        let Slots { used, alive, free } = world.inspect().slots();
        let bytes = self.memory.first().map_or(0, |rows| rows.bytes);
        say(
            ui,
            &format!(
                "{} entities live in {} slots of {}; the free list holds {}. Brighter is a later \
                 generation, up to {most} here.",
                units::count(alive),
                units::count(used),
                units::bytes(bytes as f64),
                units::count(free),
            ),
        );
    }

    fn systems(
        &mut self,
        ui: &mut Ui,
        layout: &mut Layout,
        world: &World,
        actions: &mut Vec<Action>,
    ) {
        self.times.resize(world.schedule().systems().len(), 0.0);
        for (system, mean) in world.schedule().systems().zip(&mut self.times) {
            let time = system.time.filter(|_| system.enabled);
            let time = time.map_or(0.0, |time| time.as_nanos() as f64);
            // Neither the first nor the last before it is passed over is a mean.
            let weight = if *mean == 0.0 || time == 0.0 { 1.0 } else { NEWEST };
            *mean += weight * (time - *mean);
        }
        let longest = self.times.iter().copied().fold(1.0, f64::max);
        for (system, &mean) in world.schedule().systems().zip(&self.times) {
            let share = mean / longest;
            system_row(ui, layout, system, mean, share as f32, actions);
        }
    }
}

fn system_row(
    ui: &mut Ui,
    layout: &mut Layout,
    system: &SystemInfo,
    mean: f64,
    share: f32,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        let line = ui.available_rect_before_wrap();
        let mut enabled = system.enabled;
        let response = ui.checkbox(&mut enabled, RichText::new(system.name).size(11.5));
        layout.note(&format!("system {}", system.name), &response);
        if response.on_hover_text("run it, or pass it over").changed() {
            actions.push(Action::SetSystemEnabled(system.id, enabled));
        }
        let y = ui.min_rect().center().y;
        let left = line.left() + 132.0;
        for (i, component) in system.signature.iter().enumerate() {
            let at = pos2(left + 11.0 * i as f32, y);
            swatch(ui, at, theme::component(component.index()));
        }
        let bar = left + 100.0..=line.right() - 84.0;
        let width = (bar.end() - bar.start()).max(0.0) * share;
        let rect = egui::Rect::from_min_size(pos2(*bar.start(), y - 3.0), vec2(width, 6.0));
        block(ui.painter(), rect, theme::dim(theme::ACCENT, 0.8));
        let text = if enabled { units::ms(mean) } else { "passed over".to_owned() };
        let at = pos2(line.right(), y);
        let color = if enabled { theme::TEXT } else { theme::WARNING };
        ui.painter().text(at, Align2::RIGHT_CENTER, text, theme::mono(11.0), color);
    });
}

/// What a group of the simulation is for.
fn group_name(world: &World, group: &GroupInfo) -> &'static str {
    let owns = |component: Result<ComponentType, Error>| {
        component.is_ok_and(|component| group.owned.contains(component))
    };
    if owns(world.component_type::<AngularVelocity>()) {
        "drawn, falling and spinning"
    } else if owns(world.component_type::<Gravity>()) {
        "drawn and falling"
    } else {
        "drawn"
    }
}

/// One sentence or two, small.
fn say(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(10.5).color(theme::WEAK));
}

/// What the shades and marks mean.
fn legend(ui: &mut Ui) {
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 15.0), Sense::hover());
    let mut left = array_bars::span(line).left();
    let color = theme::component(0);
    for (keep, text) in [
        (Some(array_bars::shade(2)), "the brighter, the more groups an element is in"),
        (None, "a camera"),
        (None, "the selected cube"),
    ] {
        let at = pos2(left, line.center().y);
        match keep {
            Some(keep) => swatch(ui, at, theme::dim(color, keep)),
            None if text == "a camera" => array_bars::mark(ui, at + vec2(4.0, 2.0), theme::WARNING),
            None => swatch(ui, at, theme::CHOSEN),
        }
        let at = at + vec2(12.0, 0.0);
        let text = ui.painter().text(at, Align2::LEFT_CENTER, text, theme::sans(10.5), theme::WEAK);
        left = text.right() + 14.0;
    }
}

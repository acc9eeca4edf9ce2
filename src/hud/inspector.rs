//! Inspector: the packed arrays, groups, slots and systems of the running ECS.

use egui::{Align2, RichText, Sense, Ui, pos2, vec2};

use super::array_bars::{self, ArrayBars, names};
use super::layout::Layout;
use super::panel::{MONO_DOWN, block, heading, swatch};
use super::{Model, theme};
use crate::components::{AngularVelocity, Gravity, Lens};
use crate::ecs::{ComponentType, GroupInfo, MemoryUse, SlotCounts, SystemInfo, World};
use crate::input::Action;
use crate::units;

/// Time constant of the moving average, in s.
const AVERAGED: f32 = 0.5;

/// State kept from one HUD frame to the next.
#[derive(Default)]
pub(super) struct Inspector {
    /// Memory of the entity rows, of the member lists, and of each array; refreshed at intervals.
    pub(super) memory: Vec<MemoryUse>,
    /// Array index under the pointer.
    pointed: Option<usize>,
    /// Moving average of each system's time, in ns.
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
        heading(ui, "Slots");
        self.slots(ui, world);
        heading(ui, "Systems, in order");
        self.systems(ui, layout, world, actions);
    }

    fn arrays(&mut self, ui: &mut Ui, model: &Model<'_>) {
        let world = model.simulation.world();
        note(
            ui,
            "Each component type has one packed array. A group keeps the entities with all of its \
             components at the front of its arrays, in the same order, so systems iterate over slices.",
        );
        ui.add_space(3.0);
        let lens = world.component_type::<Lens>();
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
            let bytes =
                world.inspect().component_name(component).map_or(0, |name| self.bytes(name));
            let pointed = arrays.row(ui, component, bytes);
            self.pointed = self.pointed.or(pointed);
        }
        ui.add_space(4.0);
        for group in &arrays.groups {
            arrays.bracket(ui, group, group_name(world, group));
        }
        legend(ui);
    }

    /// Returns the memory of the entry with a name, in bytes.
    fn bytes(&self, name: &str) -> usize {
        let found = self.memory.iter().find(|memory| memory.name == name);
        found.map_or(0, |memory| memory.bytes)
    }

    fn slots(&self, ui: &mut Ui, world: &World) {
        let most = array_bars::slots(ui, world);
        let SlotCounts { used, alive, free } = world.inspect().slots();
        let bytes = self.bytes("rows") + self.bytes("members");
        note(
            ui,
            &format!(
                "Entities: {}; slots: {} ({}), of which {} free. Brighter slots have a higher \
                 generation, up to {most} in those drawn.",
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
        let newest = f64::from(ui.input(|input| input.unstable_dt) / AVERAGED).min(1.0);
        self.times.resize(world.schedule().systems().len(), 0.0);
        for (system, mean) in world.schedule().systems().zip(&mut self.times) {
            let time = system.time.filter(|_| system.enabled);
            let time = time.map_or(0.0, |time| time.as_nanos() as f64);
            // The average restarts with the first time, and when the system is switched off.
            let weight = if *mean == 0.0 || time == 0.0 { 1.0 } else { newest };
            *mean += weight * (time - *mean);
        }
        let longest = self.times.iter().copied().fold(1.0, f64::max);
        for (system, &mean) in world.schedule().systems().zip(&self.times) {
            let share = mean / longest;
            let components = names(world, system.signature);
            system_row(ui, layout, (system, &components), mean, share as f32, actions);
        }
    }
}

fn system_row(
    ui: &mut Ui,
    layout: &mut Layout,
    (system, components): (&SystemInfo, &str),
    mean: f64,
    share: f32,
    actions: &mut Vec<Action>,
) {
    ui.horizontal(|ui| {
        let line = ui.available_rect_before_wrap();
        let mut enabled = system.enabled;
        let response = ui.checkbox(&mut enabled, RichText::new(system.name).size(11.5));
        layout.record(&format!("system {}", system.name), &response);
        let hint = format!("Run or skip this system. It uses {components}.");
        if response.on_hover_text(hint).changed() {
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
        let text = if enabled { units::ms(mean) } else { "skipped".to_owned() };
        let at = pos2(line.right(), y) + MONO_DOWN;
        let color = if enabled { theme::TEXT } else { theme::WARNING };
        ui.painter().text(at, Align2::RIGHT_CENTER, text, theme::mono(11.0), color);
    });
}

/// Returns the purpose of one of the simulation's groups.
fn group_name(world: &World, group: &GroupInfo) -> &'static str {
    let owns = |component: Option<ComponentType>| {
        component.is_some_and(|component| group.owned.contains(component))
    };
    if owns(world.component_type::<AngularVelocity>()) {
        "drawn, falling and spinning"
    } else if owns(world.component_type::<Gravity>()) {
        "drawn and falling"
    } else {
        "drawn"
    }
}

/// Adds a small explanation.
fn note(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).size(10.5).color(theme::WEAK));
}

/// Explains shades and marks.
fn legend(ui: &mut Ui) {
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 15.0), Sense::hover());
    let mut left = array_bars::span(line).left();
    let shade = theme::dim(theme::component(0), array_bars::shade(2));
    for (text, color) in [
        ("brighter: in more groups", shade),
        ("camera", theme::WARNING),
        ("selected cube", theme::SELECTED),
    ] {
        let at = pos2(left, line.center().y);
        if text == "camera" {
            array_bars::mark(ui, at + vec2(4.0, 2.0), color);
        } else {
            swatch(ui, at, color);
        }
        let at = at + vec2(12.0, 0.0);
        let text = ui.painter().text(at, Align2::LEFT_CENTER, text, theme::sans(10.5), theme::WEAK);
        left = text.right() + 14.0;
    }
}

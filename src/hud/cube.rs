//! Cube: the components of one cube, in a tooltip and in the panel of the selected cube.

use egui::{Align2, Area, Button, Context, Id, Order, Pos2, RichText, Sense, Ui, pos2, vec2};
use glam::Vec3;

use super::array_bars::short_name;
use super::layout::Layout;
use super::panel::{MONO_DOWN, beside, block, shortened_text, swatch};
use super::{Model, theme};
use crate::components::{
    Acceleration, AngularVelocity, Color, Epoch, Gravity, Name, Position, Rotation, Scale, Velocity,
};
use crate::ecs::{Component, ComponentType, Entity, World};
use crate::input::Action;
use crate::sim::Simulation;
use crate::units;

/// Largest width of the contents of the tooltip: one line for any entity with a short name.
const TOOLTIP_WIDTH: f32 = 300.0;

/// End of the column of indices, in points from the left.
const INDEX_END: f32 = 132.0;

/// Shows the entity and the component names of the cube under the pointer.
pub(super) fn tooltip(context: &Context, model: &Model<'_>) {
    let world = model.simulation.world();
    let cube = model.hovered.filter(|&cube| world.contains(cube));
    let (Some(cube), Some(pointer)) = (cube, context.pointer_hover_pos()) else { return };
    // The tooltip opens towards the middle of the window, so that it never leaves it.
    let window = context.content_rect();
    let right = pointer.x < window.right() - TOOLTIP_WIDTH - 20.0;
    let below = pointer.y < window.bottom() - 120.0;
    let pivot = match (right, below) {
        (true, true) => Align2::LEFT_TOP,
        (true, false) => Align2::LEFT_BOTTOM,
        (false, true) => Align2::RIGHT_TOP,
        (false, false) => Align2::RIGHT_BOTTOM,
    };
    let away = -pivot.to_sign() * 14.0;
    Area::new(Id::unique("cube under the pointer"))
        .order(Order::Tooltip)
        .pivot(pivot)
        .fixed_pos(pointer + away)
        .interactable(false)
        .fade_in(false)
        .show(context, |ui| {
            theme::panel().show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                ui.set_max_width(TOOLTIP_WIDTH);
                title(ui, model, cube);
                let signature = world.signature(cube).unwrap_or_default();
                let names: Vec<_> =
                    signature.iter().map(|component| short_name(world, component)).collect();
                ui.label(RichText::new(names.join(", ")).size(10.5).color(theme::WEAK));
            });
        });
}

/// Shows each component of the selected cube: its dense index and its value.
pub(super) fn selected(
    ui: &mut Ui,
    layout: &mut Layout,
    model: &Model<'_>,
    cube: Entity,
    actions: &mut Vec<Action>,
) {
    let world = model.simulation.world();
    title(ui, model, cube);
    ui.spacing_mut().item_spacing.y = 1.0;
    row(ui, None, "component", "index", "value");
    for (component, value) in values(model.simulation, cube) {
        let position = world.inspect().dense_index(component, cube);
        let position = units::or_unknown(position, units::count);
        row(ui, Some(component), short_name(world, component), &position, &value);
    }
    ui.add_space(4.0);
    ui.spacing_mut().item_spacing.y = 4.0;
    let [focus, despawn] = beside(ui);
    for (at, name, text, hint, action) in [
        (focus, "focus", "Focus", "F", Action::Focus),
        (despawn, "despawn", "Despawn", "Delete", Action::Despawn),
    ] {
        let response = ui.place(at, Button::new(text));
        layout.record(name, &response);
        if response.on_hover_text(hint).clicked() {
            actions.push(action);
        }
    }
}

fn title(ui: &mut Ui, model: &Model<'_>, cube: Entity) {
    let world = model.simulation.world();
    ui.horizontal_wrapped(|ui| {
        if let Ok(&color) = world.get::<&Color>(cube) {
            let (rect, _) = ui.allocate_exact_size(vec2(11.0, 14.0), Sense::hover());
            let rect = egui::Rect::from_center_size(rect.center(), vec2(11.0, 11.0));
            block(ui.painter(), rect, color32(color));
        }
        let name = model.simulation.name(cube).unwrap_or("cube");
        ui.label(RichText::new(name).color(theme::STRONG));
        ui.label(RichText::new(format!("entity {cube}")).color(theme::STRONG));
        let text = format!("slot {}, generation {}", cube.index(), cube.generation());
        ui.label(RichText::new(text).size(10.5).color(theme::WEAK));
    });
}

fn row(ui: &mut Ui, component: Option<ComponentType>, name: &str, index: &str, value: &str) {
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let at = |x: f32| -> Pos2 { pos2(x, line.center().y) };
    let color = if component.is_some() { theme::TEXT } else { theme::WEAK };
    if let Some(component) = component {
        swatch(ui, line.left_center(), theme::component(component.index()));
    }
    let middle = at(line.left() + INDEX_END) + MONO_DOWN;
    let index = ui.painter().text(middle, Align2::RIGHT_CENTER, index, theme::mono(10.5), color);
    // Long values are written smaller.
    let painter = ui.painter();
    let sized = |size| painter.layout_no_wrap(value.to_owned(), theme::mono(size), color);
    let space = line.right() - middle.x - 14.0;
    let mut value = sized(10.5);
    if value.size().x > space {
        value = sized(10.5 * space / value.size().x);
    }
    let size = value.size();
    painter.galley(at(line.right()) + MONO_DOWN - vec2(size.x, size.y / 2.0), value, color);
    let left = at(line.left() + 12.0);
    shortened_text(ui, left, name, theme::sans(11.0), color, index.left() - left.x - 6.0);
}

/// Returns all components of the entity in order of registration, with their current values as text.
fn values(simulation: &Simulation, cube: Entity) -> Vec<(ComponentType, String)> {
    let (world, cubes) = (simulation.world(), simulation.cubes());
    // With evaluated motion the components hold the values of the epoch.
    let now = cubes.get(cube);
    let velocity_now = cubes.velocity(cube);
    let mut values: Vec<_> = [
        value(world, cube, |at: &Position| meters(now.map_or(*at, |now| now.position).0, "m")),
        value(world, cube, |turn: &Rotation| {
            let Rotation(turn) = now.map_or(*turn, |now| now.rotation);
            let degrees = |radians: f32| format!("{:.0}\u{b0}", radians.to_degrees());
            let (_, angle) = turn.to_axis_angle();
            degrees(angle)
        }),
        value(world, cube, |Scale(edge)| format!("{edge:.2} m")),
        value(world, cube, |color: &Color| {
            let [red, green, blue] = color.to_srgb();
            let emission = color.emission();
            let glow =
                if emission > 0.0 { format!(", emits {emission:.1}") } else { String::new() };
            format!("#{red:02x}{green:02x}{blue:02x}{glow}")
        }),
        value(world, cube, |stated: &Velocity| meters(velocity_now.unwrap_or(*stated).0, "m/s")),
        value(world, cube, |Acceleration(acceleration)| meters(*acceleration, "m/s\u{b2}")),
        value(world, cube, |AngularVelocity(spin)| meters(*spin, "rad/s")),
        value(world, cube, |Gravity(gravity)| meters(*gravity, "m/s\u{b2}")),
        value(world, cube, |&epoch: &Epoch| {
            let age = cubes.evaluated().map_or(0.0, |cubes| cubes.age(epoch));
            // Rewinding, the time before a cube changed course.
            if age < 0.0 { format!("in {:.1} s", -age) } else { format!("{age:.1} s ago") }
        }),
        value(world, cube, |_: &Name| simulation.name(cube).unwrap_or_default().to_owned()),
    ]
    .into_iter()
    .flatten()
    .collect();
    let listed: Vec<_> = values.iter().map(|(component, _)| *component).collect();
    let signature = world.signature(cube).unwrap_or_default();
    let others = signature.iter().filter(|component| !listed.contains(component));
    values.extend(others.map(|component| (component, String::new())));
    values.sort_unstable_by_key(|(component, _)| *component);
    values
}

fn value<T: Component>(
    world: &World,
    cube: Entity,
    text: impl FnOnce(&T) -> String,
) -> Option<(ComponentType, String)> {
    let component = world.component_type::<T>()?;
    Some((component, text(world.get::<&T>(cube).ok()?)))
}

fn meters(vector: Vec3, unit: &str) -> String {
    let [x, y, z] = vector.to_array().map(|part| {
        // Adding 0 turns -0 into 0.
        let part = (part * 10.0).round() / 10.0 + 0.0;
        // Large numbers drop the decimal to leave space for the index column.
        format!("{part:.*}", usize::from(part.abs() < 100.0))
    });
    format!("{x} {y} {z} {unit}")
}

fn color32(color: Color) -> egui::Color32 {
    let [red, green, blue] = color.to_srgb();
    egui::Color32::from_rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Motion;
    use crate::sim::{FallMode, SceneSettings, TimeStep};

    #[test]
    fn values_of_evaluated_motion_are_those_of_now() {
        let settings = SceneSettings { cubes: 20, seed: 1 };
        let mut simulation =
            Simulation::with_overrides(settings, FallMode::Cubes, Some(Motion::Evaluated), None)
                .unwrap();
        let color = simulation.world().component_type::<Color>().unwrap();
        let cube = simulation.world().inspect().array_entity(color, 0).unwrap();
        let texts = |simulation: &Simulation| {
            let types = [
                simulation.world().component_type::<Position>(),
                simulation.world().component_type::<Velocity>(),
            ];
            let values = values(simulation, cube);
            types.map(|it| values.iter().find(|(of, _)| Some(*of) == it).unwrap().1.clone())
        };
        let before = texts(&simulation);
        for _ in 0..30 {
            simulation.step(TimeStep::default()).unwrap();
        }
        let after = texts(&simulation);
        assert!(before[0] != after[0] && before[1] != after[1], "{before:?} {after:?}");
        let now = simulation.cubes().get(cube).unwrap().position.0;
        assert_eq!(after[0], meters(now, "m"));
    }
}

//! Fingers on sliders: a swipe up or down scrolls the panel instead of changing the value.

use egui::{Response, Ui, Vec2, vec2};

/// Points that a finger may move before it is clear what it does.
const UNDECIDED: f32 = 6.0;

/// What a finger on a widget does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gesture {
    Undecided,
    Change,
    Scroll,
}

impl Gesture {
    /// Decides by the way since the finger was put down, in points.
    fn decided(self, way: Vec2) -> Self {
        match self {
            Self::Undecided if way.length() <= UNDECIDED => Self::Undecided,
            Self::Undecided if way.y.abs() >= way.x.abs() => Self::Scroll,
            Self::Undecided => Self::Change,
            decided => decided,
        }
    }
}

/// Follows the finger on a widget that is dragged sideways. Returns whether the widget keeps its value: the finger scrolls
/// the panel, or may yet do so. A tap changes the value when it ends.
pub(super) fn keeps_value(ui: &Ui, widget: &Response) -> bool {
    let id = widget.id.with("finger");
    let before = ui.data(|data| data.get_temp(id));
    if !widget.is_pointer_button_down_on() {
        ui.data_mut(|data| data.remove::<Gesture>(id));
        return before == Some(Gesture::Scroll);
    }
    let (touches, way, step) = ui.input(|input| {
        let pointer = &input.pointer;
        let way = pointer.press_origin().zip(pointer.latest_pos()).map(|(from, to)| to - from);
        (input.any_touches(), way.unwrap_or_default(), pointer.delta())
    });
    if !touches {
        return false;
    }
    let gesture = before.unwrap_or(Gesture::Undecided).decided(way);
    ui.data_mut(|data| data.insert_temp(id, gesture));
    if gesture == Gesture::Scroll {
        ui.scroll_with_delta(vec2(0.0, step.y));
    }
    gesture != Gesture::Change
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_clear_direction_decides() {
        let after = |ways: &[[f32; 2]]| {
            ways.iter().fold(Gesture::Undecided, |gesture, way| gesture.decided((*way).into()))
        };
        assert_eq!(after(&[[0.0, 0.0], [3.0, -4.0]]), Gesture::Undecided);
        assert_eq!(after(&[[1.0, 3.0], [2.0, 9.0], [90.0, 9.0]]), Gesture::Scroll);
        assert_eq!(after(&[[-7.0, 2.0], [-7.0, 90.0]]), Gesture::Change);
    }
}

//! Theme: colors, type and spacing.

#![expect(clippy::unreadable_literal, reason = "colors are written as 0xRRGGBB")]

use std::sync::Arc;

use egui::style::{HandleShape, WidgetVisuals};
use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Frame, Margin,
    Shadow, Stroke, TextStyle, Theme, Vec2, vec2,
};

use super::frame_slice::FRAME_SLICES;

/// Panel background: opaque, so that text over other panels is readable.
const PANEL: Color32 = Color32::from_rgb(13, 15, 21);
const EDGE: Color32 = Color32::from_rgba_premultiplied(40, 44, 54, 200);
const WELL: Color32 = Color32::from_rgb(6, 7, 10);

pub(super) const TEXT: Color32 = Color32::from_rgb(222, 226, 234);
pub(super) const WEAK: Color32 = Color32::from_rgb(146, 153, 167);
pub(super) const STRONG: Color32 = Color32::WHITE;
pub(super) const ACCENT: Color32 = Color32::from_rgb(92, 200, 255);
/// The selected cube, also in `shaders/outline.wgsl`.
pub(super) const SELECTED: Color32 = Color32::from_rgb(255, 96, 208);
pub(super) const GOOD: Color32 = Color32::from_rgb(112, 214, 130);
pub(super) const WARNING: Color32 = Color32::from_rgb(255, 190, 80);

/// Hue of each component type, by its index.
const COMPONENTS: [u32; 18] = [
    0x5cc8ff, 0xb296ff, 0xff96be, 0xffb25a, 0x78dc8c, 0xd8dc64, 0xf06e64, 0x6ee1d2, 0x8c8c96,
    0x8296ff, 0xdc82f0, 0xaabe78, 0xcd966e, 0x78aab4, 0xebc8be, 0x9678aa, 0x5a8c64, 0xb45a78,
];

/// Color of each frame slice, by its index.
const SLICES: [u32; FRAME_SLICES.len()] =
    [0x5cc8ff, 0x6ee1d2, 0x78dc8c, 0xd8dc64, 0x5a6276, 0xffb25a, 0xf06e64, 0xb296ff, 0x3a3f4c];

/// Distance between panels and from the window's edge, in points.
pub(super) const MARGIN: f32 = 8.0;

/// Converts a color from 0xRRGGBB.
fn rgb(hex: u32) -> Color32 {
    let [_, red, green, blue] = hex.to_be_bytes();
    Color32::from_rgb(red, green, blue)
}

pub(super) fn component(number: usize) -> Color32 {
    rgb(COMPONENTS[number % COMPONENTS.len()])
}

/// Returns the color of a frame slice, by its index.
pub(super) fn slice(number: usize) -> Color32 {
    rgb(SLICES[number])
}

/// Blends `color` towards the background; `keep` is 1 for none and 0 for background only.
pub(super) fn dim(color: Color32, keep: f32) -> Color32 {
    WELL.lerp_to_gamma(color, keep)
}

pub(super) fn mono(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

pub(super) fn sans(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// Returns the frame of a panel.
pub(super) fn panel() -> Frame {
    Frame::new()
        .fill(PANEL)
        .stroke(Stroke::new(1.0, EDGE))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 8))
}

/// The Latin letters, digits and signs of Hack, a sixth of its bytes, because the page downloads the font. Texts of a fixed width
/// are mostly numbers and names of keys; other characters come from Ubuntu. Made by fonttools:
///
/// ```sh
/// pyftsubset Hack-Regular.ttf --no-glyph-names --notdef-outline --drop-tables+=TTFA --output-file=hack-latin.ttf \
///     --unicodes=U+20-7E,U+A0-FF,U+2010-2027,U+202F,U+2030-203A,U+20AC,U+2190-2195,U+2212,U+2260,U+2264,U+2265,U+25FB,U+FFFD
/// ```
const HACK: &[u8] = include_bytes!("hack-latin.ttf");

/// Sets the fonts of a context.
pub(super) fn set_fonts(context: &Context) {
    let fonts = [("Hack", HACK), ("Ubuntu-Light", epaint_default_fonts::UBUNTU_LIGHT)];
    let [hack, ubuntu] = fonts.map(|(name, _)| name.to_owned());
    let data = fonts.map(|(name, bytes)| (name.to_owned(), Arc::new(FontData::from_static(bytes))));
    context.set_fonts(FontDefinitions {
        font_data: data.into(),
        families: [
            (FontFamily::Monospace, vec![hack, ubuntu.clone()]),
            (FontFamily::Proportional, vec![ubuntu]),
        ]
        .into(),
    });
}

/// Applies the theme to all of egui's widgets.
pub(super) fn apply(context: &Context) {
    context.set_theme(Theme::Dark);
    // The app itself changes the size of the UI.
    context.options_mut(|options| options.zoom_with_keyboard = false);
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Heading, sans(13.0)),
            (TextStyle::Body, sans(12.0)),
            (TextStyle::Button, sans(12.0)),
            (TextStyle::Monospace, mono(11.5)),
            (TextStyle::Small, sans(10.5)),
        ]
        .into();
        style.drag_value_text_style = TextStyle::Monospace;
        style.animation_time = 0.0;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.3;
        style.explanation_tooltips = false;

        let spacing = &mut style.spacing;
        spacing.item_spacing = vec2(6.0, 4.0);
        spacing.button_padding = vec2(7.0, 2.0);
        spacing.interact_size = vec2(24.0, 19.0);
        spacing.slider_rail_height = 4.0;
        spacing.icon_width = 14.0;
        spacing.icon_width_inner = 8.0;
        spacing.tooltip_width = 300.0;
        // Scroll bars get space of their own beside the numbers.
        spacing.scroll.floating_allocated_width = 8.0;
        // Shows that there is more, also without the pointer over it.
        spacing.scroll.dormant_handle_opacity = 0.6;

        let visuals = &mut style.visuals;
        visuals.window_fill = PANEL;
        visuals.window_stroke = Stroke::new(1.0, EDGE);
        visuals.panel_fill = PANEL;
        visuals.extreme_bg_color = WELL;
        visuals.popup_shadow = Shadow::NONE;
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = HandleShape::Circle;
        visuals.selection.bg_fill = Color32::from_rgb(24, 96, 136);
        visuals.selection.stroke = Stroke::new(1.0, STRONG);
        visuals.warn_fg_color = WARNING;
        visuals.disabled_alpha = 0.7;
        // It would draw frames while nothing moves.
        visuals.text_cursor.blink = false;
        let widgets = &mut visuals.widgets;
        style_widget(&mut widgets.noninteractive, Color32::from_gray(20), TEXT);
        style_widget(&mut widgets.inactive, Color32::from_rgb(46, 52, 66), TEXT);
        style_widget(&mut widgets.hovered, Color32::from_rgb(64, 73, 92), STRONG);
        style_widget(&mut widgets.active, Color32::from_rgb(28, 112, 158), STRONG);
        style_widget(&mut widgets.open, Color32::from_rgb(48, 54, 68), STRONG);
        widgets.noninteractive.bg_stroke = Stroke::new(1.0, EDGE);
    });
}

fn style_widget(widget: &mut WidgetVisuals, fill: Color32, text: Color32) {
    widget.bg_fill = fill;
    widget.weak_bg_fill = fill;
    widget.bg_stroke = Stroke::NONE;
    widget.fg_stroke = Stroke::new(1.0, text);
    widget.corner_radius = CornerRadius::same(1);
    widget.expansion = 0.0;
}

/// Size of the colored square beside a name.
pub(super) const SWATCH: Vec2 = vec2(8.0, 8.0);

#[cfg(test)]
mod tests {
    use egui::Rgba;

    use super::*;

    /// Relative luminance, as the Web Content Accessibility Guidelines 2.2 define it.
    fn luminance(color: Color32) -> f32 {
        let linear = Rgba::from(color);
        0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let [a, b] = [a, b].map(|color| luminance(color) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn contrast_is_that_of_the_guidelines() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 0.01);
        // The example of the guidelines' techniques: gray #767676 on white.
        assert!((contrast(rgb(0x76_7676), Color32::WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn the_outline_of_the_selected_cube_has_its_color_in_the_inspector() {
        let [red, green, blue, _] = Rgba::from(SELECTED).to_array();
        let line = format!("LINE_COLOR = vec3f({red:.1}, {green:.3}, {blue:.3});");
        assert!(include_str!("../../shaders/outline.wgsl").contains(&line), "{line}");
    }

    #[test]
    fn every_text_has_a_contrast_of_at_least_4_5() {
        let context = Context::default();
        apply(&context);
        let visuals = context.style_of(Theme::Dark).visuals.clone();
        let mut pairs = Vec::new();
        for text in [TEXT, WEAK, STRONG, ACCENT, GOOD, WARNING] {
            pairs.extend([(text, PANEL), (text, WELL), (text, visuals.window_fill)]);
        }
        let widgets = &visuals.widgets;
        for widget in [
            &widgets.noninteractive,
            &widgets.inactive,
            &widgets.hovered,
            &widgets.active,
            &widgets.open,
        ] {
            assert_eq!(widget.bg_fill, widget.weak_bg_fill);
            pairs.push((widget.fg_stroke.color, widget.bg_fill));
            // Check boxes and labels have no fill of their own.
            pairs.push((widget.fg_stroke.color, PANEL));
        }
        pairs.push((visuals.selection.stroke.color, visuals.selection.bg_fill));
        // Text that is edited is within the well, its selection in the color of the selection.
        pairs.push((TEXT, visuals.selection.bg_fill));
        let disabled = |color: Color32| PANEL.lerp_to_gamma(color, visuals.disabled_alpha);
        pairs.push((disabled(TEXT), disabled(widgets.inactive.bg_fill)));
        for (text, background) in pairs {
            assert_eq!([text.a(), background.a()], [255; 2], "{text:?} on {background:?}");
            let contrast = contrast(text, background);
            assert!(contrast >= 4.5, "{contrast} of {text:?} on {background:?}");
        }
    }
}

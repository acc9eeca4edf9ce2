//! Arrangement: where the panels are. They never overlap, and leave the middle of the window to the cube
//! that the camera follows.
//!
//! Statistics and controls are columns at the sides, and the inspector is docked below or in one of the
//! columns. A narrow window has one column for all panels, at the right, or below if the window is upright, as
//! that of a phone. Panels that do not fit scroll; a column too low for that scrolls as a whole.

use egui::{Rect, Vec2, pos2, vec2};

use super::theme::MARGIN;
use crate::input::Dock;

/// Narrower windows, in points, have one column, which has the inspector, too.
pub(super) const TWO_COLUMNS: f32 = 620.0;

/// Widths of a column: largest, and as a share of the window.
const SIDE: (f32, f32) = (268.0, 0.39);
/// The same of a column with the inspector, and of the only column, which ends beside the middle.
const DOCKED_SIDE: (f32, f32) = (460.0, 0.42);
const ONLY_SIDE: (f32, f32) = (268.0, 0.46);

/// The only column of an upright window: its largest width, and its height as a share of the window, which ends
/// below the middle.
const ONLY_BELOW: (f32, f32) = (460.0, 0.46);

/// Widths of an inspector below: the largest, and the smallest that fits between the columns.
const BELOW: [f32; 2] = [642.0, 520.0];
/// Its largest height as a share of the window: a followed cube is in the middle.
const BELOW_SHARE: f32 = 0.34;

/// Smallest height of a panel whose contents scroll, in points.
const MIN_HEIGHT: f32 = 120.0;

/// A panel that has a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum PanelId {
    Statistics,
    Controls,
    Selected,
    Inspector,
}

/// Panels one below the other.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Column {
    pub(super) rect: Rect,
    /// Each panel and its largest height.
    pub(super) panels: Vec<(PanelId, f32)>,
    /// The panels are higher than the column, which scrolls.
    pub(super) scrolls: bool,
}

/// The columns, and what they leave.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Arrangement {
    pub(super) columns: Vec<Column>,
    /// Area without panels around the middle of the window.
    pub(super) free: Rect,
}

impl Arrangement {
    /// Arranges panels in a window, in points. `height_of` returns the height that a panel needs, or `None`
    /// if it is not shown.
    pub(super) fn new(
        window: Vec2,
        dock: Dock,
        height_of: impl Fn(PanelId) -> Option<f32>,
    ) -> Self {
        let shown = |panels: &[PanelId]| -> Vec<(PanelId, f32)> {
            let needs = |&panel| height_of(panel).map(|height| (panel, height));
            panels.iter().filter_map(needs).collect()
        };
        let width = |(largest, share): (f32, f32)| largest.min(share * window.x - MARGIN);
        let mut free = Rect::from_min_size(pos2(0.0, 0.0), window).shrink(MARGIN);
        if window.x < TWO_COLUMNS {
            use PanelId::{Controls, Inspector, Selected, Statistics};
            // The selected cube first, or a tap on one would show nothing that is not scrolled away.
            let panels = shown(&[Selected, Controls, Statistics, Inspector]);
            let rect = if window.y > window.x {
                let (largest, share) = ONLY_BELOW;
                take_bottom(&mut free, vec2(largest, share * window.y - MARGIN))
            } else {
                take_right(&mut free, width(ONLY_SIDE))
            };
            return Self { columns: vec![column(rect, panels)], free };
        }
        let (mut left, mut right) =
            (shown(&[PanelId::Statistics]), shown(&[PanelId::Controls, PanelId::Selected]));
        let mut sides = [width(SIDE); 2];
        let mut below = None;
        if let Some(height) = height_of(PanelId::Inspector) {
            match dock {
                Dock::Bottom => below = Some(height.min(BELOW_SHARE * window.y)),
                Dock::Left => {
                    left.push((PanelId::Inspector, height));
                    sides[0] = width(DOCKED_SIDE);
                }
                Dock::Right => {
                    right.push((PanelId::Inspector, height));
                    sides[1] = width(DOCKED_SIDE);
                }
            }
        }
        let mut bottom = free.bottom();
        let inspector = below.map(|height| {
            // Below the columns if there is not enough space between them.
            let between = free.width() - sides[0] - sides[1] - 2.0 * MARGIN;
            let across = between < BELOW[1];
            let width = if across { free.width() } else { between }.min(BELOW[0]);
            let min = pos2(free.center().x - width / 2.0, free.bottom() - height);
            let rect = Rect::from_min_size(min, vec2(width, height));
            bottom = rect.top() - MARGIN;
            if across {
                free.max.y = bottom;
            }
            Column { rect, panels: vec![(PanelId::Inspector, height)], scrolls: false }
        });
        let left = column(take_left(&mut free, sides[0]), left);
        let right = column(take_right(&mut free, sides[1]), right);
        free.max.y = bottom;
        // The inspector is the last: what scrolls in a column is identified by the number of the column.
        Self { columns: [left, right].into_iter().chain(inspector).collect(), free }
    }
}

fn take_left(free: &mut Rect, width: f32) -> Rect {
    let (taken, rest) = free.split_left_right_at_x(free.left() + width);
    *free = rest.with_min_x(rest.left() + MARGIN);
    taken
}

fn take_right(free: &mut Rect, width: f32) -> Rect {
    let (rest, taken) = free.split_left_right_at_x(free.right() - width);
    *free = rest.with_max_x(rest.right() - MARGIN);
    taken
}

fn take_bottom(free: &mut Rect, size: Vec2) -> Rect {
    let (rest, taken) = free.split_top_bottom_at_y(free.bottom() - size.y);
    *free = rest.with_max_y(rest.bottom() - MARGIN);
    Rect::from_center_size(taken.center(), size.min(taken.size()))
}

/// Distributes the height of a column: panels that need little get it, the others share the rest.
fn column(rect: Rect, mut panels: Vec<(PanelId, f32)>) -> Column {
    let gaps = MARGIN * panels.len().saturating_sub(1) as f32;
    let mut left = (rect.height() - gaps).max(0.0);
    let needed: f32 = panels.iter().map(|(_, height)| height).sum();
    if needed <= left {
        return Column { rect, panels, scrolls: false };
    }
    let mut by_need: Vec<_> = panels.iter_mut().map(|(_, height)| height).collect();
    by_need.sort_by(|a, b| a.total_cmp(b));
    let mut others = by_need.len() as f32;
    let mut limits = Vec::new();
    for &mut &mut height in &mut by_need {
        let share = height.min(left / others);
        limits.push(share);
        left -= share;
        others -= 1.0;
    }
    if limits.iter().zip(&by_need).any(|(&limit, height)| limit < MIN_HEIGHT.min(**height)) {
        return Column { rect, panels, scrolls: true };
    }
    by_need.into_iter().zip(limits).for_each(|(height, limit)| *height = limit);
    Column { rect, panels, scrolls: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [PanelId; 4] =
        [PanelId::Statistics, PanelId::Controls, PanelId::Selected, PanelId::Inspector];

    #[test]
    fn columns_never_overlap_leave_the_window_or_cover_its_middle() {
        for (width, height) in (0..60).flat_map(|x| (0..40).map(move |y| (x, y))) {
            let window = vec2(200.0 + 64.0 * width as f32, 120.0 + 54.0 * height as f32);
            for dock in [Dock::Bottom, Dock::Left, Dock::Right] {
                // Needs of every combination of closed, small and large panels.
                for combination in 0..81 {
                    let need = |panel| match combination / 3_u32.pow(panel as u32) % 3 {
                        0 => None,
                        1 => Some(34.0),
                        _ => Some(550.0),
                    };
                    check(window, dock, need);
                }
            }
        }
    }

    fn check(window: Vec2, dock: Dock, need: impl Fn(PanelId) -> Option<f32>) {
        let Arrangement { columns, free } = Arrangement::new(window, dock, &need);
        let context = || format!("{window} {dock:?} {columns:?}");
        let screen = Rect::from_min_size(pos2(0.0, 0.0), window);
        let used: Vec<_> = columns.iter().filter(|column| !column.panels.is_empty()).collect();
        for (i, column) in used.iter().enumerate() {
            assert!(screen.shrink(MARGIN - 0.01).contains_rect(column.rect), "{}", context());
            assert!(!column.rect.intersects(free), "{} {free}", context());
            assert!(!column.rect.contains(screen.center()), "{}", context());
            for other in &used[..i] {
                assert!(!column.rect.intersects(other.rect), "{}", context());
            }
            let gaps = MARGIN * (column.panels.len() - 1) as f32;
            let heights: f32 = column.panels.iter().map(|(_, height)| height).sum();
            let fits = heights + gaps <= column.rect.height() + 0.01;
            assert!(fits != column.scrolls, "{}", context());
        }
        let placed = columns.iter().flat_map(|column| &column.panels).count();
        assert_eq!(placed, ALL.into_iter().filter(|&panel| need(panel).is_some()).count());
    }

    #[test]
    fn a_panel_that_needs_little_height_gets_it() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(200.0, 408.0));
        let panels = vec![(PanelId::Controls, 900.0), (PanelId::Selected, 150.0)];
        let Column { panels, scrolls, .. } = column(rect, panels);
        assert_eq!(panels, [(PanelId::Controls, 250.0), (PanelId::Selected, 150.0)]);
        assert!(!scrolls);
        let panels = vec![(PanelId::Controls, 900.0), (PanelId::Selected, 700.0)];
        let shared = column(rect, panels.clone()).panels;
        assert_eq!(shared, [(PanelId::Controls, 200.0), (PanelId::Selected, 200.0)]);
        let low = Rect::from_min_size(pos2(0.0, 0.0), vec2(200.0, 160.0));
        assert!(column(low, panels).scrolls);
    }
}

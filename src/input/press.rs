//! A press of a button or finger: a click, a long press or a drag.

use std::time::Duration;

use super::Action;
use crate::time::Instant;

/// Longest click.
const MAX_CLICK: Duration = Duration::from_millis(300);
/// Shortest long press.
const MIN_LONG_PRESS: Duration = Duration::from_millis(500);

/// A button or finger that is down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    since: Instant,
    from: [f64; 2],
    at: [f64; 2],
    /// Distance beyond which it is a drag.
    threshold: f64,
    is_drag: bool,
}

impl Press {
    /// Starts at a position. Further than `threshold` away from there it is a drag.
    pub(super) fn new(at: [f64; 2], threshold: f64, now: Instant) -> Self {
        Self { since: now, from: at, at, threshold, is_drag: false }
    }

    /// Returns its latest position.
    pub(super) fn at(&self) -> [f64; 2] {
        self.at
    }

    /// Makes it a drag, however little it moves.
    pub(super) fn start_drag(&mut self) {
        self.is_drag = true;
    }

    /// Moves it. Returns [`Action::Look`] once it is a drag.
    pub(super) fn moved(&mut self, to: [f64; 2]) -> Option<Action> {
        let before = if self.is_drag { self.at } else { self.from };
        self.at = to;
        let [right, down] = [to[0] - before[0], to[1] - before[1]];
        self.is_drag |= right.hypot(down) > self.threshold;
        self.is_drag.then_some(Action::Look { right: right as f32, down: down as f32 })
    }

    /// Returns whether a release at `now` makes it a click.
    pub(super) fn is_click(&self, now: Instant) -> bool {
        !self.is_drag && now.saturating_duration_since(self.since) <= MAX_CLICK
    }

    /// Returns whether a release at `now` makes it a long press.
    pub(super) fn is_long_press(&self, now: Instant) -> bool {
        !self.is_drag && now.saturating_duration_since(self.since) >= MIN_LONG_PRESS
    }
}

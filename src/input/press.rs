//! Press: a button or a finger that is down, and whether it clicks or drags.

use std::time::{Duration, Instant};

use super::Action;

/// A press that goes no farther than this, in pixels, drags nothing.
const SLACK: f64 = 4.0;
/// A press that is released sooner, and has dragged nothing, is a click.
const CLICK: Duration = Duration::from_millis(300);
/// A press that is released later, and has dragged nothing, is a long one.
const LONG: Duration = Duration::from_millis(500);

/// Where and when something was pressed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Press {
    since: Instant,
    from: [f64; 2],
    at: [f64; 2],
    drags: bool,
}

impl Press {
    pub(super) fn new(at: [f64; 2], now: Instant) -> Self {
        Self { since: now, from: at, at, drags: false }
    }

    /// Where it is by now.
    pub(super) fn at(&self) -> [f64; 2] {
        self.at
    }

    /// It is no click whatever comes.
    pub(super) fn drag(&mut self) {
        self.drags = true;
    }

    /// Has moved on; once that is no tremble any more, a wish to look around.
    pub(super) fn moved(&mut self, to: [f64; 2]) -> Option<Action> {
        let before = if self.drags { self.at } else { self.from };
        self.at = to;
        let [right, down] = [to[0] - before[0], to[1] - before[1]];
        self.drags |= right.hypot(down) > SLACK;
        self.drags.then_some(Action::Look { right: right as f32, down: down as f32 })
    }

    /// Whether a release now makes it a click.
    pub(super) fn clicks(&self, now: Instant) -> bool {
        !self.drags && now.saturating_duration_since(self.since) <= CLICK
    }

    /// Whether a release now makes it a long press.
    pub(super) fn is_long(&self, now: Instant) -> bool {
        !self.drags && now.saturating_duration_since(self.since) >= LONG
    }
}

//! Tracking which entities' components were added or changed.

use super::change_times::Checkpoint;
use super::{Component, World};

impl World {
    /// Records from now on when each component `T` is added and changed, for
    /// [`Query::added`](super::Query::added) and [`Query::changed`](super::Query::changed): 16 bytes
    /// per component. Those that exist count as added now. Does nothing if `T` is tracked already. Types that are
    /// not tracked cost nothing.
    #[cfg_attr(not(web), track_caller)]
    pub fn track_changes<T: Component>(&mut self) {
        let component = self.register::<T>();
        let column = &mut self.columns[component.index()];
        let len = column.len();
        column.changes_mut().track(len, self.now);
    }

    /// Ends a part of the history: returns a checkpoint after every change so far and before every later one.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let checkpoint = self.now;
        self.now = Checkpoint(checkpoint.0 + 1);
        for column in self.columns.iter_mut() {
            column.changes_mut().set_now(self.now);
        }
        checkpoint
    }
}

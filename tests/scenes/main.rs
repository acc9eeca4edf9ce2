//! Scene files: bundled scenes, format and errors, hostile input, running and saving.

#![cfg(all(feature = "sim", feature = "parallel"))]

use cubefall::sim::{Simulation, TimeStep};

mod bundled;
mod documentation;
mod format;
mod hostile;
mod running;
mod saving;
mod schema;

/// Runs steps of 1/60 s.
fn run(simulation: &mut Simulation, frames: u32) {
    for _ in 0..frames {
        simulation.step(TimeStep::default()).unwrap();
    }
}

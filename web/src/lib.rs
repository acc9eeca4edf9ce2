//! The demo as a page in a browser: what JavaScript calls.
#![cfg(all(target_family = "wasm", target_os = "unknown"))]

use cubefall::cli::{Query, WindowArgs};
use cubefall::sim::TimeStep;
use wasm_bindgen::prelude::wasm_bindgen;

/// Starts the demo on the canvas of the page. Returns at once. `interval` is the shortest time between two frames
/// of the browser so far, in ms.
#[wasm_bindgen]
pub fn run(interval: f64) {
    cubefall::app::run(interval);
}

/// Ends a recording, which downloads it: nothing else could after the program has stopped.
#[wasm_bindgen]
pub fn end_video() {
    cubefall::app::end_video();
}

/// Simulates a number of frames without drawing, and returns the state hash as `cubefall simulate` prints it.
///
/// # Errors
/// The simulation cannot be created, or a step fails.
#[wasm_bindgen]
pub fn state_hash(query: &str, frames: u32) -> Result<String, String> {
    let Query { args, .. } = WindowArgs::from_query(query);
    let scene = &args.simulation.scene;
    let created = scene.create(scene.source(), scene.mode());
    let simulated = created.and_then(|mut simulation| {
        (0..frames).try_for_each(|_| simulation.step(TimeStep::default()))?;
        Ok(simulation.state_hash())
    });
    simulated.map(|hash| format!("{hash:016x}")).map_err(|error| error.to_string())
}

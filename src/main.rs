//! Cubefall.
fn main() {}

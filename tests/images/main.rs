//! What the renderer draws, on whatever adapter there is.
//!
//! Most of it is held against a second renderer that shares nothing with the first: one ray to a
//! pixel, on the CPU, in `f64`. Pictures that differ are left in `target/tmp`, what was expected
//! beside what was drawn beside the difference; `CUBEFALL_IMAGES=1` leaves all of them there.
//!
//! | file | holds |
//! |---|---|
//! | `camera`, `solid`, `plane`, `shade`, `light` | the second renderer's parts: rays, cubes, ground, shadow, colour |
//! | `reference` | the second renderer |
//! | `painter`, `still`, `gallery` | the first renderer, scenes made by hand, all scenes that are compared |
//! | `comparison`, `triptych` | how far two pictures differ, and a file that shows it |
//! | `agreement`, `selection`, `streaming`, `behaviour`, `outline` | the tests |

#![cfg(feature = "render")]

mod agreement;
mod behaviour;
mod camera;
mod comparison;
mod culling;
mod gallery;
mod light;
mod outline;
mod painter;
mod plane;
mod reference;
mod shade;
mod solid;
mod still;
mod streaming;
mod triptych;

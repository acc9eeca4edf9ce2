//! Ten thousand cubes fall in a window: a small, readable Entity Component System that feeds a GPU.
//!
//! Rooms, from the ground floor up; each may use only those above it in this table:
//!
//! | room | what it is |
//! |---|---|
//! | [`ecs`] | entities, packed component arrays, owning groups, queries, systems |
//! | [`components`] | plain data with units, the very bytes the GPU sees |
//! | [`input`] | device events into actions |
//! | [`output`] | files that are written whole or not at all |
//! | [`units`] | numbers, times, shares and bytes as text |
//! | [`sim`] | the world of cubes and camera |
//! | [`render`] | packed arrays in, picture out |
//! | [`frame`] | where the two meet |
//! | [`benchmark`] | frame times into figures that can be trusted |
//! | [`cli`] | flags into typed settings |
//! | [`hud`] | figures and controls over the picture |
//! | [`commands`], [`app`] | what each subcommand does; the window and its frame |
//!
//! The features `sim`, `render`, `cli`, `benchmark` and `app` switch the rooms on, `scenes`, `snapshot` and
//! `record` parts of them; `parallel` brings all cores to the systems and `serde` snapshots to any world.
//! Without any of them `ecs` is left, which needs nothing but the standard library.

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "benchmark")]
pub mod benchmark;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod commands;
#[cfg(feature = "sim")]
pub mod components;
pub mod ecs;
#[cfg(feature = "render")]
pub mod frame;
#[cfg(feature = "app")]
pub mod hud;
#[cfg(feature = "app")]
pub mod input;
#[cfg(any(feature = "cli", feature = "render"))]
pub mod output;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "sim")]
pub mod sim;
#[cfg(feature = "scenes")]
pub use sim::scenes;
#[cfg(feature = "cli")]
pub mod units;

/// The code examples of the documentation pages, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/ecs.md")]
struct DocumentationExamples;

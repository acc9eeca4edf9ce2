//! Ten thousand cubes fall in a window: a small, readable Entity Component System (ECS) feeding a GPU.
//!
//! Start with [`ecs`] for the library, with [`sim`] and [`render`] for the demo, and with [`benchmark`]
//! for measurements. Modules import only from modules above them in this table:
//!
//! | module | contents |
//! |---|---|
//! | [`ecs`] | entities, packed component arrays, owning groups, queries, systems |
//! | [`components`] | plain data with units, in the layout the GPU reads |
//! | [`units`] | numbers, times, shares and bytes as text |
//! | [`memory`] | whether cubes and images fit into main memory |
//! | [`output`] | files replaced atomically, standard output and standard error |
//! | [`interrupt`] | signals that ask the process to end |
//! | [`scenes`] | the scene file format |
//! | [`render`] | component arrays in, frames out, with wgpu |
//! | [`sim`] | the world of cubes and camera |
//! | [`frame`] | the connection of `sim` and `render` |
//! | [`benchmark`] | frame times, their statistics, result files and reports |
//! | [`input`] | events of keyboard, mouse, touch and gamepad as actions |
//! | `cli` | flags as typed settings |
//! | [`hud`] | statistics and controls over the frame |
//! | [`app`] | the window and its frame loop |
//! | `commands` | one file per subcommand |
//!
//! # Features
//!
//! Without features the crate is [`ecs`] alone and depends on the standard library only (in a browser
//! also on `web-time`, its clock).
//!
//! - `parallel` spreads the work within a system over the threads of the current rayon pool, with the same results
//!   (`GroupMut::par_for_each_chunk`, `World::par_respawn_batch`); it has no effect in a browser. Build the global pool with
//!   `use_current_thread` on the thread that steps and draws: otherwise it sleeps while others work.
//! - `serde` adds snapshots of a world.
//! - `sim`, `render`, `benchmark`, `cli` and `app` enable the modules of these names and those that they use.
//! - `record` adds videos and animations.

// The table links to modules that exist only with their features.
#![cfg_attr(not(feature = "app"), allow(rustdoc::broken_intra_doc_links))]
// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "app")]
pub mod app;
#[cfg(feature = "benchmark")]
pub mod benchmark;
// The program's own, without a page: the texts are written for `--help`.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(all(feature = "cli", not(web)))]
#[doc(hidden)]
pub mod commands;
#[cfg(feature = "sim")]
pub mod components;
pub mod ecs;
#[cfg(feature = "sim")]
mod error_text;
#[cfg(feature = "render")]
pub mod frame;
#[cfg(feature = "app")]
pub mod hud;
#[cfg(feature = "app")]
pub mod input;
#[cfg(feature = "sim")]
mod input_file;
#[cfg(all(any(feature = "benchmark", feature = "record"), not(web)))]
pub mod interrupt;
#[cfg(feature = "cli")]
pub mod memory;
#[cfg(feature = "sim")]
mod names;
#[cfg(any(feature = "cli", feature = "render"))]
pub mod output;
#[cfg(feature = "render")]
pub mod render;
#[cfg(feature = "sim")]
pub mod scenes;
#[cfg(feature = "sim")]
mod schema_text;
#[cfg(feature = "sim")]
pub mod sim;
mod time;
#[cfg(any(feature = "cli", feature = "render"))]
pub mod units;

/// The code examples of the documentation pages, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/ecs.md")]
struct DocumentationExamples;

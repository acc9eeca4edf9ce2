//! Cubes whose motion the GPU evaluates.
//!
//! A cube is uploaded once, when it spawns or otherwise changes course, as one [record](record::Record).
//! The vertex shader computes where it is now; see `shaders/evaluated.wgsl`. Of the cubes, a frame
//! uploads changed records and changed colors only.
//!
//! | file | contents |
//! |---|---|
//! | `record`, `changes` | records made of the arrays of a scene; which of them are out of date |
//! | `gpu_copy` | records and colors on the GPU, and their upload |
//! | `pages`, `scatter` | their buffers; scattered uploads |
//! | `cubes`, `pulled`, `instanced` | drawing them, in either geometry |
//! | `culling`, `culled_page`, `visible_counts` | which of them are drawn |

mod changes;
mod cubes;
mod culled_page;
mod culling;
mod gpu_copy;
mod instanced;
mod pages;
mod pulled;
mod record;
mod scatter;
mod visible_counts;

pub(super) use cubes::{BYTES_PER_CUBE, EvaluatedCubes};
pub(super) use culling::GpuCulling;

//! Rendering with wgpu: packed arrays in, picture out. Knows slices and cameras, nothing of
//! entities.
//!
//! [`Gpu`] is the device; a picture goes to a [`WindowSurface`] or to an [`OffscreenTarget`], and
//! the [`Renderer`] does not care which. A frame is `prepare` (write what changed into GPU buffers)
//! and `render` (record the draws into a pass).

mod capture;
mod cube_mesh;
mod cube_pipeline;
mod depth;
mod error;
mod globals;
mod gpu;
mod image;
mod instance_stream;
mod offscreen;
mod renderer;
#[cfg(test)]
mod shader_check;
mod size;
mod sky_pipeline;
mod surface;

pub use error::RenderError;
pub use gpu::{AdapterSummary, Gpu, adapters};
pub use image::{Image, ImageFile, OutputError};
pub use offscreen::OffscreenTarget;
pub use renderer::{Renderer, Scene};
pub use size::Size;
pub use surface::{Acquired, WindowSurface};
